//! Reading, changing and writing back.

use calendar_client::types::{Attendee, Event};
use serde_json::json;
use wireform_client::{RetryPolicy, UpdateError};

use super::in_turn;
use crate::calls::{Kind, failure};
use crate::clients::{Running, Setup, Way};
use crate::server::{Recorded, error, json as response};

const READ: &str = r#"{"kind":"calendar#event","etag":"\"1\"","id":"abcde","summary":"Lunch","created":"2026-01-01T00:00:00Z",
    "creator":{"email":"a@example.com"},"attendees":[{"email":"b@example.com","self":true}],"x":1}"#;

const NEWER: &str = r#"{"etag":"\"2\"","id":"abcde","summary":"Dinner","location":"Roof"}"#;

fn conflict() -> axum::response::Response {
    error(412, Some("conditionNotMet"), Some("If-Match"))
}

fn rename(event: &mut Event) {
    event.summary = Some(format!("{}!", event.summary.as_deref().unwrap_or_default()));
}

/// What was asked for, each as its method, its condition and its body.
fn asked(running: &Running) -> Vec<(String, Option<String>, serde_json::Value)> {
    let shown = |request: Recorded| {
        let body = if request.body.is_empty() { json!(null) } else { request.json() };
        (request.method.to_string(), request.header("if-match").map(str::to_owned), body)
    };
    running.log.take().into_iter().map(shown).collect()
}

#[tokio::test]
async fn a_change_is_written_as_a_whole_under_the_version_that_was_read() {
    let running = Setup::new(Way::InProcess).start(in_turn([response(200, READ), response(200, NEWER)])).await;
    let written = running.clients.calendar.events().get("primary", "a/b").update_with(rename).send().await;
    assert_eq!(written.expect("it is written").summary.as_deref(), Some("Dinner"));
    let body = json!({ "id": "abcde", "summary": "Lunch!", "attendees": [{ "email": "b@example.com" }] });
    let get = ("GET".into(), None, json!(null));
    assert_eq!(asked(&running), [get, ("PUT".into(), Some("\"1\"".into()), body)]);
}

#[tokio::test]
async fn a_change_is_written_as_a_difference() {
    let running = Setup::new(Way::InProcess).start(in_turn([response(200, READ), response(200, NEWER)])).await;
    let call = running.clients.calendar.events().get("primary", "a/b").patch_with(|event| {
        event.summary = None;
        event.attendees.push(Attendee::default().with_email("c@example.com"));
    });
    let call = call.request(|request| request.send_updates = Some("all".into()));
    assert!(call.send().await.is_ok());
    let requests = running.log.take();
    let body = json!({ "summary": null, "attendees": [{ "email": "b@example.com" }, { "email": "c@example.com" }] });
    assert_eq!((requests[1].method.as_str(), requests[1].header("if-match")), ("PATCH", Some("\"1\"")));
    assert_eq!((requests[1].path(), requests[1].json()), (requests[0].path(), body));
    assert_eq!(requests[1].parameter("sendUpdates").as_deref(), Some("all"));
}

/// Others were faster: everything is done again, with what they wrote.
#[tokio::test]
async fn a_change_is_made_again_on_what_others_wrote() {
    let responses = [response(200, READ), conflict(), response(200, NEWER), response(200, NEWER)];
    let running = Setup::new(Way::InProcess).start(in_turn(responses)).await;
    let written = running.clients.calendar.events().get("primary", "abc").update_with(rename).send().await;
    assert!(written.is_ok(), "{written:?}");
    let asked = asked(&running);
    let shown: Vec<_> = asked.iter().map(|(method, tag, _)| (method.as_str(), tag.as_deref())).collect();
    assert_eq!(shown, [("GET", None), ("PUT", Some("\"1\"")), ("GET", None), ("PUT", Some("\"2\""))]);
    assert_eq!(asked[3].2, json!({ "id": "abcde", "summary": "Dinner!", "location": "Roof" }));
}

#[tokio::test]
async fn others_who_are_always_faster_win() {
    let always = |request: &Recorded| if request.method == "GET" { response(200, READ) } else { conflict() };
    for (most, writes) in [(None, 5), (Some(2), 2), (Some(0), 1)] {
        let running = Setup::new(Way::InProcess).start(always).await;
        let mut call = running.clients.calendar.events().get("primary", "abc").update_with(rename);
        if let Some(most) = most {
            call = call.max_attempts(most);
        }
        let failed = failure(&call.send().await.expect_err("it is never written"));
        assert_eq!((failed.operation, failed.yes), ("events.update", vec!["precondition failed"]));
        assert_eq!(asked(&running).len(), writes * 2);
    }
}

#[tokio::test]
async fn what_is_left_as_it_was_is_not_written() {
    let running = Setup::new(Way::InProcess).start(in_turn([response(200, READ), response(200, READ)])).await;
    let get = || running.clients.calendar.events().get("primary", "abc");
    assert!(get().update_with(|_| ()).send().await.is_ok());
    assert!(get().patch_with(|event| event.summary = Some("Lunch".into())).send().await.is_ok());
    assert_eq!(asked(&running).len(), 2);
}

#[tokio::test]
async fn a_change_may_refuse() {
    let running = Setup::new(Way::InProcess).start(in_turn([response(200, READ)])).await;
    let call = running.clients.calendar.events().get("primary", "abc").update_with(|event: &mut Event| {
        event.summary = None;
        Err::<(), _>("not today")
    });
    assert!(matches!(call.send().await, Err(UpdateError::Aborted("not today"))));
    assert_eq!(asked(&running).len(), 1);
}

#[tokio::test]
async fn a_part_is_never_written_back() {
    let running = Setup::new(Way::InProcess).start(in_turn([])).await;
    let part =
        || running.clients.calendar.events().get("primary", "abc").fields([calendar_client::fields::Event::SUMMARY]);
    let failures = [part().update_with(rename).send().await, part().patch_with(rename).send().await];
    for failed in failures {
        let failed = failure(&failed.expect_err("the rest would be erased"));
        assert_eq!((failed.kind, failed.attempts), (Kind::Protocol, 0), "{failed:?}");
    }
    assert!(running.log.take().is_empty());
}

/// An answer that was lost: the first write was done, so the second finds another version, and the change is made
/// on it once more.
#[tokio::test(start_paused = true)]
async fn a_write_with_a_lost_response_is_detected() {
    let responses =
        [response(200, READ), error(503, None, None), conflict(), response(200, NEWER), response(200, NEWER)];
    let setup = Setup { retry: RetryPolicy::default(), ..Setup::new(Way::InProcess) };
    let running = setup.start(in_turn(responses)).await;
    let call = running.clients.calendar.events().get("primary", "abc");
    let written = call.update_with(|event| event.summary = Some("Tea".into())).send().await;
    assert!(written.is_ok(), "{written:?}");
    let methods: Vec<String> = asked(&running).into_iter().map(|(method, ..)| method).collect();
    assert_eq!(methods, ["GET", "PUT", "PUT", "GET", "PUT"]);
}
