//! Helpers for mail.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::program::Server;

/// Inserts a mail into the mailbox of the ready token.
pub async fn insert(server: &Server, subject: &str) -> Value {
    let raw = format!("From: ada@example.com\r\nSubject: {subject}\r\nMessage-ID: <{subject}@test>\r\n\r\nText.\r\n");
    let body = json!({ "raw": URL_SAFE.encode(raw), "labelIds": ["INBOX"] });
    let (status, message) = server.post("/mail/v1/users/me/messages", &body).await;
    assert_eq!(status, StatusCode::OK, "{message}");
    message
}

/// Returns the profile of the ready token's mailbox.
pub async fn profile(server: &Server) -> Value {
    let (status, profile) = server.get("/mail/v1/users/me/profile").await;
    assert_eq!(status, StatusCode::OK, "{profile}");
    profile
}

/// Returns the changes after a history ID.
pub async fn history(server: &Server, start: &Value) -> (StatusCode, Value) {
    let start = start.as_str().expect("a number as a text");
    server.get(&format!("/mail/v1/users/me/history?startHistoryId={start}")).await
}
