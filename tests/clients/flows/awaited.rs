//! Calls that are awaited as they are: what `send()` does, `.await` does without it.

use calendar_client::types::Event;
use wireform_client::ETag;

use super::in_turn;
use crate::clients::{Setup, WAYS, Way};
use crate::server::{json, with};

#[tokio::test]
async fn a_call_that_is_awaited_is_sent_with_all_that_was_set() {
    for way in WAYS {
        let responses = [json(200, r#"{"summary":"Lunch"}"#), json(200, r#"{"title":"A"}"#), with(204, &[], "")];
        let running = Setup::new(way).start(in_turn(responses)).await;
        let clients = &running.clients;
        // Calls of a type of their own, of the type that many share, and of the one behind both.
        let event = clients.calendar.events().get("primary", "abc").time_zone("Europe/Rome").await.expect("an event");
        assert_eq!(event.summary.as_deref(), Some("Lunch"));
        let project = clients.script.projects().get("abc").await.expect("a project");
        assert_eq!(project.title.as_deref(), Some("A"));
        clients.calendar.events().delete("primary", "abc").into_call().await.expect("it is deleted");
        let requests = running.log.take();
        let methods: Vec<_> = requests.iter().map(|request| request.method.as_str()).collect();
        assert_eq!(methods, ["GET", "GET", "DELETE"]);
        assert_eq!(requests[0].parameter("timeZone").as_deref(), Some("Europe/Rome"));
    }
}

#[tokio::test]
async fn what_a_call_becomes_is_sent_as_well() {
    let read = || with(200, &[("etag", "\"2\"")], r#"{"summary":"Lunch"}"#);
    let responses = [with(304, &[], ""), read(), json(200, r#"{"summary":"Dinner"}"#)];
    let running = Setup::new(Way::InProcess).start(in_turn(responses)).await;
    let get = || running.clients.calendar.events().get("primary", "abc");
    let tag = ETag::parse("\"2\"").expect("a tag");
    assert!(get().if_none_match(&tag).await.expect("an answer").is_not_modified());
    let rename = |event: &mut Event| event.summary = Some("Dinner".into());
    let written = get().update_with(rename).await.expect("it is written");
    assert_eq!(written.summary.as_deref(), Some("Dinner"));
    let methods: Vec<_> = running.log.take().iter().map(|request| request.method.to_string()).collect();
    assert_eq!(methods, ["GET", "GET", "PUT"]);
}

/// A task of an executor of several threads takes calls as they are.
#[tokio::test]
async fn an_awaited_call_can_go_to_another_thread() {
    fn is_send<F: IntoFuture<IntoFuture: Send + 'static>>(call: F) -> F {
        call
    }
    let running = Setup::new(Way::InProcess).start(|_| json(200, "{}")).await;
    let get = || running.clients.calendar.events().get("primary", "abc");
    let tag = ETag::parse("\"2\"").expect("a tag");
    drop((is_send(get()), is_send(get().if_none_match(&tag)), is_send(get().patch_with(|_: &mut Event| ()))));
    assert!(running.log.take().is_empty(), "nothing is sent before it is awaited");
}
