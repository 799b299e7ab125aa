//! Large mails share the memory.

use std::pin::Pin;
use std::task::{Context, Poll};
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

/// A body that does not say how long it is.
fn streamed(desk: &Desk, body: &serde_json::Value) -> Request<Body> {
    let text = body.to_string().into_bytes();
    let pieces: Vec<Vec<u8>> = text.chunks(16 << 10).map(<[u8]>::to_vec).collect();
    let body = Body::new(Streamed(pieces.into_iter()));
    let request = Request::builder().method("POST").uri("/mail/v1/users/me/messages");
    let request = request.header(header::AUTHORIZATION, format!("Bearer {}", desk.token));
    request.header(header::CONTENT_TYPE, "application/json").body(body).unwrap()
}

struct Streamed(std::vec::IntoIter<Vec<u8>>);

impl http_body::Body for Streamed {
    type Data = axum::body::Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Self::Data>, Self::Error>>> {
        Poll::Ready(self.0.next().map(|piece| Ok(http_body::Frame::data(piece.into()))))
    }
}

#[tokio::test]
async fn a_body_that_does_not_say_how_long_it_is_asks_for_room_while_it_arrives() {
    let large = mail("y".repeat(4 << 20).as_bytes(), &[]);
    let small = mail(b"Subject: small\r\n\r\n", &[]);
    let budget = |bytes| Some(Budget::new(bytes, limits().body_bytes).with_patience(Duration::ZERO));
    let desk = Desk::with_budget(budget(30 << 20)).await;
    desk.send(streamed(&desk, &large)).await.ok();
    desk.send(streamed(&desk, &small)).await.ok();
    // Twice the same: what was held is given back.
    desk.send(streamed(&desk, &large)).await.ok();

    let desk = Desk::with_budget(budget(10 << 20)).await;
    let refused = desk.send(streamed(&desk, &large)).await;
    refused.refuses(503, "UNAVAILABLE", "backendError", "large messages");
    assert!(refused.headers.contains_key(header::RETRY_AFTER));
    desk.send(streamed(&desk, &small)).await.ok();
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
