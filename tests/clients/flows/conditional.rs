//! Reads that are answered only if something has changed, and writes that are done only if nothing has.

use calendar_client::types::{Event, EventPatch};
use wireform_client::wire::operation::Operation;
use wireform_client::{Conditional, ETag, Request};

use super::in_turn;
use crate::calls::{Kind, failure};
use crate::clients::{Clients, Running, Setup, WAYS, Way};
use crate::server::{Recorded, error, json, with};

fn tag(text: &str) -> ETag {
    ETag::parse(text).expect("a tag")
}

/// The current version is `"2"`, said in the header alone.
async fn start(way: Way) -> Running {
    let respond = |request: &Recorded| match request.header("if-none-match") {
        Some("\"2\"") => with(304, &[("etag", "\"2\"")], ""),
        _ => with(200, &[("etag", "\"2\"")], "{}"),
    };
    Setup::new(way).start(respond).await
}

fn operation<R: Request>(_: &Conditional<R::Response>, _: &wireform_client::Call<R>) -> &'static Operation {
    R::OPERATION
}

macro_rules! reads {
    (|$clients:ident| $($call:expr;)*) => {
        /// Asks once for another version than the current one, and once for the current one.
        async fn read_all($clients: &Clients) -> Vec<&'static str> {
            vec![$({
                let call = $call;
                let modified = call.clone().if_none_match(&tag("W/\"1\"")).send().await.expect("an answer");
                let name = operation(&modified, &call.clone().into_call()).name;
                assert_eq!(modified.modified().map(|value| value.etag().to_string()).as_deref(), Some("\"2\""), "{name}");
                let same = call.clone().if_none_match(&tag("\"2\"")).send().await.expect("an answer");
                assert!(same.is_not_modified(), "{name}");
                let versioned = call.send_versioned().await.expect("an answer");
                assert_eq!(versioned.etag(), &tag("\"2\""), "{name}");
                name
            }),*]
        }
    };
}

reads! {
    |it|
    it.calendar.events().get("primary", "abc");
    it.calendar.events().list("primary");
    it.script.processes().list();
    it.script.processes().list_script_processes("id");
    it.script.projects().get("id");
    it.script.projects().get_content("id");
    it.script.projects().get_metrics("id", "DAILY");
    it.script.projects().deployments().get("id", "deployment");
    it.script.projects().deployments().list("id");
    it.script.projects().versions().get("id", 7);
    it.script.projects().versions().list("id");
}

#[tokio::test]
async fn a_conditional_read_returns_a_changed_version() {
    for way in WAYS {
        let running = start(way).await;
        let names = read_all(&running.clients).await;
        let requests = running.log.take();
        assert_eq!(requests.len(), names.len() * 3);
        for (name, three) in names.into_iter().zip(requests.chunks(3)) {
            let sent: Vec<_> = three.iter().map(|request| request.header("if-none-match")).collect();
            assert_eq!(sent, [Some("W/\"1\""), Some("\"2\""), None], "{name}");
        }
    }
}

/// What the resource says of itself is what a write is compared with.
#[tokio::test]
async fn the_tag_in_the_response_takes_precedence_over_the_header() {
    let respond = |_: &Recorded| with(200, &[("etag", "W/\"header\"")], r#"{"etag":"\"member\""}"#);
    let running = Setup::new(Way::InProcess).start(respond).await;
    let read = running.clients.calendar.events().get("primary", "abc").send_versioned().await.expect("an answer");
    assert_eq!(read.etag(), &tag("\"member\""));
}

#[tokio::test]
async fn a_missing_version_is_an_error_where_it_is_required() {
    let running = Setup::new(Way::InProcess).start(|_| json(200, "{}")).await;
    let get = || running.clients.calendar.events().get("primary", "abc");
    for failed in [
        get().send_versioned().await.map(drop),
        get().if_none_match(&tag("\"1\"")).send().await.map(drop),
        get().update_with(|event| event.summary = Some("x".into())).send().await.map(drop),
    ] {
        let failed = failure(&failed.expect_err("there is no tag"));
        assert_eq!((failed.kind, failed.operation), (Kind::Protocol, "events.get"), "{failed:?}");
    }
    assert!(get().send().await.is_ok());
}

/// Writes that name a version: it is sent as it was read, and a 412 is told.
#[tokio::test]
async fn a_write_names_the_version_it_is_of() {
    for way in WAYS {
        let running = Setup::new(way).start(|_| error(412, Some("conditionNotMet"), Some("If-Match"))).await;
        let events = running.clients.calendar.events();
        let read = wireform_client::Versioned::new(Event::default(), tag("W/\"wéak\""));
        let failures = [
            events.update("primary", "abc", Event::default()).if_match(&tag("\"1\"")).send().await.map(drop),
            events.patch("primary", "abc", EventPatch::default()).if_unchanged(&read).send().await.map(drop),
            events.delete("primary", "abc").if_unchanged(&read).send().await,
        ];
        for failed in failures {
            let failed = failure(&failed.expect_err("it is of another version"));
            assert_eq!(failed.yes, ["precondition failed"], "{failed:?}");
            assert_eq!(failed.location.as_deref(), Some("If-Match"));
        }
        let sent: Vec<Vec<u8>> =
            running.log.take().iter().map(|request| request.headers["if-match"].as_bytes().to_vec()).collect();
        assert_eq!(sent, [&b"\"1\""[..], "W/\"wéak\"".as_bytes(), "W/\"wéak\"".as_bytes()]);
    }
}

/// Without a condition a 304 says nothing that a value could be made of.
#[tokio::test]
async fn not_modified_needs_a_question() {
    let running = Setup::new(Way::InProcess).start(in_turn([with(304, &[], "")])).await;
    let failed = running.clients.calendar.events().get("primary", "abc").send_versioned().await;
    assert_eq!(failed.map(drop).map_err(|error| error.status()), Err(Some(304)));
}
