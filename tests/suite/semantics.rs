//! Semantics of the generated types, tested with the three APIs.

use calendar_types::runtime::{DateTime, Decimal, FieldBehavior as _, Merge as _, OpenEnum as _, Patch, json};
use calendar_types::{
    Attendee, Event, EventDateTime, EventDateTimePatch, EventPatch, EventStatus, ExtendedProperties, Person,
};
use mailbox_types::ListHistoryResponse;
use script_types::{AddOnType, ExecutionResponse, Operation};

fn event(text: &str) -> Event {
    json::from_str(text).expect("an event")
}

#[test]
fn what_only_the_server_writes_is_stripped_by_operation_and_at_every_depth() {
    let full = event(
        r#"{"kind":"calendar#event","etag":"\"1\"","id":"abcde","summary":"Lunch","created":"2026-01-01T00:00:00Z",
            "creator":{"email":"a@example.com"},"organizer":{"email":"b@example.com","self":true},"locked":true,
            "attendees":[{"email":"c@example.com","organizer":true,"self":true,"comment":"yes"}]}"#,
    );
    let mut sent = full.clone();
    sent.strip_output_only("events.update");
    let kept = r#"{"id":"abcde","summary":"Lunch","attendees":[{"email":"c@example.com","comment":"yes"}]}"#;
    assert_eq!(sent, event(kept));
    let mut imported = full.clone();
    imported.strip_output_only("events.import");
    assert_eq!(imported.organizer, Some(Person::default().with_email("b@example.com")));
    assert_eq!(imported.creator, None);

    let mut patch = Event::default().diff(&full).expect("they differ");
    patch.strip_output_only("events.patch");
    assert_eq!(
        (&patch.etag, &patch.created, &patch.creator, &patch.locked),
        (&Patch::Keep, &Patch::Keep, &Patch::Keep, &Patch::Keep)
    );
    assert_eq!(patch.attendees, Patch::Set(vec![Attendee::default().with_email("c@example.com").with_comment("yes")]));
}

#[test]
fn a_patch_distinguishes_absent_null_and_a_value_at_every_depth() {
    let text = r#"{"location":null,"start":{"date":null,"dateTime":"2026-05-01T12:00:00+02:00"},"extendedProperties":{"private":{"a":null,"b":"1"}}}"#;
    let patch: EventPatch = json::from_str(text).expect("a patch");
    assert_eq!((&patch.summary, &patch.location), (&Patch::Keep, &Patch::Clear));
    let start = EventDateTimePatch {
        date: Patch::Clear,
        date_time: Patch::Set(DateTime::parse("2026-05-01T12:00:00+02:00").expect("a time")),
        ..EventDateTimePatch::default()
    };
    assert_eq!(patch.start, Patch::Set(start));
    assert_eq!(json::to_string(&patch).expect("JSON"), text);

    let mut changed = event(
        r#"{"summary":"Lunch","location":"Roof","start":{"date":"2026-05-01"},"extendedProperties":{"private":{"a":"0","c":"2"}}}"#,
    );
    changed.apply(patch);
    let private = ExtendedProperties::default().with_private([("b", "1"), ("c", "2")]);
    let start = EventDateTime::default().with_date_time(DateTime::parse("2026-05-01T12:00:00+02:00").expect("a time"));
    assert_eq!(changed, Event::default().with_summary("Lunch").with_start(start).with_extended_properties(private));
}

#[test]
fn the_smallest_patch_names_what_changed_and_nothing_else() {
    let old = event(
        r#"{"summary":"Lunch","location":"Roof","attendees":[{"email":"a@example.com"}],"reminders":{"useDefault":true}}"#,
    );
    let new = event(r#"{"summary":"Lunch","attendees":[{"email":"b@example.com"}],"reminders":{"useDefault":false}}"#);
    let patch = old.diff(&new).expect("they differ");
    assert_eq!(
        json::to_string(&patch).expect("JSON"),
        r#"{"location":null,"attendees":[{"email":"b@example.com"}],"reminders":{"useDefault":false}}"#
    );
    assert_eq!(old.diff(&old.clone()), None);
}

#[test]
fn an_alias_is_read_and_the_canonical_value_is_written() {
    for text in ["\"GMAIL\"", "\"MAIL\""] {
        let value: AddOnType = json::from_str(text).expect("a value");
        assert_eq!((value.clone(), json::to_string(&value).expect("JSON")), (AddOnType::Mail, "\"MAIL\"".into()));
    }
    assert_eq!(AddOnType::from("DATA_STUDIO"), AddOnType::Reporting);
}

#[test]
fn an_unknown_value_cannot_hold_a_known_one() {
    let later: EventStatus = json::from_str("\"postponed\"").expect("a value");
    assert!(!later.is_known() && later.as_str() == "postponed");
    assert_eq!(EventStatus::from("confirmed"), EventStatus::Confirmed);
    assert_eq!(calendar_types::runtime::UnknownValue::<EventStatus>::new("confirmed"), Err(EventStatus::Confirmed));
}

#[test]
fn defaults_are_read_and_never_written() {
    let empty = Event::default();
    assert!(empty.guests_can_invite_others_or_default() && !empty.locked_or_default());
    assert_eq!(empty.status_or_default(), &EventStatus::Confirmed);
    assert_eq!(json::to_string(&empty).expect("JSON"), "{}");
}

#[test]
fn history_ids_are_numbers_that_stand_as_strings() {
    for text in [r#"{"historyId":"18446744073709551615"}"#, r#"{"historyId":18446744073709551615}"#] {
        let response: ListHistoryResponse = json::from_str(text).expect("a response");
        assert_eq!(response.history_id, Some(Decimal(u64::MAX)));
        assert_eq!(json::to_string(&response).expect("JSON"), r#"{"historyId":"18446744073709551615"}"#);
    }
    for wrong in [
        r#"{"historyId":"18446744073709551616"}"#,
        r#"{"historyId":"-1"}"#,
        r#"{"historyId":"1.5"}"#,
        r#"{"historyId":true}"#,
    ] {
        let error = json::from_str::<ListHistoryResponse>(wrong).expect_err("no history id");
        assert_eq!(error.path, "historyId", "{error}");
    }
}

#[test]
fn an_operation_is_running_succeeded_or_failed() {
    let read = |text: &str| json::from_str::<Operation>(text);
    assert_eq!(read(r#"{"done":false}"#).expect("running"), Operation::Running);
    assert_eq!(read("{}").expect("running"), Operation::Running);
    let done = r#"{"done":true,"response":{"@type":"type.googleapis.com/google.apps.script.v1.ExecutionResponse","result":[1,"a"]}}"#;
    let Operation::Succeeded(ExecutionResponse { result: Some(result), .. }) = read(done).expect("succeeded") else {
        panic!("it succeeded")
    };
    assert_eq!(result, serde_json::json!([1, "a"]));
    let failed = r#"{"done":true,"error":{"code":3,"details":[{"@type":"type.googleapis.com/google.apps.script.v1.ExecutionError","errorMessage":"no","errorType":"TypeError"}]}}"#;
    let Operation::Failed(status) = read(failed).expect("failed") else { panic!("it failed") };
    assert_eq!(status.details[0].error_type.as_deref(), Some("TypeError"));
    for wrong in [r#"{"done":true}"#, r#"{"done":false,"response":{}}"#, r#"{"done":true,"response":{},"error":{}}"#] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_time_keeps_the_offset_it_was_given_or_its_absence() {
    for text in [
        "2026-03-29T02:30:00",
        "2026-03-29T02:30:00Z",
        "2026-03-29t02:30:00.500z",
        "2026-03-29T02:30:00-00:00",
        "2026-03-29T02:30:00+05:45",
    ] {
        let wire = format!(r#"{{"start":{{"dateTime":"{text}"}}}}"#);
        assert_eq!(json::to_string(&event(&wire)).expect("JSON"), wire);
    }
    let local = DateTime::parse("2026-03-29T02:30:00").expect("a time");
    assert!(!local.has_offset() && local.to_timestamp().is_none());
}
