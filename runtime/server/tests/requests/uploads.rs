//! Resumable uploads: the stored bytes, and their owner.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use futures_util::stream;
use http::{Request, StatusCode};
use wireform_server::{
    Error, Limits, MediaStream, MemoryBudget, MemorySessions, Session, StoredResponse, UploadFuture, UploadSessions,
    axum,
};

use crate::sample::*;

const FILE: &str = "/resumable/media/file?uploadType=resumable";

fn uploads(sample: &Sample) -> Router {
    server(sample).upload_sessions(MemorySessions::new(1 << 20)).router()
}

fn upload_request(method: &str, target: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Request<Body> {
    let request = Request::builder().method(method).uri(target);
    headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)).body(body.into()).unwrap()
}

const TOKEN: (&str, &str) = ("authorization", "Bearer read");

/// Starts an upload, and returns the URL of its chunks.
async fn start_upload(router: &Router, target: &str, headers: &[(&str, &str)]) -> String {
    let response = send(router, upload_request("POST", target, headers, "")).await;
    assert_eq!(response.status, 200, "{}", String::from_utf8_lossy(&response.body));
    response.header("location").to_owned()
}

async fn send_chunk(router: &Router, at: &str, range: &str, body: impl Into<Body>) -> TestResponse {
    let headers = [TOKEN, ("content-range", range)];
    let headers = if range.is_empty() { &headers[..1] } else { &headers[..] };
    send(router, upload_request("PUT", at, headers, body)).await
}

#[tokio::test]
async fn failed_upload_can_be_completed_later() {
    let sample = Sample::default();
    let limits = Limits { media_time: Duration::from_millis(20), ..Limits::DEFAULT };
    let router = server(&sample).limits(limits).upload_sessions(MemorySessions::new(100)).router();
    for (name, status) in [("panic", 500), ("slow", 503)] {
        let at = start_upload(&router, &format!("/resumable/media/{name}?uploadType=resumable"), &[TOKEN]).await;
        assert_eq!(send_chunk(&router, &at, "bytes 0-2/3", "abc").await.status, status, "{name}");
        let response = send_chunk(&router, &at, "bytes */3", "").await;
        assert_eq!((response.status.as_u16(), &response.json()["name"]), (200, &"abc".into()), "{name}");
    }
}

#[tokio::test]
async fn cancelled_upload_is_released() {
    let sample = Sample::default();
    let router = uploads(&sample);
    let at = start_upload(&router, "/resumable/media/slow?uploadType=resumable", &[TOKEN]).await;
    // A client that disconnects while the handler runs drops the request.
    let last = send_chunk(&router, &at, "bytes 0-2/3", "abc");
    assert!(tokio::time::timeout(Duration::from_millis(20), last).await.is_err());
    assert_eq!(send_chunk(&router, &at, "bytes */3", "").await.status, 200);
}

#[tokio::test]
async fn the_first_length_counts() {
    let sample = Sample::default();
    let router = uploads(&sample);
    let at = start_upload(&router, FILE, &[TOKEN]).await;
    assert_eq!(send_chunk(&router, &at, "bytes 0-2/10", "abc").await.status, 308);
    for other in ["bytes 3-4/5", "bytes */3", "bytes */2"] {
        assert_eq!(
            send_chunk(&router, &at, other, if other.contains('-') { "de" } else { "" }).await.status,
            400,
            "{other}"
        );
    }
    assert_eq!(send_chunk(&router, &at, "bytes 3-9/10", "defghij").await.json()["name"], "abcdefghij");
}

#[tokio::test]
async fn a_body_without_a_range_is_all_of_it() {
    let sample = Sample::default();
    let router = uploads(&sample);
    let chunked = |text: &'static str| {
        Body::from_stream(stream::iter(text.as_bytes().chunks(1).map(|it| Ok::<_, std::io::Error>(it.to_vec()))))
    };
    let at = start_upload(&router, FILE, &[TOKEN]).await;
    assert_eq!(send_chunk(&router, &at, "", chunked("abc")).await.json()["name"], "abc");
    // Bytes that are sent again from the start are stored once.
    let at = start_upload(&router, FILE, &[TOKEN]).await;
    assert_eq!(send_chunk(&router, &at, "bytes 0-1/*", "ab").await.status, 308);
    assert_eq!(send_chunk(&router, &at, "", "").await.status, 308);
    assert_eq!(send_chunk(&router, &at, "", chunked("abcd")).await.json()["name"], "abcd");
}

#[tokio::test]
async fn the_path_of_the_beginning_counts() {
    let sample = Sample::default();
    let router = uploads(&sample);
    let at = start_upload(&router, FILE, &[TOKEN]).await.replace("/media/file", "/media/other");
    assert_eq!(send_chunk(&router, &at, "bytes 0-2/3", "abc").await.json()["id"], "file");
}

/// Store that also records its content as text, and at first fails to store responses.
#[derive(Clone)]
struct Watched(Arc<(MemorySessions, Mutex<String>, Mutex<bool>)>);

impl Watched {
    fn new(fails: bool) -> Self {
        Self(Arc::new((MemorySessions::new(1 << 20), Mutex::default(), Mutex::new(fails))))
    }
}

impl UploadSessions for Watched {
    fn begin(&self, session: Session) -> UploadFuture<'_, String> {
        let Session { target, headers, body, subject, .. } = &session;
        let text = format!("{target} {headers:?} {subject} {body:?}");
        // `Debug` of a sensitive header omits its value.
        let values: String = headers.values().filter_map(|value| value.to_str().ok()).collect();
        *self.0.1.lock().unwrap() = text + &values;
        self.0.0.begin(session)
    }

    fn find<'a>(&'a self, name: &'a str) -> UploadFuture<'a, Option<Session>> {
        self.0.0.find(name)
    }

    fn append<'a>(&'a self, name: &'a str, at: u64, piece: Bytes) -> UploadFuture<'a, u64> {
        self.0.0.append(name, at, piece)
    }

    fn set_length<'a>(&'a self, name: &'a str, length: u64) -> UploadFuture<'a, ()> {
        self.0.0.set_length(name, length)
    }

    fn take<'a>(&'a self, name: &'a str) -> UploadFuture<'a, Option<MediaStream>> {
        self.0.0.take(name)
    }

    fn release<'a>(&'a self, name: &'a str) -> UploadFuture<'a, ()> {
        // As an external store does.
        Box::pin(async move {
            tokio::task::yield_now().await;
            self.0.0.release(name).await
        })
    }

    fn finish<'a>(&'a self, name: &'a str, response: StoredResponse) -> UploadFuture<'a, ()> {
        if std::mem::take(&mut *self.0.2.lock().unwrap()) {
            return Box::pin(std::future::ready(Err(Error::new(StatusCode::SERVICE_UNAVAILABLE, "not now"))));
        }
        self.0.0.finish(name, response)
    }

    fn cancel<'a>(&'a self, name: &'a str) -> UploadFuture<'a, ()> {
        self.0.0.cancel(name)
    }
}

#[tokio::test]
async fn response_that_cannot_be_stored_releases_the_upload() {
    let sample = Sample::default();
    let router = server(&sample).upload_sessions(Watched::new(true)).router();
    let at = start_upload(&router, FILE, &[TOKEN]).await;
    assert_eq!(send_chunk(&router, &at, "bytes 0-2/3", "abc").await.status, 503);
    tokio::task::yield_now().await;
    tokio::task::yield_now().await;
    assert_eq!(send_chunk(&router, &at, "bytes */3", "").await.status, 200);
}

#[tokio::test]
async fn credentials_are_not_stored() {
    let sample = Sample::default();
    let watched = Watched::new(false);
    let router = server(&sample).upload_sessions(watched.clone()).router();
    let open = "/resumable/media/file";
    let locked = "/resumable/locked/file";
    for (method, target, headers) in [
        ("POST", format!("{open}?key=key&uploadType=resumable"), vec![]),
        ("POST", format!("{open}?k%65y=key&uploadType=resumable"), vec![]),
        ("POST", format!("{open}?uploadType=resumable&accessToken=read"), vec![]),
        ("POST", format!("{open}?uploadType=resumable"), vec![TOKEN, ("proxy-authorization", "Basic read")]),
        ("POST", format!("{open}?uploadType=resumable&key=key"), vec![("cookie", "session=read; mode=m; x=key")]),
        ("PUT", format!("{locked}?uploadType=resumable"), vec![("x-key", "key")]),
        ("PUT", format!("{locked}?apiKey=key&uploadType=resumable"), vec![]),
    ] {
        let response = send(&router, upload_request(method, &target, &headers, "")).await;
        assert_eq!(response.status, 200, "{target} {}", String::from_utf8_lossy(&response.body));
        let kept = watched.0.1.lock().unwrap().clone();
        assert!(!kept.contains("key") && !kept.contains("read") && kept.contains("resumable"), "{target}: {kept}");
        // A client that sends no credentials with a chunk is authenticated by the URL.
        let at = response.header("location");
        let headers: Vec<_> = headers.into_iter().filter(|(name, _)| *name != "cookie").collect();
        let response = send(&router, upload_request("PUT", at, &headers, "abc")).await;
        let name = if kept.contains("mode=m") { "mabc" } else { "abc" };
        assert_eq!(response.json()["name"], name, "{target}");
    }
}

#[tokio::test]
async fn location_of_an_upload() {
    let sample = Sample::default();
    let router = Router::new().nest("/apis", uploads(&sample));
    let target = "/apis/resumable/media/a%20b?uploadType=resumable&quotaUser=x";
    let rest = "/resumable/media/a%20b?quotaUser=x&uploadType=resumable&upload_id=10-";
    for (headers, origin) in [
        (vec![], "/apis"),
        (vec![("host", "api.example:8080")], "http://api.example:8080/apis"),
        (vec![("host", "inside"), ("x-forwarded-proto", "HTTPS")], "https://inside/apis"),
        (
            vec![("host", "inside"), ("x-forwarded-proto", "https, http"), ("x-forwarded-host", "api.example")],
            "https://api.example/apis",
        ),
        (vec![("host", "inside"), ("x-forwarded-prefix", "/v1/")], "http://inside/v1/apis"),
        // Invalid hosts, schemes and prefixes are ignored.
        (vec![("host", "inside"), ("x-forwarded-host", "a/b"), ("x-forwarded-proto", "ftp")], "http://inside/apis"),
        (vec![("host", "inside"), ("x-forwarded-prefix", "//elsewhere.example")], "http://inside/apis"),
        (vec![("host", "inside"), ("x-forwarded-prefix", "/a?b")], "http://inside/apis"),
    ] {
        let all_headers: Vec<_> = headers.iter().copied().chain([TOKEN]).collect();
        let at = start_upload(&router, target, &all_headers).await;
        assert!(at.strip_prefix(origin).is_some_and(|at| at.starts_with(rest)), "{headers:?}: {at}");
    }
    let server = server(&sample).upload_sessions(MemorySessions::new(100));
    let router = server.public_url("https://example.com/apis/").router();
    let at = start_upload(&router, FILE, &[TOKEN, ("host", "inside"), ("x-forwarded-host", "a")]).await;
    assert!(at.starts_with("https://example.com/apis/resumable/media/file?uploadType=resumable&upload_id="), "{at}");
}

#[tokio::test]
async fn an_address_leads_to_the_pieces() {
    let sample = Sample::default();
    let router = Router::new().nest("/apis", uploads(&sample));
    let at = start_upload(&router, "/apis/resumable/media/a%20b?uploadType=resumable", &[TOKEN, ("host", "h")]).await;
    let response = send(&router, upload_request("PUT", &at, &[TOKEN, ("host", "h")], "abc")).await;
    assert_eq!(response.json()["id"], "a b");
}

#[tokio::test]
async fn the_json_of_an_upload_takes_a_share_of_the_memory() {
    let sample = Sample::default();
    let text = serde_json::json!({ "name": "a".repeat(400 << 10) }).to_string();
    let related = format!(
        "--b\r\nContent-Type: application/json\r\n\r\n{text}\r\n--b\r\nContent-Type: image/png\r\n\r\n{}\r\n--b--",
        "x".repeat(900 << 10)
    );
    let json = ("content-type", "application/json");
    let multipart = ("content-type", "multipart/related; boundary=b");
    let at = "/upload/media/file?uploadType=multipart";
    for (target, content_type, body) in [(at, multipart, &related), (FILE, json, &text)] {
        let budget = MemoryBudget::new(8 << 20);
        let router =
            server(&sample).memory_budget(budget.clone()).upload_sessions(MemorySessions::new(8 << 20)).router();
        let pieces: Vec<_> = body.as_bytes().chunks(64 << 10).map(|it| Ok::<_, std::io::Error>(it.to_vec())).collect();
        let request = upload_request("POST", target, &[TOKEN, content_type], Body::from_stream(stream::iter(pieces)));
        assert_eq!(send(&router, request).await.status, 200, "{target}");
        let least = 3 * text.len() as u64;
        assert!((least..least + (1 << 20)).contains(&budget.peak()), "{} bytes of {least} for {target}", budget.peak());
        assert_eq!(budget.held(), 0);
    }
}

/// The public client for Python ends the lines around the parts with LF; the media are the same.
#[tokio::test]
async fn lines_around_parts_may_end_with_lf() {
    let sample = Sample::default();
    let router = uploads(&sample);
    let multipart = ("content-type", "multipart/related; boundary=b");
    for line_end in ["\r\n", "\n"] {
        let content = "a\r\nb\nc\r\n--other\r";
        let lines = [
            "--b",
            "Content-Type: application/json",
            "",
            "{}",
            "--b",
            "Content-Type: image/png",
            "",
            content,
            "--b--",
            "",
        ];
        let body = lines.join(line_end);
        let pieces: Vec<_> = body.as_bytes().chunks(3).map(|it| Ok::<_, std::io::Error>(it.to_vec())).collect();
        let request = upload_request(
            "POST",
            "/upload/media/file?uploadType=multipart",
            &[TOKEN, multipart],
            Body::from_stream(stream::iter(pieces)),
        );
        let response = send(&router, request).await;
        let text = String::from_utf8_lossy(&response.body).into_owned();
        assert_eq!(response.status, 200, "{line_end:?}: {text}");
        assert!(text.contains(&serde_json::to_string(content).unwrap()), "{line_end:?}: {text}");
    }
}
