//! Tests of mail that is decoded while it arrives, next to other fields.

use serde_json::{Value, json};

use crate::desk::{TestService, data, mail};

/// Returns a mail that is long enough to be decoded while it arrives.
fn large() -> Vec<u8> {
    format!("Subject: large\r\n\r\n{}", "x".repeat(20 << 10)).into_bytes()
}

/// Returns the body that stores a large mail, followed by another field.
fn with_member(name: &str, value: Value) -> Value {
    let mut body = mail(&large(), &[]);
    assert!(name > "raw", "members are written in the order of their names");
    body[name] = value;
    body
}

#[tokio::test]
async fn a_mail_before_an_output_only_member_of_another_type_is_stored() {
    let desk = TestService::open().await;
    let response = desk.post("/users/me/messages", with_member("sizeEstimate", json!("x"))).await;
    let path = format!("/users/me/messages/{}?format=raw", response.ok()["id"].as_str().unwrap());
    assert_eq!(data(&desk.get(&path).await.ok()["raw"]), large());
}

#[tokio::test]
async fn a_mail_before_a_member_of_another_type_is_no_violation() {
    let desk = TestService::open().await;
    let response = desk.post("/users/me/messages", with_member("threadId", json!(5))).await;
    response.assert_error(400, "INVALID_ARGUMENT", "invalid", "threadId");
    response.assert_location("threadId");
    assert_eq!(response.body["error"]["errors"].as_array().unwrap().len(), 1, "{}", response.body);
}
