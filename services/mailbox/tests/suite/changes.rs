//! Tests of changing labels, of the trash, and of deleting messages.

use serde_json::{Value, json};

use crate::desk::{TestService, ids, plain};

fn change(add: &[&str], remove: &[&str]) -> Value {
    json!({ "addLabelIds": add, "removeLabelIds": remove })
}

fn path(id: &str, verb: &str) -> String {
    format!("/users/me/messages/{id}/{verb}")
}

#[tokio::test]
async fn modify_gives_and_takes() {
    let desk = TestService::open().await;
    let own = desk.label("Own").await;
    let id = desk.insert(&plain("a"), &["INBOX", "UNREAD"]).await;
    let response = desk.post(&path(&id, "modify"), change(&["STARRED", &own], &["UNREAD"])).await;
    assert_eq!(response.ok()["labelIds"], json!(["INBOX", "STARRED", own]));
    assert_eq!(desk.labels_of(&id).await, ["INBOX", "STARRED", &own]);
    // A change without effect is not recorded.
    let before = desk.history_id().await;
    desk.post(&path(&id, "modify"), change(&["STARRED"], &["SPAM"])).await.ok();
    assert_eq!(desk.history_id().await, before);
}

#[tokio::test]
async fn labels_that_cannot_be_given_are_named() {
    let desk = TestService::open().await;
    let id = desk.insert(&plain("a"), &["SENT"]).await;
    for label in ["SENT", "DRAFT", "CHAT", "Label_7", "Own", "inbox"] {
        for (body, place) in [(change(&[label], &[]), "addLabelIds"), (change(&[], &[label]), "removeLabelIds")] {
            let response = desk.post(&path(&id, "modify"), body).await;
            response.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", &format!("Invalid label: {label}"));
            response.assert_location(place);
        }
    }
    for body in [json!({}), change(&["INBOX"], &["INBOX"])] {
        assert_eq!(desk.post(&path(&id, "modify"), body).await.status, 400);
    }
    assert_eq!(desk.labels_of(&id).await, ["SENT"]);
    let many: Vec<String> = (0..101).map(|number| format!("Label_{number}")).collect();
    let response = desk.post("/users/me/messages/batchModify", json!({ "ids": [id], "addLabelIds": many })).await;
    response.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", "at most 100 labels");
}

#[tokio::test]
async fn a_message_has_one_location() {
    let desk = TestService::open().await;
    let id = desk.insert(&plain("a"), &["INBOX", "UNREAD", "STARRED"]).await;
    assert_eq!(desk.post_empty(&path(&id, "trash")).await.ok()["labelIds"], json!(["UNREAD", "STARRED", "TRASH"]));
    assert_eq!(desk.post_empty(&path(&id, "untrash")).await.ok()["labelIds"], json!(["UNREAD", "STARRED"]));
    let moved = async |add: &[&str]| desk.post(&path(&id, "modify"), change(add, &[])).await.ok()["labelIds"].clone();
    assert_eq!(moved(&["SPAM"]).await, json!(["UNREAD", "STARRED", "SPAM"]));
    assert_eq!(moved(&["INBOX"]).await, json!(["INBOX", "UNREAD", "STARRED"]));
    assert_eq!(moved(&["TRASH"]).await, json!(["UNREAD", "STARRED", "TRASH"]));
    assert_eq!(moved(&["TRASH", "INBOX"]).await, json!(["INBOX", "UNREAD", "STARRED", "TRASH"]));
}

#[tokio::test]
async fn many_are_changed_in_one_record_and_those_that_are_gone_passed_over() {
    let desk = TestService::open().await;
    let one = desk.insert(&plain("a"), &["INBOX"]).await;
    let two = desk.insert(&plain("b"), &["INBOX"]).await;
    let start = desk.history_id().await;
    let mut body = change(&["STARRED"], &["INBOX"]);
    body["ids"] = json!([one, "00000000000000aa", two, one]);
    let response = desk.post("/users/me/messages/batchModify", body.clone()).await;
    assert_eq!((response.status.as_u16(), &response.body), (204, &Value::Null));
    for id in [&one, &two] {
        assert_eq!(desk.labels_of(id).await, ["STARRED"]);
    }
    let history = desk.get(&format!("/users/me/history?startHistoryId={start}")).await;
    let records = history.ok()["history"].as_array().unwrap();
    assert_eq!(records.len(), 1);
    let mut changed = ids(&records[0]["messages"]);
    changed.sort();
    let mut both = vec![one.clone(), two];
    both.sort();
    assert_eq!(changed, both);
    body["ids"] = json!([one, "odd"]);
    let response = desk.post("/users/me/messages/batchModify", body.clone()).await;
    response.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", "odd");
    response.assert_location("ids[1]");
    body["ids"] = json!([]);
    assert_eq!(desk.post("/users/me/messages/batchModify", body).await.status, 400);
    let sent = json!({ "ids": [one], "addLabelIds": ["Label_5"] });
    desk.post("/users/me/messages/batchModify", sent).await.assert_error(
        400,
        "INVALID_ARGUMENT",
        "invalidArgument",
        "Label_5",
    );
}

#[tokio::test]
async fn what_is_changed_at_once_has_an_end() {
    let desk = TestService::open().await;
    let one = desk.insert(&plain("a"), &["INBOX"]).await;
    for (count, status) in [(1_000, 204), (1_001, 400)] {
        let mut body = change(&["STARRED"], &[]);
        body["ids"] = json!(vec![&one; count]);
        assert_eq!(desk.post("/users/me/messages/batchModify", body).await.status.as_u16(), status, "{count}");
    }
}

#[tokio::test]
async fn a_message_has_a_hundred_labels_at_the_most() {
    let desk = TestService::open().await;
    let mut labels = Vec::new();
    for number in 0..101 {
        labels.push(desk.label(&number.to_string()).await);
    }
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let id = desk.insert(&plain("a"), &labels[..100]).await;
    desk.post(&path(&id, "modify"), change(&labels[100..], &[])).await.assert_error(
        400,
        "INVALID_ARGUMENT",
        "invalidArgument",
        "at most 100 labels",
    );
    let mut body = change(&["STARRED"], &[]);
    body["ids"] = json!([id]);
    assert_eq!(desk.post("/users/me/messages/batchModify", body).await.status, 400);
    // A message with the maximum number of labels may exchange one.
    desk.post(&path(&id, "modify"), change(&labels[100..], &labels[..1])).await.ok();
    assert_eq!(desk.labels_of(&id).await.len(), 100);
}

#[tokio::test]
async fn a_message_is_deleted_for_good() {
    let desk = TestService::open().await;
    let id = desk.insert(&plain("a"), &["INBOX"]).await;
    let message = format!("/users/me/messages/{id}");
    // Deleting requires more than a token for changing labels.
    assert_eq!(desk.with_token("ana/mail.modify").delete(&message).await.status, 403);
    let response = desk.delete(&message).await;
    assert_eq!((response.status.as_u16(), &response.body), (204, &Value::Null));
    desk.delete(&message).await.assert_error(404, "NOT_FOUND", "notFound", &id);
    desk.get(&message).await.assert_error(404, "NOT_FOUND", "notFound", &id);
    for verb in ["trash", "untrash"] {
        desk.post_empty(&path(&id, verb)).await.assert_error(404, "NOT_FOUND", "notFound", &id);
    }
    desk.post(&path(&id, "modify"), change(&["INBOX"], &[])).await.assert_error(404, "NOT_FOUND", "notFound", &id);
    desk.post_empty(&path("odd", "trash")).await.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", "odd");
}
