//! Tests of batches, as clients of the public service send them.

use axum::body::Body;
use axum::http::{Request, Response, header};
use http_body_util::BodyExt as _;
use mailbox_server::runtime::wireform_runtime::batch;
use serde_json::Value;
use tower::ServiceExt as _;

use crate::desk::TestService;

/// Returns the response to a batch as a whole.
async fn send(desk: &TestService, parts: &[&str]) -> Response<Body> {
    let part = |part: &&str| format!("--b\nContent-Type: application/http\n\n{part}\n");
    let body: String = parts.iter().map(part).chain(["--b--".to_owned()]).collect();
    let request = Request::builder()
        .method("POST")
        .uri("/batch")
        .header(header::AUTHORIZATION, format!("Bearer {}", desk.token))
        .header(header::CONTENT_TYPE, "multipart/mixed; boundary=\"b\"");
    desk.router.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap()
}

/// Returns the status line and the body of the response to each part.
async fn responses(desk: &TestService, parts: &[&str]) -> Vec<(String, Value)> {
    let response = send(desk, parts).await;
    let media_type = response.headers()[header::CONTENT_TYPE].to_str().unwrap().to_owned();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    let parts = batch::parse_parts(&body, &batch::parse_boundary(&media_type).unwrap(), 100).unwrap();
    let read = |part: &batch::Part<'_>| {
        let message = batch::parse_message(part.content).unwrap();
        (message.start_line.to_owned(), serde_json::from_slice(message.body).unwrap_or_default())
    };
    parts.iter().map(read).collect()
}

#[tokio::test]
async fn a_batch_reads_and_writes() {
    let desk = TestService::open().await;
    let id = desk.insert("Subject: one\r\n\r\nhello", &["INBOX"]).await;
    let parts = responses(
        &desk,
        &[
            &format!("GET /gmail/v1/users/me/messages/{id}?format=minimal&fields=id HTTP/1.1"),
            &format!(
                "POST /mail/v1/users/me/messages/{id}/modify HTTP/1.1\nContent-Type: application/json\n\n{{\"removeLabelIds\":[\"INBOX\"]}}"
            ),
            "GET /mail/v1/users/me/messages/00000000000000aa HTTP/1.1",
            "GET /mail/v1/users/me/profile HTTP/1.1\nAuthorization: Bearer nobody",
        ],
    )
    .await;
    let lines: Vec<&str> = parts.iter().map(|(line, _)| &line["HTTP/1.1 ".len()..][..3]).collect();
    assert_eq!(lines, ["200", "200", "404", "401"]);
    assert_eq!(parts[0].1, serde_json::json!({ "id": id }));
    assert_eq!(parts[2].1["error"]["errors"][0]["reason"], "notFound");
    assert_eq!(desk.labels_of(&id).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_batch_has_a_hundred_parts_at_the_most() {
    let desk = TestService::open().await;
    let profile = "GET /mail/v1/users/me/profile HTTP/1.1";
    let parts = responses(&desk, &[profile; 100]).await;
    assert_eq!(parts.iter().filter(|(line, _)| line.starts_with("HTTP/1.1 200")).count(), 100);
    assert_eq!(send(&desk, &[profile; 101]).await.status(), 400);
}
