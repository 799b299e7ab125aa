//! Measures lists of a calendar with 100,000 events, of which 10,000 recur.
//!
//! `cargo run --release -p wireform-calendar --example lists [EVENTS [FOLDER]]`: an existing store in the folder is
//! reused.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program for developers")]

use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use calendar_server::Principal;
use calendar_server::runtime::tokens::TokenSealer;
use calendar_server::runtime::{AuthError, AuthRequest, Authenticator, Credential};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;
use wireform_calendar::CalendarService;
use wireform_store::{Accounts as _, Clock, Millis, Sqlite, SqliteOptions, User};

struct SingleUser(User);

impl Authenticator for SingleUser {
    async fn authenticate(&self, _: Credential<'_>, _: &AuthRequest<'_>) -> Result<Principal, AuthError> {
        Ok(Principal::new(self.0.address.as_str()).with_all_scopes().with_data(self.0.clone()))
    }
}

// The same allocator as in the services.
#[global_allocator]
static ALLOCATOR: wireform_allocator::Allocator = wireform_allocator::Allocator;

/// Number of times that each list is read.
const ROUNDS: usize = 25;

/// Time of the service: 2026-03-01, noon.
const NOW: i64 = 1_772_366_400_000;

#[tokio::main]
async fn main() {
    let count: u32 = std::env::args().nth(1).map_or(100_000, |text| text.parse().unwrap());
    let temporary = tempfile::tempdir().unwrap();
    let folder = std::env::args().nth(2).map_or_else(|| temporary.path().to_owned(), Into::into);
    let is_filled = Sqlite::exists(&folder);
    let store = Sqlite::open(&folder, SqliteOptions::default()).unwrap();
    let clock = Clock::starting_at(Millis(NOW));
    let user = match is_filled {
        true => store.user("ana@example.com").await.unwrap(),
        false => store.add_user("ana@example.com", "Ana", clock.now()).await.unwrap(),
    };
    let service = CalendarService::new(store, TokenSealer::new([7; 32]), clock);
    let router = calendar_server::server(service).authenticator(SingleUser(user)).router();
    if !is_filled {
        fill(&router, count).await;
    }
    measure(&router).await;
}

async fn fill(router: &Router, count: u32) {
    let begun = Instant::now();
    let numbers: Vec<u32> = (0..count).collect();
    for some in numbers.chunks(64) {
        let store =
            |number: &u32| tokio::spawn(send(router.clone(), "POST", String::new(), Some(event(*number, count))));
        for task in some.iter().map(store).collect::<Vec<_>>() {
            task.await.unwrap();
        }
    }
    println!("{count} events are stored in {:?}", begun.elapsed());
}

async fn measure(router: &Router) {
    let token = sync_token(router).await;
    for number in 0..10 {
        send(
            router.clone(),
            "PATCH",
            format!("/{:08}", number * 10 + 1),
            Some(json!({ "summary": format!("{:?}", Instant::now()) })),
        )
        .await;
    }
    let week = "timeMin=2026-03-02T00:00:00Z&timeMax=2026-03-09T00:00:00Z";
    for (what, query) in [
        ("a week of instances", format!("?singleEvents=true&orderBy=startTime&maxResults=2500&{week}")),
        ("a week of instances, first page", format!("?singleEvents=true&orderBy=startTime&{week}")),
        ("a week of events", format!("?{week}")),
        ("10 changes", format!("?syncToken={token}")),
    ] {
        time(router, what, &query).await;
    }
}

async fn time(router: &Router, what: &str, query: &str) {
    let mut times = Vec::new();
    let mut items = 0;
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        let body = bytes(router.clone(), "GET", query.to_owned(), None).await;
        times.push(begun.elapsed());
        items = serde_json::from_slice::<Value>(&body).unwrap()["items"].as_array().map_or(0, Vec::len);
    }
    times.sort_unstable();
    println!(
        "{what}: {items} items, median {:?}, first to last {:?} to {:?}",
        times[ROUNDS / 2],
        times[0],
        times[ROUNDS - 1]
    );
}

async fn sync_token(router: &Router) -> String {
    let mut token = String::new();
    let begun = Instant::now();
    loop {
        let page = send(router.clone(), "GET", format!("?maxResults=2500{token}"), None).await;
        if let Some(sync) = page["nextSyncToken"].as_str() {
            println!("everything is read in {:?}", begun.elapsed());
            return sync.to_owned();
        }
        token = format!("&pageToken={}", page["nextPageToken"].as_str().unwrap());
    }
}

async fn send(router: Router, method: &str, path: String, body: Option<Value>) -> Value {
    serde_json::from_slice(&bytes(router, method, path, body).await).unwrap_or(Value::Null)
}

async fn bytes(router: Router, method: &str, path: String, body: Option<Value>) -> Vec<u8> {
    let path = format!("/calendar/v3/calendars/primary/events{path}");
    let request = Request::builder().method(method).uri(path).header(header::AUTHORIZATION, "Bearer x");
    let request = request.header(header::CONTENT_TYPE, "application/json");
    let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
    let response = router.oneshot(request.body(body).unwrap()).await.unwrap();
    assert!(response.status().is_success(), "{}", response.status());
    response.into_body().collect().await.unwrap().to_bytes().to_vec()
}

/// Returns an event. One in ten recurs: most of them each year or month, some each week, some with an end.
fn event(number: u32, count: u32) -> Value {
    // Evenly distributed over ten years.
    let start = 1_609_459_200 + i64::from(number) * (10 * 365 * 86_400 / i64::from(count));
    let time = |second: i64| {
        let instant = wireform_recurrence::jiff::Timestamp::from_second(second).unwrap();
        json!({ "dateTime": instant.to_string(), "timeZone": "Europe/Berlin" })
    };
    let mut event = json!({
        "id": format!("{number:08}"), "summary": format!("Event {number}"), "location": "Somewhere",
        "description": "What it is about, in a sentence or two that people write to each other.",
        "start": time(start), "end": time(start + 3_600),
    });
    if number.is_multiple_of(10) {
        event["recurrence"] = match number / 10 % 20 {
            0..=9 => json!(["RRULE:FREQ=YEARLY"]),
            10..=13 => json!(["RRULE:FREQ=MONTHLY;BYDAY=2TU"]),
            14..=18 => json!(["RRULE:FREQ=WEEKLY;COUNT=20"]),
            _ => json!(["RRULE:FREQ=WEEKLY;UNTIL=20400101T000000Z"]),
        };
    }
    event
}
