//! Paths and methods.

use axum::Router;
use axum::body::Body;
use axum::routing::get;
use wireform_server::{Server, axum};

use crate::sample::*;

#[tokio::test]
async fn every_base_path_responds() {
    let sample = Sample::default();
    for target in ["/sample/v1/things/a", "/public/v1/things/a"] {
        let response = ask(&sample, "GET", target, "").await;
        assert_eq!((response.status.as_u16(), response.json()["name"].as_str()), (200, Some("first")), "{response:?}");
    }
}

#[tokio::test]
async fn variables_are_decoded_once() {
    let sample = Sample::default();
    for (target, id) in [
        ("/sample/v1/things/a%2Fb", "a/b"),
        ("/sample/v1/things/%2525", "%25"),
        ("/sample/v1/things/a+b", "a+b"),
        ("/sample/v1/things/a%20b%C3%A9", "a bé"),
        ("/sample/v1/things/...", "..."),
        ("/sample/v1/things/import", "import"),
        ("/sample/v1/things/a:run", "a:run"),
        ("/sample/v1/things/%00", "\0"),
    ] {
        ask(&sample, "GET", target, "").await;
        assert_eq!(sample.seen::<ThingsGet>(), Some(ThingsGet { id: id.into() }), "{target}");
    }
    ask(&sample, "GET", "/sample/v1/files/a/b%2Fc/d", "").await;
    assert_eq!(sample.seen::<FilesGet>(), Some(FilesGet { path: "a/b/c/d".into() }));
    ask(&sample, "GET", "/sample/v1/projects/a%20b/places/c%2525/pages/page/1/2%2F3:read", "").await;
    let place = PlacesGet { name: "projects/a b/places/c%25".into(), page: "page/1/2/3".into() };
    assert_eq!(sample.seen::<PlacesGet>(), Some(place));
}

#[tokio::test]
async fn dot_segments_are_rejected() {
    let sample = Sample::default();
    for (target, message) in [
        ("/sample/v1/things/.", "thingId: must not be `.` or `..`"),
        ("/sample/v1/projects/a/places/../pages/page/1:read", "name: must not be `.` or `..`"),
        ("/sample/v1/projects/a/places/b/pages/page/1%2F..:read", "page: must not be `.` or `..`"),
        ("/sample/v1/projects/a/places/b%2F/pages/page/1:read", "name: must not be `.` or `..`"),
        ("/sample/v1/projects/a/places/b%2Fc/pages/page/1:read", "name: must not contain an encoded `/`"),
        ("/sample/v1/things/..", "thingId: must not be `.` or `..`"),
        ("/sample/v1/things/%2e%2E", "thingId: must not be `.` or `..`"),
        ("/sample/v1/files/a/%2e%2e/b", "path: must not be `.` or `..`"),
        ("/sample/v1/files/a%2F%2E%2E", "path: must not be `.` or `..`"),
        ("/sample/v1/files/a%2F%2Fb", "path: must not be `.` or `..`"),
        ("/sample/v1/things/%FF", "thingId: must be UTF-8 after decoding"),
        ("/sample/v1/things/%2", "thingId: must be percent-encoded (RFC 3986)"),
    ] {
        let response = ask(&sample, "GET", target, "").await;
        assert_eq!(response.status.as_u16(), 400, "{target}");
        assert_eq!(response.json()["error"]["message"], message, "{target}");
        assert_eq!(sample.called_for(), None, "{target}");
    }
}

#[tokio::test]
async fn literals_and_verbs() {
    let sample = Sample::default();
    assert_eq!(ask(&sample, "POST", "/sample/v1/things/import", "{}").await.status.as_u16(), 200);
    assert!(sample.seen::<ThingsImport>().is_some());
    for target in ["/sample/v1/things/x:run", "/sample/v1/things/x%3Arun"] {
        assert_eq!(ask(&sample, "POST", target, "").await.status.as_u16(), 200, "{target}");
        assert_eq!(sample.seen::<ThingsRun>().map(|request| request.id), Some("x".into()), "{target}");
    }
}

#[tokio::test]
async fn unknown_paths_are_404() {
    let sample = Sample::default();
    for target in [
        "/sample/v1",
        "/sample/v1/",
        "/sample/v1/nothing",
        "/sample/v1/things/",
        "/sample/v1//things",
        "/sample/v1/things//",
        "/sample/v1/things/a/b",
        "/sample/v1/THINGS",
        "/sample/v1/files/a//b",
        "/sample/v1/files/",
    ] {
        let response = ask(&sample, "GET", target, "").await;
        assert_eq!(
            (response.status.as_u16(), response.json()["error"]["status"].as_str()),
            (404, Some("NOT_FOUND")),
            "{target}"
        );
        assert_eq!(response.header("content-type"), "application/json; charset=UTF-8", "{target}");
    }
}

#[tokio::test]
async fn unsupported_methods_are_405() {
    let sample = Sample::default();
    let response = ask(&sample, "PATCH", "/sample/v1/things", "{}").await;
    assert_eq!((response.status.as_u16(), response.header("allow")), (405, "GET, HEAD, OPTIONS, POST"));
    assert_eq!(response.json()["error"]["code"], 405);
    // Routing precedes authentication.
    let options = http::Request::options("/sample/v1/things/a").body(Body::empty()).unwrap();
    let response = send(&router(&sample), options).await;
    assert_eq!((response.status.as_u16(), response.header("allow")), (204, "DELETE, GET, HEAD, OPTIONS, PATCH, PUT"));
    assert!(response.body.is_empty());
}

#[tokio::test]
async fn heads_are_reads_without_a_body() {
    let sample = Sample::default();
    let read = ask(&sample, "GET", "/sample/v1/things/a", "").await;
    let head = ask(&sample, "HEAD", "/sample/v1/things/a", "").await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), read.body.len().to_string());
    assert_eq!(head.header("etag"), read.header("etag"));
    let missing = ask(&sample, "HEAD", "/sample/v1/things/b", "").await;
    assert_eq!((missing.status.as_u16(), missing.body.len()), (404, 0));
}

#[tokio::test]
async fn routers_can_be_merged_nested_and_layered() {
    let sample = Sample::default();
    let outer = Router::new()
        .route("/health", get(|| async { "well" }))
        .merge(router(&sample))
        .nest("/inner", Server::new(Handlers(sample.clone())).authenticator(Tokens).router())
        .fallback(|| async { "elsewhere" });
    for (target, status, text) in [
        ("/health", 200, "well"),
        ("/elsewhere", 200, "elsewhere"),
        ("/sample/v1/things/a", 200, "first"),
        ("/inner/sample/v1/things/a", 200, "first"),
        ("/inner/sample/v1/things/b", 404, "NOT_FOUND"),
    ] {
        let response = send(&outer, request("GET", target, "").body(Body::empty()).unwrap()).await;
        assert_eq!(response.status.as_u16(), status, "{target}");
        assert!(String::from_utf8_lossy(&response.body).contains(text), "{target}: {response:?}");
    }
}
