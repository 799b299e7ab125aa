//! Responses without an error status, and the expected results.

use std::io::Write as _;
use std::sync::LazyLock;
use std::time::Duration;

use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::{LIMIT, LONG, SHORT, streams};
use crate::calls::{Entry, Kind};
use crate::clients::TransportKind;
use crate::server::{json, silent, typed, with};
use Expected::{Fails, Same, Value};

/// Expected result of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// Any value.
    Value,
    /// The sample of the operation.
    Same,
    /// An error of a kind.
    Fails(Kind),
}

/// A kind of response.
pub struct Row {
    /// Description of the response.
    pub name: &'static str,
    /// Creates the response to an operation.
    pub respond: fn(&Entry) -> Response,
    /// Expected result.
    expected: Expected,
    /// Expected result for operations without a response body.
    bodiless: Expected,
    /// Expected result in process, if it differs: there, the body is neither decompressed nor compared with its
    /// declared length.
    in_process: Option<Expected>,
}

impl Row {
    /// Returns the expected result for an operation.
    pub fn expected(&self, transport: TransportKind, entry: &Entry) -> Expected {
        match (entry.response, transport, self.in_process) {
            (None, ..) => self.bodiless,
            (_, TransportKind::InProcess, Some(expected)) => expected,
            _ => self.expected,
        }
    }

    /// Returns the timeout for an operation: short only for responses that never end, because a busy machine may need
    /// time for the others.
    pub fn timeout(&self, transport: TransportKind, entry: &Entry) -> Duration {
        if self.expected(transport, entry) == TIMEOUT { SHORT } else { LONG }
    }
}

const DECODE: Expected = Fails(Kind::Decode);
const BROKEN: Expected = Fails(Kind::Connection);
const TOO_LONG: Expected = Fails(Kind::BodyTooLong);
const TIMEOUT: Expected = Fails(Kind::Timeout);

const fn row(name: &'static str, respond: fn(&Entry) -> Response, expected: Expected, bodiless: Expected) -> Row {
    Row { name, respond, expected, bodiless, in_process: None }
}

const fn in_process(mut row: Row, expected: Expected) -> Row {
    row.in_process = Some(expected);
    row
}

/// Every kind of response.
pub const ROWS: &[Row] = &[
    row("all fields", |entry| json(entry.status, full(entry)), Same, Same),
    row("an empty object", |entry| json(entry.status, "{}"), Value, Value),
    row("unknown fields everywhere", |entry| json(entry.status, entry.unknown.unwrap_or_default()), Same, Same),
    row("space around it", |entry| json(200, format!(" \r\n\t{}\n ", full(entry))), Same, Same),
    row("another success", |entry| json(201, full(entry)), Same, Same),
    row("a type that is not JSON", |entry| typed(200, "text/plain", full(entry)), Same, Same),
    row("no type", |entry| with(200, &[], full(entry)), Same, Same),
    row("headers twice", twice, Same, Same),
    row("headers that are not UTF-8", odd_headers, Same, Same),
    row("byte by byte", |entry| json(200, streams::byte_by_byte(full(entry))), Same, Same),
    row("no body", |_| json(200, ""), DECODE, Value),
    row("no content", |_| with(204, &[], ""), DECODE, Value),
    row("space and nothing else", |_| json(200, " \n"), DECODE, Value),
    row("unconditional not modified", |_| with(304, &[], ""), Fails(Kind::Status), Fails(Kind::Status)),
    row("the beginning of JSON", |_| json(200, "{\"a\":"), DECODE, Value),
    row("more than JSON", |entry| json(200, format!("{}]", full(entry).trim())), DECODE, Value),
    row("two values", |_| json(200, "{}{}"), DECODE, Value),
    row("an anti-hijacking prefix", |_| json(200, ")]}'\n{}"), DECODE, Value),
    row("a byte order mark", |_| json(200, "\u{feff}{}"), DECODE, Value),
    row("UTF-16", |_| json(200, "{\0}\0"), DECODE, Value),
    row("Latin-1", |_| json(200, &b"{\"\xe9\":1}"[..]), DECODE, Value),
    row("HTML", |_| typed(200, "text/html", "<!DOCTYPE html><p>Log in to the network</p>"), DECODE, Value),
    row("null", |_| json(200, "null"), DECODE, Value),
    row("a boolean", |_| json(200, "true"), DECODE, Value),
    row("a number", |_| json(200, "7"), DECODE, Value),
    row("a text", |_| json(200, "\"{}\""), DECODE, Value),
    row("a list", |_| json(200, "[{}]"), DECODE, Value),
    row("wrong in one member", |entry| json(200, entry.wrong.unwrap_or_default()), DECODE, Value),
    row("deep", |_| json(200, "[".repeat(50_000)), DECODE, Value),
    row("deep in an unknown field", |_| json(200, format!("{{\"x\":{}", "{\"x\":".repeat(10_000))), DECODE, Value),
    // In process the length is not checked, so the first half is the whole body.
    in_process(row("shorter than declared", short, BROKEN, Value), DECODE),
    row("cut off", |entry| json(200, streams::cut_off(half(entry))), BROKEN, Value),
    in_process(row("compressed", |entry| with_gzip_header(zipped(full(entry).as_bytes())), Same, Value), DECODE),
    in_process(row("compressed and cut off", cut_gzip, BROKEN, Value), DECODE),
    in_process(row("declared as compressed", |entry| with_gzip_header(full(entry).into_bytes()), BROKEN, Value), Same),
    in_process(row("a bomb", |_| bomb(), TOO_LONG, Value), DECODE),
    row("longer than the limit", |_| json(200, streams::spaces(LIMIT + 1)), TOO_LONG, Value),
    row("declared to be longer than the limit", |_| declared_too_long(), TOO_LONG, TIMEOUT),
    row("without an end", |_| json(200, streams::endless()), TOO_LONG, Value),
    row("no response", |_| silent(), TIMEOUT, TIMEOUT),
    row("a body that does not arrive", |_| json(200, streams::never()), TIMEOUT, TIMEOUT),
    row("a body that does not end", |entry| json(200, streams::stuck(half(entry))), TIMEOUT, TIMEOUT),
];

fn full(entry: &Entry) -> String {
    entry.response.unwrap_or_default().to_owned()
}

fn twice(entry: &Entry) -> Response {
    let headers = [
        ("content-type", "application/json"),
        ("content-type", "text/html"),
        ("etag", "\"1\""),
        ("etag", "\"2\""),
        ("retry-after", "1"),
        ("retry-after", "x"),
        ("set-cookie", "a=b"),
        ("set-cookie", "c=d"),
    ];
    with(200, &headers, full(entry))
}

fn odd_headers(entry: &Entry) -> Response {
    let mut response = json(200, full(entry));
    for name in ["content-type", "etag", "retry-after", "x-request-id", "location"] {
        let value = axum::http::HeaderValue::from_bytes(b"\xff\"\xe9").expect("opaque bytes are allowed");
        response.headers_mut().insert(name, value);
    }
    response
}

/// Returns the first half of the sample.
fn half(entry: &Entry) -> Vec<u8> {
    let text = entry.response.unwrap_or("{}").as_bytes();
    text[..text.len() / 2].to_vec()
}

fn short(entry: &Entry) -> Response {
    let length = entry.response.unwrap_or("{}").len().to_string();
    with(200, &[("content-type", "application/json"), ("content-length", &length)], streams::short(half(entry)))
}

/// The body never arrives, so reading it would time out.
fn declared_too_long() -> Response {
    let length = (LIMIT + 1).to_string();
    with(200, &[("content-type", "application/json"), ("content-length", &length)], streams::never())
}

/// Compresses bytes with gzip.
pub fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("writing to memory");
    encoder.finish().expect("writing to memory")
}

fn with_gzip_header(bytes: Vec<u8>) -> Response {
    with(200, &[("content-type", "application/json"), ("content-encoding", "gzip")], bytes)
}

fn cut_gzip(entry: &Entry) -> Response {
    let mut bytes = zipped(full(entry).as_bytes());
    bytes.truncate(bytes.len() / 2);
    with_gzip_header(bytes)
}

/// Returns a small response that decompresses to many times the limit.
fn bomb() -> Response {
    static BOMB: LazyLock<Vec<u8>> = LazyLock::new(|| zipped(&vec![b' '; LIMIT * 50]));
    assert!(BOMB.len() < LIMIT / 2, "{}", BOMB.len());
    with_gzip_header(BOMB.clone())
}
