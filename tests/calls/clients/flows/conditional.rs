//! Conditional reads (`If-None-Match`) and conditional writes (`If-Match`).

use calendar_client::types::{Event, EventPatch};
use wireform_client::wire::operation::Operation;
use wireform_client::{Conditional, ETag, Request};

use super::in_turn;
use crate::calls::{Kind, failure};
use crate::clients::{Clients, Harness, Setup, TRANSPORTS, TransportKind};
use crate::server::{RecordedRequest, error, json, with};

fn tag(text: &str) -> ETag {
    ETag::parse(text).expect("an entity tag")
}

/// Starts a server whose current version is `"2"`, sent in the header only.
async fn start(transport: TransportKind) -> Harness {
    let respond = |request: &RecordedRequest| match request.header("if-none-match") {
        Some("\"2\"") => with(304, &[("etag", "\"2\"")], ""),
        _ => with(200, &[("etag", "\"2\"")], "{}"),
    };
    Setup::new(transport).start(respond).await
}

fn operation<R: Request>(_: &Conditional<R::Response>, _: &wireform_client::Call<R>) -> &'static Operation {
    R::OPERATION
}

macro_rules! reads {
    (|$clients:ident| $($call:expr;)*) => {
        /// Reads with an outdated and with the current entity tag, and without a condition.
        async fn read_all($clients: &Clients) -> Vec<&'static str> {
            vec![$({
                let call = $call;
                let modified = call.clone().if_none_match(&tag("W/\"1\"")).send().await.expect("a response");
                let name = operation(&modified, &call.clone().into_call()).name;
                assert_eq!(modified.modified().map(|value| value.etag().to_string()).as_deref(), Some("\"2\""), "{name}");
                let current = call.clone().if_none_match(&tag("\"2\"")).send().await.expect("a response");
                assert!(current.is_not_modified(), "{name}");
                let versioned = call.send_versioned().await.expect("a response");
                assert_eq!(versioned.etag(), &tag("\"2\""), "{name}");
                name
            }),*]
        }
    };
}

reads! {
    |api|
    api.calendar.events().get("primary", "abc");
    api.calendar.events().list("primary");
    api.script.processes().list();
    api.script.processes().list_script_processes("id");
    api.script.projects().get("id");
    api.script.projects().get_content("id");
    api.script.projects().get_metrics("id", "DAILY");
    api.script.projects().deployments().get("id", "deployment");
    api.script.projects().deployments().list("id");
    api.script.projects().versions().get("id", 7);
    api.script.projects().versions().list("id");
}

#[tokio::test]
async fn a_conditional_read_returns_a_changed_version() {
    for transport in TRANSPORTS {
        let harness = start(transport).await;
        let names = read_all(&harness.clients).await;
        let requests = harness.log.take();
        assert_eq!(requests.len(), names.len() * 3);
        for (name, three) in names.into_iter().zip(requests.chunks(3)) {
            let sent: Vec<_> = three.iter().map(|request| request.header("if-none-match")).collect();
            assert_eq!(sent, [Some("W/\"1\""), Some("\"2\""), None], "{name}");
        }
    }
}

/// A write is compared with the entity tag in the resource, so that one counts.
#[tokio::test]
async fn the_tag_in_the_response_takes_precedence_over_the_header() {
    let respond = |_: &RecordedRequest| with(200, &[("etag", "W/\"header\"")], r#"{"etag":"\"member\""}"#);
    let harness = Setup::new(TransportKind::InProcess).start(respond).await;
    let read = harness.clients.calendar.events().get("primary", "abc").send_versioned().await.expect("a response");
    assert_eq!(read.etag(), &tag("\"member\""));
}

#[tokio::test]
async fn a_missing_version_is_an_error_where_it_is_required() {
    let harness = Setup::new(TransportKind::InProcess).start(|_| json(200, "{}")).await;
    let get = || harness.clients.calendar.events().get("primary", "abc");
    for failed in [
        get().send_versioned().await.map(drop),
        get().if_none_match(&tag("\"1\"")).send().await.map(drop),
        get().update_with(|event| event.summary = Some("x".into())).send().await.map(drop),
    ] {
        let failed = failure(&failed.expect_err("a missing entity tag"));
        assert_eq!((failed.kind, failed.operation), (Kind::Protocol, "events.get"), "{failed:?}");
    }
    assert!(get().send().await.is_ok());
}

/// The entity tag is sent exactly as it was read, and a 412 is reported.
#[tokio::test]
async fn a_write_sends_its_entity_tag() {
    for transport in TRANSPORTS {
        let harness = Setup::new(transport).start(|_| error(412, Some("conditionNotMet"), Some("If-Match"))).await;
        let events = harness.clients.calendar.events();
        let read = wireform_client::Versioned::new(Event::default(), tag("W/\"wéak\""));
        let failures = [
            events.update("primary", "abc", Event::default()).if_match(&tag("\"1\"")).send().await.map(drop),
            events.patch("primary", "abc", EventPatch::default()).if_unchanged(&read).send().await.map(drop),
            events.delete("primary", "abc").if_unchanged(&read).send().await,
        ];
        for failed in failures {
            let failed = failure(&failed.expect_err("a failed precondition"));
            assert_eq!(failed.predicates, ["precondition failed"], "{failed:?}");
            assert_eq!(failed.location.as_deref(), Some("If-Match"));
        }
        let sent: Vec<Vec<u8>> =
            harness.log.take().iter().map(|request| request.headers["if-match"].as_bytes().to_vec()).collect();
        assert_eq!(sent, [&b"\"1\""[..], "W/\"wéak\"".as_bytes(), "W/\"wéak\"".as_bytes()]);
    }
}

/// A 304 without a condition has no value that could be returned.
#[tokio::test]
async fn not_modified_requires_a_condition() {
    let harness = Setup::new(TransportKind::InProcess).start(in_turn([with(304, &[], "")])).await;
    let failed = harness.clients.calendar.events().get("primary", "abc").send_versioned().await;
    assert_eq!(failed.map(drop).map_err(|error| error.status()), Err(Some(304)));
}
