//! Batches.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use futures_util::{StreamExt as _, stream};
use http::Request;
use http_body_util::BodyExt as _;
use tower_service::Service as _;
use wireform_server::wireform_runtime::batch;
use wireform_server::{Limits, axum};

use crate::sample::*;

const PATH: &str = "/batch/sample/v1";

/// Creates a batch of these parts, with a token for all of them.
fn batch_of(parts: &[&str]) -> String {
    let part = |(index, part): (usize, &&str)| {
        format!("--b\r\nContent-Type: application/http\r\nContent-ID: <part {index}>\r\n\r\n{part}\r\n")
    };
    parts.iter().enumerate().map(part).chain(["--b--".to_owned()]).collect()
}

async fn send_batch(sample: &Sample, target: &str, body: &str) -> TestResponse {
    let request = Request::builder()
        .method("POST")
        .uri(target)
        .header("authorization", "Bearer write")
        .header("accept", "multipart/mixed")
        .header("accept-encoding", "gzip")
        .header("content-type", "multipart/mixed; boundary=b");
    send(&router(sample), request.body(Body::from(body.to_owned())).unwrap()).await
}

/// Returns the id, the start line and the body of each response.
fn parse_responses(response: &TestResponse) -> Vec<(String, String, serde_json::Value)> {
    assert_eq!(response.status.as_u16(), 200, "{}", String::from_utf8_lossy(&response.body));
    let boundary = batch::parse_boundary(response.header("content-type")).unwrap();
    let parts = batch::parse_parts(&response.body, &boundary, 100).unwrap();
    let read = |part: &batch::Part<'_>| {
        let message = batch::parse_message(part.content).unwrap();
        let body = serde_json::from_slice(message.body).unwrap_or_default();
        (part.id.as_deref().unwrap_or_default().to_owned(), message.start_line.to_owned(), body)
    };
    parts.iter().map(read).collect()
}

#[tokio::test]
async fn each_part_is_a_request_of_its_own() {
    let sample = Sample::default();
    let body = batch_of(&[
        "GET /sample/v1/things/a\r\n",
        "POST /sample/v1/things/import HTTP/1.1\nContent-Type: application/json\nHost: elsewhere\n\n{\"name\":\"new\"}",
        "GET /public/v1/things/none HTTP/1.1\r\nAuthorization: Bearer read\r\n\r\n",
        "DELETE /sample/v1/things/a HTTP/1.1\r\nAuthorization: Bearer read\r\n\r\n",
        "GET /nowhere HTTP/1.1",
    ]);
    let response = send_batch(&sample, PATH, &body).await;
    let responses = parse_responses(&response);
    let ids: Vec<&str> = responses.iter().map(|(id, ..)| id.as_str()).collect();
    assert_eq!(
        ids,
        ["<response-part 0>", "<response-part 1>", "<response-part 2>", "<response-part 3>", "<response-part 4>"]
    );
    let lines: Vec<&str> = responses.iter().map(|(_, line, _)| line.as_str()).collect();
    let not_found = "HTTP/1.1 404 Not Found";
    assert_eq!(lines, ["HTTP/1.1 200 OK", "HTTP/1.1 200 OK", not_found, "HTTP/1.1 403 Forbidden", not_found]);
    assert_eq!((&responses[0].2["id"], &responses[1].2["id"]), (&"a".into(), &"imported".into()));
    assert_eq!(responses[4].2["error"]["code"], 404, "errors have the format of the API");
}

#[tokio::test]
async fn parts_inherit_the_query_of_the_batch() {
    let sample = Sample::default();
    let body = batch_of(&[
        "GET /sample/v1/things/a",
        "GET /sample/v1/things/a?fields=etag",
        "GET /sample/v1/things/a?wrong=1",
    ]);
    let responses = parse_responses(&send_batch(&sample, &format!("{PATH}?fields=id"), &body).await);
    assert_eq!(responses[0].2, serde_json::json!({ "id": "a" }));
    assert_eq!(responses[1].2.get("id"), None);
    assert!(responses[2].1.contains("400"), "{}", responses[2].1);
}

#[tokio::test]
async fn invalid_part_gets_its_own_error() {
    let sample = Sample::default();
    let body = batch_of(&[
        "GET https://sample.example/sample/v1/things/a HTTP/1.1",
        "GET",
        "GET /sample/v1/things/a HTTP/1.1\r\nContent-Length: 900\r\n\r\n",
        "GET /sample/v1/things/a HTTP/1.1",
        "POST /batch/sample/v1 HTTP/1.1\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n",
    ]);
    let responses = parse_responses(&send_batch(&sample, PATH, &body).await);
    let statuses: Vec<&str> = responses.iter().map(|(_, line, _)| &line["HTTP/1.1 ".len()..][..3]).collect();
    assert_eq!(statuses, ["400", "400", "400", "200", "400"]);
    let message = responses[4].2["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("batches cannot be nested"), "{message}");
}

#[tokio::test]
async fn invalid_batches_are_rejected() {
    let sample = Sample::default();
    let many = batch_of(&["GET /sample/v1/things/a"; 6]);
    for (body, message) in [
        (many.as_str(), "a batch can have at most 5 parts"),
        ("--b--", "the batch has no parts"),
        ("--b\r\nContent-Type: application/http\r\n\r\nGET /", "malformed batch: missing last boundary"),
        ("--b\r\nContent-Type: text/plain\r\n\r\nGET /\r\n--b--", "malformed batch: a part is not `application/http`"),
    ] {
        let response = send_batch(&sample, PATH, body).await;
        assert_eq!((response.status.as_u16(), &response.json()["error"]["message"]), (400, &message.into()));
    }
    assert_eq!(sample.called_for(), None);
    for (method, content_type, status) in [
        ("POST", "application/json", 415),
        ("POST", "multipart/mixed", 415),
        ("GET", "multipart/mixed", 405),
        ("OPTIONS", "text/plain", 204),
    ] {
        let request = request(method, PATH, "").header("content-type", content_type);
        let response = send(&router(&sample), request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status.as_u16(), status, "{method} {content_type}");
        let allows = matches!(status, 204 | 405);
        assert_eq!(response.header("allow"), if allows { "OPTIONS, POST" } else { "" });
    }
}

/// Creates an endless body that records whether it was read.
fn endless(read: &Arc<AtomicBool>) -> Body {
    let read = Arc::clone(read);
    let begin = stream::once(async move {
        read.store(true, Ordering::Relaxed);
        Ok::<_, std::io::Error>("--b\r\n")
    });
    Body::from_stream(begin.chain(stream::pending()))
}

fn post(token: &str, body: Body) -> Request<Body> {
    let request = Request::builder().method("POST").uri(PATH).header("authorization", token);
    request.header("content-type", "multipart/mixed; boundary=b").body(body).unwrap()
}

#[tokio::test]
async fn the_head_of_a_batch_is_authenticated_before_its_body_is_read() {
    let sample = Sample::default();
    let limits = Limits { concurrent_batches: 0, concurrent_bodies: 0, concurrent_requests: 0, ..Limits::DEFAULT };
    let router = server(&sample).limits(limits).router();
    // The API has a public operation, so a batch needs no credential.
    for (token, status, reason) in [
        ("Bearer wrong", 401, "authError"),
        ("Bearer down", 503, "backendError"),
        ("Basic YTpi", 503, "backendError"),
        ("", 503, "backendError"),
    ] {
        let read = Arc::new(AtomicBool::new(false));
        let mut request = post(token, endless(&read));
        if token.is_empty() {
            request.headers_mut().remove("authorization");
        }
        let response = send(&router, request).await;
        let found = response.json()["error"]["errors"][0]["reason"].as_str().map(str::to_owned);
        assert_eq!((response.status.as_u16(), found.as_deref()), (status, Some(reason)), "{token}");
        assert!(!read.load(Ordering::Relaxed), "{token}: the body was read");
    }
    // A token that is valid for any operation is valid for the batch: its parts are authorized separately.
    let response = send(
        &crate::sample::router(&sample),
        post("Bearer read", batch_of(&["GET /sample/v1/things/a", "DELETE /sample/v1/things/a"]).into()),
    )
    .await;
    let lines: Vec<String> = parse_responses(&response).into_iter().map(|(_, line, _)| line).collect();
    assert_eq!(lines, ["HTTP/1.1 200 OK", "HTTP/1.1 403 Forbidden"]);
    assert_eq!(sample.called_for().as_deref(), Some("someone"));
}

#[tokio::test]
async fn batches_that_arrive_slowly_take_no_slots_of_others() {
    let sample = Sample::default();
    let limits = Limits { concurrent_batches: 2, concurrent_requests: 1, share_percent: 50, ..Limits::DEFAULT };
    let router = server(&sample).limits(limits).router();
    let slow = |token: &'static str| {
        let router = router.clone();
        tokio::spawn(async move { send(&router, post(token, endless(&Arc::default()))).await })
    };
    let first = slow("Bearer write");
    tokio::task::yield_now().await;
    // The caller has used its share; another caller has the rest, and requests other than batches continue.
    let body = || Body::from(batch_of(&["GET /sample/v1/things/a"; 2]));
    let response = send(&router, post("Bearer write", body())).await;
    assert_eq!((response.status.as_u16(), response.header("retry-after")), (429, "1"));
    assert_eq!(parse_responses(&send(&router, post("Bearer all", body())).await)[1].1, "HTTP/1.1 200 OK");
    let second = slow("Bearer all");
    tokio::task::yield_now().await;
    let response = send(&router, post("Bearer public", body())).await;
    assert_eq!((response.status.as_u16(), response.header("retry-after")), (503, "1"));
    let alone = request("GET", "/sample/v1/things/a", "").body(Body::empty()).unwrap();
    assert_eq!(send(&router, alone).await.status.as_u16(), 200);
    for slow in [first, second] {
        slow.abort();
        let _ = slow.await;
    }
    assert_eq!(parse_responses(&send(&router, post("Bearer write", body())).await)[1].1, "HTTP/1.1 200 OK");
}

#[tokio::test]
async fn batch_holds_its_slot_until_its_response_is_sent() {
    let sample = Sample::default();
    let limits = Limits { concurrent_batches: 1, ..Limits::DEFAULT };
    let router = server(&sample).limits(limits).router();
    let body = || Body::from(batch_of(&["GET /sample/v1/things/a"]));
    let held = router.clone().call(post("Bearer all", body())).await.unwrap();
    assert_eq!(send(&router, post("Bearer read", body())).await.status.as_u16(), 503);
    drop(held);
    assert_eq!(send(&router, post("Bearer read", body())).await.status.as_u16(), 200);
}

/// Creates a server with two concurrent requests, both of which one caller may use.
fn two_at_once(sample: &Sample) -> axum::Router {
    server(sample).limits(Limits { concurrent_requests: 2, share_percent: 100, ..Limits::DEFAULT }).router()
}

/// Returns whether two requests can be processed.
async fn has_two_slots(router: &axum::Router) -> bool {
    let get = |id: &str| request("GET", &format!("/sample/v1/things/{id}"), "").body(Body::empty()).unwrap();
    let (first, second) = (get("slow"), get("a"));
    let working = tokio::spawn({
        let router = router.clone();
        async move { send(&router, first).await }
    });
    tokio::task::yield_now().await;
    let response = send(router, second).await;
    working.abort();
    let _ = working.await;
    response.status.as_u16() == 200
}

#[tokio::test(start_paused = true)]
async fn parts_continue_while_the_response_is_unread() {
    let router = two_at_once(&Sample::default());
    let slow = Body::from(batch_of(&["GET /sample/v1/things/slow"; 2]));
    let mut body = router.clone().call(post("Bearer all", slow)).await.unwrap().into_body();
    let first = body.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(String::from_utf8_lossy(&first).contains("HTTP/1.1 503"), "{first:?}");
    // The second one started with the first, and has the same timeout.
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(has_two_slots(&router).await);
    drop(body);
}

#[tokio::test(start_paused = true)]
async fn dropped_response_cancels_the_parts() {
    let router = two_at_once(&Sample::default());
    let slow = Body::from(batch_of(&["GET /sample/v1/things/slow"; 2]));
    let mut body = router.clone().call(post("Bearer all", slow)).await.unwrap().into_body();
    let early = tokio::time::timeout(Duration::from_secs(1), body.frame()).await;
    assert!(early.is_err() && !has_two_slots(&router).await);
    drop(body);
    tokio::task::yield_now().await;
    assert!(has_two_slots(&router).await);
}

#[tokio::test]
async fn targets_of_many_parameters() {
    let sample = Sample::default();
    let many = format!("GET /sample/v1/things/a?{} HTTP/1.1", "a&".repeat(1 << 20));
    let short = format!("GET /sample/v1/things/a?{} HTTP/1.1", "a&".repeat(1 << 10));
    let query = "b=1&".repeat(400);
    let response = send_batch(&sample, &format!("{PATH}?{query}"), &batch_of(&[&many, &short])).await;
    for (_, start, body) in parse_responses(&response) {
        assert_eq!(start, "HTTP/1.1 400 Bad Request", "{body}");
    }
    // Encoded and plain names are equal.
    let body = batch_of(&["GET /sample/v1/things/a?q%75otaUser=own HTTP/1.1"]);
    let response = send_batch(&sample, &format!("{PATH}?quotaUser=all"), &body).await;
    assert_eq!(parse_responses(&response)[0].1, "HTTP/1.1 200 OK", "{}", parse_responses(&response)[0].2);
}

/// Parts of other APIs are sent to their routes, with what they inherit; an own path never is.
#[tokio::test]
async fn parts_reach_other_apis() {
    let sample = Sample::default();
    let echo = |request: Request<Body>| async move {
        let token = request.headers().get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
        format!("{{\"path\":\"{}\",\"token\":\"{token}\"}}", request.uri())
    };
    let router = server(&sample).batches_reach(axum::Router::new().fallback(echo)).router();
    let body = batch_of(&["GET /other/v1/a?x=1", "GET /sample/v1/things/a", "GET /sample/v1/nowhere", "GET /samples"]);
    let responses = parse_responses(&send(&router, post("Bearer read", body.into())).await);
    assert_eq!(responses[0].2, serde_json::json!({ "path": "/other/v1/a?x=1", "token": "Bearer read" }));
    assert!(responses[1].2.get("path").is_none() && responses[1].1.contains("200"), "{:?}", responses[1]);
    assert!(responses[2].2.get("path").is_none() && responses[2].1.contains("404"), "{:?}", responses[2]);
    assert_eq!(responses[3].2["path"], "/samples");
}
