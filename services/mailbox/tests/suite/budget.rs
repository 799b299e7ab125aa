//! Tests of the memory budget of large mails.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{Request, StatusCode, header};
use http_body_util::BodyExt as _;
use mailbox_server::runtime::MemoryBudget;
use tower::ServiceExt as _;

use crate::desk::{TestService, mail};

pub(crate) const MEBIBYTE: u64 = 1 << 20;

/// Duration that is longer than any test.
pub(crate) const LONG: Duration = Duration::from_secs(60);

pub(crate) fn budget(bytes: u64) -> MemoryBudget {
    MemoryBudget::new(bytes).with_wait(Duration::ZERO)
}

pub(crate) fn get(path: &str) -> Request<Body> {
    Request::builder().uri(path).header(header::AUTHORIZATION, "Bearer ana/mail").body(Body::empty()).unwrap()
}

#[tokio::test]
async fn an_unread_response_holds_memory_and_others_get_503() {
    // The budget holds one response to Ana with a mail of 100 KiB, and no second one.
    let desk = TestService::with_budget(Some(budget(2 << 20))).await;
    let body = "x".repeat(100 << 10);
    let id = desk.insert(&format!("Subject: large\r\n\r\n{body}"), &[]).await;
    let path = format!("/mail/v1/users/me/messages/{id}?format=raw");
    let held = desk.router.clone().oneshot(get(&path)).await.unwrap();
    assert_eq!(held.status(), StatusCode::OK);

    let refused = desk.send(get(&path)).await;
    refused.assert_error(503, "UNAVAILABLE", "backendError", "large messages");
    assert!(refused.headers.contains_key(header::RETRY_AFTER));
    let large = mail("y".repeat(400 << 10).as_bytes(), &[]);
    let refused = desk.post("/users/me/messages", large.clone()).await;
    refused.assert_error(503, "UNAVAILABLE", "backendError", "large messages");
    assert!(refused.headers.contains_key(header::RETRY_AFTER));
    // Small responses, and those to another user, do not wait.
    desk.get(&format!("/users/me/messages/{id}?format=minimal")).await.ok();
    desk.insert("Subject: small\r\n\r\n", &[]).await;
    desk.with_token("ben/mail").post("/users/me/messages", large.clone()).await.ok();

    drop(held);
    desk.get(&format!("/users/me/messages/{id}?format=raw")).await.ok();
    desk.post("/users/me/messages", large).await.ok();
    assert_eq!(desk.budget.held(), 0);
}

#[tokio::test]
async fn a_batch_holds_memory_until_its_response_is_sent() {
    let desk = TestService::with_budget(Some(budget(16 << 20))).await;
    let insert = mail("y".repeat(100 << 10).as_bytes(), &[]);
    let part = format!("POST /mail/v1/users/me/messages HTTP/1.1\nContent-Type: application/json\n\n{insert}");
    let body = format!("--b\nContent-Type: application/http\n\n{part}\n--b--");
    let length = body.len() as u64;
    let request = Request::builder().method("POST").uri("/batch");
    let request = request.header(header::AUTHORIZATION, format!("Bearer {}", desk.token));
    // The word in the boundary does not make it JSON.
    let request = request.header(header::CONTENT_TYPE, "multipart/mixed; boundary=b; type=json");
    let response = desk.router.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert!(desk.budget.held() >= 2 * length, "{} of {length}", desk.budget.held());
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    assert!(String::from_utf8_lossy(&bytes).contains("HTTP/1.1 200 OK"));
    assert_eq!(desk.budget.held(), 0);
}

/// Returns a body without a declared length.
fn streamed(desk: &TestService, body: &serde_json::Value) -> Request<Body> {
    let text = body.to_string().into_bytes();
    let pieces: Vec<Vec<u8>> = text.chunks(16 << 10).map(<[u8]>::to_vec).collect();
    let body = Body::new(Streamed(pieces.into_iter()));
    let request = Request::builder().method("POST").uri("/mail/v1/users/me/messages");
    let request = request.header(header::AUTHORIZATION, format!("Bearer {}", desk.token));
    request.header(header::CONTENT_TYPE, "application/json").body(body).unwrap()
}

struct Streamed(std::vec::IntoIter<Vec<u8>>);

impl http_body::Body for Streamed {
    type Data = Bytes;
    type Error = Infallible;

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
    let desk = TestService::with_budget(Some(budget(10 * MEBIBYTE))).await;
    desk.send(streamed(&desk, &large)).await.ok();
    desk.send(streamed(&desk, &small)).await.ok();
    // The second request needs the memory that the first one released.
    desk.send(streamed(&desk, &large)).await.ok();
    assert_eq!(desk.budget.held(), 0);

    let desk = TestService::with_budget(Some(budget(10 * MEBIBYTE))).await;
    let other = desk.budget.share("Ana@Example.com");
    other.reserve(3 * MEBIBYTE).await.unwrap();
    let refused = desk.send(streamed(&desk, &large)).await;
    refused.assert_error(503, "UNAVAILABLE", "backendError", "large messages");
    assert!(refused.headers.contains_key(header::RETRY_AFTER));
    desk.send(streamed(&desk, &small)).await.ok();
}

#[tokio::test]
async fn a_mail_of_the_greatest_length_is_taken_and_one_byte_more_is_not() {
    use wireform_mailbox::mail::MAX_MESSAGE_BYTES;

    let desk = TestService::open().await;
    let mut raw = b"Subject: as long as can be\r\n\r\n".to_vec();
    raw.resize(MAX_MESSAGE_BYTES, b'x');
    let response = desk.post("/users/me/messages", mail(&raw, &[])).await;
    assert_eq!(response.ok()["sizeEstimate"], MAX_MESSAGE_BYTES);
    // The mail is in memory once.
    let most = MAX_MESSAGE_BYTES as u64 + 2 * MEBIBYTE;
    assert!(desk.budget.peak() <= most, "{} bytes were held", desk.budget.peak());
    raw.push(b'x');
    let response = desk.post("/users/me/messages", mail(&raw, &[])).await;
    response.assert_error(413, "INVALID_ARGUMENT", "uploadTooLarge", &MAX_MESSAGE_BYTES.to_string());
    response.assert_location("raw");
    raw.resize(MAX_MESSAGE_BYTES + (1 << 20), b'x');
    assert_eq!(desk.post("/users/me/messages", mail(&raw, &[])).await.status, 413);
}

#[tokio::test]
async fn text_in_addition_to_a_mail_is_limited() {
    let desk = TestService::open().await;
    let labels = vec!["x"; 100_000];
    let refused = desk.post("/users/me/messages", serde_json::json!({ "labelIds": labels })).await;
    assert_eq!(refused.status, 413);
    // Text that is not base64 counts as text.
    let refused = desk.post("/users/me/messages", serde_json::json!({ "raw": "*".repeat(1 << 20) })).await;
    assert_eq!(refused.status, 413);
    let refused = desk.post("/users/me/messages", serde_json::json!({ "raw": "*".repeat(100 << 10) })).await;
    assert_eq!(refused.status, 400);
    assert_eq!(desk.budget.held(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_budget_is_never_exceeded() {
    let budget = MemoryBudget::new(24 * MEBIBYTE).with_wait(LONG);
    let desk = TestService::with_budget(Some(budget)).await;
    let mut paths = Vec::new();
    for megabytes in [1, 3, 6] {
        let text = format!("Subject: {megabytes}\r\n\r\n{}", "some words\r\n".repeat(megabytes * 80_000));
        let id = desk.insert(&text, &[]).await;
        paths.extend(["raw", "full"].map(|format| format!("/mail/v1/users/me/messages/{id}?format={format}")));
    }
    let mut reading = tokio::task::JoinSet::new();
    for path in paths.iter().cycle().take(48) {
        let (router, request) = (desk.router.clone(), get(path));
        reading.spawn(async move {
            let response = router.oneshot(request).await.unwrap();
            (response.status(), response.into_body().collect().await.unwrap().to_bytes().len())
        });
    }
    while let Some(read) = reading.join_next().await {
        let (status, length) = read.unwrap();
        assert!(status.is_success() && length > 1_000_000, "{status}, {length} bytes");
    }
    assert!(desk.budget.peak() <= 12 * MEBIBYTE, "{} bytes were held by one user", desk.budget.peak());
    assert_eq!(desk.budget.held(), 0);
}

#[tokio::test]
async fn large_headers_are_parsed_on_blocking_threads() {
    let desk = TestService::open().await;
    let (header, body) = ("y".repeat(400 << 10), "x\r\n".repeat(100 << 10));
    let id = desk.insert(&format!("Subject: large\r\nX: {header}\r\n\r\n{body}"), &[]).await;
    let request = get(&format!("/mail/v1/users/me/messages/{id}?format=metadata"));
    let router = desk.router.clone();
    // A runtime that has no threads yet other than its own.
    let served = std::thread::spawn(move || {
        let threads = Arc::new(AtomicUsize::new(0));
        let started = Arc::clone(&threads);
        let count = move || _ = started.fetch_add(1, Ordering::SeqCst);
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().on_thread_start(count).build().unwrap();
        let response = runtime.block_on(router.oneshot(request)).unwrap();
        (response.status(), threads.load(Ordering::SeqCst))
    });
    assert_eq!(served.join().unwrap(), (StatusCode::OK, 1));
}
