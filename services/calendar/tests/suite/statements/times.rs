//! Statements about starts, ends and recurrences.

use serde_json::{Value, json};

use crate::desk::{TestService, hour, series, with};

/// A start is part of its event, and an end is not.
#[tokio::test]
async fn an_event_has_its_start_and_not_its_end() {
    let desk = TestService::open().await;
    desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "lunch" }))).await;
    let day = |date: &str| json!({ "date": date });
    desk.insert(json!({ "id": "holid", "start": day("2026-03-05"), "end": day("2026-03-07") })).await;
    let moment = async |from: &str, until: &str| desk.ids(&format!("timeMin={from}&timeMax={until}")).await;
    assert_eq!(moment("2026-03-02T09:00:00Z", "2026-03-02T09:00:01Z").await, ["lunch"]);
    assert_eq!(moment("2026-03-02T08:59:59Z", "2026-03-02T09:00:00Z").await, [""; 0]);
    assert_eq!(moment("2026-03-02T09:59:59Z", "2026-03-02T10:00:00Z").await, ["lunch"]);
    assert_eq!(moment("2026-03-02T10:00:00Z", "2026-03-02T10:00:01Z").await, [""; 0]);
    assert_eq!(moment("2026-03-05T00:00:00Z", "2026-03-05T00:00:01Z").await, ["holid"]);
    assert_eq!(moment("2026-03-06T23:59:59Z", "2026-03-07T00:00:00Z").await, ["holid"]);
    assert_eq!(moment("2026-03-07T00:00:00Z", "2026-03-07T00:00:01Z").await, [""; 0]);
}

async fn instances(desk: &TestService, id: &str) -> Vec<Value> {
    desk.get(&format!("/{id}/instances")).await.ok()["items"].as_array().unwrap().clone()
}

/// The times of a series are those of its first instance; only the series has the recurrence.
#[tokio::test]
async fn a_series_has_the_times_of_its_first_instance() {
    let desk = TestService::open().await;
    let rule = ["RRULE:FREQ=DAILY;COUNT=3"];
    let of = desk.insert(series("timed", "2026-03-09T09:00:00", "2026-03-09T10:30:00", &rule)).await;
    let day = |date: &str| json!({ "date": date });
    let days = json!({ "id": "dagen", "start": day("2026-03-09"), "end": day("2026-03-11"), "recurrence": rule });
    let days = desk.insert(days).await;
    for of in [of, days] {
        let id = of["id"].as_str().unwrap();
        let items = instances(&desk, id).await;
        assert_eq!((&items[0]["start"], &items[0]["end"]), (&of["start"], &of["end"]), "{id}");
        assert_eq!((items[0]["originalStartTime"].clone(), items.len()), (of["start"].clone(), 3));
        let mut ids: Vec<&str> = items.iter().map(|item| item["id"].as_str().unwrap()).collect();
        ids.push(id);
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 4, "the identifiers are unique");
        assert_eq!(of["recurrence"], json!(rule));
        for item in &items {
            assert_eq!((&item["iCalUID"], &item["recurringEventId"]), (&of["iCalUID"], &json!(id)));
            assert!(item.get("recurrence").is_none() && desk.event(item["id"].as_str().unwrap()).await == *item);
        }
        for none in ["recurringEventId", "originalStartTime"] {
            assert!(of.get(none).is_none(), "{none}: {of}");
        }
    }
    assert!(desk.insert(hour(2, 9, "Single")).await.get("recurrence").is_none());
}

#[tokio::test]
async fn each_kind_of_line_of_a_recurrence_counts() {
    let desk = TestService::open().await;
    let lines = [
        "RRULE:FREQ=DAILY;COUNT=9",
        "EXRULE:FREQ=WEEKLY;BYDAY=TH,SA,SU",
        "RDATE;TZID=Europe/Berlin:20260401T120000",
        "EXDATE;TZID=Europe/Berlin:20260311T090000",
    ];
    let starts = async |id: &str| -> Vec<String> {
        let items = instances(&desk, id).await;
        items.iter().map(|item| item["start"]["dateTime"].as_str().unwrap()[8..13].to_owned()).collect()
    };
    for (id, lines, expected) in [
        ("aaaaa", &lines[..1], "09T08 10T08 11T08 12T08 13T08 14T08 15T08 16T08 17T08"),
        ("bbbbb", &lines[..2], "09T08 10T08 11T08 13T08 16T08 17T08"),
        ("ccccc", &lines[..3], "09T08 10T08 11T08 13T08 16T08 17T08 01T10"),
        ("ddddd", &lines[..], "09T08 10T08 13T08 16T08 17T08 01T10"),
    ] {
        desk.insert(series(id, "2026-03-09T09:00:00", "2026-03-09T10:00:00", lines)).await;
        assert_eq!(starts(id).await.join(" "), expected, "{id}");
    }
    // A patch replaces all lines.
    desk.patch("/ddddd", json!({ "recurrence": ["RRULE:FREQ=DAILY;COUNT=2"] })).await.ok();
    assert_eq!(starts("ddddd").await, ["09T08", "10T08"]);
}
