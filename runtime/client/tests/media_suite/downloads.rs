//! Downloads.

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use http::HeaderMap;
use wireform_client::{Client, ErrorKind};

use super::sample::{bytes, get};
use super::server::client;

/// Length of the media in bytes.
const LENGTH: usize = 100_000;

/// Serves the media with an entity tag. Each response breaks off after a number of bytes.
async fn served(tag: &'static str, most: usize) -> (Client, Arc<Mutex<Vec<HeaderMap>>>) {
    let log = Arc::new(Mutex::new(Vec::new()));
    let recorded = Arc::clone(&log);
    let router = Router::new().fallback(move |request: Request| {
        assert_eq!(request.uri().to_string(), "/files/v1/files/1?alt=media");
        recorded.lock().unwrap().push(request.headers().clone());
        let range = request.headers().get("range").map(|range| range.to_str().unwrap().to_owned());
        async move { part(range.as_deref(), tag, most) }
    });
    (client(router).await, log)
}

fn part(range: Option<&str>, tag: &str, most: usize) -> Response {
    let (first, last) = match range.and_then(|range| range.strip_prefix("bytes=")?.split_once('-')) {
        Some((first, last)) => (first.parse().unwrap(), last.parse().unwrap_or(LENGTH - 1)),
        None => (0, LENGTH - 1),
    };
    let content = bytes(LENGTH)[first..=last].to_vec();
    let length = content.len();
    let sent = Bytes::from(content).slice(..length.min(most));
    let breaks = length > most;
    let chunks = stream::iter([Ok(sent)]).chain(stream::once(async move {
        // The bytes must arrive before the connection breaks.
        tokio::task::yield_now().await;
        if breaks { Err(std::io::Error::other("it breaks")) } else { Ok(Bytes::new()) }
    }));
    let response = Response::builder()
        .status(if range.is_some() { 206 } else { 200 })
        .header("content-type", "image/png")
        .header("content-length", length);
    let response = if tag.is_empty() { response } else { response.header("etag", tag) };
    let range = range.map(|_| format!("bytes {first}-{last}/{LENGTH}"));
    let response = range.into_iter().fold(response, |response, range| response.header("content-range", range));
    response.body(Body::from_stream(chunks)).unwrap_or_else(|error| resume_unwind(Box::new(error)))
}

#[tokio::test]
async fn download_is_complete() {
    let (client, log) = served("", LENGTH).await;
    let download = client.call(get()).download().send().await.unwrap();
    assert_eq!((download.status(), download.length()), (200, Some(LENGTH as u64)));
    assert_eq!((download.content_type(), download.first_byte()), (Some("image/png"), 0));
    assert!(download.bytes(LENGTH).await.unwrap() == bytes(LENGTH));
    let headers = &log.lock().unwrap()[0];
    assert_eq!((headers["accept"].as_bytes(), headers["accept-encoding"].as_bytes()), (&b"*/*"[..], &b"identity"[..]));
    assert!(!headers.contains_key("range"));
}

#[tokio::test]
async fn range_is_downloaded() {
    let (client, log) = served("", LENGTH).await;
    let download = client.call(get()).download().from_byte(10).to_byte(19).send().await.unwrap();
    assert_eq!((download.status(), download.length(), download.first_byte()), (206, Some(10), 10));
    assert_eq!(download.bytes(10).await.unwrap(), bytes(20)[10..]);
    assert_eq!(log.lock().unwrap()[0]["range"], "bytes=10-19");
}

#[tokio::test]
async fn download_is_limited() {
    let (client, _) = served("", LENGTH).await;
    let download = client.call(get()).download().send().await.unwrap();
    let error = download.bytes(LENGTH - 1).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::BodyTooLong { limit } if *limit == LENGTH - 1), "{error:?}");
}

#[tokio::test]
async fn broken_download_is_resumed() {
    let (client, log) = served("\"1\"", 30_000).await;
    let download = client.call(get()).download().send().await.unwrap();
    assert!(download.bytes(LENGTH).await.unwrap() == bytes(LENGTH));
    let log = log.lock().unwrap();
    let ranges: Vec<_> = log.iter().skip(1).map(|headers| headers["range"].to_str().unwrap()).collect();
    assert_eq!(ranges, ["bytes=30000-", "bytes=60000-", "bytes=90000-"]);
    assert!(log.iter().skip(1).all(|headers| headers["if-range"] == "\"1\""));
}

#[tokio::test]
async fn broken_range_is_resumed() {
    let (client, log) = served("\"1\"", 30).await;
    let download = client.call(get()).download().from_byte(10).to_byte(49).send().await.unwrap();
    assert_eq!(download.bytes(40).await.unwrap(), bytes(50)[10..]);
    assert_eq!(log.lock().unwrap()[1]["range"], "bytes=40-49");
}

#[tokio::test]
async fn changed_download_is_not_resumed() {
    for tag in ["", "W/\"1\""] {
        let (client, log) = served(tag, 30_000).await;
        let download = client.call(get()).download().send().await.unwrap();
        let error = download.bytes(LENGTH).await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Connection(_)), "{error:?}");
        assert_eq!(log.lock().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn errors_are_errors() {
    let router = Router::new().fallback(async || {
        Response::builder().status(404).body(Body::from(r#"{"message": "there is none"}"#)).unwrap()
    });
    let error = client(router).await.call(get()).download().send().await.unwrap_err();
    assert!(error.is_not_found() && error.to_string().contains("there is none"), "{error}");
}
