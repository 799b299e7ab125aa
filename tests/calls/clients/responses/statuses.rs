//! Error responses: declared and undeclared statuses, with the error body of the API and with any other.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};

use axum::response::Response;

use super::{LIMIT, assert_presentable, streams};
use crate::calls::{ALL, Entry, Failure, Kind, PLAIN};
use crate::clients::{Setup, TRANSPORTS, TransportKind};
use crate::server::{RecordedRequest, error, error_body, json, typed, with};

/// Error statuses and the `is_…` predicates that return `true` for them.
const STATUSES: &[(u16, &[&str])] = &[
    (400, &[]),
    (401, &["unauthorized"]),
    (402, &[]),
    (403, &["forbidden"]),
    (404, &["not found"]),
    (405, &[]),
    (406, &[]),
    (408, &["retryable"]),
    (409, &["conflict"]),
    (410, &["gone"]),
    (411, &[]),
    (412, &["precondition failed"]),
    (413, &[]),
    (415, &[]),
    (418, &[]),
    (422, &[]),
    (429, &["rate limited", "retryable"]),
    (431, &[]),
    (499, &[]),
    (500, &["retryable"]),
    (501, &[]),
    (502, &["retryable"]),
    (503, &["retryable"]),
    (504, &["retryable"]),
    (511, &[]),
    (599, &[]),
];

/// An error body.
struct Shape {
    name: &'static str,
    respond: fn(u16) -> Response,
    /// Whether the body matches the declared error type.
    decoded: bool,
    message: Option<&'static str>,
    reason: Option<&'static str>,
    /// Whether the body is tested with every status; the others are tested with two.
    everywhere: bool,
}

const fn shape(name: &'static str, respond: fn(u16) -> Response, decoded: bool) -> Shape {
    Shape { name, respond, decoded, message: None, reason: None, everywhere: false }
}

const fn with_message(mut shape: Shape, message: &'static str, reason: Option<&'static str>) -> Shape {
    shape.message = Some(message);
    shape.reason = reason;
    shape
}

const fn everywhere(mut shape: Shape) -> Shape {
    shape.everywhere = true;
    shape
}

const SHAPES: &[Shape] = &[
    everywhere(with_message(
        shape("API error", |status| error(status, Some("aReason"), Some("q")), true),
        "It cannot be done.",
        Some("aReason"),
    )),
    with_message(
        shape("API error, without a reason", |status| error(status, None, None), true),
        "It cannot be done.",
        None,
    ),
    with_message(
        shape("API error, as a text", |status| typed(status, "text/plain", error_body(status, None, None)), true),
        "It cannot be done.",
        None,
    ),
    with_message(shape("API error, with unknown fields", with_unknown_fields, true), "It cannot be done.", None),
    // Required fields are checked by validation, not by decoding.
    with_message(
        shape("a message alone", |status| json(status, r#"{"error":{"message":"Only this."}}"#), true),
        "Only this.",
        None,
    ),
    shape("of OAuth", |status| json(status, r#"{"error":"invalid_token","error_description":"Expired."}"#), false),
    everywhere(shape("HTML", |status| typed(status, "text/html", "<html>\n<h1>Error</h1>\u{7}</html>"), false)),
    everywhere(shape("empty", |status| with(status, &[], ""), false)),
    everywhere(shape("garbage", |status| json(status, r#"{"error":"#), false)),
    shape("bytes", |status| json(status, &b"\xff\xfe\0\x1b[2J"[..]), false),
    shape("null", |status| json(status, "null"), false),
    shape("a list", |status| json(status, "[]"), false),
    shape("an empty object", |status| json(status, "{}"), true),
    shape("deep", |status| json(status, "[".repeat(50_000)), false),
    shape("longer than the limit", |status| json(status, streams::spaces(LIMIT * 3)), false),
    shape("without an end", |status| json(status, streams::endless()), false),
    shape("cut off", |status| json(status, streams::cut_off("{\"error\":")), false),
];

fn with_unknown_fields(status: u16) -> Response {
    let mut body: serde_json::Value = serde_json::from_str(&error_body(status, None, None)).expect("JSON");
    body["error"]["details"] = serde_json::json!([{ "@type": "example.com/more", "deep": { "er": [1] } }]);
    body["error"]["x-from-the-future"] = serde_json::json!([null]);
    body["error"]["status"] = "A_STATUS_FROM_THE_FUTURE".into();
    json(status, body.to_string())
}

/// Returns the statuses to test: those of the table and the declared ones.
fn statuses(entry: &Entry, shape: &Shape) -> BTreeSet<u16> {
    if !shape.everywhere {
        return [400, 503].into();
    }
    let known = STATUSES.iter().map(|(status, _)| *status);
    let contract = entry.errors.iter().map(|(status, _)| *status);
    known.chain(contract).collect()
}

fn check(entry: &Entry, status: u16, shape: &Shape, failure: &Failure) {
    assert_presentable(entry, failure);
    let (_, predicates) = STATUSES.iter().find(|(known, _)| *known == status).expect("a status of the table");
    let has_status =
        (failure.kind, failure.status) == (Kind::Status, Some(status)) && failure.predicates == *predicates;
    let has_message = (failure.message.as_deref(), failure.reason.as_deref()) == (shape.message, shape.reason);
    let bounded = failure.decoded == shape.decoded && failure.raw.len() <= 64 * 1024;
    let shows_status = failure.display.contains(&status.to_string());
    assert!(
        has_status && has_message && bounded && shows_status,
        "{}: {status}, {}: {failure:?}",
        entry.name(),
        shape.name
    );
}

/// Tests some operations with all statuses and bodies.
async fn run(transport: TransportKind, entries: &[&'static Entry]) {
    for shape in SHAPES {
        let status = Arc::new(AtomicU16::new(0));
        let shared = Arc::clone(&status);
        let setup = Setup { max_body_bytes: LIMIT, ..Setup::new(transport) };
        let harness = setup.start(move |_| (shape.respond)(shared.load(Ordering::Relaxed))).await;
        for entry in entries {
            for current in statuses(entry, shape) {
                status.store(current, Ordering::Relaxed);
                let result = (entry.minimal)(&harness.clients, PLAIN).await;
                check(entry, current, shape, &result.expect_err("an error"));
                assert_eq!(harness.log.take().len(), 1, "retries are off");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn errors_of_every_operation_in_process() {
    run(TransportKind::InProcess, &ALL.iter().collect::<Vec<_>>()).await;
}

/// The transport does not depend on the operation, so one of each API and one without a body suffice.
#[tokio::test]
async fn errors_by_sockets() {
    let some = ["events.get", "events.insert", "events.delete", "users.history.list", "scripts.run"];
    let some: Vec<&Entry> = ALL.iter().filter(|entry| some.contains(&entry.operation)).collect();
    run(TransportKind::Sockets, &some).await;
}

/// Each declared error with its reason.
#[tokio::test]
async fn declared_errors_have_a_reason_and_location() {
    for transport in TRANSPORTS {
        let current = Arc::new(Mutex::new((0, None)));
        let shared = Arc::clone(&current);
        let respond = move |_: &RecordedRequest| {
            let (status, reason) = *shared.lock().expect("the mutex is not poisoned");
            error(status, reason, Some("location"))
        };
        let harness = Setup::new(transport).start(respond).await;
        for entry in ALL {
            for &(status, reason) in entry.errors {
                *current.lock().expect("the mutex is not poisoned") = (status, reason);
                let failure = (entry.minimal)(&harness.clients, PLAIN).await.expect_err("an error");
                assert_eq!((failure.status, failure.reason.as_deref()), (Some(status), reason), "{failure:?}");
                assert_eq!((failure.location.as_deref(), failure.decoded), (Some("location"), true), "{failure:?}");
                assert!(failure.display.contains(reason.unwrap_or("It cannot be done.")), "{}", failure.display);
            }
        }
    }
}

/// An exhausted quota is a 403 too; only the reason distinguishes it.
#[tokio::test]
async fn the_reason_distinguishes_a_quota_from_missing_permission() {
    let both: &[&str] = &["forbidden", "rate limited", "retryable"];
    let table: [(&str, &[&str]); 4] = [
        ("rateLimitExceeded", both),
        ("userRateLimitExceeded", both),
        ("insufficientPermissions", &["forbidden"]),
        ("forbiddenForNonOrganizer", &["forbidden"]),
    ];
    for (reason, predicates) in table {
        let harness = Setup::new(TransportKind::InProcess).start(move |_| error(403, Some(reason), None)).await;
        for entry in ALL {
            let failure = (entry.minimal)(&harness.clients, PLAIN).await.expect_err("an error");
            assert_eq!(failure.predicates, predicates, "{}: {reason}", entry.name());
        }
    }
}

/// The status is known even if the body never arrives, so it is reported.
#[tokio::test(start_paused = true)]
async fn a_status_is_reported_without_its_body() {
    let handlers: [fn(u16) -> Response; 2] =
        [|status| json(status, streams::never()), |status| json(status, streams::stuck("{\"error\":"))];
    for respond in handlers {
        for status in [400, 404, 503] {
            let harness = Setup::new(TransportKind::InProcess).start(move |_| respond(status)).await;
            for entry in ALL {
                let failure = (entry.minimal)(&harness.clients, PLAIN).await.expect_err("an error");
                assert_eq!((failure.kind, failure.status), (Kind::Status, Some(status)), "{failure:?}");
            }
        }
        let harness = Setup::new(TransportKind::InProcess).start(move |_| respond(200)).await;
        for entry in ALL.iter().filter(|entry| entry.response.is_none()) {
            let result = (entry.minimal)(&harness.clients, PLAIN).await;
            assert!(result.is_ok(), "{}: {result:?}", entry.name());
        }
    }
}

/// The error is displayed in one line of bounded length.
#[tokio::test]
async fn a_long_message_is_truncated() {
    let long = format!("First line\n\u{7}{}", "and so on, ".repeat(1000));
    let body = serde_json::json!({ "error": { "message": long, "errors": [{ "reason": long, "location": long }] } });
    let harness = Setup::new(TransportKind::InProcess).start(move |_| json(400, body.to_string())).await;
    for entry in ALL {
        let failure = (entry.minimal)(&harness.clients, PLAIN).await.expect_err("an error");
        assert_presentable(entry, &failure);
        assert!(failure.display.contains("First line"), "{}", failure.display);
        assert!(failure.message.is_some_and(|message| message.len() > 10_000), "the whole message is kept");
    }
}

/// Public services compress errors too.
#[tokio::test]
async fn a_compressed_error_is_read() {
    let respond = |_: &RecordedRequest| {
        let body = super::successes::zipped(error_body(403, Some("aReason"), None).as_bytes());
        with(403, &[("content-type", "application/json"), ("content-encoding", "gzip")], body)
    };
    let harness = Setup::new(TransportKind::Sockets).start(respond).await;
    for entry in ALL {
        let failure = (entry.minimal)(&harness.clients, PLAIN).await.expect_err("an error");
        assert_eq!((failure.reason.as_deref(), failure.decoded), (Some("aReason"), true), "{failure:?}");
    }
}
