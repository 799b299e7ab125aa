//! Calls that are awaited without `send()`.

use calendar_client::types::Event;
use wireform_client::ETag;

use super::in_turn;
use crate::clients::{Setup, TRANSPORTS, TransportKind};
use crate::server::{json, with};

#[tokio::test]
async fn an_awaited_call_is_sent_with_all_options() {
    for transport in TRANSPORTS {
        let responses = [json(200, r#"{"summary":"Lunch"}"#), json(200, r#"{"title":"A"}"#), with(204, &[], "")];
        let harness = Setup::new(transport).start(in_turn(responses)).await;
        let clients = &harness.clients;
        // Calls with their own type, with the shared type, and with the type that both wrap.
        let event = clients.calendar.events().get("primary", "abc").time_zone("Europe/Rome").await.expect("an event");
        assert_eq!(event.summary.as_deref(), Some("Lunch"));
        let project = clients.script.projects().get("abc").await.expect("a project");
        assert_eq!(project.title.as_deref(), Some("A"));
        clients.calendar.events().delete("primary", "abc").into_call().await.expect("a success");
        let requests = harness.log.take();
        let methods: Vec<_> = requests.iter().map(|request| request.method.as_str()).collect();
        assert_eq!(methods, ["GET", "GET", "DELETE"]);
        assert_eq!(requests[0].parameter("timeZone").as_deref(), Some("Europe/Rome"));
    }
}

#[tokio::test]
async fn derived_calls_can_be_awaited() {
    let read = || with(200, &[("etag", "\"2\"")], r#"{"summary":"Lunch"}"#);
    let responses = [with(304, &[], ""), read(), json(200, r#"{"summary":"Dinner"}"#)];
    let harness = Setup::new(TransportKind::InProcess).start(in_turn(responses)).await;
    let get = || harness.clients.calendar.events().get("primary", "abc");
    let tag = ETag::parse("\"2\"").expect("an entity tag");
    assert!(get().if_none_match(&tag).await.expect("a response").is_not_modified());
    let rename = |event: &mut Event| event.summary = Some("Dinner".into());
    let written = get().update_with(rename).await.expect("a written event");
    assert_eq!(written.summary.as_deref(), Some("Dinner"));
    let methods: Vec<_> = harness.log.take().iter().map(|request| request.method.to_string()).collect();
    assert_eq!(methods, ["GET", "GET", "PUT"]);
}

/// A multi-threaded executor requires `Send` futures.
#[tokio::test]
async fn an_awaited_call_can_go_to_another_thread() {
    fn is_send<F: IntoFuture<IntoFuture: Send + 'static>>(call: F) -> F {
        call
    }
    let harness = Setup::new(TransportKind::InProcess).start(|_| json(200, "{}")).await;
    let get = || harness.clients.calendar.events().get("primary", "abc");
    let tag = ETag::parse("\"2\"").expect("an entity tag");
    drop((is_send(get()), is_send(get().if_none_match(&tag)), is_send(get().patch_with(|_: &mut Event| ()))));
    assert!(harness.log.take().is_empty(), "nothing is sent before it is awaited");
}
