//! Tests of incremental syncs.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::desk::{TestService, hour, series, with};

/// Client that keeps what it has read.
pub(crate) struct Client {
    pub(crate) query: &'static str,
    pub(crate) held: BTreeMap<String, Value>,
    pub(crate) token: String,
}

impl Client {
    pub(crate) async fn new(desk: &TestService, query: &'static str) -> Self {
        let mut client = Self { query, held: BTreeMap::new(), token: String::new() };
        client.read(desk, query).await;
        client
    }

    pub(crate) async fn sync(&mut self, desk: &TestService) -> Vec<Value> {
        let query = format!("{}&syncToken={}", self.query, self.token);
        self.read(desk, &query).await
    }

    async fn read(&mut self, desk: &TestService, query: &str) -> Vec<Value> {
        let (items, last) = desk.list(query).await;
        for item in &items {
            let id = item["id"].as_str().unwrap().to_owned();
            // A client that expands series itself keeps cancelled exceptions.
            let kept = item.get("recurringEventId").is_some() && !self.query.contains("singleEvents");
            if item["status"] == "cancelled" && !kept {
                self.held.remove(&id);
            } else {
                self.held.insert(id, item.clone());
            }
        }
        self.token = last["nextSyncToken"].as_str().unwrap().to_owned();
        items
    }
}

/// Returns the parts of an event that are compared: of a cancelled one, only its identifier.
pub(crate) fn compared(event: &Value) -> Value {
    if event["status"] == "cancelled" {
        return json!([event["id"], event["recurringEventId"], event["originalStartTime"]]);
    }
    event.clone()
}

#[tokio::test]
async fn point_44_a_sync_lists_changes_and_stubs_of_deleted_events() {
    let desk = TestService::open().await;
    for (id, day) in [("aaaaa", 2), ("bbbbb", 3), ("ccccc", 4)] {
        desk.insert(with(hour(day, 9, id), json!({ "id": id }))).await;
    }
    let mut client = Client::new(&desk, "maxResults=2").await;
    assert_eq!(client.held.len(), 3);
    assert!(client.sync(&desk).await.is_empty());
    desk.patch("/ccccc", json!({ "summary": "Changed" })).await.ok();
    desk.delete("/aaaaa").await;
    desk.insert(with(hour(5, 9, "new"), json!({ "id": "ddddd" }))).await;
    let items = client.sync(&desk).await;
    assert_eq!(crate::desk::ids(&items), ["ccccc", "aaaaa", "ddddd"]);
    let mut keys: Vec<&str> = items[1].as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["etag", "id", "kind", "status"]);
    // Details are included if the request asks for deleted events.
    let mut details = Client::new(&desk, "showDeleted=true").await;
    desk.delete("/bbbbb").await;
    assert_eq!(details.sync(&desk).await[0]["summary"], "bbbbb");
}

#[tokio::test]
async fn point_44_a_change_between_pages_is_in_this_sync_or_the_next() {
    let desk = TestService::open().await;
    for id in ["aaaaa", "bbbbb", "ccccc"] {
        desk.insert(with(hour(2, 9, id), json!({ "id": id }))).await;
    }
    let first = desk.get("?maxResults=2").await.ok().clone();
    desk.patch("/aaaaa", json!({ "summary": "Changed" })).await.ok();
    let token = first["nextPageToken"].as_str().unwrap();
    let last = desk.get(&format!("?maxResults=2&pageToken={token}")).await.ok().clone();
    let token = last["nextSyncToken"].as_str().unwrap();
    assert_eq!(desk.ids(&format!("syncToken={token}")).await, ["aaaaa"]);
}

#[tokio::test]
async fn point_45_a_list_that_cannot_be_synchronized_gives_no_token() {
    let desk = TestService::open().await;
    for query in [
        "timeMin=2026-03-02T00:00:00Z",
        "q=x",
        "orderBy=updated",
        "iCalUID=x",
        "updatedMin=2026-03-02T00:00:00Z",
        "privateExtendedProperty=a%3Db",
    ] {
        let page = desk.get(&format!("?{query}")).await.ok().clone();
        assert!(page.get("nextSyncToken").is_none(), "{query}");
    }
    let token = desk.get("?showDeleted=false").await.ok()["nextSyncToken"].as_str().unwrap().to_owned();
    desk.get(&format!("?syncToken={token}")).await.ok();
    for other in ["q=x", "timeMin=2026-03-02T00:00:00Z", "showDeleted=false"] {
        assert_eq!(desk.get(&format!("?syncToken={token}&{other}")).await.status, 400, "{other}");
    }
}

#[tokio::test]
async fn point_44_a_token_that_is_not_valid_is_gone() {
    let desk = TestService::open().await;
    desk.insert(with(hour(2, 9, "a"), json!({ "id": "aaaaa" }))).await;
    let token = desk.get("").await.ok()["nextSyncToken"].as_str().unwrap().to_owned();
    for (desk, token) in [(&desk, "forged"), (&desk.ben(), &token)] {
        let response = desk.get(&format!("?syncToken={token}")).await;
        response.assert_error(410, "fullSyncRequired");
        response.assert_location("syncToken");
    }
    // The deletion is no longer recorded.
    desk.delete("/aaaaa").await;
    let far = wireform_store::Millis(crate::desk::NOW + 40 * 86_400_000);
    wireform_store::Maintenance::clean_up(&desk.store, far).await.unwrap();
    desk.get(&format!("?syncToken={token}")).await.assert_error(410, "fullSyncRequired");
    // The store was restored from a backup.
    let token = desk.get("").await.ok()["nextSyncToken"].as_str().unwrap().to_owned();
    wireform_store::Maintenance::begin_epoch(&desk.store).await.unwrap();
    desk.get(&format!("?syncToken={token}")).await.assert_error(410, "fullSyncRequired");
}

#[tokio::test]
async fn point_46_everything_that_a_user_sees_is_synchronized() {
    let desk = TestService::open().await;
    let guests = json!({ "id": "aaaaa", "attendees": [{ "email": "ben@example.com" }] });
    desk.insert(with(hour(2, 9, "a"), guests)).await;
    let ben = desk.ben();
    let (mut ana, mut other) = (Client::new(&desk, "").await, Client::new(&ben, "").await);
    let response = json!({ "attendees": [{ "email": "ben@example.com", "responseStatus": "accepted" }] });
    for (who, change, both) in [
        (&ben, response, true),
        (&ben, json!({ "reminders": { "useDefault": false } }), false),
        (&ben, json!({ "extendedProperties": { "private": { "a": "b" } } }), false),
        (&desk, json!({ "summary": "b" }), true),
    ] {
        who.patch("/aaaaa", change.clone()).await.ok();
        assert_eq!(other.sync(&ben).await.len(), 1, "{change}");
        assert_eq!(ana.sync(&desk).await.len(), usize::from(both), "{change}");
    }
    desk.delete("/aaaaa").await;
    other.sync(&ben).await;
    assert!(other.held.is_empty());
}

#[tokio::test]
async fn point_24_a_change_of_a_series_lists_its_instances() {
    let desk = TestService::open().await;
    let mut client = Client::new(&desk, "singleEvents=true&maxResults=3").await;
    let rule = ["RRULE:FREQ=WEEKLY;COUNT=5"];
    desk.insert(series("seris", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &rule)).await;
    assert_eq!(client.sync(&desk).await.len(), 5);
    desk.patch("/seris", json!({ "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=2;BYDAY=TU"] })).await.ok();
    client.sync(&desk).await;
    let held: Vec<&String> = client.held.keys().collect();
    assert_eq!(held, ["seris_20260309T080000Z", "seris_20260310T080000Z"]);
    desk.patch("/seris", json!({ "recurrence": [] })).await.ok();
    client.sync(&desk).await;
    assert_eq!(client.held.keys().collect::<Vec<_>>(), ["seris"]);
    desk.patch("/seris", json!({ "recurrence": rule })).await.ok();
    client.sync(&desk).await;
    assert_eq!(client.held.len(), 5);
    desk.delete("/seris").await;
    client.sync(&desk).await;
    assert!(client.held.is_empty());
}

#[tokio::test]
async fn point_41_instances_that_come_within_the_horizon_are_synchronized() {
    let desk = TestService::open().await;
    let rule = ["RRULE:FREQ=WEEKLY"];
    desk.insert(series("seris", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &rule)).await;
    let mut client = Client::new(&desk, "singleEvents=true").await;
    assert!(client.sync(&desk).await.is_empty());
    desk.clock.advance(Duration::from_secs(31 * 24 * 60 * 60));
    assert_eq!(client.sync(&desk).await.len(), 4);
    let full = Client::new(&desk, "singleEvents=true").await;
    assert_eq!(client.held.keys().collect::<Vec<_>>(), full.held.keys().collect::<Vec<_>>());
}

/// Instances of a series beyond the horizon are listed only while the series has an end.
#[tokio::test]
async fn point_44_instances_beyond_the_horizon_go_with_the_end_of_their_series() {
    let desk = TestService::open().await;
    let until = ["RRULE:FREQ=YEARLY;UNTIL=20320101T000000Z"];
    desk.insert(series("seris", "2026-03-03T09:00:00", "2026-03-03T10:00:00", &until)).await;
    let mut client = Client::new(&desk, "singleEvents=true").await;
    assert_eq!(client.held.len(), 6);
    desk.patch("/seris", json!({ "recurrence": ["RRULE:FREQ=YEARLY"] })).await.ok();
    client.sync(&desk).await;
    let full = Client::new(&desk, "singleEvents=true").await;
    assert_eq!(client.held, full.held);
    assert_eq!(client.held.len(), 3);
}
