//! Tests of the history, as a client sees it that keeps a copy.

use std::collections::{BTreeMap, BTreeSet};

use dice::Dice;
use serde_json::{Value, json};
use wireform_store::Maintenance as _;

use crate::desk::{TestService, ids, plain, texts};

#[tokio::test]
async fn a_record_lists_messages_and_changes_by_kind() {
    let desk = TestService::open().await;
    let start = desk.history_id().await;
    let id = desk.insert(&plain("a"), &["INBOX"]).await;
    let change = json!({ "addLabelIds": ["STARRED"], "removeLabelIds": ["INBOX"] });
    desk.post(&format!("/users/me/messages/{id}/modify"), change).await.ok();
    desk.delete(&format!("/users/me/messages/{id}")).await;
    for base in ["/mail/v1", "/gmail/v1"] {
        let path = format!("{}/users/me/history?startHistoryId={start}", if base == "/gmail/v1" { base } else { "" });
        let response = desk.get(&path).await;
        let page = response.ok();
        let message = json!({ "id": id, "threadId": id });
        let records = page["history"].as_array().unwrap();
        assert_eq!(records.len(), 3);
        assert!(records.iter().all(|record| record["messages"] == json!([message])));
        assert_eq!(records[0]["messagesAdded"], json!([{ "message": message }]));
        assert_eq!(records[1]["labelsAdded"], json!([{ "message": message, "labelIds": ["STARRED"] }]));
        assert_eq!(records[1]["labelsRemoved"], json!([{ "message": message, "labelIds": ["INBOX"] }]));
        assert_eq!(records[2]["messagesDeleted"], json!([{ "message": message }]));
        let members: Vec<_> = records[1].as_object().unwrap().keys().cloned().collect();
        assert_eq!(members, ["id", "labelsAdded", "labelsRemoved", "messages"]);
        assert!(page.get("nextPageToken").is_none());
        assert_eq!(page["historyId"], records[2]["id"]);
    }
}

#[tokio::test]
async fn kinds_and_labels_are_chosen() {
    let desk = TestService::open().await;
    let start = desk.history_id().await;
    let one = desk.insert(&plain("a"), &["INBOX"]).await;
    let two = desk.insert(&plain("b"), &["SENT"]).await;
    desk.post_empty(&format!("/users/me/messages/{one}/trash")).await.ok();
    let listed = async |query: &str| {
        let response = desk.get(&format!("/users/me/history?startHistoryId={start}&{query}")).await;
        response.ok()["history"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|record| ids(&record["messages"])[0].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(listed("historyTypes=messageAdded").await, [one.clone(), two.clone()]);
    assert_eq!(listed("historyTypes=labelAdded&historyTypes=labelRemoved").await, [one.clone()]);
    assert_eq!(listed("labelId=SENT").await, [two]);
    assert_eq!(listed("labelId=TRASH").await, [one.clone()]);
    assert_eq!(listed("labelId=INBOX").await, [one.clone(), one]);
    assert!(listed("historyTypes=messageDeleted").await.is_empty());
    // A removed label of the user is still part of the history; one that never existed is refused.
    let gone = desk.label("Gone").await;
    desk.delete(&format!("/users/me/labels/{gone}")).await;
    assert!(listed(&format!("labelId={gone}")).await.is_empty());
    for label in ["odd", "inbox", "Label_0", "Label_77"] {
        let response = desk.get(&format!("/users/me/history?startHistoryId={start}&labelId={label}")).await;
        response.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", &format!("Invalid label: {label}"));
        response.assert_location("labelId");
    }
}

#[tokio::test]
async fn tokens_of_pages_hold_for_their_request() {
    let desk = TestService::open().await;
    let start = desk.history_id().await;
    for number in 0..3 {
        desk.insert(&plain(&number.to_string()), &["INBOX"]).await;
    }
    let path = format!("/users/me/history?startHistoryId={start}");
    let token = desk.get(&format!("{path}&maxResults=1")).await.ok()["nextPageToken"].as_str().unwrap().to_owned();
    let response = desk.get(&format!("{path}&maxResults=2&pageToken={token}")).await;
    assert_eq!(response.ok()["history"].as_array().unwrap().len(), 2);
    assert!(response.ok().get("nextPageToken").is_none());
    let current = desk.history_id().await;
    for query in [
        format!("startHistoryId={start}&pageToken=odd"),
        format!("startHistoryId={current}&pageToken={token}"),
        format!("startHistoryId={start}&labelId=INBOX&pageToken={token}"),
    ] {
        let response = desk.get(&format!("/users/me/history?{query}")).await;
        response.assert_error(400, "INVALID_ARGUMENT", "invalid", "page");
        response.assert_location("pageToken");
    }
    let other = desk.with_token("ben/mail").get(&format!("{path}&pageToken={token}")).await;
    assert_eq!(other.status, 400);
    for size in ["0", "x", "-1"] {
        let response = desk.get(&format!("{path}&maxResults={size}")).await;
        assert_eq!(response.status, 400);
        response.assert_location("maxResults");
    }
    desk.get(&format!("{path}&maxResults=100000")).await.ok();
}

/// Simulates, for clients, a store that was restored from a backup.
#[tokio::test]
async fn tokens_from_before_a_restore_are_refused() {
    let desk = TestService::open().await;
    let start = desk.history_id().await;
    let label = desk.label("Work").await;
    for number in 0..3 {
        desk.insert(&plain(&number.to_string()), &["INBOX", &label]).await;
    }
    let begun = desk.history_id().await;
    let token = async |path: &str| desk.get(path).await.ok()["nextPageToken"].as_str().unwrap().to_owned();
    let history = format!("/users/me/history?startHistoryId={start}&maxResults=1");
    let history = format!("{history}&pageToken={}", token(&history).await);
    let mut lists = Vec::new();
    for query in ["", "&q=label:work", "&q=text"] {
        let list = format!("/users/me/messages?maxResults=1{query}");
        lists.push(format!("{list}&pageToken={}", token(&list).await));
    }
    desk.get(&history).await.ok();
    desk.store.begin_epoch().await.unwrap();
    for start in [&start, &begun] {
        let response = desk.get(&format!("/users/me/history?startHistoryId={start}")).await;
        response.assert_error(404, "NOT_FOUND", "notFound", start);
        response.assert_location("startHistoryId");
    }
    let response = desk.get(&history).await;
    response.assert_error(404, "NOT_FOUND", "notFound", "restore");
    response.assert_location("startHistoryId");
    let expire = async || {
        for list in &lists {
            let response = desk.get(list).await;
            assert_eq!(response.status, 410, "{list}: {}", response.body);
            assert_eq!(response.body["error"]["errors"][0]["reason"], "pageTokenExpired");
            response.assert_location("pageToken");
        }
    };
    expire().await;
    // A search that matches nothing is not the end of a list that was begun earlier.
    desk.delete(&format!("/users/me/labels/{label}")).await;
    expire().await;
    let now = desk.history_id().await;
    desk.get(&format!("/users/me/history?startHistoryId={now}")).await.ok();
}

/// Copy of a mailbox that is kept up to date by its history alone.
#[derive(Default)]
struct Copy {
    at: String,
    messages: BTreeMap<String, BTreeSet<String>>,
}

impl Copy {
    /// Creates a copy by a full sync.
    async fn of(desk: &TestService) -> Self {
        let at = desk.history_id().await;
        Self { at, messages: read_all(desk).await }
    }

    /// Reads the changes, in pages of the given size; calls `between` between two pages.
    async fn follow(&mut self, desk: &TestService, size: usize, mut between: impl AsyncFnMut()) {
        let mut token = String::new();
        loop {
            let path = format!("/users/me/history?startHistoryId={}&maxResults={size}{token}", self.at);
            let response = desk.get(&path).await;
            let page = response.ok();
            for record in page["history"].as_array().into_iter().flatten() {
                self.apply(record);
            }
            match page.get("nextPageToken") {
                Some(next) => token = format!("&pageToken={}", next.as_str().unwrap()),
                None => {
                    self.at = page["historyId"].as_str().unwrap().to_owned();
                    return;
                }
            }
            between().await;
        }
    }

    fn apply(&mut self, record: &Value) {
        let each = |name: &str| record[name].as_array().cloned().unwrap_or_default();
        for added in each("messagesAdded") {
            self.messages.entry(added["message"]["id"].as_str().unwrap().to_owned()).or_default();
        }
        for given in each("labelsAdded") {
            let labels = self.messages.entry(given["message"]["id"].as_str().unwrap().to_owned()).or_default();
            labels.extend(texts(&given["labelIds"]));
        }
        for taken in each("labelsRemoved") {
            let labels = self.messages.entry(taken["message"]["id"].as_str().unwrap().to_owned()).or_default();
            texts(&taken["labelIds"]).iter().for_each(|label| {
                labels.remove(label);
            });
        }
        for deleted in each("messagesDeleted") {
            self.messages.remove(deleted["message"]["id"].as_str().unwrap());
        }
    }
}

async fn read_all(desk: &TestService) -> BTreeMap<String, BTreeSet<String>> {
    let mut all = BTreeMap::new();
    for id in ids(&desk.get("/users/me/messages?includeSpamTrash=true&maxResults=500").await.ok()["messages"]) {
        let labels = desk.labels_of(&id).await;
        all.insert(id, labels.into_iter().collect());
    }
    all
}

/// Makes a random change of the mailbox.
async fn make_random_change(desk: &TestService, dice: &mut Dice) {
    const LABELS: [&str; 4] = ["INBOX", "UNREAD", "STARRED", "TRASH"];
    let known = ids(&desk.get("/users/me/messages?includeSpamTrash=true&maxResults=500").await.ok()["messages"]);
    let label = LABELS[dice.below(LABELS.len())];
    if known.is_empty() || dice.below(3) == 0 {
        desk.insert(&plain("x"), &[]).await;
        return;
    }
    let id = &known[dice.below(known.len())];
    let message = format!("/users/me/messages/{id}");
    match dice.below(6) {
        0 => desk.delete(&message).await,
        1 => desk.post_empty(&format!("{message}/trash")).await,
        2 => desk.post_empty(&format!("{message}/untrash")).await,
        3 => desk.post(&format!("{message}/modify"), json!({ "removeLabelIds": [label] })).await,
        4 => desk.post("/users/me/messages/batchModify", json!({ "ids": known, "addLabelIds": [label] })).await,
        _ => desk.post(&format!("{message}/modify"), json!({ "addLabelIds": [label] })).await,
    };
}

/// Messages are inserted without labels here: a record of a new message does not contain its labels.
#[tokio::test]
async fn copies_that_follow_the_history_are_as_the_mailbox_is() {
    let desk = TestService::open().await;
    for seed in 1..=4 {
        let mut dice = Dice(seed);
        let mut copies = [Copy::of(&desk).await, Copy::of(&desk).await];
        for _ in 0..6 {
            for _ in 0..dice.below(12) {
                make_random_change(&desk, &mut dice).await;
            }
            for copy in &mut copies {
                let size = 1 + dice.below(4);
                let mut left = 3;
                // A change between two pages is on a later page.
                copy.follow(&desk, size, async || {
                    if left > 0 {
                        left -= 1;
                        make_random_change(&desk, &mut dice).await;
                    }
                })
                .await;
            }
            for copy in &mut copies {
                copy.follow(&desk, 500, async || {}).await;
                assert_eq!(copy.messages, read_all(&desk).await, "seed {seed}");
            }
        }
    }
}

mod dice {
    /// Generator of random numbers that are the same in each run.
    pub struct Dice(pub u64);

    impl Dice {
        pub fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % end
        }
    }
}
