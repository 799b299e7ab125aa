//! Tests of changing events.

use std::time::Duration;

use serde_json::{Value, json};

use crate::desk::{TestService, hour, with};

async fn lunch(desk: &TestService, members: Value) -> Value {
    desk.insert(with(with(hour(2, 9, "Lunch"), json!({ "id": "lunch" })), members)).await
}

#[tokio::test]
async fn point_9_a_stale_entity_tag_changes_nothing() {
    let desk = TestService::open().await;
    let event = lunch(&desk, json!({})).await;
    let tag = event["etag"].as_str().unwrap();
    let first = desk.send("PATCH", "/lunch", Some(json!({ "summary": "Dinner" })), &[("If-Match", tag)]).await;
    assert_ne!(first.ok()["etag"], tag);
    for (method, body) in
        [("PATCH", Some(json!({ "summary": "Tea" }))), ("PUT", Some(hour(2, 9, "Tea"))), ("DELETE", None)]
    {
        desk.send(method, "/lunch", body, &[("If-Match", tag)]).await.assert_error(412, "conditionNotMet");
    }
    assert_eq!(desk.event("lunch").await["summary"], "Dinner");
    let current = first.ok()["etag"].as_str().unwrap();
    assert_eq!(desk.send("GET", "/lunch", None, &[("If-None-Match", current)]).await.status, 304);
    assert_eq!(desk.send("DELETE", "/lunch", None, &[("If-Match", current)]).await.status, 204);
}

#[tokio::test]
async fn point_5_reminders_change_the_entity_tag_and_not_the_update_time() {
    let desk = TestService::open().await;
    let event = lunch(&desk, json!({})).await;
    desk.clock.advance(Duration::from_secs(60));
    let reminders = json!({ "useDefault": false, "overrides": [{ "method": "popup", "minutes": 5 }] });
    let reminded = desk.patch("/lunch", json!({ "reminders": reminders })).await.ok().clone();
    assert_eq!((&reminded["reminders"], &reminded["updated"]), (&reminders, &event["updated"]));
    assert_ne!(reminded["etag"], event["etag"]);
    desk.clock.advance(Duration::from_secs(60));
    for members in [json!({ "colorId": "3" }), json!({ "extendedProperties": { "private": { "a": "b" } } })] {
        let before = desk.event("lunch").await;
        desk.clock.advance(Duration::from_secs(60));
        let moved = desk.patch("/lunch", members).await.ok().clone();
        assert_ne!(moved["updated"], before["updated"]);
    }
}

#[tokio::test]
async fn point_78_reminders_are_those_of_the_caller() {
    let desk = TestService::open().await;
    desk.share("ben@example.com", Some(wireform_store::Role::Writer)).await;
    lunch(&desk, json!({ "reminders": { "useDefault": false } })).await;
    let path = "/calendar/v3/calendars/ana%40example.com/events/lunch";
    let ben = desk.ben();
    assert_eq!(ben.get(path).await.ok()["reminders"], json!({ "useDefault": true }));
    let reminders = json!({ "useDefault": false, "overrides": [{ "method": "email", "minutes": 10 }] });
    ben.patch(path, json!({ "reminders": reminders })).await.ok();
    assert_eq!(desk.event("lunch").await["reminders"], json!({ "useDefault": false }));
    // Absent in an update: unchanged.
    assert_eq!(ben.put(path, hour(2, 9, "Dinner")).await.ok()["reminders"], reminders);
}

#[tokio::test]
async fn point_6_the_sequence_rises_with_times_and_does_not_go_back() {
    let desk = TestService::open().await;
    lunch(&desk, json!({ "sequence": 3 })).await;
    let sequence = async |body: Value| desk.patch("/lunch", body).await.ok()["sequence"].clone();
    assert_eq!(sequence(json!({ "summary": "Dinner" })).await, 3);
    assert_eq!(sequence(json!({ "end": { "dateTime": "2026-03-02T11:00:00Z" } })).await, 4);
    // The same instant in another notation is not another time.
    assert_eq!(sequence(json!({ "end": { "dateTime": "2026-03-02T12:00:00+01:00" } })).await, 4);
    assert_eq!(sequence(json!({ "status": "tentative" })).await, 5);
    assert_eq!(sequence(json!({ "sequence": 9 })).await, 9);
    desk.patch("/lunch", json!({ "sequence": 8 })).await.assert_error(400, "invalid");
    desk.delete("/lunch").await;
    assert_eq!(desk.event("lunch").await["sequence"], 10);
}

#[tokio::test]
async fn point_52_an_update_replaces_everything() {
    let desk = TestService::open().await;
    let members = json!({
        "description": "long", "location": "Roof", "visibility": "private", "transparency": "transparent",
        "guestsCanModify": true, "extendedProperties": { "shared": { "a": "b" }, "private": { "c": "d" } },
        "source": { "url": "https://example.com/", "title": "From" }, "attendees": [{ "email": "g@example.net" }],
    });
    let before = lunch(&desk, members).await;
    let after = desk.put("/lunch", hour(2, 9, "Dinner")).await.ok().clone();
    for gone in [
        "description",
        "location",
        "visibility",
        "transparency",
        "guestsCanModify",
        "extendedProperties",
        "source",
        "attendees",
    ] {
        assert!(before.get(gone).is_some() && after.get(gone).is_none(), "{gone}: {after}");
    }
    for stays in ["id", "iCalUID", "created", "creator", "organizer", "sequence"] {
        assert_eq!(after[stays], before[stays], "{stays}");
    }
}

#[tokio::test]
async fn point_53_a_patch_changes_what_it_names_and_an_equal_one_nothing() {
    let desk = TestService::open().await;
    let members = json!({
        "location": "Roof", "extendedProperties": { "shared": { "a": "b", "c": "d" } },
        "attendees": [{ "email": "g@example.net" }, { "email": "h@example.net" }],
    });
    lunch(&desk, members).await;
    let patch = json!({
        "location": null, "description": "long", "extendedProperties": { "shared": { "a": null, "e": "f" } },
        "attendees": [{ "email": "h@example.net", "optional": true }],
    });
    let once = desk.patch("/lunch", patch.clone()).await.ok().clone();
    assert_eq!((once.get("location"), &once["description"]), (None, &json!("long")));
    assert_eq!(once["extendedProperties"], json!({ "shared": { "c": "d", "e": "f" } }));
    assert_eq!(
        once["attendees"],
        json!([{ "email": "h@example.net", "optional": true, "responseStatus": "needsAction" }])
    );
    desk.clock.advance(Duration::from_secs(60));
    assert_eq!(desk.patch("/lunch", patch).await.ok(), &once);
    // Sending back what was read changes nothing either.
    assert_eq!(desk.put("/lunch", once.clone()).await.ok(), &once);
}

#[tokio::test]
async fn point_53_from_timed_to_all_day_and_back() {
    let desk = TestService::open().await;
    lunch(&desk, json!({})).await;
    let day = json!({
        "start": { "date": "2026-03-02", "dateTime": null }, "end": { "date": "2026-03-03", "dateTime": null },
    });
    assert_eq!(desk.patch("/lunch", day).await.ok()["start"], json!({ "date": "2026-03-02" }));
    let time = json!({
        "start": { "date": null, "dateTime": "2026-03-02T09:00:00Z" },
        "end": { "date": null, "dateTime": "2026-03-02T10:00:00Z" },
    });
    assert_eq!(
        desk.patch("/lunch", time).await.ok()["start"],
        json!({ "dateTime": "2026-03-02T09:00:00Z", "timeZone": "UTC" })
    );
}

#[tokio::test]
async fn point_58_the_type_does_not_change() {
    let desk = TestService::open().await;
    lunch(&desk, json!({})).await;
    assert_eq!(desk.patch("/lunch", json!({ "eventType": "focusTime" })).await.status, 400);
    let birthday = json!({
        "id": "birth", "eventType": "birthday", "summary": "Ana", "recurrence": ["RRULE:FREQ=YEARLY"],
        "start": { "date": "2026-03-02" }, "end": { "date": "2026-03-03" },
        "birthdayProperties": { "type": "birthday" },
    });
    desk.insert(birthday.clone()).await;
    // Point 88: the properties of a birthday do not change.
    desk.patch("/birth", json!({ "birthdayProperties": null })).await.assert_error(400, "invalid");
    let kept = desk.patch("/birth", json!({ "summary": "Ana's" })).await.ok().clone();
    assert_eq!((&kept["birthdayProperties"], &kept["summary"]), (&json!({ "type": "birthday" }), &json!("Ana's")));
    let mut without = birthday;
    without.as_object_mut().unwrap().remove("birthdayProperties");
    assert_eq!(desk.put("/birth", without).await.ok()["birthdayProperties"], json!({ "type": "birthday" }));
}

#[tokio::test]
async fn point_87_details_of_another_location_are_dropped() {
    let desk = TestService::open().await;
    let event = json!({
        "id": "place", "eventType": "workingLocation", "visibility": "public", "transparency": "transparent",
        "start": { "date": "2026-03-02" }, "end": { "date": "2026-03-03" },
        "workingLocationProperties": {
            "type": "officeLocation", "officeLocation": { "label": "Main" }, "customLocation": { "label": "x" },
            "homeOffice": {},
        },
    });
    let event = desk.insert(event).await;
    assert_eq!(
        event["workingLocationProperties"],
        json!({ "type": "officeLocation", "officeLocation": { "label": "Main" } })
    );
}

#[tokio::test]
async fn point_76_the_source_is_for_its_creator() {
    let desk = TestService::open().await;
    desk.share("ben@example.com", Some(wireform_store::Role::Writer)).await;
    let source = json!({ "url": "https://example.com/", "title": "From" });
    lunch(&desk, json!({ "source": source })).await;
    let path = "/calendar/v3/calendars/ana%40example.com/events/lunch";
    assert!(desk.ben().get(path).await.ok().get("source").is_none());
    let other = json!({ "source": { "url": "https://example.net/" }, "summary": "Dinner" });
    assert!(desk.ben().patch(path, other).await.ok().get("source").is_none());
    let event = desk.event("lunch").await;
    assert_eq!((&event["source"], &event["summary"]), (&source, &json!("Dinner")));
}
