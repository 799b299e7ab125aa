//! Values in paths and queries: whatever they hold, a server finds them where they were put, and nothing else.

use axum::Router;
use axum::extract::RawPathParams;
use axum::routing::any;
use wireform_client::wire::operation::{Operation, Segment};

use crate::calls::{ALL, Entry, Kind};
use crate::clients::{Setup, WAYS, Way};
use crate::server::{Recorded, json};

/// Texts that would become more than one segment, a query, a verb or another path if they were not encoded.
pub const HOSTILE: &[&str] =
    &["a/../b?c=d&e#f%2Fg h\u{1}\r\n;i=j:run+é😀", "..%2f\\.//[x]{y}|\"<>^`\u{7f}\0", "%2e%2e"];

/// More of them, one by one.
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

/// What would change the path whatever is done to it.
const LOST: &[&str] = &["", ".", ".."];

/// Splits a path as a server does, and takes the values of the variables out of it.
fn variables(operation: &Operation, base: &str, path: &str) -> Vec<String> {
    let path = path.strip_prefix(base).and_then(|path| path.strip_prefix('/')).expect("it is below the base path");
    let path = match operation.verb {
        None => path,
        Some(verb) => path.strip_suffix(&format!(":{verb}")).expect("the verb ends it"),
    };
    let segments: Vec<&str> = path.split('/').collect();
    assert_eq!(segments.len(), operation.path.len(), "{path}");
    let mut values = Vec::new();
    for (segment, expected) in segments.into_iter().zip(operation.path) {
        match expected {
            Segment::Literal(text) => assert_eq!(segment, *text, "{path}"),
            Segment::Variable(_) | Segment::CatchAll(_) | Segment::Pattern(..) => values.push(decoded(segment)),
            Segment::Parts(_) => panic!("no path of these APIs has text beside a variable"),
        }
    }
    values
}

/// A segment with its escapes resolved, once.
fn decoded(segment: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = segment.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || rest.next().and_then(|digit| char::from(digit).to_digit(16)).expect("two digits follow");
        bytes.push(if byte == b'%' { u8::try_from(digit() * 16 + digit()).expect("a byte") } else { byte });
    }
    String::from_utf8(bytes).expect("an encoded text is UTF-8")
}

/// The values of texts in the path: numbers stand there too, but are no danger.
fn texts(entry: &Entry, mut values: Vec<String>) -> Vec<String> {
    values.truncate(entry.texts_in_path);
    values
}

fn check(entry: &Entry, request: &Recorded, path: &[&str]) {
    let put_in: Vec<&str> = path.iter().copied().take(entry.texts_in_path).collect();
    assert_eq!(texts(entry, variables(entry.facts(), entry.base_path(), request.path())), put_in, "{}", entry.name());
    // A reader of addresses by the WHATWG, as clients and proxies have one, leaves the path as it is.
    let url = url::Url::parse(&format!("https://example.com{}", request.target)).expect("an address");
    assert_eq!(url.path(), request.path(), "{}", entry.name());
}

#[tokio::test]
async fn a_value_in_a_path_arrives_as_one_segment_that_decodes_to_it() {
    for way in WAYS {
        let running = Setup::new(way).start(|_| json(200, "{}")).await;
        for entry in ALL.iter().filter(|entry| entry.texts_in_path > 0) {
            for path in std::iter::once(HOSTILE.to_vec()).chain(MORE.iter().map(|text| vec![*text; 3])) {
                let sent = (entry.minimal)(&running.clients, &path).await;
                assert!(sent.is_ok(), "{}: {path:?}: {sent:?}", entry.name());
                check(entry, &running.log.only(), &path);
            }
        }
    }
}

/// The router of axum splits and decodes paths by code of its own.
#[tokio::test]
async fn a_router_finds_the_values_too() {
    for entry in ALL.iter().filter(|entry| entry.texts_in_path > 0 && entry.facts().verb.is_none()) {
        let route: String =
            entry.facts().path.iter().fold(entry.base_path().to_owned(), |route, segment| match segment {
                Segment::Literal(text) => format!("{route}/{text}"),
                Segment::Variable(name) | Segment::CatchAll(name) | Segment::Pattern(name, _) => {
                    format!("{route}/{{{name}}}")
                }
                Segment::Parts(_) => panic!("no path of these APIs has text beside a variable"),
            });
        let texts = entry.texts_in_path;
        let handle = move |found: RawPathParams| async move {
            let found: Vec<&str> = found.iter().map(|(_, value)| value).take(texts).collect();
            assert_eq!(found, HOSTILE[..texts]);
            json(200, "{}")
        };
        let transport = wireform_client::transport::in_process(Router::new().route(&route, any(handle)));
        let clients = Setup::new(Way::InProcess).clients_by(transport);
        let sent = (entry.full)(&clients, HOSTILE).await;
        assert!(sent.is_ok(), "{}: {sent:?}", entry.name());
    }
}

#[tokio::test]
async fn a_value_that_would_get_lost_is_refused_and_nothing_is_sent() {
    let running = Setup::new(Way::InProcess).start(|_| json(200, "{}")).await;
    for entry in ALL {
        for at in 0..entry.texts_in_path {
            for lost in LOST {
                let mut path = crate::calls::PLAIN.to_vec();
                path[at] = lost;
                let failure = (entry.minimal)(&running.clients, &path).await.expect_err("it is refused");
                assert_eq!((failure.kind, failure.attempts), (Kind::Request, 0), "{}: {failure:?}", entry.name());
                assert!(running.log.take().is_empty(), "{}", entry.name());
            }
        }
    }
}

#[tokio::test]
async fn a_value_in_a_query_arrives_as_one_parameter_that_decodes_to_it() {
    let running = Setup::new(Way::Sockets).start(|_| json(200, "{}")).await;
    for entry in ALL {
        for (send, expected) in [(entry.full, entry.full_query), (entry.minimal, entry.minimal_query)] {
            let sent = send(&running.clients, crate::calls::PLAIN).await;
            assert!(sent.is_ok(), "{}: {sent:?}", entry.name());
            let query = running.log.only().query();
            let own: Vec<(&str, &str)> = query.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            assert_eq!(own, expected, "{}", entry.name());
        }
    }
}
