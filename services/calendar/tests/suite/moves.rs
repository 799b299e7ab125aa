//! Tests of importing and moving events.

use serde_json::{Value, json};
use wireform_store::{Accounts as _, CalendarSettings, Calendars as _, Millis, NewCalendar};

use crate::desk::{NOW, TestService, hour, ids, series, with};

/// Creates a second calendar of Ana.
pub async fn team(desk: &TestService) -> String {
    let owner = desk.store.user("ana@example.com").await.unwrap().mailbox;
    let (summary, time_zone) = ("Team".to_owned(), "Europe/Berlin".to_owned());
    let settings = CalendarSettings::default();
    let calendar = NewCalendar { id: Some("team@example.com".to_owned()), owner, summary, time_zone, settings };
    desk.store.add_calendar(calendar, Millis(NOW)).await.unwrap();
    "/calendar/v3/calendars/team%40example.com/events".to_owned()
}

fn imported(uid: &str, sequence: u32, title: &str) -> Value {
    let members = json!({
        "iCalUID": uid, "sequence": sequence, "organizer": { "email": "zoe@example.net", "displayName": "Zoe" },
        "attendees": [
            { "email": "ana@example.com", "responseStatus": "accepted" },
            { "email": "ben@example.com", "responseStatus": "declined" },
        ],
    });
    with(hour(2, 9, title), members)
}

#[tokio::test]
async fn point_51_an_import_is_a_private_copy() {
    let desk = TestService::open().await;
    let event = desk.post("/import", imported("a@example.net", 2, "Lunch")).await.ok().clone();
    assert_eq!((&event["iCalUID"], &event["sequence"]), (&json!("a@example.net"), &json!(2)));
    assert_eq!(event["organizer"], json!({ "email": "zoe@example.net", "displayName": "Zoe" }));
    assert_eq!(event["creator"]["self"], true);
    assert_eq!(event["attendees"][1]["responseStatus"], "declined");
    assert!(desk.ben().ids("").await.is_empty(), "other users get no copy");
    let mut without = imported("b@example.net", 0, "x");
    without.as_object_mut().unwrap().remove("iCalUID");
    assert_eq!(desk.post("/import", without).await.status, 400);
}

#[tokio::test]
async fn point_51_a_newer_import_replaces_and_an_older_one_does_not() {
    let desk = TestService::open().await;
    let first = desk.post("/import", imported("a@example.net", 2, "Lunch")).await.ok().clone();
    for sequence in [1, 2] {
        let same = desk.post("/import", imported("a@example.net", sequence, "Other")).await.ok().clone();
        assert_eq!(same, first);
    }
    let newer = desk.post("/import", imported("a@example.net", 3, "Dinner")).await.ok().clone();
    assert_eq!((&newer["id"], &newer["summary"], &newer["sequence"]), (&first["id"], &json!("Dinner"), &json!(3)));
    assert_eq!(desk.ids("").await.len(), 1);
}

#[tokio::test]
async fn point_90_an_imported_event_is_a_default_one() {
    let desk = TestService::open().await;
    let focus = json!({ "eventType": "focusTime", "focusTimeProperties": { "autoDeclineMode": "declineNone" } });
    let event = desk.post("/import", with(imported("a@example.net", 0, "Focus"), focus)).await.ok().clone();
    assert!(event.get("focusTimeProperties").is_none());
    assert!(event.get("eventType").is_none_or(|kind| kind == "default"));
    assert_eq!(desk.ids("eventTypes=default").await.len(), 1);
}

#[tokio::test]
async fn point_16_an_import_with_an_original_start_is_an_exception() {
    let desk = TestService::open().await;
    let of = with(
        series("seris", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &["RRULE:FREQ=DAILY;COUNT=3"]),
        json!({ "iCalUID": "a@example.net" }),
    );
    desk.post("/import", of).await.ok();
    let exception = json!({
        "originalStartTime": { "dateTime": "2026-03-10T08:00:00Z" }, "recurringEventId": "seris",
    });
    let event = desk.post("/import", with(imported("a@example.net", 0, "Moved"), exception.clone())).await.ok().clone();
    assert_eq!((&event["id"], &event["summary"]), (&json!("seris_20260310T080000Z"), &json!("Moved")));
    assert_eq!(event["start"]["dateTime"], "2026-03-02T09:00:00Z");
    assert_eq!(desk.ids("singleEvents=true").await.len(), 3);
    let wrong = json!({ "originalStartTime": { "dateTime": "2026-03-10T09:00:00Z" } });
    desk.post("/import", with(imported("a@example.net", 0, "Moved"), wrong)).await.assert_error(400, "invalid");
}

#[tokio::test]
async fn point_55_a_moved_event_has_another_organizer() {
    let desk = TestService::open().await;
    let team = team(&desk).await;
    let guests = json!({ "id": "lunch", "attendees": [{ "email": "ben@example.com" }], "colorId": "3" });
    let event = desk.insert(with(hour(2, 9, "Lunch"), guests)).await;
    let moved = desk.send("POST", "/lunch/move?destination=team%40example.com", None, &[]).await.ok().clone();
    assert_eq!((&moved["id"], &moved["iCalUID"], &moved["colorId"]), (&event["id"], &event["iCalUID"], &json!("3")));
    let organizer = json!({ "email": "team@example.com", "displayName": "Team", "self": true });
    assert_eq!((&moved["organizer"], &moved["creator"]["email"]), (&organizer, &json!("Ana@Example.com")));
    assert_eq!(moved["sequence"], 1);
    // The original is cancelled, and only its identifier is left.
    let original = desk.event("lunch").await;
    assert_eq!((&original["status"], original.get("summary")), (&json!("cancelled"), None));
    assert_eq!(desk.ben().event("lunch").await["organizer"]["email"], "team@example.com");
    desk.patch("/lunch", json!({ "status": "confirmed" })).await.assert_error(403, "forbiddenForNonOrganizer");
    desk.patch(&format!("{team}/lunch"), json!({ "summary": "Dinner" })).await.ok();
    assert_eq!(desk.ben().event("lunch").await["summary"], "Dinner");
}

#[tokio::test]
async fn point_55_the_copy_stays_where_the_organizer_is_invited() {
    let desk = TestService::open().await;
    team(&desk).await;
    let guests = json!({ "id": "lunch", "attendees": [{ "email": "ana@example.com", "responseStatus": "accepted" }] });
    desk.insert(with(hour(2, 9, "Lunch"), guests)).await;
    desk.send("POST", "/lunch/move?destination=team%40example.com", None, &[]).await.ok();
    let copy = desk.event("lunch").await;
    assert_eq!((&copy["status"], &copy["attendees"][0]["self"]), (&json!("confirmed"), &json!(true)));
    assert_eq!((copy["organizer"].get("self"), copy["attendees"][0].get("organizer")), (None, None));
    desk.patch("/lunch", json!({ "summary": "x" })).await.assert_error(403, "forbiddenForNonOrganizer");
}

#[tokio::test]
async fn point_55_exceptions_move_along() {
    let desk = TestService::open().await;
    let team = team(&desk).await;
    let guests = json!({ "attendees": [{ "email": "ben@example.com" }] });
    let rule = ["RRULE:FREQ=DAILY;COUNT=3"];
    desk.insert(with(series("seris", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &rule), guests)).await;
    desk.patch("/seris_20260310T080000Z", json!({ "summary": "Moved" })).await.ok();
    desk.delete("/seris_20260311T080000Z").await;
    desk.send("POST", "/seris/move?destination=team%40example.com", None, &[]).await.ok();
    assert!(desk.ids("singleEvents=true").await.is_empty());
    let items = desk.get(&format!("{team}?singleEvents=true")).await.ok()["items"].as_array().unwrap().clone();
    assert_eq!(ids(&items), ["seris_20260309T080000Z", "seris_20260310T080000Z"]);
    assert_eq!((&items[1]["summary"], &items[1]["organizer"]["email"]), (&json!("Moved"), &json!("team@example.com")));
    assert_eq!(desk.ben().ids("singleEvents=true").await.len(), 2);
    assert_eq!(desk.ben().event("seris_20260310T080000Z").await["organizer"]["email"], "team@example.com");
}

#[tokio::test]
async fn point_55_some_events_cannot_be_moved() {
    let desk = TestService::open().await;
    let team = team(&desk).await;
    let go = async |desk: &TestService, id: &str, to: &str| {
        desk.send("POST", &format!("/{id}/move?destination={to}"), None, &[]).await
    };
    let focus = json!({ "id": "facas", "eventType": "focusTime" });
    desk.insert(with(hour(2, 9, "Focus"), focus)).await;
    assert_eq!(go(&desk, "facas", "team%40example.com").await.status, 400);
    desk.insert(with(hour(2, 9, "a"), json!({ "id": "aaaaa", "attendees": [{ "email": "ben@example.com" }] }))).await;
    go(&desk, "aaaaa", "primary").await.assert_error(400, "invalidParameter");
    go(&desk, "aaaaa", "nobody").await.assert_error(404, "notFound");
    go(&desk, "other", "team%40example.com").await.assert_error(404, "notFound");
    desk.share("ben@example.com", Some(wireform_store::Role::Writer)).await;
    go(&desk.ben(), "aaaaa", "ana%40example.com").await.assert_error(403, "forbiddenForNonOrganizer");
    desk.post(&team, with(hour(2, 9, "b"), json!({ "id": "bbbbb" }))).await.ok();
    desk.insert(with(hour(2, 9, "b"), json!({ "id": "bbbbb" }))).await;
    go(&desk, "bbbbb", "team%40example.com").await.assert_error(409, "duplicate");
    desk.insert(series("seris", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &["RRULE:FREQ=DAILY"])).await;
    go(&desk, "seris_20260310T080000Z", "team%40example.com").await.assert_error(400, "invalidParameter");
}

#[tokio::test]
async fn an_event_that_is_moved_back_keeps_the_data_of_its_copy() {
    let desk = TestService::open().await;
    let team = team(&desk).await;
    crate::labels::set_labels(&desk, &["red"]).await;
    desk.post("", with(hour(2, 9, "Lunch"), json!({ "id": "lunch", "eventLabelId": "red" }))).await.ok();
    let there = desk.send("POST", "/lunch/move?destination=team%40example.com", None, &[]).await.ok().clone();
    assert_eq!((there.get("visibility"), there.get("eventLabelId")), (None, None));
    let own = json!({
        "visibility": "private", "transparency": "transparent", "colorId": "3",
        "extendedProperties": { "private": { "a": "b" } },
    });
    desk.patch(&format!("{team}/lunch"), own.clone()).await.ok();
    let back = desk.send("POST", &format!("{team}/lunch/move?destination=primary"), None, &[]).await.ok().clone();
    for (name, value) in own.as_object().unwrap() {
        assert_eq!(&back[name], value, "{name}");
    }
    assert_eq!(back.get("eventLabelId"), None, "labels belong to a calendar, and the event came without one");
}

#[tokio::test]
async fn exceptions_move_to_a_private_copy_as_private_ones() {
    let desk = TestService::open().await;
    let team = team(&desk).await;
    let guests = json!({ "attendees": [{ "email": "team@example.com" }] });
    let rule = ["RRULE:FREQ=DAILY;COUNT=3"];
    desk.insert(with(series("seris", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &rule), guests)).await;
    // An instance to which the team is not invited.
    desk.patch("/seris_20260310T080000Z", json!({ "attendees": [], "summary": "Moved" })).await.ok();
    desk.patch(&format!("{team}/seris"), json!({ "visibility": "private" })).await.ok();
    desk.send("POST", "/seris/move?destination=team%40example.com", None, &[]).await.ok();
    let moved = desk.get(&format!("{team}/seris_20260310T080000Z")).await.ok().clone();
    assert_eq!((&moved["summary"], &moved["visibility"]), (&json!("Moved"), &json!("private")));
}

#[tokio::test]
async fn an_event_is_not_moved_to_a_calendar_with_its_uid() {
    let desk = TestService::open().await;
    let team = team(&desk).await;
    let other = with(imported("lunch@wireform", 0, "Other"), json!({ "organizer": { "email": "z@example.net" } }));
    desk.post(&format!("{team}/import"), other).await.ok();
    desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "lunch" }))).await;
    let response = desk.send("POST", "/lunch/move?destination=team%40example.com", None, &[]).await;
    response.assert_error(409, "duplicate");
    assert_eq!(desk.event("lunch").await["status"], "confirmed");
}
