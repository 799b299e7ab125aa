//! What is sent for every operation, held by snapshots: as the specification spells it, and what differs where the
//! vocabulary of the public services is spoken.

use std::fmt::Write as _;

use wireform_client::Names;

use crate::calls::{ALL, Entry};
use crate::clients::{Setup, Way};
use crate::paths::HOSTILE;
use crate::server::{Recorded, json};

/// What every request has, or what stands for another version of this crate.
const UNIMPORTANT: &[&str] = &["host", "content-length"];

/// The request of one call as it stands on the wire.
async fn sent(setup: &Setup, entry: &Entry, full: bool) -> String {
    let running = setup.start(|_| json(200, "{}")).await;
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
        .filter(|(name, _)| !UNIMPORTANT.contains(&name.as_str()))
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
    let setup = Setup::new(Way::Sockets);
    let mut document = String::new();
    for entry in ALL.iter().filter(|entry| entry.api == api) {
        for (which, full) in [("minimal", false), ("full", true)] {
            let _ = write!(document, "## {}, {which}\n\n{}\n", entry.operation, sent(&setup, entry, full).await);
        }
    }
    document
}

/// The lines that the public vocabulary changes, operation by operation.
async fn differences(api: &str) -> String {
    let plain = Setup::new(Way::Sockets);
    let public = Setup { names: Names::Public, ..plain.clone() };
    let mut document = String::new();
    for entry in ALL.iter().filter(|entry| entry.api == api) {
        let (old, new) = (sent(&plain, entry, true).await, sent(&public, entry, true).await);
        assert_eq!(old.lines().count(), new.lines().count(), "{}: a spelling adds no line", entry.name());
        let _ = writeln!(document, "## {}\n", entry.operation);
        for (old, new) in old.lines().zip(new.lines()).filter(|(old, new)| old != new) {
            let _ = writeln!(document, "-{old}\n+{new}\n");
        }
    }
    document
}

macro_rules! snapshots {
    ($($api:ident)*) => {$(
        mod $api {
            #[tokio::test]
            async fn requests() {
                insta::assert_snapshot!(concat!(stringify!($api), "_requests"), super::document(stringify!($api)).await);
            }

            #[tokio::test]
            async fn public_names() {
                insta::assert_snapshot!(concat!(stringify!($api), "_public"), super::differences(stringify!($api)).await);
            }
        }
    )*};
}

snapshots!(calendar mailbox script);

/// Both ways of reaching a server send the same, but for what a connection needs.
#[tokio::test]
async fn what_is_sent_does_not_depend_on_how() {
    let connection = |line: &&str| !line.starts_with("accept-encoding: ") && !line.starts_with("accept: ");
    for entry in ALL {
        for full in [true, false] {
            let by_sockets = sent(&Setup::new(Way::Sockets), entry, full).await;
            let in_process = sent(&Setup::new(Way::InProcess), entry, full).await;
            let lines = |text: &str| text.lines().filter(connection).map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(lines(&by_sockets), lines(&in_process), "{}", entry.name());
        }
    }
}
