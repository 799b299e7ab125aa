//! Fields of a write that have no effect: because of a parameter, an operation or another field, or because they cannot
//! change.

mod calendar;

use calendar_server::types;
use http::StatusCode;
use serde_json::{Value, json};
use wireform_server::axum::Router;

use crate::desk::Tokens;
use crate::valid::{self, Valid};
use crate::wire::{TestResponse, request, send};
use calendar::{Calendar, body, parameter_dependent_fields, stored};

/// Sends a body with query parameters to an operation.
async fn send_body(stored: &Value, operation: &'static str, query: &str, body: &Value) -> TestResponse {
    let router: Router = calendar_server::server(Calendar::of(stored)).authenticator(Tokens).router();
    let valid = valid::of("calendar", operation);
    let path = valid.target.split('?').next().unwrap_or_default();
    let target: &'static str = Box::leak(format!("{path}?{query}").into_boxed_str());
    let body: &'static str = Box::leak(body.to_string().into_boxed_str());
    send(&router, request(Valid { target, body: Some(body), ..valid })).await
}

/// Sends a valid body, and returns the resulting event.
async fn write_event(stored: &Value, operation: &'static str, query: &str, body: &Value) -> Value {
    let got = send_body(stored, operation, query, body).await;
    assert_eq!(got.status, StatusCode::OK, "{operation}?{query} {body}: {got:?}");
    got.json()
}

/// Adds the fields of another value.
fn with(mut value: Value, more: &Value) -> Value {
    if let (Some(value), Some(more)) = (value.as_object_mut(), more.as_object()) {
        value.extend(more.clone());
    }
    value
}

#[tokio::test]
async fn members_without_their_parameter_stay_as_they_are_stored() {
    let old = json!(["2", "old", "https://x/old", "old"]);
    let new = json!(["1", "new", "https://x/new", "new"]);
    let all = "eventLabelVersion=1&supportsAttachments=true&conferenceDataVersion=1";
    for operation in ["events.update", "events.patch"] {
        let event = write_event(&stored(), operation, "", &body()).await;
        assert_eq!(
            (parameter_dependent_fields(&event), &event["summary"]),
            (old.clone(), &json!("coffee")),
            "{operation}"
        );
        assert_eq!(event["attachments"][0]["fileId"], "f", "{operation}");
        assert_eq!(
            parameter_dependent_fields(&write_event(&stored(), operation, all, &body()).await),
            new,
            "{operation}"
        );
    }
    // Without the parameters that enable them, absent fields are not removed.
    let bare = json!({"start": body()["start"], "end": body()["end"]});
    let event = write_event(&stored(), "events.update", "", &bare).await;
    assert_eq!(parameter_dependent_fields(&event), json!([null, "old", "https://x/old", "old"]));
    let event = write_event(&stored(), "events.update", all, &bare).await;
    assert_eq!(parameter_dependent_fields(&event), json!(["1", null, null, null]));
    let cleared = json!({"attachments": null, "conferenceData": null, "eventLabelId": null});
    let event = write_event(&stored(), "events.patch", "", &cleared).await;
    assert_eq!(parameter_dependent_fields(&event), json!(["1", "old", "https://x/old", "old"]));
    let event = write_event(&stored(), "events.patch", all, &cleared).await;
    assert_eq!(parameter_dependent_fields(&event), json!(["1", null, null, null]));
}

#[tokio::test]
async fn members_without_their_parameter_are_left_out_of_what_is_made() {
    let all = "eventLabelVersion=1&supportsAttachments=true&conferenceDataVersion=1";
    let mut insert = body();
    insert.as_object_mut().map(|event| event.remove("iCalUID"));
    for (operation, body) in [("events.insert", &insert), ("events.import", &body())] {
        let event = write_event(&stored(), operation, "", body).await;
        assert_eq!(parameter_dependent_fields(&event), json!(["2", null, null, null]), "{operation}");
        assert!(event.get("conferenceData").is_none(), "{operation}: {event}");
        let event = write_event(&stored(), operation, all, body).await;
        assert_eq!(parameter_dependent_fields(&event), json!([null, "new", "https://x/new", "new"]), "{operation}");
    }
    // Fields that have no effect violate no rule, such as the maximum number of attachments.
    let many: Vec<Value> = (0..30).map(|_| json!({})).collect();
    let body = with(body(), &json!({"attachments": many}));
    assert_eq!(write_event(&stored(), "events.update", "", &body).await["attachments"][0]["fileUrl"], "https://x/old");
    let got = send_body(&stored(), "events.update", "supportsAttachments=true", &body).await;
    assert_eq!(got.status, StatusCode::BAD_REQUEST, "{got:?}");
}

#[tokio::test]
async fn an_event_of_another_type_is_imported_as_a_default_one() {
    let properties = json!({
        "eventType": "focusTime", "focusTimeProperties": {"chatStatus": "doNotDisturb"},
        "workingLocationProperties": {"type": "homeOffice"}, "outOfOfficeProperties": {}, "birthdayProperties": {},
    });
    let event = write_event(&stored(), "events.import", "", &with(body(), &properties)).await;
    for member in properties.as_object().expect("an object").keys() {
        assert_eq!(event.get(member), None, "{member}");
    }
    assert_eq!(event["summary"], "coffee");
    // The import drops the field, even if its value is not a known type.
    let event = write_event(&stored(), "events.import", "", &with(body(), &json!({"eventType": "strange"}))).await;
    assert_eq!(event.get("eventType"), None);
}

#[tokio::test]
async fn details_of_another_kind_of_place_are_dropped() {
    let place = json!({
        "eventType": "workingLocation",
        "workingLocationProperties": {
            "type": "officeLocation", "homeOffice": {}, "officeLocation": {"label": "here"}, "customLocation": {"label": "there"}
        },
    });
    let expected = json!({"type": "officeLocation", "officeLocation": {"label": "here"}});
    let mut insert = with(body(), &place);
    insert.as_object_mut().map(|event| event.remove("iCalUID"));
    let event = write_event(&stored(), "events.insert", "", &insert).await;
    assert_eq!(event["workingLocationProperties"], expected);
    // A patch that changes the type removes the details of the previous type.
    let before = with(stored(), &json!({"eventType": "workingLocation", "workingLocationProperties": expected}));
    let patch = json!({"workingLocationProperties": {"type": "homeOffice", "homeOffice": {"a": 1}}});
    let event = write_event(&before, "events.patch", "", &patch).await;
    assert_eq!(event["workingLocationProperties"], json!({"type": "homeOffice", "homeOffice": {"a": 1}}));
    let patch = json!({"workingLocationProperties": {"customLocation": {"label": "there"}}});
    let event = write_event(&before, "events.patch", "", &patch).await;
    assert_eq!(event["workingLocationProperties"], expected);
}

#[tokio::test]
async fn a_known_attendee_stays_a_thing_or_a_person() {
    let before = with(
        stored(),
        &json!({"attendees": [
            {"email": "Room@x.org", "resource": true, "asyncOperation": "inProgress"},
            {"id": "p1", "email": "ana@x.org", "self": true},
        ]}),
    );
    let attendees = json!([
        {"email": "new@x.org", "resource": true},
        {"email": "ana@x.org", "resource": true, "comment": "hi"},
        {"email": "room@x.org", "resource": false},
        {"id": "p1", "optional": true},
    ]);
    let expected = json!([
        {"email": "new@x.org", "resource": true},
        {"id": "p1", "email": "ana@x.org", "self": true, "comment": "hi"},
        {"email": "room@x.org", "resource": true, "asyncOperation": "inProgress"},
        {"id": "p1", "email": "ana@x.org", "self": true, "optional": true},
    ]);
    for operation in ["events.update", "events.patch"] {
        let event = write_event(&before, operation, "", &with(body(), &json!({"attendees": attendees}))).await;
        assert_eq!(event["attendees"], expected, "{operation}");
    }
}

#[tokio::test]
async fn ids_are_held_against_the_pattern_where_they_are_chosen() {
    let instance = "abc_20260105T090000Z";
    let before = with(stored(), &json!({"id": instance}));
    for operation in ["events.update", "events.patch"] {
        let event = write_event(&before, operation, "", &with(body(), &json!({"id": instance}))).await;
        assert_eq!(event["id"], instance, "{operation}");
        // A different id is rejected, even if it is well-formed.
        let got = send_body(&before, operation, "", &with(body(), &json!({"id": "abcdef"}))).await;
        assert_eq!(
            (got.status, got.json().to_string().contains("changed after creation")),
            (StatusCode::BAD_REQUEST, true)
        );
    }
    let mut insert = with(body(), &json!({"id": instance}));
    insert.as_object_mut().map(|event| event.remove("iCalUID"));
    for (operation, body) in [("events.insert", insert), ("events.import", with(body(), &json!({"id": instance})))] {
        let got = send_body(&stored(), operation, "", &body).await;
        assert_eq!(
            (got.status, got.json().to_string().contains("pattern")),
            (StatusCode::BAD_REQUEST, true),
            "{got:?}"
        );
    }
}

#[tokio::test]
async fn whose_birthday_it_is_does_not_change() {
    let day = json!({
        "id": "abcde", "eventType": "birthday", "recurrence": ["RRULE:FREQ=YEARLY"],
        "start": {"date": "2026-03-02"}, "end": {"date": "2026-03-03"},
        "birthdayProperties": {"type": "anniversary", "contact": "people/c1"},
    });
    let mut without = day.clone();
    without.as_object_mut().map(|event| event.remove("birthdayProperties"));
    let bodies = [without, day.clone(), with(day.clone(), &json!({"birthdayProperties": {"type": "anniversary"}}))];
    for body in bodies {
        let event = write_event(&day, "events.update", "", &body).await;
        assert_eq!(event["birthdayProperties"], day["birthdayProperties"], "{body}");
    }
    let changes = [json!(null), json!({"type": "self"}), json!({"type": null})];
    for change in changes {
        let got = send_body(&day, "events.patch", "", &json!({"birthdayProperties": change})).await;
        assert_eq!(got.status, StatusCode::BAD_REQUEST, "{change}: {got:?}");
    }
    let patch = json!({"summary": "ours", "birthdayProperties": {"contact": "people/c2", "type": "anniversary"}});
    let event = write_event(&day, "events.patch", "", &patch).await;
    assert_eq!(event["birthdayProperties"], day["birthdayProperties"]);
}

#[tokio::test]
async fn the_specification_spells_an_event_of_a_mail_in_its_own_way() {
    let mail = with(stored(), &json!({"eventType": "fromGmail"}));
    for spelled in ["fromGmail", "fromMail"] {
        let event = write_event(&mail, "events.update", "", &with(body(), &json!({"eventType": spelled}))).await;
        assert_eq!(event["eventType"], "fromGmail", "{spelled}");
        let mut insert = with(body(), &json!({"eventType": spelled}));
        insert.as_object_mut().map(|event| event.remove("iCalUID"));
        let got = send_body(&mail, "events.insert", "", &insert).await;
        assert_eq!(
            (got.status, got.json().to_string().contains("`fromGmail` cannot be created")),
            (StatusCode::BAD_REQUEST, true)
        );
    }
    let event: types::Event = types::runtime::json::from_str(r#"{"eventType":"fromMail"}"#).expect("an event");
    for names in [wireform_runtime::Naming::Specification, wireform_runtime::Naming::Public] {
        let text = wireform_runtime::naming::with_naming(names, || types::runtime::json::to_string(&event));
        assert_eq!(text.expect("JSON"), r#"{"eventType":"fromGmail"}"#);
    }
}
