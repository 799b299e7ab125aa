//! Errors in the format of the API.

use axum::body::Body;
use http::StatusCode;
use http::header::{HeaderName, HeaderValue};
use serde_json::json;
use wireform_server::{Limits, axum};

use crate::sample::*;

#[tokio::test]
async fn errors_of_handlers_are_rendered() {
    let sample = Sample::default();
    let response = ask(&sample, "GET", "/sample/v1/things/missing", "").await;
    assert_eq!(response.status, StatusCode::NOT_FOUND);
    let expected = json!({ "error": {
        "code": 404,
        "message": "there is no such thing",
        "errors": [{ "domain": "global", "reason": "notFound", "message": "there is no such thing",
                     "locationType": "parameter", "location": "thingId" }],
        "status": "NOT_FOUND",
    } });
    assert_eq!(response.json(), expected);
    for (name, value) in [
        ("content-type", "application/json; charset=UTF-8"),
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(response.header(name), value);
    }
    assert!(!response.header("x-request-id").is_empty());
    let response = ask(&sample, "GET", "/sample/v1/things/conflict", "").await;
    assert_eq!((response.status.as_u16(), response.violations()), (409, vec!["duplicate - | it is taken".to_owned()]));
    assert_eq!(response.json()["error"]["status"], "ABORTED");
}

#[tokio::test]
async fn internal_errors_show_no_cause() {
    let sample = Sample::default();
    for target in ["/sample/v1/things/panic", "/sample/v1/things/broken"] {
        let response = ask(&sample, "GET", target, "").await;
        assert_eq!(
            (response.status.as_u16(), response.json()["error"]["status"].as_str()),
            (500, Some("INTERNAL")),
            "{target}"
        );
        assert!(!String::from_utf8_lossy(&response.body).contains("secret"), "{target}");
    }
    // The next request gets a response.
    assert_eq!(ask(&sample, "GET", "/sample/v1/things/a", "").await.status.as_u16(), 200);
}

#[tokio::test(start_paused = true)]
async fn request_time_is_limited() {
    let response = ask(&Sample::default(), "GET", "/sample/v1/things/slow", "").await;
    assert_eq!((response.status.as_u16(), response.header("retry-after")), (503, "1"));
}

#[tokio::test]
async fn heads_have_bounds() {
    let sample = Sample::default();
    let mut limits = Limits::DEFAULT;
    (limits.target_bytes, limits.query_pairs, limits.headers) = (60, 3, 4);
    let router = server(&sample).limits(limits).router();
    let long = format!("/sample/v1/things/{}", "x".repeat(60));
    for (target, headers, status) in [
        ("/sample/v1/things/a", 0, 200),
        (&*long, 0, 414),
        ("/sample/v1/things?q=1&kinds=large&kinds=large&kinds=large", 0, 400),
        ("/sample/v1/things/a", 5, 431),
    ] {
        let mut builder = request("GET", target, "");
        for header in 0..headers {
            builder = builder.header(format!("x-{header}"), "1");
        }
        let response = send(&router, builder.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status.as_u16(), status, "{target}");
        assert_eq!(response.json()["error"]["code"].as_u64().unwrap_or(200), u64::from(status));
    }
}

#[tokio::test]
async fn concurrent_requests_are_limited() {
    let sample = Sample::default();
    let mut limits = Limits::DEFAULT;
    limits.concurrent_requests = 0;
    let router = server(&sample).limits(limits).router();
    let response = send(&router, request("GET", "/sample/v1/things/a", "").body(Body::empty()).unwrap()).await;
    assert_eq!((response.status.as_u16(), response.header("retry-after")), (503, "1"));
}

#[test]
fn errors_show_no_cause() {
    let error = wireform_server::Error::internal("secret")
        .with_header(HeaderName::from_static("x-token"), HeaderValue::from_static("secret"))
        .with_body(json!("secret"));
    assert!(!format!("{error:?} {error}").contains("secret"));
}
