//! What only the server writes: people read a resource, change it and send all of it back.

use calendar_client::types::{Attendee, Event, Person};
use serde_json::Value;

use crate::calls::{ALL, Entry, PLAIN};
use crate::clients::{Running, Setup, Way};
use crate::server::json;

fn read(text: &str) -> Value {
    serde_json::from_str(text).expect("a sample is JSON")
}

async fn start(keep_output_only: bool) -> Running {
    Setup { keep_output_only, ..Setup::new(Way::InProcess) }.start(|_| json(200, "{}")).await
}

/// The operations that are sent a body.
fn bodies() -> impl Iterator<Item = (&'static Entry, Value, Value)> {
    ALL.iter().filter_map(|entry| Some((entry, read(entry.full_body?), read(entry.written?))))
}

#[tokio::test]
async fn what_only_the_server_writes_is_left_out_of_every_body() {
    let running = start(false).await;
    for (entry, _, written) in bodies() {
        (entry.full)(&running.clients, PLAIN).await.expect("an answer");
        assert_eq!(running.log.only().json(), written, "{}", entry.name());
    }
}

#[tokio::test]
async fn it_is_kept_on_request() {
    let running = start(true).await;
    let mut differ = Vec::new();
    for (entry, full, written) in bodies() {
        (entry.full)(&running.clients, PLAIN).await.expect("an answer");
        assert_eq!(running.log.only().json(), full, "{}", entry.name());
        differ.extend((full != written).then_some(entry.operation));
    }
    // It is not that there was nothing to leave out.
    for operation in ["events.insert", "events.update", "events.patch", "projects.updateContent"] {
        assert!(differ.contains(&operation), "{operation}: {differ:?}");
    }
}

/// One member can be written in one operation and not in another.
#[tokio::test]
async fn an_organizer_is_written_by_an_import_alone() {
    let running = start(false).await;
    let event = Event::default()
        .with_organizer(Person::default().with_email("a@example.com").with_is_self(true))
        .with_attendees([Attendee::default().with_email("b@example.com").with_organizer(true)]);
    let events = running.clients.calendar.events();
    events.import("primary", event.clone()).send().await.expect("an answer");
    events.insert("primary", event).send().await.expect("an answer");
    let bodies: Vec<Value> = running.log.take().iter().map(crate::server::Recorded::json).collect();
    let attendees = serde_json::json!([{ "email": "b@example.com" }]);
    assert_eq!(bodies[0], serde_json::json!({ "organizer": { "email": "a@example.com" }, "attendees": attendees }));
    assert_eq!(bodies[1], serde_json::json!({ "attendees": attendees }));
}

/// The client may leave out by default and one call not.
#[tokio::test]
async fn a_call_says_otherwise_than_its_client() {
    let running = start(false).await;
    let event = Event::default().with_etag("\"1\"").with_summary("Lunch");
    let mut call = running.clients.calendar.events().update("primary", "abc", event).into_call();
    call.options_mut().keep_output_only = Some(true);
    call.send().await.expect("an answer");
    assert_eq!(running.log.only().json(), serde_json::json!({ "etag": "\"1\"", "summary": "Lunch" }));
}
