//! Statements about what readers and copies have of an event, and about cancelled events.

use serde_json::{Value, json};
use wireform_store::Role;

use super::super::moves::team;
use crate::desk::{TestService, hour, series, with};

fn guests() -> Value {
    json!({ "id": "lunch", "attendees": [{ "email": "ben@example.com" }, { "email": "ana@example.com" }] })
}

/// `confidential` is the same as `private`: readers of the calendar see neither.
#[tokio::test]
async fn readers_see_no_details_of_private_and_confidential_events() {
    let desk = TestService::open().await;
    desk.share("ben@example.com", Some(Role::Reader)).await;
    for (visibility, is_hidden) in
        [("default", false), ("public", false), ("private", true), ("confidential", true), ("", false)]
    {
        let mut event = hour(2, 9, "Lunch");
        if !visibility.is_empty() {
            event["visibility"] = json!(visibility);
        }
        let id = desk.insert(event).await["id"].as_str().unwrap().to_owned();
        let seen = desk.ben().get(&format!("/calendar/v3/calendars/ana@example.com/events/{id}")).await.ok().clone();
        assert_eq!((seen.get("summary").is_none(), seen["start"].is_object()), (is_hidden, true), "{visibility}");
        assert_eq!(desk.event(&id).await["summary"], "Lunch");
    }
}

#[tokio::test]
async fn shared_properties_are_on_all_copies_and_private_ones_on_one() {
    let desk = TestService::open().await;
    let properties = json!({ "private": { "a": "of Ana" }, "shared": { "b": "of all" } });
    desk.insert(with(hour(2, 9, "Lunch"), with(guests(), json!({ "extendedProperties": properties })))).await;
    let shared = json!({ "shared": { "b": "of all" } });
    assert_eq!(desk.ben().event("lunch").await["extendedProperties"], shared);
    let own = json!({ "extendedProperties": { "private": { "a": "of Ben" } } });
    let both = with(shared, json!({ "private": { "a": "of Ben" } }));
    assert_eq!(desk.ben().patch("/lunch", own).await.ok()["extendedProperties"], both);
    assert_eq!(desk.event("lunch").await["extendedProperties"], properties);
    desk.patch("/lunch", json!({ "extendedProperties": { "shared": { "b": "of everybody" } } })).await.ok();
    assert_eq!(desk.ben().event("lunch").await["extendedProperties"]["shared"], json!({ "b": "of everybody" }));
    assert_eq!(desk.ben().event("lunch").await["extendedProperties"]["private"], json!({ "a": "of Ben" }));
}

/// Returns the names of the fields of an event.
fn names(event: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = event.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

/// A deleted event is known by its `id`, and a cancelled instance also by its series and its place in it.
#[tokio::test]
async fn cancelled_events_have_what_identifies_them() {
    let desk = TestService::open().await;
    let deleted = ["etag", "id", "kind", "status"];
    let instance = ["etag", "id", "kind", "originalStartTime", "recurringEventId", "status"];
    desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "gone0" }))).await;
    let rule = ["RRULE:FREQ=DAILY;COUNT=3"];
    desk.insert(with(series("seris", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &rule), {
        json!({ "attendees": [{ "email": "ben@example.com" }] })
    }))
    .await;
    let tokens = [&desk, &desk.ben()].map(|desk| desk.clone());
    let mut synced = Vec::new();
    for who in &tokens {
        synced.push(who.list("").await.1["nextSyncToken"].as_str().unwrap().to_owned());
    }
    desk.delete("/gone0").await;
    desk.delete("/seris_20260310T080000Z").await;
    let changes = desk.list(&format!("syncToken={}", synced[0])).await.0;
    assert_eq!(changes.iter().map(names).collect::<Vec<_>>(), [&deleted[..], &instance]);
    let original = json!({ "dateTime": "2026-03-10T08:00:00Z", "timeZone": "Europe/Berlin" });
    for (who, token) in tokens.iter().zip(&synced) {
        let changes = who.list(&format!("syncToken={token}")).await.0;
        let cancelled = changes.last().unwrap();
        assert_eq!(names(cancelled), instance);
        assert_eq!((&cancelled["id"], &cancelled["status"]), (&json!("seris_20260310T080000Z"), &json!("cancelled")));
        assert_eq!((&cancelled["recurringEventId"], &cancelled["originalStartTime"]), (&json!("seris"), &original));
    }
    // The same applies to a copy that its guest has deleted, and to the original of a moved event.
    let team = team(&desk).await;
    desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "moved", "attendees": [{ "email": "ben@example.com" }] })))
        .await;
    desk.send("POST", "/moved/move?destination=team%40example.com", None, &[]).await.ok();
    desk.ben().delete("/moved").await;
    for who in [desk.clone(), desk.ben()] {
        let copy = who.event("moved").await;
        assert_eq!(
            (names(&copy), &copy["id"], &copy["status"]),
            (deleted.into(), &json!("moved"), &json!("cancelled"))
        );
    }
    assert_eq!(desk.get(&format!("{team}/moved")).await.ok()["summary"], "Lunch");
}
