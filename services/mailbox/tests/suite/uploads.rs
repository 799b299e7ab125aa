//! Tests of mail that is uploaded as it is: alone, after JSON, and in chunks.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use futures_util::{StreamExt as _, stream};
use serde_json::{Value, json};

use crate::desk::{TestResponse, TestService, data, texts};

const MAIL: &str = "To: ben@example.com\r\nSubject: Uploaded\r\n\r\nHi Ben\r\n";
const UPLOAD: &str = "/upload/gmail/v1/users/me";

/// Returns a request to a path from the root of the server.
fn request(desk: &TestService, method: &str, path: &str) -> axum::http::request::Builder {
    let token = format!("Bearer {}", desk.token);
    Request::builder()
        .method(method)
        .uri(path)
        .header(header::AUTHORIZATION, token)
        .header(header::HOST, "mail.example")
}

/// Uploads a mail alone.
async fn upload(desk: &TestService, path: &str, mail: &str) -> TestResponse {
    upload_by(desk, "POST", path, mail).await
}

async fn upload_by(desk: &TestService, method: &str, path: &str, mail: &str) -> TestResponse {
    let path = format!("{UPLOAD}/{path}{}uploadType=media", if path.contains('?') { '&' } else { '?' });
    let request = request(desk, method, &path).header(header::CONTENT_TYPE, "message/rfc822");
    desk.send(request.header(header::CONTENT_LENGTH, mail.len()).body(Body::from(mail.to_owned())).unwrap()).await
}

/// Uploads a mail after JSON.
async fn upload_with(desk: &TestService, path: &str, json: &Value, mail: &str) -> TestResponse {
    let body = format!(
        "--part\r\nContent-Type: application/json\r\n\r\n{json}\r\n--part\r\nContent-Type: message/rfc822\r\n\r\n{mail}\r\n--part--\r\n"
    );
    let request = request(desk, "POST", &format!("{UPLOAD}/{path}?uploadType=multipart"));
    let request = request.header(header::CONTENT_TYPE, "multipart/related; boundary=part");
    desk.send(request.body(Body::from(body)).unwrap()).await
}

async fn raw(desk: &TestService, id: &Value) -> String {
    let found = desk.get(&format!("/users/me/messages/{}?format=raw", id.as_str().unwrap())).await;
    String::from_utf8(data(&found.ok()["raw"])).unwrap()
}

#[tokio::test]
async fn each_operation_takes_a_mail_as_it_is() {
    let desk = TestService::open().await;
    let inserted = upload(&desk, "messages", MAIL).await.ok().clone();
    assert_eq!(raw(&desk, &inserted["id"]).await, MAIL);
    assert_eq!(inserted["labelIds"], json!(null));
    let imported = upload(&desk, "messages/import?deleted=false", MAIL).await.ok().clone();
    assert_eq!(texts(&imported["labelIds"]), ["INBOX", "UNREAD"]);
    let sent = upload(&desk, "messages/send", MAIL).await.ok().clone();
    assert_eq!(sent["labelIds"], json!(["SENT"]));
    let ben = desk.with_token("ben/mail");
    assert_eq!(ben.get("/users/me/messages?labelIds=INBOX").await.ok()["resultSizeEstimate"], 1);
    let draft = upload(&desk, "drafts", MAIL).await.ok().clone();
    assert_eq!(raw(&desk, &draft["message"]["id"]).await, MAIL);
    assert_eq!(desk.get("/users/me/drafts").await.ok()["drafts"][0]["id"], draft["id"]);
}

#[tokio::test]
async fn a_mail_replaces_a_draft_that_is_updated_or_sent() {
    let desk = TestService::open().await;
    let draft = upload(&desk, "drafts", "Subject: First\r\n\r\nFirst").await.ok().clone();
    let path = format!("drafts/{}", draft["id"].as_str().unwrap());
    let updated = upload_by(&desk, "PUT", &path, MAIL).await.ok().clone();
    assert_eq!(updated["id"], draft["id"]);
    assert_eq!(raw(&desk, &updated["message"]["id"]).await, MAIL);
    let last = MAIL.replace("Uploaded", "Sent");
    let sent = upload_with(&desk, "drafts/send", &json!({ "id": draft["id"] }), &last).await.ok().clone();
    assert_eq!((&sent["labelIds"], &sent["threadId"]), (&json!(["SENT"]), &draft["message"]["threadId"]));
    assert!(raw(&desk, &sent["id"]).await.contains("Subject: Sent\r\n"));
    let ben = desk.with_token("ben/mail");
    assert_eq!(ben.get("/users/me/messages?q=subject:sent").await.ok()["resultSizeEstimate"], 1);
    // An upload without JSON names no draft.
    let unnamed = upload(&desk, "drafts/send", MAIL).await;
    unnamed.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", "id");
}

#[tokio::test]
async fn a_mail_follows_the_properties_of_the_message() {
    let desk = TestService::open().await;
    let first = upload_with(&desk, "messages", &json!({ "labelIds": ["INBOX", "STARRED"] }), MAIL).await.ok().clone();
    assert_eq!(texts(&first["labelIds"]), ["INBOX", "STARRED"]);
    assert_eq!(raw(&desk, &first["id"]).await, MAIL);
    let reply = MAIL.replace("Uploaded", "Re: Uploaded");
    let second = upload_with(&desk, "messages", &json!({ "threadId": first["threadId"] }), &reply).await.ok().clone();
    assert_eq!(second["threadId"], first["threadId"]);
    let draft = json!({ "message": { "threadId": first["threadId"] } });
    let draft = upload_with(&desk, "drafts", &draft, &reply).await.ok().clone();
    assert_eq!(draft["message"]["threadId"], first["threadId"]);
    let refused = upload_with(&desk, "messages", &json!({ "labelIds": ["none"] }), MAIL).await;
    refused.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", "none");
    // A body without an upload still needs the field.
    let missing = desk.post("/users/me/messages", json!({ "labelIds": ["INBOX"] })).await;
    missing.assert_error(400, "INVALID_ARGUMENT", "required", "raw");
}

#[tokio::test]
async fn a_mail_arrives_in_chunks() {
    let desk = TestService::open().await;
    let large = format!("{MAIL}{}", "text text text\r\n".repeat(40_000));
    let start = request(&desk, "POST", &format!("{UPLOAD}/messages/import?uploadType=resumable"));
    let start =
        start.header(header::CONTENT_TYPE, "application/json").header("x-upload-content-type", "message/rfc822");
    let start = start.header("x-upload-content-length", large.len()).body(Body::from("{\"labelIds\":[\"STARRED\"]}"));
    let started = desk.send(start.unwrap()).await;
    assert_eq!(started.status, StatusCode::OK, "{:?}", started.body);
    let location = started.headers[header::LOCATION].to_str().unwrap().to_owned();
    let path = location.strip_prefix("http://mail.example").expect("it is on this server").to_owned();
    let (half, last) = (256 << 10, large.len() - 1);
    let chunk = |from: usize, to: usize| {
        let request = request(&desk, "PUT", &path).header(header::CONTENT_LENGTH, to + 1 - from);
        let request = request.header(header::CONTENT_RANGE, format!("bytes {from}-{to}/{}", large.len()));
        request.body(Body::from(large[from..=to].to_owned())).unwrap()
    };
    let more = desk.send(chunk(0, half - 1)).await;
    assert_eq!(more.status.as_u16(), 308);
    assert_eq!(more.headers[header::RANGE], format!("bytes=0-{}", half - 1));
    let done = desk.send(chunk(half, last)).await.ok().clone();
    assert_eq!(done["labelIds"], json!(["STARRED"]));
    assert_eq!(raw(&desk, &done["id"]).await, large);
}

#[tokio::test]
async fn an_upload_that_stands_still_loses_its_memory() {
    let desk = TestService::open().await;
    let first = stream::iter([Ok::<_, std::io::Error>(vec![b'a'; 32 << 10])]);
    let body = Body::from_stream(first.chain(stream::pending()));
    let path = format!("{UPLOAD}/messages?uploadType=media");
    let request = request(&desk, "POST", &path).header(header::CONTENT_TYPE, "message/rfc822");
    let response = desk.send(request.body(body).unwrap()).await;
    assert_eq!(response.status, StatusCode::REQUEST_TIMEOUT);
    assert!(desk.budget.peak() >= 32 << 10);
    assert_eq!(desk.budget.held(), 0);
}

#[tokio::test]
async fn uploads_have_the_limits_of_messages() {
    let desk = TestService::open().await;
    upload(&desk, "messages", "").await.assert_error(400, "INVALID_ARGUMENT", "required", "raw");
    let large = "a".repeat((12 << 20) + 1);
    assert_eq!(upload(&desk, "messages/send", &large).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    let huge = "a".repeat((36 << 20) + 1);
    assert_eq!(upload(&desk, "messages", &huge).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    let path = format!("{UPLOAD}/messages?uploadType=media");
    let wrong = request(&desk, "POST", &path).header(header::CONTENT_TYPE, "image/png").body(Body::from(MAIL));
    assert_eq!(desk.send(wrong.unwrap()).await.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let none = Request::post(&path).header(header::CONTENT_TYPE, "message/rfc822").body(Body::from(MAIL));
    assert_eq!(desk.send(none.unwrap()).await.status, StatusCode::UNAUTHORIZED);
    // The memory of an upload is that of the budget, and free afterwards.
    let large = format!("{MAIL}{}", "text ".repeat(1 << 20));
    upload(&desk, "messages", &large).await.ok();
    assert!(desk.budget.peak() >= large.len() as u64, "{}", desk.budget.peak());
    assert_eq!(desk.budget.held(), 0);
    let ben = desk.with_token("ben/mail.readonly");
    assert_eq!(upload(&ben, "messages", MAIL).await.status, StatusCode::FORBIDDEN);
}
