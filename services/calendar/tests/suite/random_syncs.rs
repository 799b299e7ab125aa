//! Tests that compare incremental syncs with full reads after random changes.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::desk::{TestResponse, TestService};
use crate::syncs::{Client, compared};

/// Generator of random numbers that are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.below(of.len() as u64)).unwrap()].clone()
    }
}

fn rules(numbers: &mut Numbers) -> Value {
    numbers.one(&[
        json!([]),
        json!(["RRULE:FREQ=DAILY;COUNT=4"]),
        json!(["RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=5"]),
        json!(["RRULE:FREQ=DAILY;INTERVAL=2;COUNT=6", "EXDATE:20260305T080000Z"]),
        json!(["RRULE:FREQ=MONTHLY"]),
        json!(["RRULE:FREQ=YEARLY;UNTIL=20320101T000000Z"]),
    ])
}

/// Makes a random change of events with a few identifiers, or of their instances.
async fn act(desk: &TestService, numbers: &mut Numbers) {
    let id = numbers.one(&["aaaaa", "bbbbb", "ccccc"]);
    let day = 2 + numbers.below(5);
    let time =
        |hour: u64| json!({ "dateTime": format!("2026-03-{day:02}T{hour:02}:00:00"), "timeZone": "Europe/Berlin" });
    let (start, end) = (time(9), time(10));
    let instance = async |numbers: &mut Numbers| {
        let (items, _) = desk.list("singleEvents=true&timeMax=2026-05-01T00:00:00Z&showDeleted=true").await;
        let ids = crate::desk::ids(&items);
        if ids.is_empty() { id.to_owned() } else { numbers.one(&ids) }
    };
    let response = match numbers.below(13) {
        0 | 1 => {
            let guests = numbers.one(&[json!([]), json!([{ "email": "ben@example.com" }])]);
            let event =
                json!({ "id": id, "start": start, "end": end, "recurrence": rules(numbers), "attendees": guests });
            desk.post("", event).await
        }
        2 => desk.patch(&format!("/{id}"), json!({ "start": start, "end": end })).await,
        3 => desk.patch(&format!("/{id}"), json!({ "recurrence": rules(numbers) })).await,
        4 => {
            let status = numbers.one(&["confirmed", "cancelled"]);
            desk.patch(&format!("/{id}"), json!({ "status": status })).await
        }
        choice @ 5..=10 => {
            let of = instance(numbers).await;
            change_instance(desk, numbers, choice, &of, (start, end)).await
        }
        11 => desk.ben().delete(&format!("/{id}")).await,
        _ => {
            let guests = numbers.one(&[json!([]), json!([{ "email": "ben@example.com" }])]);
            desk.patch(&format!("/{id}"), json!({ "attendees": guests })).await
        }
    };
    assert!(!response.status.is_server_error(), "{}", response.body);
}

/// Makes one of the changes of an instance.
async fn change_instance(
    desk: &TestService,
    numbers: &mut Numbers,
    choice: u64,
    of: &str,
    (start, end): (Value, Value),
) -> TestResponse {
    match choice {
        5 => desk.patch(&format!("/{of}"), json!({ "start": start, "end": end })).await,
        6 => desk.delete(&format!("/{of}")).await,
        7 => desk.patch(&format!("/{of}"), json!({ "status": "confirmed", "summary": "Again" })).await,
        8 => desk.ben().delete(&format!("/{of}")).await,
        9 => {
            let guests = numbers.one(&[json!([]), json!([{ "email": "ben@example.com" }])]);
            desk.patch(&format!("/{of}"), json!({ "attendees": guests, "guestsCanModify": numbers.below(2) == 0 }))
                .await
        }
        _ => {
            let status = numbers.one(&["confirmed", "cancelled", "tentative"]);
            desk.ben().patch(&format!("/{of}"), json!({ "status": status })).await
        }
    }
}

/// Removes dropped exceptions, which are not listed: a client that holds one holds the instance of the series instead.
async fn without_dropped(
    desk: &TestService,
    is: BTreeMap<String, Value>,
    should: &BTreeMap<String, Value>,
) -> BTreeMap<String, Value> {
    let mut held = BTreeMap::new();
    for (id, event) in is {
        let in_series = should.contains_key(id.split('_').next().unwrap());
        if in_series && id.contains('_') && !should.contains_key(&id) {
            let now = desk.get(&format!("/{id}")).await;
            let same = match event.is_array() {
                true => now.status == 404,
                false => compared(&now.body)["start"] == event["start"],
            };
            if same {
                continue;
            }
        }
        held.insert(id, event);
    }
    held
}

/// Asserts that a client that synchronizes holds the same as one that reads everything.
#[tokio::test]
async fn point_44_incremental_equals_full() {
    for seed in 0..12 {
        let desk = TestService::open().await;
        let mut numbers = Numbers(seed * 7_919 + 1);
        let ben = desk.ben();
        let mut clients = Vec::new();
        for who in [&desk, &ben] {
            for query in ["singleEvents=true&maxResults=3", "maxResults=2", "maxResults=50"] {
                clients.push((who, Client::new(who, query).await));
            }
        }
        for round in 0..12 {
            for _ in 0..=numbers.below(4) {
                act(&desk, &mut numbers).await;
            }
            for (who, client) in &mut clients {
                if numbers.below(3) == 0 {
                    continue;
                }
                client.sync(who).await;
                let full = Client::new(who, client.query).await;
                let seen = |held: &BTreeMap<String, Value>| {
                    held.iter().map(|(id, event)| (id.clone(), compared(event))).collect::<BTreeMap<_, _>>()
                };
                let (is, should) = (seen(&client.held), seen(&full.held));
                // Cancelled exceptions of a removed series are not listed, and mean nothing to clients that keep them.
                let of_nothing =
                    |event: &Value| event[1].is_string() && !should.contains_key(event[1].as_str().unwrap());
                let is: BTreeMap<_, _> = is.into_iter().filter(|(_, event)| !of_nothing(event)).collect();
                let should: BTreeMap<_, _> =
                    should.clone().into_iter().filter(|(_, event)| !of_nothing(event)).collect();
                let is = without_dropped(who, is, &should).await;
                let differ: Vec<_> =
                    is.keys().chain(should.keys()).filter(|id| is.get(*id) != should.get(*id)).collect();
                let (of, at) = (differ.first().map(|id| is.get(*id)), differ.first().map(|id| should.get(*id)));
                assert!(
                    differ.is_empty(),
                    "seed {seed}, round {round}, {}, {}: {differ:?}\n{of:#?}\n{at:#?}",
                    who.token,
                    client.query
                );
            }
        }
    }
}
