//! Tests of series, their instances and exceptions.

use serde_json::{Value, json};

use crate::desk::{TestService, hour, ids, series, with};

/// Returns a series: every Monday at nine in Berlin, six times across the change to summer time.
async fn mondays(desk: &TestService) -> Value {
    let rule = ["RRULE:FREQ=WEEKLY;COUNT=6"];
    desk.insert(series("monday".replace('y', "").as_str(), "2026-03-09T09:00:00", "2026-03-09T10:00:00", &rule)).await
}

const MONDAYS: &str = "monda";

fn starts(items: &[Value]) -> Vec<&str> {
    items
        .iter()
        .map(|one| one["start"]["dateTime"].as_str().or(one["start"]["date"].as_str()).unwrap_or_default())
        .collect()
}

async fn instances(desk: &TestService, id: &str, query: &str) -> Vec<Value> {
    let mut items = Vec::new();
    let mut token = String::new();
    loop {
        let page = desk.get(&format!("/{id}/instances?{query}{token}")).await.ok().clone();
        items.extend(page["items"].as_array().into_iter().flatten().cloned());
        match page["nextPageToken"].as_str() {
            Some(next) => token = format!("&pageToken={next}"),
            None => return items,
        }
    }
}

#[tokio::test]
async fn point_32_a_series_is_expanded_in_its_zone() {
    let desk = TestService::open().await;
    mondays(&desk).await;
    let items = instances(&desk, MONDAYS, "maxResults=2").await;
    assert_eq!(
        starts(&items),
        [
            "2026-03-09T08:00:00Z",
            "2026-03-16T08:00:00Z",
            "2026-03-23T08:00:00Z",
            "2026-03-30T07:00:00Z",
            "2026-04-06T07:00:00Z",
            "2026-04-13T07:00:00Z",
        ]
    );
    assert_eq!(ids(&items)[3], "monda_20260330T070000Z");
}

#[tokio::test]
async fn point_33_an_instance_inherits_from_its_series() {
    let desk = TestService::open().await;
    let of = mondays(&desk).await;
    let one = desk.event("monda_20260330T070000Z").await;
    assert_eq!(
        (&one["recurringEventId"], &one["summary"], &one["iCalUID"]),
        (&json!(MONDAYS), &of["summary"], &of["iCalUID"])
    );
    let start = json!({ "dateTime": "2026-03-30T07:00:00Z", "timeZone": "Europe/Berlin" });
    assert_eq!((&one["start"], &one["originalStartTime"], one.get("recurrence")), (&start, &start, None));
    assert_eq!(one["end"]["dateTime"], "2026-03-30T08:00:00Z");
}

#[tokio::test]
async fn point_38_an_id_that_is_no_instance_is_not_there() {
    let desk = TestService::open().await;
    mondays(&desk).await;
    for id in
        ["monda_20260331T070000Z", "monda_20260330", "monda_20260420T070000Z", "other_20260330T070000Z", "monda_x"]
    {
        desk.get(&format!("/{id}")).await.assert_error(404, "notFound");
        desk.patch(&format!("/{id}"), json!({ "summary": "x" })).await.assert_error(404, "notFound");
    }
}

#[tokio::test]
async fn point_37_a_single_event_has_no_instances() {
    let desk = TestService::open().await;
    desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "lunch" }))).await;
    desk.get("/lunch/instances").await.assert_error(400, "invalidParameter");
    desk.get("/other/instances").await.assert_error(404, "notFound");
}

#[tokio::test]
async fn point_34_a_changed_instance_is_an_exception_and_others_stay() {
    let desk = TestService::open().await;
    let of = mondays(&desk).await;
    let id = "monda_20260316T080000Z";
    let moved = json!({
        "summary": "Moved",
        "start": { "dateTime": "2026-03-17T12:00:00Z" }, "end": { "dateTime": "2026-03-17T13:00:00Z" },
    });
    let moved = desk.patch(&format!("/{id}"), moved).await.ok().clone();
    assert_eq!((&moved["id"], &moved["recurringEventId"]), (&json!(id), &json!(MONDAYS)));
    assert_eq!(moved["originalStartTime"]["dateTime"], "2026-03-16T08:00:00Z");
    assert_eq!(desk.event(id).await, moved);
    assert_eq!(desk.event(MONDAYS).await, of);
    let items = instances(&desk, MONDAYS, "").await;
    assert_eq!(starts(&items)[..3], ["2026-03-09T08:00:00Z", "2026-03-17T12:00:00Z", "2026-03-23T08:00:00Z"]);
    assert_eq!(items[1]["summary"], "Moved");
    // Changed back to its original, it stays an exception.
    let back = desk.patch(&format!("/{id}"), json!({ "summary": of["summary"] })).await.ok().clone();
    desk.patch(&format!("/{MONDAYS}"), json!({ "summary": "Other" })).await.ok();
    assert_eq!(desk.event(id).await["summary"], back["summary"]);
    assert_eq!(desk.event("monda_20260323T080000Z").await["summary"], "Other");
}

#[tokio::test]
async fn point_31_an_instance_does_not_recur() {
    let desk = TestService::open().await;
    mondays(&desk).await;
    let id = "monda_20260316T080000Z";
    desk.patch(&format!("/{id}"), json!({ "recurrence": ["RRULE:FREQ=DAILY"] })).await.assert_error(400, "invalid");
}

#[tokio::test]
async fn point_15_an_instance_can_be_sent_back_without_its_id() {
    let desk = TestService::open().await;
    mondays(&desk).await;
    let id = "monda_20260316T080000Z";
    let mut read = desk.event(id).await;
    read["summary"] = json!("Changed");
    read.as_object_mut().unwrap().remove("id");
    assert_eq!(desk.put(&format!("/{id}"), read).await.ok()["summary"], "Changed");
}

#[tokio::test]
async fn point_19_a_cancelled_instance_is_kept_as_long_as_its_series() {
    let desk = TestService::open().await;
    mondays(&desk).await;
    let id = "monda_20260316T080000Z";
    assert_eq!(desk.delete(&format!("/{id}")).await.status, 204);
    assert_eq!(instances(&desk, MONDAYS, "").await.len(), 5);
    assert_eq!(instances(&desk, MONDAYS, "showDeleted=true").await.len(), 6);
    let gone = desk.event(id).await;
    assert_eq!((&gone["status"], &gone["recurringEventId"]), (&json!("cancelled"), &json!(MONDAYS)));
    assert_eq!(gone["originalStartTime"]["dateTime"], "2026-03-16T08:00:00Z");
    desk.delete(&format!("/{id}")).await.assert_error(410, "deleted");
    // A cancelled exception is listed next to its series, and not among the instances.
    assert_eq!(desk.ids("").await, [MONDAYS, id]);
    assert_eq!(desk.ids("singleEvents=true").await.len(), 5);
    let far = wireform_store::Millis(crate::desk::NOW + 40 * 86_400_000);
    wireform_store::Maintenance::clean_up(&desk.store, far).await.unwrap();
    assert_eq!(desk.event(id).await["status"], "cancelled");
    assert_eq!(desk.patch(&format!("/{id}"), json!({ "status": "confirmed" })).await.ok()["status"], "confirmed");
    assert_eq!(instances(&desk, MONDAYS, "").await.len(), 6);
}

#[tokio::test]
async fn point_18_a_series_goes_with_its_exceptions_and_comes_back_with_them() {
    let desk = TestService::open().await;
    mondays(&desk).await;
    desk.patch("/monda_20260316T080000Z", json!({ "summary": "Moved" })).await.ok();
    desk.delete("/monda_20260323T080000Z").await;
    assert_eq!(desk.delete(&format!("/{MONDAYS}")).await.status, 204);
    assert!(desk.ids("singleEvents=true").await.is_empty());
    assert!(desk.ids("").await.is_empty());
    assert_eq!(desk.event("monda_20260316T080000Z").await["status"], "cancelled");
    desk.patch(&format!("/{MONDAYS}"), json!({ "status": "confirmed" })).await.ok();
    let (items, _) = desk.list("singleEvents=true").await;
    assert_eq!(items.len(), 5);
    assert_eq!(items[1]["summary"], "Moved");
}

#[tokio::test]
async fn point_35_exceptions_that_are_no_instances_any_more_are_dropped() {
    let desk = TestService::open().await;
    mondays(&desk).await;
    let (kept, dropped) = ("monda_20260316T080000Z", "monda_20260413T070000Z");
    for id in [kept, dropped] {
        desk.patch(&format!("/{id}"), json!({ "summary": "Moved" })).await.ok();
    }
    desk.patch(&format!("/{MONDAYS}"), json!({ "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=3"] })).await.ok();
    assert_eq!(desk.event(kept).await["summary"], "Moved");
    desk.get(&format!("/{dropped}")).await.assert_error(404, "notFound");
    assert_eq!(desk.ids("singleEvents=true").await.len(), 3);
    // If the rule matches again, the instance is that of the series.
    desk.patch(&format!("/{MONDAYS}"), json!({ "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=6"] })).await.ok();
    assert_eq!(desk.event(dropped).await["summary"], MONDAYS);
    desk.patch(&format!("/{dropped}"), json!({ "summary": "Again" })).await.ok();
    assert_eq!(desk.event(dropped).await["summary"], "Again");
}

#[tokio::test]
async fn point_36_a_more_private_instance_makes_its_series_private() {
    let desk = TestService::open().await;
    mondays(&desk).await;
    let (one, other) = ("/monda_20260316T080000Z", "/monda_20260323T080000Z");
    desk.patch(other, json!({ "summary": "Moved" })).await.ok();
    desk.patch(one, json!({ "visibility": "private" })).await.ok();
    for id in [MONDAYS, &one[1..], &other[1..], "monda_20260330T070000Z"] {
        assert_eq!(desk.event(id).await["visibility"], "private", "{id}");
    }
    // Only the series can become less private; the request is not an error.
    assert_eq!(desk.patch(other, json!({ "visibility": "public" })).await.ok()["visibility"], "private");
    desk.patch(&format!("/{MONDAYS}"), json!({ "visibility": "public" })).await.ok();
    assert_eq!(desk.event("monda_20260330T070000Z").await["visibility"], "public");
}

#[tokio::test]
async fn point_29_days_of_a_series_are_those_of_the_calendar() {
    let desk = TestService::open().await;
    let day = |date: &str| json!({ "date": date });
    let event = json!({
        "id": "dagen", "start": day("2026-03-02"), "end": day("2026-03-04"),
        "recurrence": ["RRULE:FREQ=MONTHLY;COUNT=3", "RDATE;VALUE=DATE:20260320", "EXDATE;VALUE=DATE:20260402"],
    });
    desk.insert(event).await;
    let items = instances(&desk, "dagen", "").await;
    assert_eq!(starts(&items), ["2026-03-02", "2026-03-20", "2026-05-02"]);
    assert_eq!((&items[1]["id"], &items[1]["end"]), (&json!("dagen_20260320"), &day("2026-03-22")));
    assert_eq!(desk.event("dagen_20260502").await["originalStartTime"], day("2026-05-02"));
}

#[tokio::test]
async fn point_37_instances_are_filtered() {
    let desk = TestService::open().await;
    mondays(&desk).await;
    let query = "timeMin=2026-03-16T09:00:00Z&timeMax=2026-03-30T07:00:00Z";
    // The bound on the end is inclusive, that on the start is exclusive.
    assert_eq!(starts(&instances(&desk, MONDAYS, query).await), ["2026-03-16T08:00:00Z", "2026-03-23T08:00:00Z"]);
    let query = "originalStart=2026-03-23T09:00:00%2B01:00";
    assert_eq!(starts(&instances(&desk, MONDAYS, query).await), ["2026-03-23T08:00:00Z"]);
    desk.get(&format!("/{MONDAYS}/instances?originalStart=x")).await.assert_error(400, "invalidParameter");
}

#[tokio::test]
async fn point_61_guests_of_a_series_have_its_exceptions() {
    let desk = TestService::open().await;
    let guests = json!({ "attendees": [{ "email": "ben@example.com" }] });
    let rule = ["RRULE:FREQ=DAILY;COUNT=4"];
    desk.insert(with(series("daags", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &rule), guests)).await;
    let (moved, gone, own) = ("daags_20260310T080000Z", "daags_20260311T080000Z", "daags_20260312T080000Z");
    desk.patch(&format!("/{moved}"), json!({ "summary": "Moved" })).await.ok();
    desk.delete(&format!("/{gone}")).await;
    let ben = desk.ben();
    assert_eq!(ben.event(moved).await["summary"], "Moved");
    assert_eq!(ben.ids("singleEvents=true").await.len(), 3);
    // A guest declines one instance.
    assert_eq!(ben.delete(&format!("/{own}")).await.status, 204);
    assert_eq!(ben.ids("singleEvents=true").await.len(), 2);
    assert_eq!(desk.event(own).await["attendees"][0]["responseStatus"], "declined");
    assert_eq!(desk.ids("singleEvents=true").await.len(), 3);
    // A guest who is invited later has the same exceptions.
    let both = json!({ "attendees": [{ "email": "ben@example.com" }, { "email": "cy@example.com" }] });
    desk.patch("/daags", both).await.ok();
    let cy = desk.cy();
    assert_eq!(cy.event(moved).await["summary"], "Moved");
    assert_eq!(cy.event(gone).await["status"], "cancelled");
    assert_eq!(cy.ids("singleEvents=true").await.len(), 3);
    // A former guest has no instances and exceptions.
    desk.patch("/daags", json!({ "attendees": [{ "email": "cy@example.com" }] })).await.ok();
    assert!(ben.ids("singleEvents=true").await.is_empty());
    assert_eq!(ben.event(moved).await["status"], "cancelled");
}

#[tokio::test]
async fn point_34_a_series_becomes_a_single_event_and_back() {
    let desk = TestService::open().await;
    mondays(&desk).await;
    desk.patch("/monda_20260316T080000Z", json!({ "summary": "Moved" })).await.ok();
    desk.patch(&format!("/{MONDAYS}"), json!({ "recurrence": [] })).await.ok();
    assert_eq!(desk.ids("singleEvents=true").await, [MONDAYS]);
    assert_eq!(desk.ids("").await, [MONDAYS]);
    desk.get(&format!("/{MONDAYS}/instances")).await.assert_error(400, "invalidParameter");
    desk.get("/monda_20260309T080000Z").await.assert_error(404, "notFound");
    desk.patch(&format!("/{MONDAYS}"), json!({ "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=2"] })).await.ok();
    assert_eq!(desk.ids("singleEvents=true").await, ["monda_20260309T080000Z", "monda_20260316T080000Z"]);
}
