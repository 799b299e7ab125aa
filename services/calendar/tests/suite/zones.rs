//! Tests of changing a calendar's time zone.

use serde_json::json;
use wireform_store::{Accounts as _, CalendarNumber, Calendars as _};

use crate::desk::{TestService, encoded, hour, ids, with};

async fn own(desk: &TestService, address: &str) -> CalendarNumber {
    let user = desk.store.user(address).await.unwrap().mailbox;
    desk.store.calendars(Some(user)).await.unwrap().remove(0).number
}

/// Returns the identifiers of the events in an hour.
async fn at(desk: &TestService, hour: &str) -> Vec<String> {
    let (from, to) = (format!("{hour}:00:00Z"), format!("{hour}:59:59Z"));
    ids(&desk.list(&format!("singleEvents=true&orderBy=startTime&timeMin={from}&timeMax={to}")).await.0)
}

#[tokio::test]
async fn point_103_events_of_whole_days_follow_the_zone_of_their_calendar() {
    let desk = TestService::open().await;
    let day = |date: &str| json!({ "date": date });
    let guests = json!({ "attendees": [{ "email": "ben@example.com" }] });
    let trip = json!({ "id": "aaaaa", "summary": "Trip", "start": day("2026-03-05"), "end": day("2026-03-06") });
    desk.insert(with(trip, guests)).await;
    let daily = json!({ "id": "bbbbb", "start": day("2026-03-10"), "end": day("2026-03-11"), "recurrence": ["RRULE:FREQ=DAILY;COUNT=3"] });
    desk.insert(daily).await;
    desk.patch("/bbbbb_20260311", json!({ "summary": "Other" })).await.ok();
    desk.delete("/bbbbb_20260312").await;
    let lunch = desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "ccccc" }))).await;
    assert_eq!(at(&desk, "2026-03-04T16").await, [""; 0]);
    let (ana, ben) = (own(&desk, "ana@example.com").await, own(&desk, "ben@example.com").await);
    let token = desk.list("").await.1["nextSyncToken"].as_str().unwrap().to_owned();
    assert_eq!(desk.service.set_time_zone(ana, "Asia/Tokyo").await.unwrap(), 5);
    assert_eq!(desk.service.set_time_zone(ana, "Asia/Tokyo").await.unwrap(), 0, "it is done");
    // The day begins nine hours earlier, on this calendar only.
    for (event, hour, day_after) in [
        ("aaaaa", "2026-03-04T15", "2026-03-05T15"),
        ("bbbbb_20260310", "2026-03-09T15", "2026-03-09T14"),
        ("bbbbb_20260311", "2026-03-10T15", "2026-03-11T15"),
    ] {
        assert_eq!(at(&desk, hour).await, [event]);
        assert_eq!(at(&desk, day_after).await, [""; 0], "{event}");
    }
    assert_eq!(at(&desk.ben(), "2026-03-04T15").await, [""; 0]);
    assert_eq!(desk.event("aaaaa").await["start"], day("2026-03-05"));
    assert_eq!(desk.event("bbbbb_20260311").await["summary"], "Other");
    let page = desk.get("").await.ok().clone();
    assert_eq!(page["timeZone"], "Asia/Tokyo");
    let moved = desk.event("ccccc").await;
    assert_eq!(
        (&moved["start"]["dateTime"], &moved["updated"]),
        (&json!("2026-03-02T18:00:00+09:00"), &lunch["updated"])
    );
    // An incremental sync lists the changes, and no removed event.
    let changes = desk.list(&format!("syncToken={token}")).await.0;
    let cancelled: Vec<_> =
        changes.iter().filter(|event| event["status"] == "cancelled").map(|event| &event["id"]).collect();
    assert_eq!((changes.len(), cancelled), (5, vec![&json!("bbbbb_20260312")]));
    // Later changes and new events are in that zone as well, also those by others.
    desk.service.set_time_zone(ben, "America/New_York").await.unwrap();
    desk.patch("/aaaaa", json!({ "start": { "date": "2026-03-06" }, "end": { "date": "2026-03-07" } })).await.ok();
    assert_eq!(
        (at(&desk, "2026-03-05T15").await, at(&desk.ben(), "2026-03-06T05").await),
        (vec!["aaaaa".to_owned()], vec!["aaaaa".to_owned()])
    );
    let added = desk.send("POST", &format!("/quickAdd?text={}", encoded("Tea tomorrow at 9")), None, &[]).await;
    assert_eq!(added.ok()["start"]["dateTime"], "2026-03-02T09:00:00+09:00");
    assert!(desk.service.set_time_zone(ana, "Mars/Olympus").await.is_err());
}
