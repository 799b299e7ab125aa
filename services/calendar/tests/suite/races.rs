//! Tests of concurrent writes, and of absurd rules.

use serde_json::{Value, json};

use crate::desk::{TestService, hour, series, with};
use crate::ics::{MEETING, file, import};

/// Point 9: a change is computed from the stored data at the time of storing, so that none is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn point_9_changes_at_the_same_time_are_all_kept() {
    let desk = TestService::open().await;
    let guests = json!({ "id": "lunch", "attendees": [{ "email": "ben@example.com" }, { "email": "cy@example.com" }] });
    desk.insert(with(hour(2, 9, "Lunch"), guests)).await;
    let mut tasks = Vec::new();
    for (at, who) in [desk.clone(), desk.ben(), desk.cy(), desk.clone(), desk.ben(), desk.cy()].into_iter().enumerate()
    {
        tasks.push(tokio::spawn(async move {
            let email = ["", "ben@example.com", "cy@example.com"][at % 3];
            let change = match at {
                0 => json!({ "extendedProperties": { "shared": { "a": "1" } } }),
                3 => json!({ "extendedProperties": { "shared": { "b": "1" } } }),
                1 | 2 => json!({ "extendedProperties": { "private": { "c": "1" } } }),
                _ => {
                    json!({ "attendeesOmitted": true, "attendees": [{ "email": email, "responseStatus": "accepted" }] })
                }
            };
            who.patch("/lunch", change).await.ok().clone()
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    let event = desk.event("lunch").await;
    assert_eq!(event["extendedProperties"]["shared"], json!({ "a": "1", "b": "1" }));
    assert!(
        event["attendees"].as_array().unwrap().iter().all(|guest| guest["responseStatus"] == "accepted"),
        "{event}"
    );
    assert_eq!(desk.ben().event("lunch").await["extendedProperties"]["private"], json!({ "c": "1" }));
}

/// Point 10: of two requests that use an identifier at the same time, one succeeds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn point_10_an_id_is_taken_once() {
    let desk = TestService::open().await;
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let desk = desk.clone();
            tokio::spawn(async move { desk.post("", with(hour(2, 9, "Lunch"), json!({ "id": "lunch" }))).await.status })
        })
        .collect();
    let mut made = 0;
    for task in tasks {
        let status = task.await.unwrap().as_u16();
        assert!(matches!(status, 200 | 409), "{status}");
        made += u32::from(status == 200);
    }
    assert_eq!(made, 1);
}

/// Point 32: absurd rules are expanded only as far as requested.
#[tokio::test]
async fn point_32_absurd_rules_do_not_stop_the_server() {
    let desk = TestService::open().await;
    for (id, rule) in [
        ("aaaaa", "RRULE:FREQ=SECONDLY"),
        ("bbbbb", "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"),
        ("ccccc", "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"),
        ("ddddd", "RRULE:FREQ=MINUTELY;INTERVAL=100000000"),
        ("eeeee", "RRULE:FREQ=YEARLY;UNTIL=99991231T235959Z"),
    ] {
        desk.insert(series(id, "2026-03-02T09:00:00", "2026-03-02T10:00:00", &[rule])).await;
    }
    let page = desk.get("?singleEvents=true&maxResults=20").await.ok().clone();
    assert_eq!(page["items"].as_array().unwrap().len(), 20);
    let far = "?singleEvents=true&timeMin=2999-03-02T00:00:00Z&timeMax=2999-03-03T00:00:00Z&maxResults=3";
    assert_eq!(desk.get(far).await.ok()["items"].as_array().unwrap().len(), 3);
    let token = desk.get("").await.ok()["nextSyncToken"].as_str().unwrap().to_owned();
    desk.patch("/bbbbb", json!({ "summary": "x" })).await.ok();
    assert_eq!(desk.ids(&format!("syncToken={token}")).await, ["bbbbb"]);
    assert_eq!(desk.delete("/aaaaa").await.status, 204);
    desk.get("/aaaaa/instances?showDeleted=true&maxResults=3").await.ok();
}

/// Both imports of a file find none of its events on the calendar, before either has stored anything.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_file_imports_store_each_event_once() {
    let desk = TestService::open().await;
    let events: Vec<String> =
        (0..300).map(|number| MEETING.replace("UID:meeting", &format!("UID:m{number}"))).collect();
    let file = file(&events.iter().map(String::as_str).collect::<Vec<_>>());
    let import_once =
        async |desk: TestService, file: String| tokio::spawn(async move { import(&desk, &file).await }).await.unwrap();
    let (one, other) = tokio::join!(import_once(desk.clone(), file.clone()), import_once(desk.clone(), file));
    assert_eq!((one.stored + other.stored, one.known + other.known), (300, 300), "{one:?} {other:?}");
    let mut uids: Vec<String> =
        desk.list("maxResults=2500").await.0.iter().map(|event| event["iCalUID"].to_string()).collect();
    uids.sort();
    uids.dedup();
    assert_eq!((uids.len(), desk.ids("maxResults=2500").await.len()), (300, 300));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn point_51_concurrent_imports_store_an_event_once() {
    let desk = TestService::open().await;
    let imported = with(hour(2, 9, "Lunch"), json!({ "iCalUID": "lunch@example.com" }));
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let (desk, imported) = (desk.clone(), imported.clone());
            tokio::spawn(async move { desk.post("/import", imported).await.ok()["id"].clone() })
        })
        .collect();
    let mut names = Vec::new();
    for task in tasks {
        names.push(task.await.unwrap());
    }
    assert!(names.iter().all(|id| *id == names[0]), "{names:?}");
    assert_eq!(desk.ids("").await.len(), 1);
}

/// Rounds of a race of two requests; in some of them each of the two is stored between the other's reads and its write.
const ROUNDS: usize = 40;

/// Runs a change of a series and one of its second instance at the same time; returns all instances after both.
async fn race(desk: &TestService, round: usize, of_series: Value, of_instance: Value) -> Vec<Value> {
    let id = format!("round{round}");
    let of = series(&id, "2026-03-09T09:00:00", "2026-03-09T10:00:00", &["RRULE:FREQ=DAILY;COUNT=3"]);
    desk.insert(of).await;
    let (one, other) = (desk.clone(), desk.clone());
    let (series, instance) = (format!("/{id}"), format!("/{id}_20260310T080000Z"));
    let series = tokio::spawn(async move { one.patch(&series, of_series).await.status });
    let instance = tokio::spawn(async move { other.patch(&instance, of_instance).await.status });
    assert_eq!(series.await.unwrap(), 200);
    let status = instance.await.unwrap();
    assert!(status == 200 || status == 404, "{status}");
    desk.get(&format!("/{id}/instances")).await.ok()["items"].as_array().unwrap().clone()
}

/// An exception that is stored while its series changes is changed with it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_exception_has_the_visibility_and_the_guests_of_its_series() {
    let desk = TestService::open().await;
    for round in 0..ROUNDS {
        let change = json!({ "visibility": "private", "attendees": [{ "email": "ben@example.com" }] });
        for instance in race(&desk, round, change, json!({ "summary": "Moved" })).await {
            let guests = instance["attendees"].as_array().map_or(0, Vec::len);
            assert_eq!((&instance["visibility"], guests), (&json!("private"), 1), "round {round}: {instance}");
        }
    }
}

/// An instance that restricts its series is one of the series.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_exception_is_an_instance_of_its_series() {
    let desk = TestService::open().await;
    for round in 0..ROUNDS {
        let later = json!({ "recurrence": ["RRULE:FREQ=DAILY;INTERVAL=2;COUNT=3"] });
        let instances = race(&desk, round, later, json!({ "visibility": "private" })).await;
        let starts: Vec<_> =
            instances.iter().map(|one| one["originalStartTime"]["dateTime"].as_str().unwrap()).collect();
        let expected = ["2026-03-09T08:00:00Z", "2026-03-11T08:00:00Z", "2026-03-13T08:00:00Z"];
        assert_eq!(starts, expected, "round {round}");
    }
}
