//! Tests of statements of the specification that the other tests do not cover: order, limits, access and validity of
//! the history.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::{Value, json};
use wireform_store::{Mailboxes as _, Maintenance as _, NewMessage};

use crate::desk::{TestService, ids, plain};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Returns the history after a record.
async fn history(desk: &TestService, start: &str, query: &str) -> Value {
    desk.get(&format!("/users/me/history?startHistoryId={start}{query}")).await.ok().clone()
}

/// Returns the identifiers of the records on a page, which are strings.
fn numbers(page: &Value) -> Vec<String> {
    ids(&page["history"])
}

#[tokio::test]
async fn records_come_in_the_order_of_their_ids_and_after_the_start() {
    let desk = TestService::open().await;
    let start = desk.history_id().await;
    let mut sources = Vec::new();
    for number in 0..6 {
        let id = desk.insert(&plain(&number.to_string()), &["INBOX"]).await;
        let message = desk.get(&format!("/users/me/messages/{id}?format=minimal")).await.ok().clone();
        sources.push(message["historyId"].as_str().unwrap().to_owned());
    }
    let whole = history(&desk, &start, "").await;
    let records = numbers(&whole);
    let values: Vec<u64> = records.iter().map(|id| id.parse().unwrap()).collect();
    assert!(values.is_sorted_by(|a, b| a < b), "{values:?}");
    assert_eq!(
        (&records, &whole["historyId"]),
        (&sources, &json!(records[5])),
        "messages have the ids of their records"
    );
    assert_eq!(whole.get("nextPageToken"), None);
    for (at, id) in records.iter().enumerate() {
        let page = history(&desk, id, "").await;
        assert_eq!(numbers(&page), records[at + 1..], "after {id}");
        let page = history(&desk, &start, &format!("&maxResults={}", at + 1)).await;
        assert_eq!(numbers(&page), records[..=at]);
        assert_eq!(page["historyId"], json!(records[5]), "the current record on each page");
    }
}

#[tokio::test]
async fn pages_have_100_records_by_default_and_500_at_most() {
    let desk = TestService::open().await;
    let start = desk.history_id().await;
    let batch: Vec<NewMessage> = (0..502).map(|_| NewMessage::default()).collect();
    desk.store.insert_messages(desk.ana.mailbox, batch, desk.clock.now()).await.unwrap();
    for (size, expected) in [("", 100), ("1", 1), ("101", 101), ("500", 500), ("501", 500), ("4294967295", 500)] {
        let query = if size.is_empty() { String::new() } else { format!("&maxResults={size}") };
        let page = history(&desk, &start, &query).await;
        assert_eq!(numbers(&page).len(), expected, "{size}");
        assert!(page["nextPageToken"].is_string(), "{size}");
    }
    for size in ["0", "-1", "4294967296", "1.5", "all"] {
        let response = desk.get(&format!("/users/me/history?startHistoryId={start}&maxResults={size}")).await;
        assert_eq!(response.status, 400, "{size}: {}", response.body);
        response.assert_location("maxResults");
    }
}

#[tokio::test]
async fn the_body_of_a_request_is_empty() {
    let desk = TestService::open().await;
    let path = format!("/mail/v1/users/me/history?startHistoryId={}", desk.history_id().await);
    for (body, status) in [("", 200), ("{}", 400), ("x", 400)] {
        let request = Request::get(&path).header(header::AUTHORIZATION, "Bearer ana/mail");
        let request = request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body)).unwrap();
        let response = desk.send(request).await;
        assert_eq!(response.status.as_u16(), status, "{body}: {}", response.body);
    }
}

#[tokio::test]
async fn one_of_four_scopes_is_required() {
    let desk = TestService::open().await;
    let path = format!("/users/me/history?startHistoryId={}", desk.history_id().await);
    let prefix = "https://www.googleapis.com/auth/";
    for (scope, status) in [
        ("https://mail.google.com/".to_owned(), 200),
        (format!("{prefix}mail.modify"), 200),
        (format!("{prefix}mail.readonly"), 200),
        (format!("{prefix}mail.metadata"), 200),
        (format!("{prefix}mail.compose"), 403),
        (format!("{prefix}mail.insert"), 403),
        (format!("{prefix}mail.labels"), 403),
        (format!("{prefix}calendar"), 403),
    ] {
        let response = desk.with_token(&format!("ana/{scope}")).get(&path).await;
        assert_eq!(response.status.as_u16(), status, "{scope}: {}", response.body);
    }
    assert_eq!(desk.with_token("nobody").get(&path).await.status, 401);
}

#[tokio::test]
async fn the_user_is_me_or_the_address_of_the_token() {
    let desk = TestService::open().await;
    let start = desk.history_id().await;
    desk.insert(&plain("a"), &[]).await;
    let expected = history(&desk, &start, "").await;
    for name in ["Ana@Example.com", "ana%40example.com"] {
        let response = desk.get(&format!("/users/{name}/history?startHistoryId={start}")).await;
        assert_eq!(response.ok(), &expected, "{name}");
    }
    let ben = desk.with_token("ben/mail").get("/users/me/profile").await.ok()["emailAddress"].clone();
    assert_eq!(ben, "ben@example.com");
}

#[tokio::test]
async fn a_message_in_the_trash_is_labelled_and_not_deleted() {
    let desk = TestService::open().await;
    let id = desk.insert(&plain("a"), &["INBOX"]).await;
    let start = desk.history_id().await;
    desk.post_empty(&format!("/users/me/messages/{id}/trash")).await.ok();
    let page = history(&desk, &start, "").await;
    let message = json!({ "id": id, "threadId": id });
    let expected = json!([{
        "id": page["historyId"],
        "messages": [message],
        "labelsAdded": [{ "message": message, "labelIds": ["TRASH"] }],
        "labelsRemoved": [{ "message": message, "labelIds": ["INBOX"] }],
    }]);
    assert_eq!(page["history"], expected);
}

#[tokio::test]
async fn a_start_is_valid_for_more_than_a_week() {
    let desk = TestService::open().await;
    let start = desk.history_id().await;
    desk.insert(&plain("a"), &[]).await;
    let status = async |days: u32| {
        desk.clock.advance(DAY * days);
        desk.store.clean_up(desk.clock.now()).await.unwrap();
        desk.get(&format!("/users/me/history?startHistoryId={start}")).await
    };
    assert_eq!(numbers(status(7).await.ok()).len(), 1);
    status(2).await.assert_error(404, "NOT_FOUND", "notFound", &start);
    let current = desk.history_id().await;
    assert_eq!(history(&desk, &current, "").await, json!({ "historyId": current }));
}
