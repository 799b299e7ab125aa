//! Values in paths and queries: a server must decode each value from the place where the client wrote it.

use axum::Router;
use axum::extract::RawPathParams;
use axum::routing::any;
use wireform_client::wire::operation::{Operation, Segment};

use crate::calls::{ALL, Entry, Kind};
use crate::clients::{Setup, TRANSPORTS, TransportKind};
use crate::server::{RecordedRequest, json};

/// Values that would change the structure of a URL if they were not encoded.
pub const HOSTILE: &[&str] =
    &["a/../b?c=d&e#f%2Fg h\u{1}\r\n;i=j:run+é😀", "..%2f\\.//[x]{y}|\"<>^`\u{7f}\0", "%2e%2e"];

/// Further hostile values, each tested by itself.
const MORE: &[&str] = &[
    "/",
    "//",
    "?",
    "#",
    "%",
    "%zz",
    "%00",
    "%25",
    " ",
    " a ",
    "+",
    "a+b",
    "&",
    "=",
    ";",
    "..;",
    "..;/",
    ":",
    ":run",
    "a:run",
    "content",
    "@me",
    "...",
    ". .",
    "../",
    "/..",
    "./a",
    "~",
    "\u{0}",
    "\n",
    "\r\nHost: elsewhere",
    "\t",
    "\u{7f}",
    "\u{80}",
    "é",
    "e\u{301}",
    "\u{202e}abc",
    "\u{feff}",
    "😀",
    "\u{10ffff}",
    "{a}",
    "*",
    "$batch",
    "\\",
    "\\..\\",
    "a,b",
    "'",
    "\"",
];

/// Values that cannot be encoded in a path segment.
const UNENCODABLE: &[&str] = &["", ".", ".."];

/// Splits a path as a server does, and returns the values of its variables.
fn variables(operation: &Operation, base: &str, path: &str) -> Vec<String> {
    let path = path.strip_prefix(base).and_then(|path| path.strip_prefix('/')).expect("a path below the base path");
    let path = match operation.verb {
        None => path,
        Some(verb) => path.strip_suffix(&format!(":{verb}")).expect("the custom verb is the suffix"),
    };
    let segments: Vec<&str> = path.split('/').collect();
    assert_eq!(segments.len(), operation.path.len(), "{path}");
    let mut values = Vec::new();
    for (segment, expected) in segments.into_iter().zip(operation.path) {
        match expected {
            Segment::Literal(text) => assert_eq!(segment, *text, "{path}"),
            Segment::Variable(_) | Segment::CatchAll(_) | Segment::Pattern(..) => values.push(decoded(segment)),
            Segment::Parts(_) => panic!("no path of these APIs has text and a variable in one segment"),
        }
    }
    values
}

/// Percent-decodes a segment once.
fn decoded(segment: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = segment.bytes();
    while let Some(byte) = rest.next() {
        let mut digit =
            || rest.next().and_then(|digit| char::from(digit).to_digit(16)).expect("two hexadecimal digits");
        bytes.push(if byte == b'%' { u8::try_from(digit() * 16 + digit()).expect("a byte") } else { byte });
    }
    String::from_utf8(bytes).expect("an encoded text is UTF-8")
}

/// Returns the string variables; numbers need no encoding.
fn texts(entry: &Entry, mut values: Vec<String>) -> Vec<String> {
    values.truncate(entry.texts_in_path);
    values
}

fn check(entry: &Entry, request: &RecordedRequest, path: &[&str]) {
    let expected: Vec<&str> = path.iter().copied().take(entry.texts_in_path).collect();
    assert_eq!(texts(entry, variables(entry.facts(), entry.base_path(), request.path())), expected, "{}", entry.name());
    // A WHATWG URL parser, as clients and proxies use, must not normalize the path.
    let url = url::Url::parse(&format!("https://example.com{}", request.target)).expect("a valid URL");
    assert_eq!(url.path(), request.path(), "{}", entry.name());
}

#[tokio::test]
async fn a_path_value_is_decoded_from_one_segment() {
    for transport in TRANSPORTS {
        let harness = Setup::new(transport).start(|_| json(200, "{}")).await;
        for entry in ALL.iter().filter(|entry| entry.texts_in_path > 0) {
            for path in std::iter::once(HOSTILE.to_vec()).chain(MORE.iter().map(|text| vec![*text; 3])) {
                let result = (entry.minimal)(&harness.clients, &path).await;
                assert!(result.is_ok(), "{}: {path:?}: {result:?}", entry.name());
                check(entry, &harness.log.only(), &path);
            }
        }
    }
}

/// The router of axum splits and decodes paths with its own code.
#[tokio::test]
async fn axum_decodes_the_same_values() {
    for entry in ALL.iter().filter(|entry| entry.texts_in_path > 0 && entry.facts().verb.is_none()) {
        let route: String =
            entry.facts().path.iter().fold(entry.base_path().to_owned(), |route, segment| match segment {
                Segment::Literal(text) => format!("{route}/{text}"),
                Segment::Variable(name) | Segment::CatchAll(name) | Segment::Pattern(name, _) => {
                    format!("{route}/{{{name}}}")
                }
                Segment::Parts(_) => panic!("no path of these APIs has text and a variable in one segment"),
            });
        let texts = entry.texts_in_path;
        let handle = move |values: RawPathParams| async move {
            let values: Vec<&str> = values.iter().map(|(_, value)| value).take(texts).collect();
            assert_eq!(values, HOSTILE[..texts]);
            json(200, "{}")
        };
        let transport = wireform_client::transport::in_process(Router::new().route(&route, any(handle)));
        let clients = Setup::new(TransportKind::InProcess).clients_with(transport);
        let result = (entry.full)(&clients, HOSTILE).await;
        assert!(result.is_ok(), "{}: {result:?}", entry.name());
    }
}

#[tokio::test]
async fn an_unencodable_value_is_refused() {
    let harness = Setup::new(TransportKind::InProcess).start(|_| json(200, "{}")).await;
    for entry in ALL {
        for index in 0..entry.texts_in_path {
            for value in UNENCODABLE {
                let mut path = crate::calls::PLAIN.to_vec();
                path[index] = value;
                let failure = (entry.minimal)(&harness.clients, &path).await.expect_err("a refused value");
                assert_eq!((failure.kind, failure.attempts), (Kind::Request, 0), "{}: {failure:?}", entry.name());
                assert!(harness.log.take().is_empty(), "{}", entry.name());
            }
        }
    }
}

#[tokio::test]
async fn a_query_value_is_decoded_from_one_parameter() {
    let harness = Setup::new(TransportKind::Sockets).start(|_| json(200, "{}")).await;
    for entry in ALL {
        for (send, expected) in [(entry.full, entry.full_query), (entry.minimal, entry.minimal_query)] {
            let result = send(&harness.clients, crate::calls::PLAIN).await;
            assert!(result.is_ok(), "{}: {result:?}", entry.name());
            let query = harness.log.only().query();
            let actual: Vec<(&str, &str)> = query.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            assert_eq!(actual, expected, "{}", entry.name());
        }
    }
}
