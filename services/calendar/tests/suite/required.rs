//! Tests of fields that are required when the object that contains them is added, also by a patch.

use serde_json::{Value, json};

use crate::desk::{TestService, hour, with};

const QUERY: &str = "?conferenceDataVersion=1&supportsAttachments=true";

/// Returns an event to which `extra` has been added.
fn lunch(id: &str, extra: Value) -> Value {
    with(with(hour(2, 9, "Lunch"), json!({ "id": id })), extra)
}

/// Returns objects without a required field, with its location.
fn incomplete() -> Vec<(Value, &'static str)> {
    let reminders = |reminder: Value| json!({ "reminders": { "useDefault": false, "overrides": [reminder] } });
    vec![
        (json!({ "attendees": [{ "displayName": "Ben" }] }), "attendees"),
        (json!({ "attendees": [{ "email": null, "displayName": "Ben" }] }), "attendees"),
        (reminders(json!({ "minutes": 5 })), "reminders.overrides[0].method"),
        (reminders(json!({ "method": null, "minutes": 5 })), "reminders.overrides[0].method"),
        (reminders(json!({ "method": "popup" })), "reminders.overrides[0].minutes"),
        (json!({ "attachments": [{ "title": "Menu" }] }), "attachments[0].fileUrl"),
        (json!({ "conferenceData": { "createRequest": {} } }), "conferenceData.createRequest.requestId"),
        (
            json!({ "conferenceData": { "createRequest": { "requestId": "" } } }),
            "conferenceData.createRequest.requestId",
        ),
    ]
}

#[tokio::test]
async fn what_is_required_when_adding_is_required_in_every_write() {
    let desk = TestService::open().await;
    desk.insert(lunch("lunch", json!({}))).await;
    for (members, location) in incomplete() {
        let import = with(hour(2, 9, "Lunch"), with(members.clone(), json!({ "iCalUID": "a@example.net" })));
        let path = format!("/lunch{QUERY}");
        // A new attendee without an address is known only when compared with the stored ones.
        let new_location = if location == "attendees" { "attendees[0].email" } else { location };
        for (refused, location) in [
            (desk.post(QUERY, lunch("other", members.clone())).await, new_location),
            (desk.post(&format!("/import{QUERY}"), import).await, new_location),
            (desk.put(&path, lunch("lunch", members.clone())).await, location),
            (desk.patch(&path, members.clone()).await, location),
        ] {
            assert_eq!(refused.status, 400, "{members}: {}", refused.body);
            refused.assert_location(location);
        }
    }
    for time in ["start", "end"] {
        desk.patch("/lunch", json!({ time: null })).await.assert_error(400, "invalid");
        desk.patch("/lunch", json!({ time: { "dateTime": null } })).await.assert_location(&format!("{time}.dateTime"));
    }
}

#[tokio::test]
async fn working_location_properties_require_a_type() {
    let desk = TestService::open().await;
    let office = json!({ "officeLocation": { "label": "HQ" } });
    let place = |properties: Value| {
        lunch("place", json!({ "eventType": "workingLocation", "workingLocationProperties": properties }))
    };
    desk.post("", place(office.clone())).await.assert_error(400, "required");
    desk.insert(lunch("place", json!({ "eventType": "workingLocation" }))).await;
    desk.put("/place", place(office.clone())).await.assert_error(400, "required");
    let patch =
        async |properties: Value| desk.patch("/place", json!({ "workingLocationProperties": properties })).await;
    for without in [office.clone(), json!({}), with(office.clone(), json!({ "type": null }))] {
        let refused = patch(without.clone()).await;
        assert_eq!(refused.status, 400, "{without}: {}", refused.body);
        refused.assert_location("workingLocationProperties.type");
    }
    patch(with(office, json!({ "type": "officeLocation" }))).await.ok();
    // The type is that of the stored properties, which cannot lose it.
    let moved = patch(json!({ "officeLocation": { "label": "Lab" } })).await.ok().clone();
    let expected = json!({ "type": "officeLocation", "officeLocation": { "label": "Lab" } });
    assert_eq!(moved["workingLocationProperties"], expected);
    patch(json!({ "type": null })).await.assert_location("workingLocationProperties.type");
    assert_eq!(desk.put("/place", desk.event("place").await).await.ok(), &moved);
    assert!(patch(Value::Null).await.ok().get("workingLocationProperties").is_none());
    desk.put("/place", desk.event("place").await).await.ok();
}
