//! Long lists: rules run in acceptable time, and the number of reported violations is bounded.

use calendar_validation::requests::{EventsInsert, EventsUpdate};
use calendar_validation::types::Event;
use calendar_validation::{Rules as Calendar, operation as calendar};
use script_validation::requests::ProjectsUpdateContent;
use script_validation::types::Content;
use script_validation::{Rules as Script, operation as script};
use serde_json::{Value, json};
use wireform_runtime::json as wire;
use wireform_validation::Validates as _;

const MANY: usize = 100_000;

/// Returns an event with many attendees that have only the given field.
fn event_with_many(member: &str, domain: &str) -> Event {
    let attendees: Value = (0..MANY).map(|index| json!({ member: format!("{index}{domain}") })).collect();
    let time = json!({ "dateTime": "2026-03-02T10:00:00Z" });
    let text = json!({ "start": time, "end": time, "attendees": attendees }).to_string();
    wire::from_str(&text).expect("it is an event")
}

#[test]
fn violations_of_many_attendees_are_bounded() {
    let without_name = EventsInsert::new("primary", event_with_many("displayName", ""));
    let Err(violations) = Calendar.validate(&without_name, calendar::request(calendar::EVENTS_INSERT)) else {
        panic!("none of them has an address")
    };
    assert_eq!((violations.as_slice().len(), violations.count()), (100, MANY));
}

#[test]
fn each_of_many_attendees_is_looked_for_among_those_that_are_stored() {
    for (member, domain) in [("id", ""), ("email", "@example.com")] {
        let known = event_with_many(member, domain);
        let update = EventsUpdate::new("primary", "abcde", known.clone());
        let context = calendar::request(calendar::EVENTS_UPDATE);
        assert!(Calendar.validate(&update, context.with_stored(&known)).is_ok_and(|warnings| warnings.is_empty()));
    }
}

#[test]
fn many_functions_have_names_of_their_own() {
    let functions: Value = (0..MANY).map(|index| json!({ "name": index.to_string() })).collect();
    let files = json!({ "files": [
        { "name": "manifest", "type": "JSON" },
        { "name": "a", "type": "HTML", "functionSet": { "values": functions } },
    ] });
    let content: Content = wire::from_str(&files.to_string()).expect("it is content");
    let update = ProjectsUpdateContent::new("script", content);
    assert!(Script.validate(&update, script::request(script::PROJECTS_UPDATE_CONTENT)).is_ok());
}
