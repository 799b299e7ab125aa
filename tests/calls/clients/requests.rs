//! Snapshots of the request of every operation, in the naming of the specification, and of the differences in the
//! naming of the public services.

use std::fmt::Write as _;

use wireform_client::Naming;

use crate::calls::{ALL, Entry};
use crate::clients::{Harness, Setup, TransportKind};
use crate::paths::HOSTILE;
use crate::server::{RecordedRequest, json};

/// Headers that vary between runs or follow from the body. `content-length: 0` is kept, because it shows that there is
/// no body.
const OMITTED_HEADERS: &[&str] = &["host", "content-length"];

async fn start(transport: TransportKind, names: Naming) -> Harness {
    Setup { names, ..Setup::new(transport) }.start(|_| json(200, "{}")).await
}

/// Returns the request of one call as it is on the wire.
async fn request_text(harness: &Harness, entry: &Entry, full: bool) -> String {
    let (send, path) = if full { (entry.full, HOSTILE) } else { (entry.minimal, crate::calls::PLAIN) };
    send(&harness.clients, path).await.unwrap_or_else(|failure| panic!("{}: {failure:?}", entry.name()));
    format_request(&harness.log.only())
}

/// Formats a request for the snapshot.
fn format_request(request: &RecordedRequest) -> String {
    let mut text = format!("{} {}\n", request.method, request.target);
    let mut headers: Vec<String> = request
        .headers
        .iter()
        .filter(|(name, value)| !OMITTED_HEADERS.contains(&name.as_str()) || *value == "0")
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

/// Formats every request of an API.
async fn document(api: &str) -> String {
    let harness = start(TransportKind::Sockets, Naming::Specification).await;
    let mut document = String::new();
    for entry in ALL.iter().filter(|entry| entry.api == api) {
        for (which, full) in [("minimal", false), ("full", true)] {
            let _ =
                write!(document, "## {}, {which}\n\n{}\n", entry.operation, request_text(&harness, entry, full).await);
        }
    }
    document
}

/// Lists the differences of the public naming for each operation, with each query parameter on its own line.
async fn differences(api: &str) -> String {
    let plain = start(TransportKind::Sockets, Naming::Specification).await;
    let public = start(TransportKind::Sockets, Naming::Public).await;
    let mut document = String::new();
    for entry in ALL.iter().filter(|entry| entry.api == api) {
        let (old, new) = (request_text(&plain, entry, true).await, request_text(&public, entry, true).await);
        let (old, new) = (split(&old), split(&new));
        assert_eq!(old.len(), new.len(), "{}: both namings have the same parts", entry.name());
        let _ = writeln!(document, "## {}\n", entry.operation);
        for (old, new) in old.into_iter().zip(new).filter(|(old, new)| old != new) {
            let _ = writeln!(document, "-{old}\n+{new}\n");
        }
    }
    document
}

/// Splits a request into lines and its target into query parameters.
fn split(request: &str) -> Vec<&str> {
    let (first, rest) = request.split_once('\n').expect("header lines");
    first.split(['?', '&']).chain(rest.lines()).collect()
}

/// Compares with a named snapshot.
fn assert_document(name: &str, document: &str) {
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
                super::assert_document(concat!(stringify!($api), "-requests"), &super::document(stringify!($api)).await);
            }

            #[tokio::test]
            async fn public_names() {
                super::assert_document(concat!(stringify!($api), "-public"), &super::differences(stringify!($api)).await);
            }
        }
    )*};
}

snapshots!(calendar mailbox script);

/// The transports send the same requests, except for headers of the connection.
#[tokio::test]
async fn requests_do_not_depend_on_the_transport() {
    let connection = |line: &&str| !line.starts_with("accept-encoding: ") && !line.starts_with("accept: ");
    let (sockets, process) =
        (start(TransportKind::Sockets, Naming::Public).await, start(TransportKind::InProcess, Naming::Public).await);
    for entry in ALL {
        for full in [true, false] {
            let (by_sockets, in_process) =
                (request_text(&sockets, entry, full).await, request_text(&process, entry, full).await);
            let lines = |text: &str| text.lines().filter(connection).map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(lines(&by_sockets), lines(&in_process), "{}", entry.name());
        }
    }
}
