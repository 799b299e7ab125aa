//! Read-modify-write cycles.

use calendar_client::types::{Attendee, Event};
use serde_json::json;
use wireform_client::{RetryPolicy, UpdateError};

use super::in_turn;
use crate::calls::{Kind, failure};
use crate::clients::{Harness, Setup, TransportKind};
use crate::server::{RecordedRequest, error, json as response};

const READ: &str = r#"{"kind":"calendar#event","etag":"\"1\"","id":"abcde","summary":"Lunch","created":"2026-01-01T00:00:00Z",
    "creator":{"email":"a@example.com"},"attendees":[{"email":"b@example.com","self":true}],"x":1}"#;

const NEWER: &str = r#"{"etag":"\"2\"","id":"abcde","summary":"Dinner","location":"Roof"}"#;

fn conflict() -> axum::response::Response {
    error(412, Some("conditionNotMet"), Some("If-Match"))
}

fn rename(event: &mut Event) {
    event.summary = Some(format!("{}!", event.summary.as_deref().unwrap_or_default()));
}

/// Returns the method, `If-Match` header and body of each recorded request.
fn recorded(harness: &Harness) -> Vec<(String, Option<String>, serde_json::Value)> {
    let describe = |request: RecordedRequest| {
        let body = if request.body.is_empty() { json!(null) } else { request.json() };
        (request.method.to_string(), request.header("if-match").map(str::to_owned), body)
    };
    harness.log.take().into_iter().map(describe).collect()
}

#[tokio::test]
async fn an_update_writes_the_whole_resource_if_unchanged() {
    let harness =
        Setup::new(TransportKind::InProcess).start(in_turn([response(200, READ), response(200, NEWER)])).await;
    let written = harness.clients.calendar.events().get("primary", "a/b").update_with(rename).send().await;
    assert_eq!(written.expect("a written event").summary.as_deref(), Some("Dinner"));
    let body = json!({ "id": "abcde", "summary": "Lunch!", "attendees": [{ "email": "b@example.com" }] });
    let get = ("GET".into(), None, json!(null));
    assert_eq!(recorded(&harness), [get, ("PUT".into(), Some("\"1\"".into()), body)]);
}

#[tokio::test]
async fn a_patch_writes_the_difference() {
    let harness =
        Setup::new(TransportKind::InProcess).start(in_turn([response(200, READ), response(200, NEWER)])).await;
    let call = harness.clients.calendar.events().get("primary", "a/b").patch_with(|event| {
        event.summary = None;
        event.attendees.push(Attendee::default().with_email("c@example.com"));
    });
    let call = call.adjust_request(|request| request.send_updates = Some("all".into()));
    assert!(call.send().await.is_ok());
    let requests = harness.log.take();
    let body = json!({ "summary": null, "attendees": [{ "email": "b@example.com" }, { "email": "c@example.com" }] });
    assert_eq!((requests[1].method.as_str(), requests[1].header("if-match")), ("PATCH", Some("\"1\"")));
    assert_eq!((requests[1].path(), requests[1].json()), (requests[0].path(), body));
    assert_eq!(requests[1].parameter("sendUpdates").as_deref(), Some("all"));
}

/// Another client was faster: the change is applied again to the newer version.
#[tokio::test]
async fn an_update_is_repeated_after_a_conflict() {
    let responses = [response(200, READ), conflict(), response(200, NEWER), response(200, NEWER)];
    let harness = Setup::new(TransportKind::InProcess).start(in_turn(responses)).await;
    let written = harness.clients.calendar.events().get("primary", "abc").update_with(rename).send().await;
    assert!(written.is_ok(), "{written:?}");
    let recorded = recorded(&harness);
    let methods: Vec<_> = recorded.iter().map(|(method, tag, _)| (method.as_str(), tag.as_deref())).collect();
    assert_eq!(methods, [("GET", None), ("PUT", Some("\"1\"")), ("GET", None), ("PUT", Some("\"2\""))]);
    assert_eq!(recorded[3].2, json!({ "id": "abcde", "summary": "Dinner!", "location": "Roof" }));
}

#[tokio::test]
async fn an_update_gives_up_after_repeated_conflicts() {
    let always = |request: &RecordedRequest| if request.method == "GET" { response(200, READ) } else { conflict() };
    for (max, writes) in [(None, 5), (Some(2), 2), (Some(0), 1)] {
        let harness = Setup::new(TransportKind::InProcess).start(always).await;
        let mut call = harness.clients.calendar.events().get("primary", "abc").update_with(rename);
        if let Some(max) = max {
            call = call.max_attempts(max);
        }
        let failed = failure(&call.send().await.expect_err("a conflict"));
        assert_eq!((failed.operation, failed.predicates), ("events.update", vec!["precondition failed"]));
        assert_eq!(recorded(&harness).len(), writes * 2);
    }
}

#[tokio::test]
async fn an_unchanged_resource_is_not_written() {
    let harness = Setup::new(TransportKind::InProcess).start(in_turn([response(200, READ), response(200, READ)])).await;
    let get = || harness.clients.calendar.events().get("primary", "abc");
    assert!(get().update_with(|_| ()).send().await.is_ok());
    assert!(get().patch_with(|event| event.summary = Some("Lunch".into())).send().await.is_ok());
    assert_eq!(recorded(&harness).len(), 2);
}

#[tokio::test]
async fn a_change_can_abort() {
    let harness = Setup::new(TransportKind::InProcess).start(in_turn([response(200, READ)])).await;
    let call = harness.clients.calendar.events().get("primary", "abc").update_with(|event: &mut Event| {
        event.summary = None;
        Err::<(), _>("not today")
    });
    assert!(matches!(call.send().await, Err(UpdateError::Aborted("not today"))));
    assert_eq!(recorded(&harness).len(), 1);
}

#[tokio::test]
async fn a_partial_response_is_never_written_back() {
    let harness = Setup::new(TransportKind::InProcess).start(in_turn([])).await;
    let partial =
        || harness.clients.calendar.events().get("primary", "abc").fields([calendar_client::fields::Event::SUMMARY]);
    let failures = [partial().update_with(rename).send().await, partial().patch_with(rename).send().await];
    for failed in failures {
        let failed = failure(&failed.expect_err("a partial response"));
        assert_eq!((failed.kind, failed.attempts), (Kind::Protocol, 0), "{failed:?}");
    }
    assert!(harness.log.take().is_empty());
}

/// The response to the first write is lost, so the retry conflicts; the change is applied to the new version.
#[tokio::test(start_paused = true)]
async fn a_write_with_a_lost_response_is_detected() {
    let responses =
        [response(200, READ), error(503, None, None), conflict(), response(200, NEWER), response(200, NEWER)];
    let setup = Setup { retry: RetryPolicy::default(), ..Setup::new(TransportKind::InProcess) };
    let harness = setup.start(in_turn(responses)).await;
    let call = harness.clients.calendar.events().get("primary", "abc");
    let written = call.update_with(|event| event.summary = Some("Tea".into())).send().await;
    assert!(written.is_ok(), "{written:?}");
    let methods: Vec<String> = recorded(&harness).into_iter().map(|(method, ..)| method).collect();
    assert_eq!(methods, ["GET", "PUT", "PUT", "GET", "PUT"]);
}
