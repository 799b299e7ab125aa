//! Large mails share the memory.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use tower::ServiceExt as _;
use wireform_mailbox::{Budget, limits};

use crate::desk::{Desk, mail};

#[tokio::test]
async fn an_answer_that_is_not_taken_keeps_its_share_and_others_are_told_to_come_again() {
    // Room for one answer of a mail of 100 KiB, and for no second.
    let budget = Budget::new(600 << 10, limits().body_bytes).with_patience(Duration::ZERO);
    let desk = Desk::with_budget(Some(budget)).await;
    let body = "x".repeat(100 << 10);
    let id = desk.insert(&format!("Subject: large\r\n\r\n{body}"), &[]).await;
    let path = format!("/mail/v1/users/me/messages/{id}?format=raw");
    let request = || {
        let request = Request::builder().uri(&path).header(header::AUTHORIZATION, "Bearer ana/mail");
        request.body(Body::empty()).unwrap()
    };
    let held = desk.router.clone().oneshot(request()).await.unwrap();
    assert_eq!(held.status(), StatusCode::OK);

    let refused = desk.send(request()).await;
    refused.refuses(503, "UNAVAILABLE", "backendError", "large messages");
    assert!(refused.headers.contains_key(header::RETRY_AFTER));
    // A body is refused before it is read.
    let large = mail("y".repeat(200 << 10).as_bytes(), &[]);
    let refused = desk.post("/users/me/messages", large.clone()).await;
    refused.refuses(503, "UNAVAILABLE", "backendError", "large messages");
    assert!(refused.headers.contains_key(header::RETRY_AFTER));
    // What is small goes on.
    desk.get(&format!("/users/me/messages/{id}?format=minimal")).await.ok();
    desk.insert("Subject: small\r\n\r\n", &[]).await;

    drop(held);
    desk.get(&format!("/users/me/messages/{id}?format=raw")).await.ok();
    desk.post("/users/me/messages", large).await.ok();
}

#[tokio::test]
async fn a_mail_of_the_greatest_length_is_taken_and_one_byte_more_is_not() {
    use wireform_mailbox::mail::MAX_MESSAGE_BYTES;

    let desk = Desk::open().await;
    let mut raw = b"Subject: as long as can be\r\n\r\n".to_vec();
    raw.resize(MAX_MESSAGE_BYTES, b'x');
    let answer = desk.post("/users/me/messages", mail(&raw, &[])).await;
    assert_eq!(answer.ok()["sizeEstimate"], MAX_MESSAGE_BYTES);
    raw.push(b'x');
    let answer = desk.post("/users/me/messages", mail(&raw, &[])).await;
    answer.refuses(413, "INVALID_ARGUMENT", "uploadTooLarge", &MAX_MESSAGE_BYTES.to_string());
    answer.at("raw");
    raw.resize(MAX_MESSAGE_BYTES + (1 << 20), b'x');
    assert_eq!(desk.post("/users/me/messages", mail(&raw, &[])).await.status, 413);
}
