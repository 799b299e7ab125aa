//! Request ids, and records of completed requests.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode};
use tracing::field::{Field, Visit};
use tracing::span;
use tracing::{Event, Metadata, Subscriber};

use super::{ObserveRequests, RequestId, RequestObservation, RequestRecord};
use crate::error::Error;

fn given(text: &[u8]) -> RequestId {
    let mut headers = HeaderMap::new();
    headers.insert("x-request-id", HeaderValue::from_bytes(text).expect("a value"));
    RequestId::of(&headers)
}

#[test]
fn well_formed_request_id_is_kept() {
    let longest = "a".repeat(64);
    for text in ["a", "A-b_c.9", &longest] {
        assert_eq!(given(text.as_bytes()).as_str(), text);
    }
    let too_long = "a".repeat(65);
    for text in [&b""[..], b"a b", b"a\tb", b"\xff", "é".as_bytes(), b"a\"", b"a=b", too_long.as_bytes()] {
        let made = given(text);
        assert_eq!(made.as_str().len(), 24, "{made}");
    }
}

#[test]
fn generated_ids_are_unique_and_well_formed() {
    let names: BTreeSet<_> = (0..1000).map(|_| RequestId::generate().as_str().to_owned()).collect();
    assert_eq!(names.len(), 1000);
    for name in names {
        assert_eq!(given(name.as_bytes()).to_header(), name);
    }
}

#[derive(Default)]
struct Records(Mutex<Vec<RequestRecord>>);

impl ObserveRequests for Records {
    fn record(&self, record: &RequestRecord) {
        self.0.lock().expect("no panic").push(record.clone());
    }
}

#[test]
fn every_request_is_recorded_once() {
    let records = Arc::new(Records::default());
    let begin = |method| RequestObservation::begin(Some(records.clone()), &method, RequestId::generate());
    let mut watch = begin(Method::POST);
    watch.record_operation("things.insert");
    watch.record_received(3);
    let _ = watch.record_response(Response::builder().status(201).body(Body::from("12345")).expect("a response"));
    drop(begin(Method::from_bytes(b"MADEUP").expect("a method")));
    let reported = records.0.lock().expect("no panic");
    let all: Vec<_> = reported.iter().map(|r| (r.operation, r.method, r.status, r.received, r.sent)).collect();
    let first = (Some("things.insert"), "POST", Some(StatusCode::CREATED), 3, 5);
    assert_eq!(all, [first, (None, "_OTHER", None, 0, 0)]);
}

#[tokio::test]
async fn streamed_response_is_recorded_at_its_end() {
    let records = Arc::new(Records::default());
    let watch = RequestObservation::begin(Some(records.clone()), &Method::GET, RequestId::generate());
    let pieces = ["12", "345"].map(Ok::<_, std::convert::Infallible>);
    let body = Body::from_stream(futures_util::stream::iter(pieces));
    let response = watch.record_response(Response::new(body));
    assert!(records.0.lock().expect("no panic").is_empty());
    let sent = http_body_util::BodyExt::collect(response.into_body()).await.expect("a body").to_bytes();
    let reported = records.0.lock().expect("no panic");
    assert_eq!((&*sent, reported.len(), reported[0].sent), (&b"12345"[..], 1, 5));
}

/// Captures the log.
#[derive(Default)]
struct Log(Arc<Mutex<String>>);

struct Line<'l>(&'l mut String);

impl Visit for Line<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        let _ = write!(self.0, " {}={value:?}", field.name());
    }
}

impl Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, attributes: &span::Attributes<'_>) -> span::Id {
        let mut text = self.0.lock().expect("no panic");
        let _ = write!(text, "span");
        attributes.record(&mut Line(&mut text));
        text.push('\n');
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, values: &span::Record<'_>) {
        let mut text = self.0.lock().expect("no panic");
        let _ = write!(text, "record");
        values.record(&mut Line(&mut text));
        text.push('\n');
    }

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut text = self.0.lock().expect("no panic");
        let _ = write!(text, "{} {}", event.metadata().target(), event.metadata().level());
        event.record(&mut Line(&mut text));
        text.push('\n');
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

#[test]
fn requests_are_logged() {
    let log = Arc::new(Mutex::new(String::new()));
    tracing::subscriber::with_default(Log(Arc::clone(&log)), || {
        let mut watch = RequestObservation::begin(None, &Method::GET, given(b"name-1"));
        watch.record_operation("things.get");
        watch.record_error(&Error::internal("the cause"));
        let _ = watch.record_response(Response::builder().status(500).body(Body::from("12")).expect("a response"));
        drop(RequestObservation::begin(None, &Method::PUT, given(b"name-2")));
        RequestObservation::begin(None, &Method::GET, given(b"name-3")).set_access_log(false);
    });
    let log = log.lock().expect("no panic").replace("latency_ms=0", "latency_ms=_");
    let expected = [
        "span method=\"GET\" request_id=name-1",
        "record operation=\"things.get\"",
        "record violations=0",
        "wireform_server ERROR message=request failed status=500 cause=the cause request_id=name-1",
        "record status=500",
        "record latency_ms=_",
        "wireform_server::access INFO method=\"GET\" operation=\"things.get\" status=500 latency_ms=_ received=0 bytes=2 \
         request_id=name-1",
        "span method=\"PUT\" request_id=name-2",
        "record latency_ms=_",
        "wireform_server::access INFO method=\"PUT\" operation=\"-\" latency_ms=_ received=0 bytes=0 request_id=name-2",
        "span method=\"GET\" request_id=name-3",
        "record latency_ms=_",
    ];
    assert_eq!(log.lines().collect::<Vec<_>>(), expected, "{log}");
}
