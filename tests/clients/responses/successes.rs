//! Answers with the status of a success, or of none, and what is to come of them.

use std::io::Write as _;
use std::sync::LazyLock;
use std::time::Duration;

use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::{LIMIT, PATIENCE, SHORT, streams};
use crate::calls::{Entry, Kind};
use crate::clients::Way;
use crate::server::{json, silent, typed, with};
use Expected::{Fails, Same, Value};

/// What a call is to end in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// A value.
    Value,
    /// The value of the operation's sample.
    Same,
    /// An error.
    Fails(Kind),
}

/// A kind of answer.
pub struct Row {
    /// What it is.
    pub name: &'static str,
    /// The answer to an operation.
    pub respond: fn(&Entry) -> Response,
    /// What comes of it.
    expected: Expected,
    /// What comes of it where the operation answers no body.
    bodiless: Expected,
    /// What comes of it without a socket, where it is something else: nobody unpacks a body there, nor counts it.
    in_process: Option<Expected>,
}

impl Row {
    /// What a call of the operation is to end in.
    pub fn expected(&self, way: Way, entry: &Entry) -> Expected {
        match (entry.response, way, self.in_process) {
            (None, ..) => self.bodiless,
            (_, Way::InProcess, Some(expected)) => expected,
            _ => self.expected,
        }
    }

    /// How long a call of the operation waits: only what never ends is waited for, and a busy machine may take its
    /// time for the rest.
    pub fn timeout(&self, way: Way, entry: &Entry) -> Duration {
        if self.expected(way, entry) == LATE { SHORT } else { PATIENCE }
    }
}

const DECODE: Expected = Fails(Kind::Decode);
const BROKEN: Expected = Fails(Kind::Connection);
const TOO_LONG: Expected = Fails(Kind::BodyTooLong);
const LATE: Expected = Fails(Kind::Timeout);

const fn row(name: &'static str, respond: fn(&Entry) -> Response, expected: Expected, bodiless: Expected) -> Row {
    Row { name, respond, expected, bodiless, in_process: None }
}

const fn in_process(mut row: Row, expected: Expected) -> Row {
    row.in_process = Some(expected);
    row
}

/// Every kind of answer.
pub const ROWS: &[Row] = &[
    row("everything", |entry| json(entry.status, full(entry)), Same, Same),
    row("an empty object", |entry| json(entry.status, "{}"), Value, Value),
    row("unknown fields everywhere", |entry| json(entry.status, entry.unknown.unwrap_or_default()), Same, Same),
    row("space around it", |entry| json(200, format!(" \r\n\t{}\n ", full(entry))), Same, Same),
    row("another success", |entry| json(201, full(entry)), Same, Same),
    row("a type that is not JSON", |entry| typed(200, "text/plain", full(entry)), Same, Same),
    row("no type", |entry| with(200, &[], full(entry)), Same, Same),
    row("headers twice", twice, Same, Same),
    row("headers that are no text", odd_headers, Same, Same),
    row("in pieces", |entry| json(200, streams::in_pieces(full(entry))), Same, Same),
    row("no body", |_| json(200, ""), DECODE, Value),
    row("no content", |_| with(204, &[], ""), DECODE, Value),
    row("space and nothing else", |_| json(200, " \n"), DECODE, Value),
    row("not modified, which nobody asked for", |_| with(304, &[], ""), Fails(Kind::Status), Fails(Kind::Status)),
    row("the beginning of JSON", |_| json(200, "{\"a\":"), DECODE, Value),
    row("more than JSON", |entry| json(200, format!("{}]", full(entry).trim())), DECODE, Value),
    row("two values", |_| json(200, "{}{}"), DECODE, Value),
    row("a guard in front", |_| json(200, ")]}'\n{}"), DECODE, Value),
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
    row("deep where nobody looks", |_| json(200, format!("{{\"x\":{}", "{\"x\":".repeat(10_000))), DECODE, Value),
    // Without a socket nobody counts: the half that comes is all there is.
    in_process(row("shorter than declared", short, BROKEN, Value), DECODE),
    row("cut off", |entry| json(200, streams::cut_off(half(entry))), BROKEN, Value),
    in_process(row("compressed", |entry| said_gzip(zipped(full(entry).as_bytes())), Same, Value), DECODE),
    in_process(row("compressed and cut off", cut_gzip, BROKEN, Value), DECODE),
    in_process(row("said to be compressed", |entry| said_gzip(full(entry).into_bytes()), BROKEN, Value), Same),
    in_process(row("a bomb", |_| bomb(), TOO_LONG, Value), DECODE),
    row("longer than the limit", |_| json(200, streams::spaces(LIMIT + 1)), TOO_LONG, Value),
    row("declared to be longer than the limit", |_| declared_too_long(), TOO_LONG, LATE),
    row("without an end", |_| json(200, streams::endless()), TOO_LONG, Value),
    row("nothing", |_| silent(), LATE, LATE),
    row("a body that does not come", |_| json(200, streams::never()), LATE, LATE),
    row("a body that does not end", |entry| json(200, streams::stuck(half(entry))), LATE, LATE),
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

/// The first half of an answer that has one.
fn half(entry: &Entry) -> Vec<u8> {
    let text = entry.response.unwrap_or("{}").as_bytes();
    text[..text.len() / 2].to_vec()
}

fn short(entry: &Entry) -> Response {
    let length = entry.response.unwrap_or("{}").len().to_string();
    with(200, &[("content-type", "application/json"), ("content-length", &length)], streams::short(half(entry)))
}

/// None of it comes, so whoever waits for it waits in vain.
fn declared_too_long() -> Response {
    let length = (LIMIT + 1).to_string();
    with(200, &[("content-type", "application/json"), ("content-length", &length)], streams::never())
}

/// Compressed by gzip.
pub fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

fn said_gzip(bytes: Vec<u8>) -> Response {
    with(200, &[("content-type", "application/json"), ("content-encoding", "gzip")], bytes)
}

fn cut_gzip(entry: &Entry) -> Response {
    let mut bytes = zipped(full(entry).as_bytes());
    bytes.truncate(bytes.len() / 2);
    said_gzip(bytes)
}

/// A few kilobytes that become many times the limit.
fn bomb() -> Response {
    static BOMB: LazyLock<Vec<u8>> = LazyLock::new(|| zipped(&vec![b' '; LIMIT * 50]));
    assert!(BOMB.len() < LIMIT / 2, "{}", BOMB.len());
    said_gzip(BOMB.clone())
}
