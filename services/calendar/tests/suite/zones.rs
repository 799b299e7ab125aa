//! Tests of changing a calendar's time zone, and of the zones of series.

use serde_json::{Value, json};
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

#[tokio::test]
async fn the_end_of_a_series_is_in_the_zone_of_its_start() {
    let desk = TestService::open().await;
    let zone = json!("Europe/Berlin");
    let times = |zone: &Value| {
        json!({ "start": { "dateTime": "2026-03-09T09:00:00", "timeZone": zone },
            "end": { "dateTime": "2026-03-09T10:00:00+01:00" } })
    };
    let rule = json!({ "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=6"] });
    let event = with(with(times(&zone), rule.clone()), json!({ "id": "often" }));
    assert_eq!(desk.insert(event.clone()).await["end"]["timeZone"], zone);
    assert_eq!(
        desk.event("often_20260330T070000Z").await["end"],
        json!({ "dateTime": "2026-03-30T08:00:00Z", "timeZone": zone })
    );
    let before = desk.event("often").await["etag"].clone();
    assert_eq!(desk.put("/often", event.clone()).await.ok()["etag"], before, "it is the same end");
    let in_utc = with(event.clone(), json!({ "end": { "dateTime": "2026-03-09T09:00:00Z" } }));
    assert_eq!(desk.put("/often", in_utc).await.ok()["etag"], before, "it is the same end");
    assert_eq!(desk.patch("/often", times(&json!("Asia/Tokyo"))).await.ok()["end"]["timeZone"], zone);
    let imported = with(event, json!({ "iCalUID": "often@example.com", "id": "other" }));
    assert_eq!(desk.post("/import", imported).await.ok()["end"]["timeZone"], zone);
    // A single event that becomes a series.
    desk.insert(with(times(&zone), json!({ "id": "singl" }))).await;
    assert_eq!(desk.event("singl").await["end"]["timeZone"], zone);
    assert_eq!(desk.patch("/singl", rule.clone()).await.ok()["end"]["timeZone"], zone);
    // The zone of the start is the one in which the series is expanded.
    let end = json!({ "start": { "dateTime": "2026-03-09T09:00:00+01:00" },
        "end": { "dateTime": "2026-03-09T10:00:00", "timeZone": zone } });
    let response = desk.post("", with(end, rule.clone())).await;
    response.assert_error(400, "invalid");
    response.assert_location("start.timeZone");
    let days = json!({ "start": { "date": "2026-03-09" }, "end": { "date": "2026-03-10" } });
    desk.insert(with(days, rule)).await;
}
