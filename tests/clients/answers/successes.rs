//! Answers with the status of a success, or of none, and what is to come of them.

use std::io::Write as _;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::{StreamExt as _, stream};

use super::{LIMIT, PATIENCE, SHORT};
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
    pub answer: fn(&Entry) -> Response,
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
        match (entry.answer, way, self.in_process) {
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

const fn row(name: &'static str, answer: fn(&Entry) -> Response, expected: Expected, bodiless: Expected) -> Row {
    Row { name, answer, expected, bodiless, in_process: None }
}

const fn in_process(mut row: Row, expected: Expected) -> Row {
    row.in_process = Some(expected);
    row
}

/// Every kind of answer.
pub const ROWS: &[Row] = &[
    row("everything", |entry| json(entry.status, full(entry)), Same, Same),
    row("an empty object", |entry| json(entry.status, "{}"), Value, Value),
    row("unknown members everywhere", |entry| json(entry.status, entry.unknown.unwrap_or_default()), Same, Same),
    row("space around it", |entry| json(200, format!(" \r\n\t{}\n ", full(entry))), Same, Same),
    row("another success", |entry| json(201, full(entry)), Same, Same),
    row("a type that is not JSON", |entry| typed(200, "text/plain", full(entry)), Same, Same),
    row("no type", |entry| with(200, &[], full(entry)), Same, Same),
    row("headers twice", twice, Same, Same),
    row("headers that are no text", odd_headers, Same, Same),
    row("in pieces", in_pieces, Same, Same),
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
    row("deep", |_| json(200, "[".repeat(500_000)), DECODE, Value),
    row("deep where nobody looks", |_| json(200, format!("{{\"x\":{}", "{\"x\":".repeat(100_000))), DECODE, Value),
    // Without a socket nobody counts: the half that comes is all there is.
    in_process(row("shorter than declared", |entry| short(entry), BROKEN, Value), DECODE),
    row("cut off", cut_off, BROKEN, Value),
    in_process(row("compressed", |entry| gzip(full(entry).as_bytes()), Same, Value), DECODE),
    in_process(row("compressed and cut off", |entry| cut_gzip(entry), BROKEN, Value), DECODE),
    in_process(row("said to be compressed", |entry| not_gzip(entry), BROKEN, Value), Same),
    in_process(row("a bomb", |_| bomb(), TOO_LONG, Value), DECODE),
    row("longer than the limit", |_| json(200, Body::from_stream(spaces(LIMIT + 1))), TOO_LONG, Value),
    row("declared to be longer than the limit", |_| declared_too_long(), TOO_LONG, LATE),
    row("without an end", |_| json(200, Body::from_stream(endless())), TOO_LONG, Value),
    row("nothing", |_| silent(), LATE, LATE),
    row("a body that does not come", |_| json(200, Body::from_stream(never())), LATE, LATE),
    row("a body that does not end", |entry| slow(entry), LATE, LATE),
];

fn full(entry: &Entry) -> String {
    entry.answer.unwrap_or_default().to_owned()
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

fn in_pieces(entry: &Entry) -> Response {
    let pieces: Vec<_> = full(entry).bytes().map(|byte| Ok::<_, std::io::Error>(Bytes::from(vec![byte]))).collect();
    json(200, Body::from_stream(stream::iter(pieces)))
}

/// The first half, as a stream whose length nobody knows.
fn half(entry: &Entry) -> impl stream::Stream<Item = Result<Bytes, std::io::Error>> + Send + use<> {
    let text = entry.answer.unwrap_or("{}");
    let half = Bytes::copy_from_slice(&text.as_bytes()[..text.len() / 2]);
    stream::iter([Ok(half)])
}

/// Comes a moment after what was before it, so that the server has written that.
fn fault() -> impl stream::Stream<Item = Result<Bytes, std::io::Error>> + Send {
    stream::once(async {
        tokio::time::sleep(SHORT / 5).await;
        Err(std::io::Error::other("the server has a fault"))
    })
}

fn short(entry: &Entry) -> Response {
    let length = entry.answer.unwrap_or("{}").len().to_string();
    with(200, &[("content-type", "application/json"), ("content-length", &length)], Body::from_stream(half(entry)))
}

fn cut_off(entry: &Entry) -> Response {
    json(200, Body::from_stream(half(entry).chain(fault())))
}

fn slow(entry: &Entry) -> Response {
    json(200, Body::from_stream(half(entry).chain(never())))
}

fn never() -> impl stream::Stream<Item = Result<Bytes, std::io::Error>> + Send {
    stream::pending()
}

fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

fn gzip(bytes: &[u8]) -> Response {
    said_gzip(zipped(bytes))
}

fn said_gzip(bytes: Vec<u8>) -> Response {
    with(200, &[("content-type", "application/json"), ("content-encoding", "gzip")], bytes)
}

fn cut_gzip(entry: &Entry) -> Response {
    let mut bytes = zipped(full(entry).as_bytes());
    bytes.truncate(bytes.len() / 2);
    said_gzip(bytes)
}

fn not_gzip(entry: &Entry) -> Response {
    said_gzip(full(entry).into_bytes())
}

/// Some ten kilobytes that become ten times the limit.
fn bomb() -> Response {
    gzip(&vec![b' '; LIMIT * 10])
}

fn spaces(length: usize) -> impl stream::Stream<Item = Result<Bytes, std::io::Error>> + Send {
    let piece = Bytes::from(vec![b' '; 64 * 1024]);
    let pieces = length.div_ceil(piece.len());
    stream::iter((0..pieces).map(move |_| Ok(piece.clone())))
}

fn endless() -> impl stream::Stream<Item = Result<Bytes, std::io::Error>> + Send {
    stream::repeat_with(|| Ok(Bytes::from_static(&[b' '; 4096])))
}

/// None of it comes, so whoever waits for it waits in vain.
fn declared_too_long() -> Response {
    let length = (LIMIT + 1).to_string();
    with(200, &[("content-type", "application/json"), ("content-length", &length)], Body::from_stream(never()))
}
