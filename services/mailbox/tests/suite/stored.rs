//! Tests of inserting and importing messages.

use serde_json::json;

use crate::desk::{NOW, TestService, ids, mail, plain};

#[tokio::test]
async fn insert_gives_the_labels_that_are_named_and_import_those_of_new_mail() {
    let desk = TestService::open().await;
    let label = desk.label("Own").await;
    let response = desk.post("/users/me/messages", mail(plain("a").as_bytes(), &["SENT", &label])).await;
    assert_eq!(response.ok()["labelIds"], json!(["SENT", label]));
    assert_eq!(desk.post("/users/me/messages", mail(plain("b").as_bytes(), &[])).await.ok().get("labelIds"), None);
    let arrived = desk.post("/users/me/messages/import?neverMarkSpam=true", mail(plain("c").as_bytes(), &[])).await;
    assert_eq!(arrived.ok()["labelIds"], json!(["INBOX", "UNREAD"]));
    let named = desk.post("/gmail/v1/users/me/messages/import", mail(plain("d").as_bytes(), &["STARRED"])).await;
    assert_eq!(named.ok()["labelIds"], json!(["STARRED"]));
}

#[tokio::test]
async fn the_time_is_that_of_receipt_or_of_the_header() {
    let desk = TestService::open().await;
    let dated = "Date: Thu, 1 Jan 2026 00:00:00 +0000\r\n\r\n";
    let time = async |path: &str, raw: &str| {
        let response = desk.post(path, mail(raw.as_bytes(), &[])).await;
        response.ok()["internalDate"].as_str().unwrap().parse::<i64>().unwrap()
    };
    let header = 1_767_225_600_000;
    assert!(time("/users/me/messages", dated).await >= NOW);
    assert_eq!(time("/users/me/messages?internalDateSource=dateHeader", dated).await, header);
    assert_eq!(time("/users/me/messages/import", dated).await, header);
    assert!(time("/users/me/messages/import?internalDateSource=receivedTime", dated).await >= NOW);
    assert!(time("/users/me/messages/import", "Date: nonsense\r\n\r\n").await >= NOW);
    assert_eq!(desk.post("/users/me/messages?internalDateSource=odd", mail(b"x", &[])).await.status, 400);
}

#[tokio::test]
async fn conversations_are_found_or_named() {
    let desk = TestService::open().await;
    let first = desk.insert("Message-ID: <1@x>\r\n\r\n", &[]).await;
    let response = desk.post("/users/me/messages", mail(b"In-Reply-To: <1@x>\r\n\r\n", &[])).await;
    assert_eq!(response.ok()["threadId"], *first);
    let mut named = mail(b"Subject: other\r\n\r\n", &[]);
    named["threadId"] = json!(first);
    assert_eq!(desk.post("/users/me/messages", named.clone()).await.ok()["threadId"], *first);
    named["threadId"] = json!("00000000000000aa");
    desk.post("/users/me/messages", named.clone()).await.assert_error(404, "NOT_FOUND", "notFound", "00000000000000aa");
    named["threadId"] = json!("x");
    let response = desk.post("/users/me/messages/import", named).await;
    response.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", "`x`");
    response.assert_location("threadId");
    assert_eq!(desk.get("/users/me/profile").await.ok()["threadsTotal"], 1);
}

#[tokio::test]
async fn labels_that_are_not_there_are_named() {
    let desk = TestService::open().await;
    for label in ["Label_9", "inbox", "Own", ""] {
        let response = desk.post("/users/me/messages", mail(b"x", &[label])).await;
        response.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", &format!("Invalid label: {label}"));
        response.assert_location("labelIds");
    }
    assert_eq!(desk.get("/users/me/profile").await.ok()["messagesTotal"], 0);
}

#[tokio::test]
async fn a_message_needs_its_text() {
    let desk = TestService::open().await;
    for path in ["/users/me/messages", "/users/me/messages/import"] {
        for body in
            [json!({}), json!({ "raw": "" }), json!({ "raw": "***" }), json!({ "raw": null }), json!({ "raw": 5 })]
        {
            let response = desk.post(path, body).await;
            assert_eq!(response.status, 400, "{}", response.body);
            response.assert_location("raw");
        }
    }
}

#[tokio::test]
async fn a_message_deleted_on_arrival_is_only_in_the_history() {
    let desk = TestService::open().await;
    let start = desk.history_id().await;
    let response = desk.post("/users/me/messages?deleted=true", mail(plain("a").as_bytes(), &["INBOX"])).await;
    let id = response.ok()["id"].as_str().unwrap().to_owned();
    desk.get(&format!("/users/me/messages/{id}")).await.assert_error(404, "NOT_FOUND", "notFound", &id);
    assert!(ids(&desk.get("/users/me/messages?includeSpamTrash=true").await.ok()["messages"]).is_empty());
    let history = desk.get(&format!("/users/me/history?startHistoryId={start}")).await;
    let records = history.body.to_string();
    assert!(
        records.contains("messagesAdded") && records.contains("messagesDeleted") && records.contains(&id),
        "{records}"
    );
}

#[tokio::test]
async fn what_the_server_writes_is_not_taken_from_bodies() {
    let desk = TestService::open().await;
    let mut body = mail(plain("a").as_bytes(), &[]);
    body["id"] = json!("00000000000000aa");
    body["snippet"] = json!("mine");
    body["internalDate"] = json!("5");
    let response = desk.post("/users/me/messages", body).await;
    assert_ne!(response.ok()["id"], "00000000000000aa");
    assert_eq!(response.ok()["snippet"], "Text of a.");
}

#[tokio::test]
async fn a_token_for_putting_in_puts_in_and_does_not_read() {
    let desk = TestService::open().await.with_token("ana/https://www.googleapis.com/auth/gmail.insert");
    let response = desk.post("/users/me/messages", mail(b"Subject: x\r\n\r\n", &[])).await;
    let id = response.ok()["id"].as_str().unwrap().to_owned();
    assert_eq!(desk.get(&format!("/users/me/messages/{id}")).await.status, 403);
}
