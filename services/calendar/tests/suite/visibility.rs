//! Tests of the visibility of series and their instances.

use serde_json::{Value, json};
use wireform_store::{Accounts as _, Calendars as _, Entry, EventRef, EventWrite, Events as _, NewEntry};

use crate::desk::{TestService, hour, series, with};
use crate::ics::{file, import};

const FIRST: &str = "often_20260309T080000Z";
const SECOND: &str = "often_20260310T080000Z";
const THIRD: &str = "often_20260311T080000Z";

/// Returns a series of three days with a visibility.
fn daily(visibility: &str) -> Value {
    let of = series("often", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &["RRULE:FREQ=DAILY;COUNT=3"]);
    with(of, json!({ "visibility": visibility }))
}

/// Creates a series whose second instance is an exception.
async fn with_exception(visibility: &str) -> TestService {
    let desk = TestService::open().await;
    desk.insert(daily(visibility)).await;
    desk.patch(&format!("/{SECOND}"), json!({ "summary": "Moved" })).await.ok();
    desk
}

/// Returns the visibility of an event; the default one is absent.
async fn visibility(desk: &TestService, id: &str) -> String {
    desk.event(id).await["visibility"].as_str().unwrap_or("default").to_owned()
}

/// Asserts the visibility of the series and of all its instances.
#[track_caller]
fn assert_all(found: [String; 4], expected: &str) {
    assert!(found.iter().all(|one| one == expected), "expected {expected}: {found:?}");
}

/// Stores a private visibility of an event, without an effect on other events.
async fn make_private(desk: &TestService, id: &str) {
    let ana = desk.store.user("ana@example.com").await.unwrap().mailbox;
    let found = desk.store.find_calendars(vec!["ana@example.com".to_owned()], ana).await.unwrap();
    let calendar = found[0].as_ref().unwrap().0.number;
    let entry = desk.store.entries(calendar, vec![id.to_owned()]).await.unwrap().remove(0).unwrap();
    let Entry { id, event, changed, updated, state, removed, uid, kind, span, own, .. } = entry;
    let own = with(serde_json::from_str(&own).unwrap(), json!({ "visibility": "private" })).to_string();
    let (replaces, event) = (Some(changed), EventRef::Stored(event));
    let entry = NewEntry { calendar, id, replaces, event, updated, state, removed, uid, kind, span, own };
    desk.store
        .write_events(EventWrite { entries: vec![entry], ..EventWrite::default() }, desk.clock.now())
        .await
        .unwrap();
}

async fn all(desk: &TestService) -> [String; 4] {
    let mut found = Vec::new();
    for id in ["often", FIRST, SECOND, THIRD] {
        found.push(visibility(desk, id).await);
    }
    found.try_into().unwrap()
}

#[tokio::test]
async fn a_change_of_a_series_reaches_its_exceptions() {
    for (before, after) in
        [("private", "public"), ("private", "default"), ("public", "private"), ("default", "confidential")]
    {
        let desk = with_exception(before).await;
        desk.patch("/often", json!({ "visibility": after })).await.ok();
        assert_all(all(&desk).await, after);
        assert_eq!(desk.event(SECOND).await["summary"], "Moved");
        // A change of an instance is undone by its series.
        desk.patch(&format!("/{THIRD}"), json!({ "visibility": "confidential" })).await.ok();
        desk.patch("/often", json!({ "visibility": "default" })).await.ok();
        desk.patch("/often", json!({ "visibility": before })).await.ok();
        assert_all(all(&desk).await, before);
    }
}

#[tokio::test]
async fn a_change_of_a_series_together_with_others_reaches_its_exceptions() {
    let desk = with_exception("private").await;
    desk.delete(&format!("/{THIRD}")).await;
    let token = desk.get("").await.ok()["nextSyncToken"].as_str().unwrap().to_owned();
    let guests = json!([{ "email": "ben@example.com" }]);
    let rule = json!(["RRULE:FREQ=DAILY;COUNT=4"]);
    let change = json!({ "visibility": "public", "recurrence": rule, "attendees": guests });
    desk.patch("/often", change).await.ok();
    assert_all(all(&desk).await, "public");
    let exception = desk.event(SECOND).await;
    assert_eq!((&exception["summary"], &exception["attendees"][0]["email"]), (&json!("Moved"), &guests[0]["email"]));
    assert_eq!(desk.event(THIRD).await["status"], "cancelled");
    let changed = desk.ids(&format!("syncToken={token}")).await;
    assert!(changed.iter().any(|id| id == SECOND), "{changed:?}");
    // So it does while the series is cancelled and restored.
    desk.patch("/often", json!({ "status": "cancelled", "visibility": "private" })).await.ok();
    assert_eq!(visibility(&desk, SECOND).await, "private");
    desk.patch("/often", json!({ "status": "confirmed", "visibility": "public" })).await.ok();
    assert_eq!(visibility(&desk, SECOND).await, "public");
}

#[tokio::test]
async fn a_less_restrictive_instance_is_ignored() {
    for (of, instance) in [
        ("default", "public"),
        ("private", "public"),
        ("private", "default"),
        ("confidential", "public"),
        ("confidential", "default"),
    ] {
        let desk = with_exception(of).await;
        for id in [FIRST, SECOND] {
            let path = format!("/{id}");
            assert_eq!(desk.patch(&path, json!({ "visibility": instance })).await.status, 200);
            assert_all(all(&desk).await, of);
            let body = with(hour(12, 9, "Sent"), json!({ "visibility": instance }));
            assert_eq!(desk.put(&path, body).await.ok()["summary"], "Sent");
            assert_all(all(&desk).await, of);
        }
    }
}

#[tokio::test]
async fn a_more_restrictive_instance_restricts_its_series() {
    for (of, instance) in
        [("public", "default"), ("public", "private"), ("default", "private"), ("default", "confidential")]
    {
        let desk = with_exception(of).await;
        desk.patch(&format!("/{FIRST}"), json!({ "visibility": instance })).await.ok();
        assert_all(all(&desk).await, instance);
    }
}

#[tokio::test]
async fn an_equally_restrictive_instance_keeps_its_value() {
    let desk = with_exception("private").await;
    desk.patch(&format!("/{FIRST}"), json!({ "visibility": "confidential" })).await.ok();
    assert_eq!(all(&desk).await, ["private", "confidential", "private", "private"]);
}

#[tokio::test]
async fn an_exception_can_be_relaxed_to_the_visibility_of_its_series() {
    for set in [json!("public"), json!("default"), json!(null)] {
        let desk = with_exception("public").await;
        // As stored before a private instance made its series private.
        make_private(&desk, SECOND).await;
        assert_eq!(all(&desk).await, ["public", "public", "private", "public"]);
        desk.patch(&format!("/{SECOND}"), json!({ "summary": "Kept" })).await.ok();
        assert_eq!(all(&desk).await, ["public", "public", "private", "public"], "another change restricts nothing");
        desk.patch(&format!("/{SECOND}"), json!({ "visibility": set })).await.ok();
        let expected = if set == "default" { "default" } else { "public" };
        assert_all(all(&desk).await, expected);
    }
}

#[tokio::test]
async fn an_instance_without_a_visibility_has_that_of_its_series() {
    for of in ["public", "default", "private"] {
        let desk = with_exception(of).await;
        desk.put(&format!("/{FIRST}"), hour(12, 9, "Sent")).await.ok();
        desk.patch(&format!("/{SECOND}"), json!({ "visibility": null })).await.ok();
        assert_all(all(&desk).await, of);
    }
}

#[tokio::test]
async fn the_visibility_is_that_of_one_copy() {
    let desk = TestService::open().await;
    desk.insert(with(daily("default"), json!({ "attendees": [{ "email": "ben@example.com" }] }))).await;
    desk.patch(&format!("/{SECOND}"), json!({ "summary": "Moved" })).await.ok();
    let ben = desk.ben();
    ben.patch("/often", json!({ "visibility": "private" })).await.ok();
    assert_all(all(&ben).await, "private");
    assert_all(all(&desk).await, "default");
    ben.patch(&format!("/{SECOND}"), json!({ "visibility": "public" })).await.ok();
    assert_all(all(&ben).await, "private");
    desk.patch("/often", json!({ "visibility": "public" })).await.ok();
    assert_all(all(&desk).await, "public");
    assert_all(all(&ben).await, "private");
    ben.patch("/often", json!({ "visibility": "default" })).await.ok();
    assert_all(all(&ben).await, "default");
}

#[tokio::test]
async fn an_imported_exception_is_like_a_changed_instance() {
    let uid = json!({ "iCalUID": "daily@example.net" });
    let exception = |visibility: &str| {
        let members = json!({ "originalStartTime": { "dateTime": "2026-03-10T08:00:00Z" }, "visibility": visibility });
        with(with(hour(10, 12, "Moved"), members), uid.clone())
    };
    for (of, imported, expected) in
        [("private", "public", "private"), ("default", "private", "private"), ("default", "public", "default")]
    {
        let desk = TestService::open().await;
        desk.post("/import", with(daily(of), uid.clone())).await.ok();
        desk.post("/import", exception(imported)).await.ok();
        assert_eq!(desk.event(SECOND).await["summary"], "Moved");
        assert_all(all(&desk).await, expected);
        // A newer version of the series reaches its exceptions.
        desk.post("/import", with(with(daily("public"), uid.clone()), json!({ "sequence": 1 }))).await.ok();
        assert_all(all(&desk).await, "public");
    }
}

#[tokio::test]
async fn exceptions_of_a_file_are_like_changed_instances() {
    let parts = |of: &str, instance: &str, sequence: u32| {
        let of = format!(
            "UID:s\nDTSTART:20260302T090000Z\nDTEND:20260302T100000Z\nRRULE:FREQ=DAILY;COUNT=3\nSUMMARY:Series\n\
             SEQUENCE:{sequence}{of}"
        );
        let moved = format!(
            "UID:s\nRECURRENCE-ID:20260303T090000Z\nDTSTART:20260303T120000Z\nDTEND:20260303T130000Z\nSUMMARY:Moved{instance}"
        );
        file(&[&of, &moved])
    };
    let found = async |desk: &TestService| {
        let (items, _) = desk.list("iCalUID=s").await;
        let of = |item: &Value| item["visibility"].as_str().unwrap_or("default").to_owned();
        items.iter().map(of).collect::<Vec<_>>()
    };
    for (of, instance, expected) in [
        ("\nCLASS:PRIVATE", "\nCLASS:PUBLIC", "private"),
        ("\nCLASS:PRIVATE", "", "private"),
        ("\nCLASS:PUBLIC", "", "public"),
        ("", "\nCLASS:PUBLIC", "default"),
        ("", "\nCLASS:PRIVATE", "private"),
    ] {
        let desk = TestService::open().await;
        import(&desk, &parts(of, instance, 0)).await;
        assert_eq!(found(&desk).await, [expected, expected], "{of} {instance}");
        // The exception of the newer file is not newer itself.
        import(&desk, &parts("\nCLASS:PUBLIC", "", 1)).await;
        assert_eq!(found(&desk).await, ["public", "public"], "{of} {instance}");
    }
}

#[tokio::test]
async fn a_guest_of_an_instance_gets_the_visibility_of_a_private_series() {
    let desk = TestService::open().await;
    let ben = json!({ "attendees": [{ "email": "ben@example.com" }] });
    desk.insert(daily("default")).await;
    desk.patch(&format!("/{SECOND}"), ben.clone()).await.ok();
    assert_eq!(visibility(&desk.ben(), SECOND).await, "default");
    // The copy of the series is created as a private one, like that of its organizer.
    desk.patch("/often", with(ben, json!({ "visibility": "private" }))).await.ok();
    assert_all(all(&desk.ben()).await, "private");
}

#[tokio::test]
async fn instances_without_their_series_have_their_own_visibility() {
    for was_invited in [false, true] {
        let desk = TestService::open().await;
        let (ben, guests) = (desk.ben(), json!({ "attendees": [{ "email": "ben@example.com" }] }));
        desk.insert(daily("default")).await;
        if was_invited {
            desk.patch("/often", guests.clone()).await.ok();
            ben.patch("/often", json!({ "visibility": "private" })).await.ok();
            desk.patch("/often", json!({ "attendees": [] })).await.ok();
        }
        for id in [SECOND, THIRD] {
            desk.patch(&format!("/{id}"), guests.clone()).await.ok();
        }
        for value in ["private", "public", "default", "confidential"] {
            ben.patch(&format!("/{SECOND}"), json!({ "visibility": value })).await.ok();
            let found = [visibility(&ben, SECOND).await, visibility(&ben, THIRD).await];
            assert_eq!(found, [value, "default"], "was invited to the series: {was_invited}");
        }
        assert_all(all(&desk).await, "default");
    }
}
