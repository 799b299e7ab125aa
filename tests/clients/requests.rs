//! What is sent for every operation, held by snapshots: as the specification spells it, and what differs where the
//! vocabulary of the public services is spoken.

use std::fmt::Write as _;

use wireform_client::Naming;

use crate::calls::{ALL, Entry};
use crate::clients::{Running, Setup, Way};
use crate::paths::HOSTILE;
use crate::server::{Recorded, json};

/// What differs from run to run, or follows from the body; that there is none is worth saying.
const UNIMPORTANT: &[&str] = &["host", "content-length"];

async fn start(way: Way, names: Naming) -> Running {
    Setup { names, ..Setup::new(way) }.start(|_| json(200, "{}")).await
}

/// The request of one call as it stands on the wire.
async fn sent(running: &Running, entry: &Entry, full: bool) -> String {
    let (send, path) = if full { (entry.full, HOSTILE) } else { (entry.minimal, crate::calls::PLAIN) };
    send(&running.clients, path).await.unwrap_or_else(|failure| panic!("{}: {failure:?}", entry.name()));
    shown(&running.log.only())
}

/// A request for people to read.
fn shown(request: &Recorded) -> String {
    let mut text = format!("{} {}\n", request.method, request.target);
    let mut headers: Vec<String> = request
        .headers
        .iter()
        .filter(|(name, value)| !UNIMPORTANT.contains(&name.as_str()) || *value == "0")
        .map(|(name, value)| format!("{name}: {}", value.to_str().expect("a header is text")))
        .map(|line| line.replace(concat!("wireform-client/", env!("CARGO_PKG_VERSION")), "wireform-client/…"))
        .collect();
    headers.sort();
    for header in headers {
        let _ = writeln!(text, "{header}");
    }
    let length = request.header("content-length").map(|length| length.parse::<usize>().expect("a length"));
    assert!(length.is_none_or(|length| length == request.body.len()), "{length:?}: {text}");
    if !request.body.is_empty() {
        let _ = write!(text, "\n{:#}\n", request.json());
    }
    text
}

/// Every request of an API.
async fn document(api: &str) -> String {
    let running = start(Way::Sockets, Naming::Specification).await;
    let mut document = String::new();
    for entry in ALL.iter().filter(|entry| entry.api == api) {
        for (which, full) in [("minimal", false), ("full", true)] {
            let _ = write!(document, "## {}, {which}\n\n{}\n", entry.operation, sent(&running, entry, full).await);
        }
    }
    document
}

/// What the public vocabulary changes, operation by operation: each parameter of the query by itself.
async fn differences(api: &str) -> String {
    let plain = start(Way::Sockets, Naming::Specification).await;
    let public = start(Way::Sockets, Naming::Public).await;
    let mut document = String::new();
    for entry in ALL.iter().filter(|entry| entry.api == api) {
        let (old, new) = (sent(&plain, entry, true).await, sent(&public, entry, true).await);
        let (old, new) = (pieces(&old), pieces(&new));
        assert_eq!(old.len(), new.len(), "{}: a spelling adds nothing", entry.name());
        let _ = writeln!(document, "## {}\n", entry.operation);
        for (old, new) in old.into_iter().zip(new).filter(|(old, new)| old != new) {
            let _ = writeln!(document, "-{old}\n+{new}\n");
        }
    }
    document
}

/// The lines of a request, the first one taken apart.
fn pieces(request: &str) -> Vec<&str> {
    let (first, rest) = request.split_once('\n').expect("there are headers");
    first.split(['?', '&']).chain(rest.lines()).collect()
}

/// Compares with the snapshot of that name.
fn assert(name: &str, document: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, document));
}

macro_rules! snapshots {
    ($($api:ident)*) => {$(
        mod $api {
            #[tokio::test]
            async fn requests() {
                super::assert(concat!(stringify!($api), "-requests"), &super::document(stringify!($api)).await);
            }

            #[tokio::test]
            async fn public_names() {
                super::assert(concat!(stringify!($api), "-public"), &super::differences(stringify!($api)).await);
            }
        }
    )*};
}

snapshots!(calendar mailbox script);

/// Both ways of reaching a server send the same, but for what a connection needs.
#[tokio::test]
async fn what_is_sent_does_not_depend_on_how() {
    let connection = |line: &&str| !line.starts_with("accept-encoding: ") && !line.starts_with("accept: ");
    let (sockets, process) = (start(Way::Sockets, Naming::Public).await, start(Way::InProcess, Naming::Public).await);
    for entry in ALL {
        for full in [true, false] {
            let (by_sockets, in_process) = (sent(&sockets, entry, full).await, sent(&process, entry, full).await);
            let lines = |text: &str| text.lines().filter(connection).map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(lines(&by_sockets), lines(&in_process), "{}", entry.name());
        }
    }
}
