//! Tests of busy times of calendars.

use serde_json::{Value, json};
use wireform_store::Role;

use crate::desk::{TestResponse, TestService, hour, series, with};

async fn query(desk: &TestService, members: Value) -> TestResponse {
    let range = json!({ "timeMin": "2026-03-02T00:00:00Z", "timeMax": "2026-03-09T00:00:00Z" });
    desk.post("/calendar/v3/freeBusy", with(range, members)).await
}

/// Returns the busy times of Ana as a user sees them, as `start/end`.
async fn busy(desk: &TestService, members: Value) -> Vec<String> {
    let found = query(desk, with(json!({ "items": [{ "id": "ana@example.com" }] }), members)).await;
    let calendar = found.ok()["calendars"]["ana@example.com"].clone();
    assert_eq!(calendar["errors"], json!(null));
    let text = |period: &Value, key: &str| period[key].as_str().unwrap().to_owned();
    let periods = calendar["busy"].as_array().unwrap();
    periods.iter().map(|period| format!("{}/{}", text(period, "start"), text(period, "end"))).collect()
}

#[tokio::test]
async fn busy_times_are_merged_and_leave_out_free_events() {
    let desk = TestService::open().await;
    assert_eq!(busy(&desk, json!({})).await, Vec::<String>::new());
    for event in [
        hour(3, 9, "Tea"),
        hour(3, 10, "Cake"),
        with(hour(3, 13, "Walk"), json!({ "transparency": "transparent" })),
        with(hour(3, 15, "Never"), json!({ "id": "never" })),
        with(hour(3, 17, "Maybe"), json!({ "status": "tentative" })),
        // Series with a cancelled and a moved instance.
        series("drill", "2026-03-04T08:00:00", "2026-03-04T09:00:00", &["RRULE:FREQ=DAILY;COUNT=4"]),
        // Before the range and into it.
        json!({ "summary": "Night", "start": { "dateTime": "2026-03-01T22:00:00Z" }, "end": { "dateTime": "2026-03-02T02:00:00Z" } }),
        json!({ "summary": "Fair", "start": { "date": "2026-03-08" }, "end": { "date": "2026-03-10" } }),
    ] {
        desk.insert(event).await;
    }
    desk.delete("/never").await;
    desk.delete("/drill_20260305T070000Z").await;
    let moved =
        json!({ "start": { "dateTime": "2026-03-06T20:00:00Z" }, "end": { "dateTime": "2026-03-06T21:00:00Z" } });
    desk.patch("/drill_20260306T070000Z", moved).await.ok();
    let expected = [
        "2026-03-02T00:00:00Z/2026-03-02T02:00:00Z",
        "2026-03-03T09:00:00Z/2026-03-03T11:00:00Z",
        "2026-03-03T17:00:00Z/2026-03-03T18:00:00Z",
        "2026-03-04T07:00:00Z/2026-03-04T08:00:00Z",
        "2026-03-06T20:00:00Z/2026-03-06T21:00:00Z",
        "2026-03-07T07:00:00Z/2026-03-07T08:00:00Z",
        "2026-03-08T00:00:00Z/2026-03-09T00:00:00Z",
    ];
    assert_eq!(busy(&desk, json!({})).await, expected);
    let zone =
        json!({ "timeZone": "Europe/Berlin", "timeMin": "2026-03-03T10:30:00Z", "timeMax": "2026-03-03T12:00:00Z" });
    assert_eq!(busy(&desk, zone).await, ["2026-03-03T11:30:00+01:00/2026-03-03T12:00:00+01:00"]);
    // A reader of busy times sees the same times.
    desk.share("ben@example.com", Some(Role::FreeBusyReader)).await;
    assert_eq!(busy(&desk.ben(), json!({})).await, expected);
    assert_eq!(busy(&desk.with_token("ben/calendar.events.freebusy"), json!({})).await, expected);
}

#[tokio::test]
async fn declined_invitations_are_free() {
    let desk = TestService::open().await;
    let guests = json!({ "id": "feast", "attendees": [{ "email": "ana@example.com" }, { "email": "cy@example.com" }] });
    desk.ben()
        .post("/calendar/v3/calendars/primary/events?sendUpdates=all", with(hour(3, 9, "Party"), guests))
        .await
        .ok();
    assert_eq!(busy(&desk, json!({})).await, ["2026-03-03T09:00:00Z/2026-03-03T10:00:00Z"]);
    let declined = json!({ "attendees": [{ "email": "ana@example.com", "responseStatus": "declined" }, { "email": "cy@example.com" }] });
    desk.patch("/feast", declined).await.ok();
    desk.share("ben@example.com", Some(Role::FreeBusyReader)).await;
    for client in [desk.clone(), desk.ben()] {
        assert_eq!(busy(&client, json!({})).await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn errors_of_one_calendar_do_not_concern_others() {
    let desk = TestService::open().await;
    desk.insert(hour(3, 9, "Tea")).await;
    let items = json!([{ "id": "ben@example.com" }, { "id": "primary" }, { "id": "nobody" }, { "id": "primary" }]);
    let found = query(&desk, json!({ "items": items })).await.ok().clone();
    let missing = json!({ "busy": [], "errors": [{ "domain": "global", "reason": "notFound" }] });
    let times = json!({ "busy": [{ "start": "2026-03-03T09:00:00Z", "end": "2026-03-03T10:00:00Z" }] });
    assert_eq!(
        found,
        json!({
            "kind": "calendar#freeBusy", "timeMin": "2026-03-02T00:00:00Z", "timeMax": "2026-03-09T00:00:00Z",
            "calendars": { "ben@example.com": missing, "nobody": missing, "primary": times },
        })
    );
    let limited = query(&desk, json!({ "items": items, "calendarExpansionMax": 1 })).await.ok().clone();
    assert_eq!(limited["calendars"]["primary"]["errors"][0]["reason"], "tooManyCalendarsRequested");
    assert_eq!(query(&desk, json!({})).await.ok()["calendars"], json!({}));
}

#[tokio::test]
async fn invalid_queries_return_400() {
    let desk = TestService::open().await;
    let many: Vec<Value> = (0..51).map(|number| json!({ "id": number.to_string() })).collect();
    for (members, reason, location) in [
        (json!({ "timeMax": "2026-03-02T00:00:00Z" }), "timeRangeEmpty", "timeMax"),
        (json!({ "timeMax": "2026-03-01T00:00:00Z" }), "timeRangeEmpty", "timeMax"),
        (json!({ "timeMin": null }), "required", "timeMin"),
        (json!({ "timeMin": "2026-03-02T00:00:00" }), "invalid", "timeMin"),
        (json!({ "timeZone": "Mars" }), "invalid", "timeZone"),
        (json!({ "items": many }), "invalid", "items"),
        (json!({ "calendarExpansionMax": 51 }), "invalid", "calendarExpansionMax"),
    ] {
        let found = query(&desk, members.clone()).await;
        found.assert_error(400, reason);
        assert!(found.body["error"].to_string().contains(location), "{members}: {}", found.body);
    }
}

/// A series with a million instances is an error of its calendar.
#[tokio::test]
async fn the_work_of_a_query_is_limited() {
    let desk = TestService::open().await;
    desk.insert(series("often", "2026-03-02T00:00:00", "2026-03-02T00:00:01", &["RRULE:FREQ=SECONDLY;INTERVAL=2"]))
        .await;
    desk.ben().insert(hour(3, 9, "Tea")).await;
    let found = query(&desk, json!({ "items": [{ "id": "primary" }] })).await.ok().clone();
    assert_eq!(
        found["calendars"]["primary"],
        json!({ "busy": [], "errors": [{ "domain": "global", "reason": "tooManyEvents" }] })
    );
    // A rule that never matches ends as well.
    let desk = desk.ben();
    desk.insert(series(
        "never",
        "2026-03-02T00:00:00",
        "2026-03-02T00:00:01",
        &["RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"],
    ))
    .await;
    let far =
        json!({ "items": [{ "id": "primary" }], "timeMin": "0001-01-01T00:00:00Z", "timeMax": "9999-12-31T00:00:00Z" });
    let found = query(&desk, far).await.ok().clone();
    assert_eq!(found["calendars"]["primary"]["busy"].as_array().unwrap().len(), 2, "{found}");
}
