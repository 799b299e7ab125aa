//! Errors that servers answer: those of the contract and others, with the body that the API has for them and with
//! any other.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};

use axum::response::Response;

use super::{LIMIT, assert_presentable, streams};
use crate::calls::{ALL, Entry, Failure, Kind, PLAIN};
use crate::clients::{Setup, WAYS, Way};
use crate::server::{Recorded, error, error_body, json, typed, with};

/// Statuses that any server may answer, and to which questions their errors answer yes.
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

/// A body of an error.
struct Shape {
    name: &'static str,
    respond: fn(u16) -> Response,
    /// Whether it is what the schema says.
    decoded: bool,
    message: Option<&'static str>,
    reason: Option<&'static str>,
    /// Whether it is tried with every status; for the others a few must do.
    everywhere: bool,
}

const fn shape(name: &'static str, respond: fn(u16) -> Response, decoded: bool) -> Shape {
    Shape { name, respond, decoded, message: None, reason: None, everywhere: false }
}

const fn says(mut shape: Shape, message: &'static str, reason: Option<&'static str>) -> Shape {
    shape.message = Some(message);
    shape.reason = reason;
    shape
}

const fn everywhere(mut shape: Shape) -> Shape {
    shape.everywhere = true;
    shape
}

const SHAPES: &[Shape] = &[
    everywhere(says(
        shape("the API's", |status| error(status, Some("aReason"), Some("q")), true),
        "It cannot be done.",
        Some("aReason"),
    )),
    says(shape("the API's, without a reason", |status| error(status, None, None), true), "It cannot be done.", None),
    says(
        shape("the API's, as a text", |status| typed(status, "text/plain", error_body(status, None, None)), true),
        "It cannot be done.",
        None,
    ),
    says(shape("the API's, with more", with_more, true), "It cannot be done.", None),
    // What must be there is for a validator to say, not for a reader.
    says(
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

fn with_more(status: u16) -> Response {
    let mut body: serde_json::Value = serde_json::from_str(&error_body(status, None, None)).expect("JSON");
    body["error"]["details"] = serde_json::json!([{ "@type": "example.com/more", "deep": { "er": [1] } }]);
    body["error"]["x-from-the-future"] = serde_json::json!([null]);
    body["error"]["status"] = "A_STATUS_FROM_THE_FUTURE".into();
    json(status, body.to_string())
}

/// The statuses of the list and those of the contract, which the list must not lack.
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
    let (_, yes) = STATUSES.iter().find(|(known, _)| *known == status).expect("the contract has known statuses");
    let has_status = (failure.kind, failure.status) == (Kind::Status, Some(status)) && failure.yes == *yes;
    let read = (failure.message.as_deref(), failure.reason.as_deref()) == (shape.message, shape.reason);
    let bounded = failure.decoded == shape.decoded && failure.raw.len() <= 64 * 1024;
    let shows_status = failure.display.contains(&status.to_string());
    assert!(has_status && read && bounded && shows_status, "{}: {status}, {}: {failure:?}", entry.name(), shape.name);
}

/// Runs all statuses with all bodies for some operations.
async fn run(way: Way, entries: &[&'static Entry]) {
    for shape in SHAPES {
        let status = Arc::new(AtomicU16::new(0));
        let shared = Arc::clone(&status);
        let setup = Setup { max_body_bytes: LIMIT, ..Setup::new(way) };
        let running = setup.start(move |_| (shape.respond)(shared.load(Ordering::Relaxed))).await;
        for entry in entries {
            for now in statuses(entry, shape) {
                status.store(now, Ordering::Relaxed);
                let result = (entry.minimal)(&running.clients, PLAIN).await;
                check(entry, now, shape, &result.expect_err("an error is an error"));
                assert_eq!(running.log.take().len(), 1, "nothing is sent again unless that is asked for");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn errors_of_every_operation_in_process() {
    run(Way::InProcess, &ALL.iter().collect::<Vec<_>>()).await;
}

/// A connection makes no difference to what an operation is, so one of each API and one without a body do.
#[tokio::test]
async fn errors_by_sockets() {
    let some = ["events.get", "events.insert", "events.delete", "users.history.list", "scripts.run"];
    let some: Vec<&Entry> = ALL.iter().filter(|entry| some.contains(&entry.operation)).collect();
    run(Way::Sockets, &some).await;
}

/// The errors of the contract with their reasons.
#[tokio::test]
async fn the_errors_of_the_contract_have_their_reason_and_place() {
    for way in WAYS {
        let now = Arc::new(Mutex::new((0, None)));
        let shared = Arc::clone(&now);
        let respond = move |_: &Recorded| {
            let (status, reason) = *shared.lock().expect("nobody panics meanwhile");
            error(status, reason, Some("a place"))
        };
        let running = Setup::new(way).start(respond).await;
        for entry in ALL {
            for &(status, reason) in entry.errors {
                *now.lock().expect("nobody panics meanwhile") = (status, reason);
                let failure = (entry.minimal)(&running.clients, PLAIN).await.expect_err("an error");
                assert_eq!((failure.status, failure.reason.as_deref()), (Some(status), reason), "{failure:?}");
                assert_eq!((failure.location.as_deref(), failure.decoded), (Some("a place"), true), "{failure:?}");
                assert!(failure.display.contains(reason.unwrap_or("It cannot be done.")), "{}", failure.display);
            }
        }
    }
}

/// A quota that is used up comes as 403 too, and then the reason tells.
#[tokio::test]
async fn the_reason_distinguishes_a_quota_from_missing_permission() {
    let both: &[&str] = &["forbidden", "rate limited", "retryable"];
    let table: [(&str, &[&str]); 4] = [
        ("rateLimitExceeded", both),
        ("userRateLimitExceeded", both),
        ("insufficientPermissions", &["forbidden"]),
        ("forbiddenForNonOrganizer", &["forbidden"]),
    ];
    for (reason, yes) in table {
        let running = Setup::new(Way::InProcess).start(move |_| error(403, Some(reason), None)).await;
        for entry in ALL {
            let failure = (entry.minimal)(&running.clients, PLAIN).await.expect_err("an error");
            assert_eq!(failure.yes, yes, "{}: {reason}", entry.name());
        }
    }
}

/// The status is known, so who waits in vain for what the body says is told at least that.
#[tokio::test(start_paused = true)]
async fn a_status_says_enough_where_the_body_does_not_come() {
    let handlers: [fn(u16) -> Response; 2] =
        [|status| json(status, streams::never()), |status| json(status, streams::stuck("{\"error\":"))];
    for respond in handlers {
        for status in [400, 404, 503] {
            let running = Setup::new(Way::InProcess).start(move |_| respond(status)).await;
            for entry in ALL {
                let failure = (entry.minimal)(&running.clients, PLAIN).await.expect_err("an error");
                assert_eq!((failure.kind, failure.status), (Kind::Status, Some(status)), "{failure:?}");
            }
        }
        let running = Setup::new(Way::InProcess).start(move |_| respond(200)).await;
        for entry in ALL.iter().filter(|entry| entry.response.is_none()) {
            let result = (entry.minimal)(&running.clients, PLAIN).await;
            assert!(result.is_ok(), "{}: {result:?}", entry.name());
        }
    }
}

/// An error is shown in one bounded line, whatever the server says.
#[tokio::test]
async fn a_long_message_is_shown_in_part() {
    let said = format!("First line\n\u{7}{}", "and so on, ".repeat(1000));
    let body = serde_json::json!({ "error": { "message": said, "errors": [{ "reason": said, "location": said }] } });
    let running = Setup::new(Way::InProcess).start(move |_| json(400, body.to_string())).await;
    for entry in ALL {
        let failure = (entry.minimal)(&running.clients, PLAIN).await.expect_err("an error");
        assert_presentable(entry, &failure);
        assert!(failure.display.contains("First line"), "{}", failure.display);
        assert!(failure.message.is_some_and(|message| message.len() > 10_000), "what was said is kept");
    }
}

/// Public services compress errors too.
#[tokio::test]
async fn a_compressed_error_is_read() {
    let respond = |_: &Recorded| {
        let body = super::successes::zipped(error_body(403, Some("aReason"), None).as_bytes());
        with(403, &[("content-type", "application/json"), ("content-encoding", "gzip")], body)
    };
    let running = Setup::new(Way::Sockets).start(respond).await;
    for entry in ALL {
        let failure = (entry.minimal)(&running.clients, PLAIN).await.expect_err("an error");
        assert_eq!((failure.reason.as_deref(), failure.decoded), (Some("aReason"), true), "{failure:?}");
    }
}
