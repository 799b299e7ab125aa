//! Memory of lists of large events.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response, header};
use calendar_server::runtime::MemoryBudget;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::desk::TestService;

/// Size of each event: a page has room for about five of them, and a batch of the store for two.
const SIZE: usize = 400 << 10;

/// Inserts a large event, perhaps a series; returns its identifier.
async fn insert(desk: &TestService, day: u32, lines: &[&str]) -> String {
    let event = json!({
        "summary": "large",
        "attendees": [{ "email": "guest@elsewhere.example", "comment": "x".repeat(SIZE) }],
        "start": { "dateTime": format!("2026-03-{day:02}T09:00:00Z"), "timeZone": "UTC" },
        "end": { "dateTime": format!("2026-03-{day:02}T10:00:00Z"), "timeZone": "UTC" },
        "recurrence": lines,
    });
    desk.insert(event).await["id"].as_str().unwrap().to_owned()
}

/// Reads all pages of a list, and checks their sizes. Returns the identifiers.
async fn read_all(desk: &TestService, path: &str) -> Vec<String> {
    let (mut ids, mut token) = (Vec::new(), String::new());
    loop {
        let page = desk.get(&format!("{path}{token}")).await.ok().clone();
        let items: Vec<Value> = page["items"].as_array().cloned().unwrap_or_default();
        let size = page.to_string().len();
        assert!(size < 3 << 20, "a page of {path} has {size} bytes");
        ids.extend(items.iter().map(|item| item["id"].as_str().unwrap().to_owned()));
        match page["nextPageToken"].as_str() {
            Some(next) => token = format!("&pageToken={next}"),
            None => return ids,
        }
        assert!(!items.is_empty() && ids.len() < 1_000, "{path} does not end");
    }
}

#[tokio::test]
async fn pages_of_large_events_end_by_size_and_are_complete() {
    let desk = TestService::open().await;
    let synced = desk.list("singleEvents=true").await.1["nextSyncToken"].as_str().unwrap().to_owned();
    let mut all = BTreeSet::new();
    // Several begin in the same second, and some are instances and exceptions of series.
    for day in [3, 3, 3, 3, 3, 3, 3, 4, 5] {
        all.insert(insert(&desk, day, &[]).await);
    }
    let series = insert(&desk, 2, &["RRULE:FREQ=DAILY;COUNT=12"]).await;
    let instances: Vec<String> = (2..14).map(|day| format!("{series}_202603{day:02}T090000Z")).collect();
    for id in &instances[3..10] {
        desk.patch(&format!("/{id}"), json!({ "summary": "changed" })).await.ok();
    }
    let singles: BTreeSet<String> = all.iter().chain(&instances).cloned().collect();
    all.insert(series.clone());
    all.extend(instances[3..10].iter().cloned());

    let path = format!("/{series}/instances?maxResults=2500");
    assert_eq!(read_all(&desk, &path).await, instances);
    let path = format!("/{series}/instances?maxResults=2");
    assert_eq!(read_all(&desk, &path).await, instances);
    for query in ["", "&timeMin=2026-03-01T00:00:00Z", "&orderBy=updated"] {
        let found = read_all(&desk, &format!("?maxResults=2500{query}")).await;
        assert_eq!(found.iter().cloned().collect::<BTreeSet<_>>(), all, "{query}");
        assert_eq!(found.len(), all.len(), "{query}");
    }
    for query in ["", "&orderBy=startTime", "&orderBy=updated", "&q=nowhere", &format!("&syncToken={synced}")] {
        let found = read_all(&desk, &format!("?maxResults=2500&singleEvents=true{query}")).await;
        let found: BTreeSet<String> = found.into_iter().collect();
        let expected = if query.contains("q=") { BTreeSet::new() } else { singles.clone() };
        assert_eq!(found, expected, "{query}");
    }
}

/// Sends a request for a list, and returns the response unread.
async fn unread(desk: &TestService, query: &str) -> Response<Body> {
    let path = format!("/calendar/v3/calendars/primary/events{query}");
    let request = Request::builder().uri(path).header(header::AUTHORIZATION, format!("Bearer {}", desk.token));
    desk.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
}

#[tokio::test]
async fn unread_lists_stay_within_the_budget() {
    const BUDGET: u64 = 52 << 20;
    let desk = TestService::open().await;
    let series = insert(&desk, 2, &["RRULE:FREQ=DAILY;COUNT=12"]).await;
    for day in 3..15 {
        insert(&desk, day, &[]).await;
    }
    desk.ben()
        .insert(json!({
            "summary": "small",
            "start": { "date": "2026-03-02" },
            "end": { "date": "2026-03-03" },
        }))
        .await;
    for query in
        ["", "?singleEvents=true", "?orderBy=updated&updatedMin=2026-01-01T00:00:00Z", &format!("/{series}/instances")]
    {
        let budget = MemoryBudget::new(BUDGET).with_caller_bytes(38 << 20).with_wait(Duration::ZERO);
        let desk = desk.with_budget(budget.clone());
        let mut held = Vec::new();
        let refused = loop {
            let response = unread(&desk, query).await;
            match response.status().as_u16() {
                200 => held.push(response),
                _ => break response,
            }
            if held.len() == 1 {
                // What is held is the text; it was more while the text was made.
                assert!(budget.peak() > 4 * budget.held(), "{query}");
            }
            assert!(held.len() < 40, "{query}");
        };
        assert_eq!(refused.status().as_u16(), 503, "{query}");
        assert!(refused.headers().contains_key(header::RETRY_AFTER));
        let texts = held.len() as u64 * (2 << 20);
        assert!(held.len() > 5 && budget.held() > texts, "{} for {} of {query}", budget.held(), held.len());
        assert!(budget.peak() <= 38 << 20, "{} {query}", budget.peak());
        // Another user is served.
        assert_eq!(desk.ben().get("").await.ok()["items"].as_array().unwrap().len(), 1);
        let mut read = 0;
        for response in held {
            read += response.into_body().collect().await.unwrap().to_bytes().len() as u64;
        }
        assert!(read > texts);
        assert_eq!(budget.held(), 0, "{query}");
        desk.get(query).await.ok();
    }
}

/// Inserts a small series of which `count` instances are large exceptions; returns its identifier.
async fn insert_with_exceptions(desk: &TestService, count: u32) -> String {
    let series = json!({
        "summary": "small",
        "start": { "dateTime": "2026-04-01T09:00:00Z", "timeZone": "UTC" },
        "end": { "dateTime": "2026-04-01T10:00:00Z", "timeZone": "UTC" },
        "recurrence": ["RRULE:FREQ=DAILY;COUNT=40"],
    });
    let id = desk.insert(series).await["id"].as_str().unwrap().to_owned();
    for day in 0..count {
        let (month, day) = (4 + day / 30, 1 + day % 30);
        let large = json!({ "attendees": [{ "email": "guest@elsewhere.example", "comment": "x".repeat(SIZE) }] });
        desk.patch(&format!("/{id}_2026{month:02}{day:02}T090000Z"), large).await.ok();
    }
    id
}

#[tokio::test]
async fn changes_of_large_events_wait_for_memory() {
    let desk = TestService::open().await;
    let large = insert(&desk, 2, &[]).await;
    let series = insert_with_exceptions(&desk, 3).await;
    let budget = MemoryBudget::new(52 << 20).with_caller_bytes(38 << 20).with_wait(Duration::ZERO);
    let desk = desk.with_budget(budget.clone());
    let summary = || json!({ "summary": "changed" });
    let guests = |name: &str| json!({ "attendees": [{ "email": format!("{name}@elsewhere.example") }] });
    let mut held = Vec::new();
    loop {
        let response = unread(&desk, &format!("/{large}")).await;
        if response.status() != 200 {
            break;
        }
        held.push(response);
        assert!(held.len() < 100);
    }
    for (method, id, body) in [
        ("PATCH", &large, Some(summary())),
        ("GET", &large, None),
        ("PATCH", &series, Some(guests("dan"))),
        ("DELETE", &series, None),
    ] {
        let refused = desk.send(method, &format!("/{id}"), body, &[]).await;
        assert_eq!(refused.status.as_u16(), 503, "{method} {id}");
        assert!(refused.headers.contains_key(header::RETRY_AFTER));
    }
    // The calendars of guests are searched for absences.
    let day = json!({ "date": "2026-03-02" });
    let invited =
        json!({ "start": day, "end": { "date": "2026-03-03" }, "attendees": [{ "email": "ben@example.com" }] });
    let refused = desk.send("POST", "", Some(invited.clone()), &[]).await;
    assert_eq!(refused.status.as_u16(), 503);
    // The exceptions are not read for this, and others have memory.
    desk.patch(&format!("/{series}"), summary()).await.ok();
    desk.ben().insert(json!({ "start": { "date": "2026-03-02" }, "end": { "date": "2026-03-03" } })).await;
    drop(held);
    assert_eq!(budget.held(), 0);
    desk.insert(invited).await;
    for (id, body) in [(&large, summary()), (&series, guests("eve"))] {
        desk.patch(&format!("/{id}"), body).await.ok();
    }
    assert_eq!(budget.held(), 0);
    assert!(budget.peak() <= 38 << 20);
}

#[tokio::test]
async fn exceptions_that_are_too_large_stay_as_they_are() {
    let desk = TestService::open().await;
    let series = insert_with_exceptions(&desk, 32).await;
    let guests = json!({ "attendees": [{ "email": "dan@elsewhere.example" }] });
    for (method, body) in [("PATCH", Some(guests.clone())), ("DELETE", None)] {
        let refused = desk.send(method, &format!("/{series}"), body, &[]).await;
        assert_eq!(refused.status.as_u16(), 400, "{method}");
        assert_eq!(refused.body["error"]["errors"][0]["reason"], "exceptionsTooLarge");
    }
    desk.patch(&format!("/{series}"), json!({ "summary": "changed" })).await.ok();
    for day in 1..=4 {
        desk.patch(&format!("/{series}_202604{day:02}T090000Z"), guests.clone()).await.ok();
    }
    desk.patch(&format!("/{series}"), guests).await.ok();
    let changed = desk.get(&format!("/{series}_20260430T090000Z")).await.ok().clone();
    assert_eq!(changed["attendees"].as_array().unwrap().len(), 2);
}
