//! Output-only fields: programs read a resource, change it and send all of it back.

use calendar_client::types::{Attendee, Event, Person};
use serde_json::Value;

use crate::calls::{ALL, Entry, PLAIN};
use crate::clients::{Harness, Setup, TransportKind};
use crate::server::json;

fn read(text: &str) -> Value {
    serde_json::from_str(text).expect("a sample is JSON")
}

async fn start(keep_output_only: bool) -> Harness {
    Setup { keep_output_only, ..Setup::new(TransportKind::InProcess) }.start(|_| json(200, "{}")).await
}

/// Returns the operations with a request body, with the body before and after removal of output-only fields.
fn bodies() -> impl Iterator<Item = (&'static Entry, Value, Value)> {
    ALL.iter().filter_map(|entry| Some((entry, read(entry.full_body?), read(entry.written?))))
}

#[tokio::test]
async fn output_only_fields_are_left_out_of_every_body() {
    let harness = start(false).await;
    for (entry, _, written) in bodies() {
        (entry.full)(&harness.clients, PLAIN).await.expect("a response");
        assert_eq!(harness.log.only().json(), written, "{}", entry.name());
    }
}

#[tokio::test]
async fn output_only_fields_are_kept_on_request() {
    let harness = start(true).await;
    let mut differing = Vec::new();
    for (entry, full, written) in bodies() {
        (entry.full)(&harness.clients, PLAIN).await.expect("a response");
        assert_eq!(harness.log.only().json(), full, "{}", entry.name());
        differing.extend((full != written).then_some(entry.operation));
    }
    // Guards against samples without output-only fields.
    for operation in ["events.insert", "events.update", "events.patch", "projects.updateContent"] {
        assert!(differing.contains(&operation), "{operation}: {differing:?}");
    }
}

/// A field can be writable in one operation and output-only in another.
#[tokio::test]
async fn only_an_import_writes_the_organizer() {
    let harness = start(false).await;
    let event = Event::default()
        .with_organizer(Person::default().with_email("a@example.com").with_is_self(true))
        .with_attendees([Attendee::default().with_email("b@example.com").with_organizer(true)]);
    let events = harness.clients.calendar.events();
    events.import("primary", event.clone()).send().await.expect("a response");
    events.insert("primary", event).send().await.expect("a response");
    let bodies: Vec<Value> = harness.log.take().iter().map(crate::server::RecordedRequest::json).collect();
    let attendees = serde_json::json!([{ "email": "b@example.com" }]);
    assert_eq!(bodies[0], serde_json::json!({ "organizer": { "email": "a@example.com" }, "attendees": attendees }));
    assert_eq!(bodies[1], serde_json::json!({ "attendees": attendees }));
}

/// The option of a call overrides that of its client.
#[tokio::test]
async fn a_call_overrides_its_client() {
    let harness = start(false).await;
    let event = Event::default().with_etag("\"1\"").with_summary("Lunch");
    let mut call = harness.clients.calendar.events().update("primary", "abc", event).into_call();
    call.options_mut().keep_output_only = Some(true);
    call.send().await.expect("a response");
    assert_eq!(harness.log.only().json(), serde_json::json!({ "etag": "\"1\"", "summary": "Lunch" }));
}
