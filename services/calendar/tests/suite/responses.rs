//! Tests of what the entry of an attendee contains, and who sets it.

use serde_json::{Value, json};

use crate::desk::{TestService, hour, with};

fn lunch(attendees: Value) -> Value {
    with(hour(2, 9, "Lunch"), json!({ "id": "lunch", "attendees": attendees }))
}

/// Returns the entry of an attendee.
fn entry(event: &Value, email: &str) -> Value {
    let attendees = event["attendees"].as_array().unwrap();
    attendees.iter().find(|attendee| attendee["email"] == email).unwrap().clone()
}

/// Asserts comment and number of additional guests of Ben.
#[track_caller]
fn assert_ben(event: &Value, comment: Option<&str>, guests: Option<u32>) {
    let ben = entry(event, "ben@example.com");
    let found = (ben.get("comment").and_then(Value::as_str), ben.get("additionalGuests").and_then(Value::as_u64));
    assert_eq!(found, (comment, guests.map(u64::from)), "{ben}");
}

#[tokio::test]
async fn the_organizer_sets_comment_and_additional_guests() {
    let desk = TestService::open().await;
    let guests = |comment: &str, count: u32| {
        json!([
            { "email": "ben@example.com", "comment": comment, "additionalGuests": count, "responseStatus": "accepted" },
            { "email": "far@example.net", "comment": comment, "additionalGuests": count },
        ])
    };
    let event = desk.insert(lunch(guests("Vegetarian", 2))).await;
    assert_ben(&event, Some("Vegetarian"), Some(2));
    assert_eq!(entry(&event, "ben@example.com")["responseStatus"], "needsAction", "guests respond themselves");
    assert_ben(&desk.ben().event("lunch").await, Some("Vegetarian"), Some(2));
    let event = desk.put("/lunch", lunch(guests("Vegan", 3))).await.ok().clone();
    assert_ben(&event, Some("Vegan"), Some(3));
    let event = desk.patch("/lunch", json!({ "attendees": guests("Fish", 1) })).await.ok().clone();
    assert_ben(&event, Some("Fish"), Some(1));
    assert_eq!(entry(&event, "far@example.net")["comment"], "Fish");
    let copy = with(lunch(guests("Vegetarian", 2)), json!({ "iCalUID": "a@example.net", "id": "imported" }));
    assert_ben(desk.post("/import", copy).await.ok(), Some("Vegetarian"), Some(2));
}

#[tokio::test]
async fn what_a_guest_has_responded_stays_unless_it_is_replaced() {
    let desk = TestService::open().await;
    desk.insert(lunch(json!([{ "email": "ben@example.com" }]))).await;
    let own =
        json!([{ "email": "ben@example.com", "responseStatus": "accepted", "comment": "Late", "additionalGuests": 1 }]);
    assert_ben(desk.ben().patch("/lunch", json!({ "attendees": own })).await.ok(), Some("Late"), Some(1));
    // The organizer invites another guest, and names Ben only by address.
    let more = json!({ "attendees": [{ "email": "ben@example.com" }, { "email": "cy@example.com" }] });
    let event = desk.patch("/lunch", more.clone()).await.ok().clone();
    assert_ben(&event, Some("Late"), Some(1));
    assert_eq!(entry(&event, "ben@example.com")["responseStatus"], "accepted");
    desk.cy().patch("/lunch", more).await.ok();
    // Another guest may not change it.
    let changed =
        json!({ "attendees": [{ "email": "ben@example.com", "comment": "Early" }, { "email": "cy@example.com" }] });
    desk.cy().patch("/lunch", changed).await.assert_error(403, "forbiddenForNonOrganizer");
    let none = json!([{ "email": "ben@example.com", "comment": "", "additionalGuests": 0 }]);
    assert_ben(desk.patch("/lunch", json!({ "attendees": none })).await.ok(), None, None);
}

#[tokio::test]
async fn attendees_omitted_changes_the_response_alone() {
    let desk = TestService::open().await;
    let ben = json!({ "id": "people-ben", "email": "ben@example.com", "displayName": "Ben", "optional": true });
    let cy = json!({ "email": "cy@example.com" });
    desk.insert(with(lunch(json!([ben, cy])), json!({ "guestsCanModify": true }))).await;
    let response = json!({ "responseStatus": "accepted", "comment": "Late", "additionalGuests": 1 });
    let other = json!({ "displayName": "Benny", "optional": false, "resource": true });
    let changed = |named: Value, response: &Value| {
        let own = with(with(named, other.clone()), response.clone());
        json!({ "attendeesOmitted": true, "attendees": [own], "location": "Roof" })
    };
    let patch = changed(json!({ "email": "ben@example.com" }), &response);
    let put = with(hour(2, 9, "Lunch"), changed(json!({ "email": "BEN@example.com" }), &response));
    let by_id = changed(json!({ "id": "people-ben" }), &with(response.clone(), json!({ "comment": "By ID" })));
    let client = desk.ben();
    for (event, comment) in [
        (client.patch("/lunch", patch).await.ok().clone(), "Late"),
        (client.put("/lunch", with(put, json!({ "guestsCanModify": true }))).await.ok().clone(), "Late"),
        (client.patch("/lunch", by_id).await.ok().clone(), "By ID"),
    ] {
        let expected = json!({
            "id": "people-ben", "email": "ben@example.com", "displayName": "Ben", "optional": true, "self": true,
            "responseStatus": "accepted", "comment": comment, "additionalGuests": 1,
        });
        assert_eq!(entry(&event, "ben@example.com"), expected);
        assert_eq!(event["attendees"].as_array().unwrap().len(), 2);
        assert_eq!(event["location"], "Roof", "fields other than the attendees change as usual");
    }
}

#[tokio::test]
async fn attendees_omitted_keeps_the_rest_of_the_response() {
    let desk = TestService::open().await;
    desk.insert(lunch(json!([{ "email": "ben@example.com" }]))).await;
    let client = desk.ben();
    let own = |response: Value| {
        let entry = with(json!({ "email": "ben@example.com" }), response);
        json!({ "attendeesOmitted": true, "attendees": [entry] })
    };
    let put = |response: Value| with(hour(2, 9, "Lunch"), own(response));
    let full = json!({ "responseStatus": "accepted", "comment": "Late", "additionalGuests": 1 });
    assert_ben(client.patch("/lunch", own(full)).await.ok(), Some("Late"), Some(1));
    let declined = json!({ "responseStatus": "declined" });
    assert_ben(client.patch("/lunch", own(declined.clone())).await.ok(), Some("Late"), Some(1));
    assert_ben(client.put("/lunch", put(declined)).await.ok(), Some("Late"), Some(1));
    let event = client.patch("/lunch", own(json!({ "comment": "" }))).await.ok().clone();
    assert_ben(&event, None, Some(1));
    assert_eq!(entry(&event, "ben@example.com")["responseStatus"], "declined");
    assert_ben(
        client.put("/lunch", put(json!({ "additionalGuests": 0, "comment": "Soon" }))).await.ok(),
        Some("Soon"),
        None,
    );
}

#[tokio::test]
async fn attendees_omitted_is_not_stored() {
    let desk = TestService::open().await;
    let omitted = json!({ "attendeesOmitted": true });
    let event = desk.insert(with(lunch(json!([{ "email": "ben@example.com" }])), omitted.clone())).await;
    assert!(event.get("attendeesOmitted").is_none(), "{event}");
    assert!(desk.patch("/lunch", omitted).await.ok().get("attendeesOmitted").is_none());
}

#[tokio::test]
async fn no_attendees_with_attendees_omitted_change_nothing() {
    let desk = TestService::open().await;
    let before = desk.insert(lunch(json!([{ "email": "ben@example.com" }, { "email": "cy@example.com" }]))).await;
    for attendees in [json!(null), json!([])] {
        let patch = json!({ "attendees": attendees, "attendeesOmitted": true });
        assert_eq!(desk.patch("/lunch", patch.clone()).await.ok(), &before, "{patch}");
    }
    let put = with(lunch(json!([])), json!({ "attendeesOmitted": true }));
    assert_eq!(desk.put("/lunch", put).await.ok(), &before);
}

#[tokio::test]
async fn a_guest_sets_only_the_response_of_their_entry() {
    let desk = TestService::open().await;
    let own = json!({ "email": "ben@example.com", "displayName": "Ben", "optional": true, "id": "7" });
    let before = desk.insert(lunch(json!([own]))).await;
    let ben = desk.ben();
    for members in [json!({ "optional": false }), json!({ "displayName": "Boss" }), json!({ "id": "8" })] {
        let attendees = json!({ "attendees": [with(own.clone(), members)] });
        ben.patch("/lunch", attendees.clone()).await.assert_error(403, "forbiddenForNonOrganizer");
        ben.put("/lunch", with(hour(2, 9, "Lunch"), attendees)).await.assert_error(403, "forbiddenForNonOrganizer");
    }
    assert_eq!(desk.event("lunch").await, before);
    // An entry without these fields is the response alone.
    let response = json!({ "attendees": [{ "email": "ben@example.com", "responseStatus": "accepted" }] });
    let event = ben.patch("/lunch", response).await.ok().clone();
    let expected = with(own, json!({ "self": true, "responseStatus": "accepted" }));
    assert_eq!(entry(&event, "ben@example.com"), expected);
}

#[tokio::test]
async fn a_reader_joins_with_omitted_attendees() {
    let desk = TestService::open().await;
    desk.share("ben@example.com", Some(wireform_store::Role::Reader)).await;
    let guests = json!([{ "email": "cy@example.com" }, { "email": "far@example.net" }]);
    desk.insert(with(lunch(guests), json!({ "anyoneCanAddSelf": true }))).await;
    let ben = desk.ben();
    let path = "/calendar/v3/calendars/ana%40example.com/events/lunch";
    let mut read = ben.get(&format!("{path}?maxAttendees=1")).await.ok().clone();
    assert_eq!(read["attendeesOmitted"], true, "{read}");
    let own = json!({ "email": "ben@example.com", "responseStatus": "tentative" });
    read["attendees"] = json!([own]);
    let event = ben.put(path, read).await.ok().clone();
    assert_eq!(event["attendees"].as_array().unwrap().len(), 3, "{event}");
    assert_eq!(entry(&ben.event("lunch").await, "ben@example.com")["responseStatus"], "tentative");
}
