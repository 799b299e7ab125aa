//! Tests of copies on calendars of guests: how they are removed, and how they follow a series and its organizer.

use serde_json::{Value, json};
use wireform_store::Role;

use crate::desk::{TestService, hour, ids, series, with};
use crate::moves::team;

fn ben() -> Value {
    json!({ "attendees": [{ "email": "ben@example.com" }] })
}

fn daily(id: &str, members: Value) -> Value {
    with(series(id, "2026-03-09T09:00:00", "2026-03-09T10:00:00", &["RRULE:FREQ=DAILY;COUNT=3"]), members)
}

const SECOND: &str = "/seris_20260310T080000Z";

/// The right to modify an event covers its shared data, but not its removal from other calendars.
#[tokio::test]
async fn point_72_a_guest_who_may_modify_declines_by_deleting() {
    let desk = TestService::open().await;
    let members = with(ben(), json!({ "id": "lunch", "guestsCanModify": true }));
    for (at, remove) in [("DELETE", None), ("PATCH", Some(json!({ "status": "cancelled" })))] {
        let id = format!("lunch{}", at.to_lowercase().chars().next().unwrap());
        desk.insert(with(hour(2, 9, "Lunch"), with(members.clone(), json!({ "id": id })))).await;
        let path = format!("/{id}");
        assert!(desk.ben().send(at, &path, remove, &[]).await.status.is_success());
        let event = desk.event(&id).await;
        assert_eq!(
            (&event["status"], &event["attendees"][0]["responseStatus"]),
            (&json!("confirmed"), &json!("declined"))
        );
        assert!(!desk.ben().ids("").await.contains(&id));
        // Changes of a hidden copy remove nothing from others either.
        desk.ben().patch(&path, json!({ "colorId": "3" })).await.ok();
        assert_eq!(desk.event(&id).await["status"], "confirmed");
        assert!(!desk.ben().ids("").await.contains(&id));
        let back = desk.ben().patch(&path, json!({ "status": "confirmed" })).await.ok().clone();
        assert_eq!((&back["status"], &back["summary"]), (&json!("confirmed"), &json!("Lunch")));
        desk.ben().patch(&path, json!({ "summary": "Dinner" })).await.ok();
        assert_eq!(desk.event(&id).await["summary"], "Dinner");
    }
}

#[tokio::test]
async fn point_72_a_guest_who_deletes_a_series_declines_its_exceptions() {
    let desk = TestService::open().await;
    desk.insert(daily("seris", ben())).await;
    desk.patch(SECOND, json!({ "summary": "Other" })).await.ok();
    desk.delete("/seris_20260311T080000Z").await;
    let token = desk.list("").await.1["nextSyncToken"].as_str().unwrap().to_owned();
    assert_eq!(desk.ben().delete("/seris").await.status, 204);
    for id in ["seris", &SECOND[1..], "seris_20260309T080000Z"] {
        assert_eq!(desk.event(id).await["attendees"][0]["responseStatus"], "declined", "{id}");
    }
    assert_eq!(desk.ids(&format!("syncToken={token}")).await.len(), 3);
    assert_eq!(desk.ids("singleEvents=true").await.len(), 2, "it is not cancelled");
    assert_eq!(desk.ben().ids("singleEvents=true").await, [""; 0]);
    desk.ben().patch("/seris", json!({ "status": "confirmed" })).await.ok();
    assert_eq!(desk.ben().ids("singleEvents=true").await.len(), 2);
}

/// A client that sends an event back does not change guests that it cannot see.
#[tokio::test]
async fn point_69_hidden_guests_are_kept() {
    let desk = TestService::open().await;
    let guests = json!([{ "email": "cy@example.com" }, { "email": "ben@example.com" }, { "email": "far@example.net" }]);
    for (id, may_modify) in [("aaaaa", false), ("bbbbb", true)] {
        let members =
            json!({ "id": id, "attendees": guests, "guestsCanSeeOtherGuests": false, "guestsCanModify": may_modify });
        desk.insert(with(hour(2, 9, "Lunch"), members)).await;
        let path = format!("/{id}");
        let own = json!([{ "email": "ben@example.com", "responseStatus": "accepted" }]);
        desk.ben().patch(&path, json!({ "attendees": own })).await.ok();
        let mut sent = desk.ben().event(id).await;
        sent.as_object_mut().unwrap().remove("attendeesOmitted");
        sent["colorId"] = json!("3");
        desk.ben().put(&path, sent).await.ok();
        let event = desk.event(id).await;
        let statuses: Vec<_> =
            event["attendees"].as_array().unwrap().iter().map(|one| &one["responseStatus"]).collect();
        assert_eq!(statuses, ["needsAction", "accepted", "needsAction"], "{id}");
    }
    // The organizer sees all of them, and may remove any.
    let event = desk.patch("/bbbbb", json!({ "attendees": [{ "email": "ben@example.com" }] })).await.ok().clone();
    assert_eq!(event["attendees"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn point_20_a_private_copy_is_restored_where_it_was_deleted() {
    let desk = TestService::open().await;
    let members = json!({ "iCalUID": "x@example.net", "organizer": { "email": "zoe@example.net" } });
    let event = desk.post("/import", with(hour(2, 9, "Lunch"), members)).await.ok().clone();
    let path = format!("/{}", event["id"].as_str().unwrap());
    assert_eq!(desk.delete(&path).await.status, 204);
    let back = desk.patch(&path, json!({ "status": "confirmed" })).await.ok().clone();
    assert_eq!((&back["status"], &back["summary"]), (&json!("confirmed"), &json!("Lunch")));
    assert_eq!(desk.ids("").await, [event["id"].as_str().unwrap()]);
}

#[tokio::test]
async fn point_61_a_guest_of_one_instance_is_invited_to_the_series() {
    let desk = TestService::open().await;
    desk.insert(daily("seris", json!({}))).await;
    desk.patch(SECOND, with(ben(), json!({ "summary": "With Ben" }))).await.ok();
    assert_eq!(desk.ben().ids("singleEvents=true").await, [&SECOND[1..]]);
    desk.ben().patch(SECOND, json!({ "colorId": "3" })).await.ok();
    desk.patch("/seris", ben()).await.ok();
    let (items, _) = desk.ben().list("singleEvents=true").await;
    assert_eq!(items.len(), 3, "{items:?}");
    assert_eq!((&items[1]["summary"], &items[1]["colorId"]), (&json!("With Ben"), &json!("3")));
    assert_eq!(ids(&desk.ben().list("").await.0), ["seris", &SECOND[1..]]);
}

#[tokio::test]
async fn point_18_a_guest_of_one_instance_loses_it_with_the_series() {
    let desk = TestService::open().await;
    desk.insert(daily("seris", json!({}))).await;
    desk.patch(SECOND, ben()).await.ok();
    let token = desk.ben().list("").await.1["nextSyncToken"].as_str().unwrap().to_owned();
    // The series no longer has an instance in its place.
    desk.patch("/seris", json!({ "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=3"] })).await.ok();
    assert_eq!(desk.ben().ids("singleEvents=true").await, [""; 0]);
    let changes = desk.ben().list(&format!("syncToken={token}")).await.0;
    assert_eq!((ids(&changes), &changes[0]["status"]), (vec![SECOND[1..].to_owned()], &json!("cancelled")));
    // An exception is cancelled and restored with its series.
    desk.insert(daily("other", json!({}))).await;
    let second = SECOND.replace("seris", "other");
    desk.patch(&second, ben()).await.ok();
    desk.delete("/other").await;
    assert_eq!(desk.ben().event(&second[1..]).await["status"], "cancelled");
    assert_eq!(desk.ben().ids("singleEvents=true").await, [""; 0]);
    desk.patch("/other", json!({ "status": "confirmed" })).await.ok();
    assert_eq!(desk.ben().ids("singleEvents=true").await, [&second[1..]]);
}

/// The destination calendar of a move becomes the organizer of the exceptions as well.
#[tokio::test]
async fn point_55_exceptions_have_the_organizer_of_their_series() {
    let desk = TestService::open().await;
    let team = team(&desk).await;
    let invited = json!({ "attendees": [{ "email": "team@example.com" }, { "email": "ana@example.com" }] });
    desk.insert(daily("seris", invited)).await;
    desk.patch(SECOND, json!({ "summary": "Other" })).await.ok();
    let moved = desk.send("POST", "/seris/move?destination=team%40example.com", None, &[]).await;
    assert_eq!(moved.ok()["organizer"]["email"], "team@example.com");
    desk.patch(SECOND, json!({ "summary": "Mine" })).await.assert_error(403, "forbiddenForNonOrganizer");
    let of_team = format!("{team}{SECOND}");
    assert_eq!(desk.patch(&of_team, json!({ "summary": "Ours" })).await.ok()["summary"], "Ours");
    assert_eq!(desk.event(&SECOND[1..]).await["summary"], "Ours");
}

#[tokio::test]
async fn point_55_an_exception_without_the_new_organizer_is_theirs_as_well() {
    let desk = TestService::open().await;
    let team = team(&desk).await;
    desk.insert(daily("seris", json!({ "attendees": [{ "email": "team@example.com" }] }))).await;
    desk.patch(SECOND, json!({ "summary": "Other", "attendees": [] })).await.ok();
    desk.send("POST", "/seris/move?destination=team%40example.com", None, &[]).await.ok();
    assert_eq!(desk.get(&format!("{team}{SECOND}")).await.ok()["summary"], "Other");
    let listed = desk.get(&format!("{team}?singleEvents=true")).await.ok().clone();
    assert_eq!(listed["items"].as_array().unwrap().len(), 3, "{listed}");
}

#[tokio::test]
async fn point_55_a_guest_of_one_instance_gets_all_of_the_series_that_is_moved_to_them() {
    let desk = TestService::open().await;
    let team = team(&desk).await;
    desk.insert(daily("seris", json!({}))).await;
    let guests =
        json!({ "summary": "Other", "attendees": [{ "email": "team@example.com" }, { "email": "ben@example.com" }] });
    desk.patch(SECOND, guests).await.ok();
    let token = desk.ben().list("").await.1["nextSyncToken"].as_str().unwrap().to_owned();
    desk.send("POST", "/seris/move?destination=team%40example.com", None, &[]).await.ok();
    let listed = desk.get(&format!("{team}?singleEvents=true")).await.ok().clone();
    let summaries: Vec<_> = listed["items"].as_array().unwrap().iter().map(|event| event["summary"].clone()).collect();
    assert_eq!(summaries, ["seris", "Other", "seris"]);
    desk.patch(&format!("{team}{SECOND}"), json!({ "location": "Roof" })).await.ok();
    // Other guests of it see the new organizer.
    let changes = desk.ben().list(&format!("syncToken={token}")).await.0;
    assert_eq!(
        (&changes[0]["organizer"]["email"], &changes[0]["location"]),
        (&json!("team@example.com"), &json!("Roof"))
    );
}

/// The copy of a guest has another identifier if that of the event is taken on their calendar.
#[tokio::test]
async fn point_55_an_event_keeps_the_identifier_of_the_copy_that_it_is_moved_to() {
    let desk = TestService::open().await;
    let team = team(&desk).await;
    desk.post(&team, with(hour(3, 9, "Taken"), json!({ "id": "lunch" }))).await.ok();
    let guests = json!({ "id": "lunch", "attendees": [{ "email": "team@example.com" }] });
    desk.insert(with(hour(2, 9, "Lunch"), guests)).await;
    let moved = desk.send("POST", "/lunch/move?destination=team%40example.com", None, &[]).await.ok().clone();
    assert_eq!((&moved["summary"], &moved["organizer"]["self"]), (&json!("Lunch"), &json!(true)));
    assert_ne!(moved["id"], "lunch");
    assert_eq!(desk.get(&format!("{team}/lunch")).await.ok()["summary"], "Taken");
}

/// The role of a reader determines the representation.
#[tokio::test]
async fn point_48_a_list_is_sent_again_to_a_reader_with_another_role() {
    let desk = TestService::open().await;
    desk.insert(hour(2, 9, "Lunch")).await;
    desk.share("ben@example.com", Some(Role::FreeBusyReader)).await;
    let path = "/calendar/v3/calendars/ana@example.com/events";
    let busy = desk.ben().get(path).await;
    let tag = busy.headers["etag"].to_str().unwrap();
    let again = async || desk.ben().send("GET", path, None, &[("If-None-Match", tag)]).await;
    assert_eq!(again().await.status, 304);
    desk.share("ben@example.com", Some(Role::Reader)).await;
    assert_eq!(again().await.ok()["items"][0]["summary"], "Lunch");
}
