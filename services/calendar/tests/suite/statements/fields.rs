//! Statements about writable fields, and about their defaults.

use serde_json::{Value, json};

use super::{WRITES, read, write};
use crate::desk::{TestService, hour, with};

/// Returns a conference elsewhere with everything that a client can set.
fn conference() -> Value {
    json!({ "conferenceData": {
        "conferenceId": "room 5: as we like it", "notes": "<p>Bring <b>snacks</b> &amp; tea</p>",
        "conferenceSolution": { "key": { "type": "addOn" }, "name": "Elsewhere", "iconUri": "https://example.com/icon.png" },
        "entryPoints": [
            { "entryPointType": "video", "uri": "https://example.com/5", "label": "example.com/5", "meetingCode": "m", "passcode": "p" },
            { "entryPointType": "phone", "uri": "tel:+1-555-0100,,,5", "label": "+1 555 0100", "pin": "1" },
            { "entryPointType": "phone", "uri": "tel:+44-20-5550100", "accessCode": "a" },
            { "entryPointType": "sip", "uri": "sip:5@example.com", "password": "w" },
            { "entryPointType": "more", "uri": "http://example.com/help" },
        ],
    } })
}

/// Returns parameters with fields that they let a client set.
fn writable() -> Vec<(&'static str, Value)> {
    let mut cases: Vec<(&str, Value)> = [
        json!({ "summary": "Tea", "description": "<p>Hot &amp; <b>strong</b></p>", "location": "Roof, left of the door" }),
        json!({ "status": "tentative" }),
        json!({ "status": "confirmed" }),
        json!({ "transparency": "transparent" }),
        json!({ "visibility": "public" }),
        json!({ "visibility": "private" }),
        json!({ "visibility": "confidential" }),
        json!({ "colorId": "3" }),
        json!({ "sequence": 7 }),
        json!({ "endTimeUnspecified": true }),
        json!({ "guestsCanInviteOthers": false, "guestsCanModify": true, "guestsCanSeeOtherGuests": false }),
        json!({ "anyoneCanAddSelf": true }),
        json!({ "extendedProperties": { "private": { "a": "1", "b": "" }, "shared": { "a": "2" } } }),
        json!({ "source": { "url": "http://example.com/page", "title": "Page" } }),
        json!({ "reminders": { "useDefault": true } }),
        json!({ "reminders": { "useDefault": false } }),
        json!({ "reminders": { "useDefault": false, "overrides": [
            { "method": "email", "minutes": 40_320 }, { "method": "popup", "minutes": 0 },
        ] } }),
    ]
    .map(|members| ("", members))
    .into();
    for status in ["needsAction", "declined", "tentative", "accepted"] {
        let guest = json!({ "email": "zoe@example.net", "displayName": "Zo\u{eb}", "responseStatus": status });
        cases.push(("", json!({ "attendees": [guest] })));
        let more = json!({ "id": "42", "optional": true, "comment": "Late", "additionalGuests": 2, "resource": true });
        cases.push(("", json!({ "attendees": [with(guest, more)] })));
    }
    let file = json!({ "fileUrl": "https://example.com/a", "title": "A", "mimeType": "text/plain", "iconLink": "https://example.com/i" });
    cases.push(("?supportsAttachments=true", json!({ "attachments": [file] })));
    cases.push(("?conferenceDataVersion=1", conference()));
    cases
}

#[tokio::test]
async fn writable_fields_are_stored_by_every_write() {
    let desk = TestService::open().await;
    for (query, members) in writable() {
        for operation in WRITES {
            let written = write(&desk, operation, query, &members).await;
            for event in [written.ok(), &read(&desk, &written).await] {
                for (name, value) in members.as_object().unwrap() {
                    assert_eq!(event[name], *value, "{operation}");
                }
            }
        }
    }
}

/// A response omits fields with their default; a write with the default changes nothing.
#[tokio::test]
async fn a_new_event_has_the_defaults() {
    let desk = TestService::open().await;
    let guest = json!({ "email": "zoe@example.net" });
    let event = desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "lunch", "attendees": [guest] }))).await;
    assert_eq!(event["status"], "confirmed");
    assert_eq!(event["attendees"], json!([{ "email": "zoe@example.net", "responseStatus": "needsAction" }]));
    let (off, on) = (json!(false), json!(true));
    for (name, default) in [
        ("transparency", json!("opaque")),
        ("visibility", json!("default")),
        ("endTimeUnspecified", off.clone()),
        ("attendeesOmitted", off.clone()),
        ("anyoneCanAddSelf", off.clone()),
        ("guestsCanInviteOthers", on.clone()),
        ("guestsCanModify", off.clone()),
        ("guestsCanSeeOtherGuests", on),
        ("privateCopy", off.clone()),
        ("locked", off.clone()),
    ] {
        assert!(event.get(name).is_none(), "{name}: {event}");
        assert_eq!(desk.patch("/lunch", json!({ name: default })).await.ok(), &event, "{name}");
        assert_eq!(desk.put("/lunch", with(event.clone(), json!({ name: default }))).await.ok(), &event, "{name}");
    }
    for (name, default) in [
        ("organizer", off.clone()),
        ("self", off.clone()),
        ("resource", off.clone()),
        ("optional", off),
        ("additionalGuests", json!(0)),
    ] {
        let attendees = json!({ "attendees": [with(guest.clone(), json!({ name: default }))] });
        assert_eq!(desk.patch("/lunch", attendees.clone()).await.ok(), &event, "{name}");
        assert_eq!(desk.put("/lunch", with(event.clone(), attendees)).await.ok(), &event, "{name}");
    }
    for absent in ["recurrence", "recurringEventId", "originalStartTime", "conferenceData", "gadget", "attachments"] {
        assert!(event.get(absent).is_none(), "{absent}: {event}");
    }
}

/// Guests see each other and invite others by default, and do not modify the event.
#[tokio::test]
async fn guests_have_the_default_permissions() {
    let desk = TestService::open().await;
    let guests = json!([{ "email": "ben@example.com" }, { "email": "far@example.net" }]);
    desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "lunch", "attendees": guests }))).await;
    let ben = desk.ben();
    assert_eq!(ben.event("lunch").await["attendees"].as_array().map(Vec::len), Some(2));
    ben.patch("/lunch", json!({ "summary": "Dinner" })).await.assert_error(403, "forbiddenForNonOrganizer");
    ben.patch("/lunch", json!({ "attendees": [guests[0], guests[1], { "email": "cy@example.com" }] })).await.ok();
    assert_eq!(desk.cy().event("lunch").await["summary"], "Lunch");
}
