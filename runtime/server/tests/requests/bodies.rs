//! Bodies, and their violations together with those of parameters.

use axum::body::Body;
use wireform_server::{Limits, MemoryBudget, axum};

use crate::sample::*;

const INSERT: &str = "/sample/v1/things?owner=me&copies=1";

/// Sends a body with a media type.
async fn typed(sample: &Sample, method: &str, target: &str, types: &[&str], body: &str) -> TestResponse {
    let mut builder = http::Request::builder().method(method).uri(target).header("authorization", "Bearer all");
    for value in types {
        builder = builder.header("content-type", *value);
    }
    send(&router(sample), builder.body(Body::from(body.to_owned())).unwrap()).await
}

#[tokio::test]
async fn a_body_becomes_a_value() {
    let sample = Sample::default();
    let response =
        ask(&sample, "POST", INSERT, r#"{"name":"n","kind":"SMALL","created":"2026-01-01T00:00:00Z"}"#).await;
    assert_eq!(response.status.as_u16(), 201, "{response:?}");
    // Output-only fields are dropped.
    let body = Thing { name: Some("n".into()), kind: Some(Kind::Small), ..Thing::default() };
    assert_eq!(sample.seen(), Some(ThingsInsert { owner: "me".into(), copies: 1, body }));
}

#[tokio::test]
async fn types_of_bodies() {
    let sample = Sample::default();
    for (types, status) in [
        (&[] as &[&str], 201),
        (&["application/json"], 201),
        (&["Application/Json; Charset=\"UTF-8\""], 201),
        (&["application/json; charset=iso-8859-1"], 415),
        (&["text/plain"], 415),
        (&["application/merge-patch+json"], 415),
        (&["application/json", "application/json"], 415),
        (&[""], 415),
    ] {
        let response = typed(&sample, "POST", INSERT, types, r#"{"name":"n"}"#).await;
        assert_eq!(response.status.as_u16(), status, "{types:?}");
        assert_eq!(sample.called_for().is_some(), status == 201, "{types:?}");
        if status == 415 {
            assert_eq!(response.header("accept"), "application/json");
            assert_eq!(response.json()["error"]["errors"][0]["location"], "Content-Type");
        }
    }
    let response =
        typed(&sample, "PATCH", "/sample/v1/things/a", &["application/merge-patch+json"], r#"{"name":null}"#).await;
    assert_eq!((response.status.as_u16(), response.json().get("name")), (200, None));
    let coded = request("POST", INSERT, "{}").header("content-encoding", "gzip").body(Body::from("{}")).unwrap();
    let response = send(&router(&sample), coded).await;
    assert_eq!((response.status.as_u16(), response.header("accept-encoding")), (415, "identity"));
}

#[tokio::test]
async fn unacceptable_responses_are_406() {
    let sample = Sample::default();
    for (method, target, accept, status) in [
        ("GET", "/sample/v1/things/a", "text/html", 406),
        ("GET", "/sample/v1/things/a", "text/html, */*;q=0.1", 200),
        ("DELETE", "/sample/v1/things/a", "text/html", 204),
    ] {
        let request = request(method, target, "").header("accept", accept).body(Body::empty()).unwrap();
        let response = send(&router(&sample), request).await;
        assert_eq!(response.status.as_u16(), status, "{method} {accept}");
        assert_eq!(sample.called_for().is_some(), status < 400);
    }
}

#[tokio::test]
async fn bodies_that_are_missing_or_not_expected() {
    let sample = Sample::default();
    let response = ask(&sample, "POST", INSERT, "").await;
    assert_eq!(
        (response.status.as_u16(), response.violations()),
        (400, vec!["required - | the body is required".to_owned()])
    );
    let response = ask(&sample, "POST", "/sample/v1/things/x:run", "").await;
    assert_eq!((response.status.as_u16(), sample.seen::<ThingsRun>().unwrap().body), (200, None));
    let response = ask(&sample, "POST", "/sample/v1/things/x:run", r#"{"name":"o"}"#).await;
    assert_eq!(
        (response.status.as_u16(), sample.seen::<ThingsRun>().unwrap().body.unwrap().name.as_deref()),
        (200, Some("o"))
    );
    let response = ask(&sample, "GET", "/sample/v1/things?maxResult=x", "{}").await;
    assert_eq!(
        response.violations(),
        [
            "invalidParameter maxResult | must be a 32-bit integer",
            "invalid - | the body must be empty: the operation has no body",
        ]
    );
    // An announced body that is empty counts as missing.
    let empty = Body::from_stream(futures_util::stream::iter([Ok::<_, std::io::Error>(bytes::Bytes::new())]));
    let request = request("GET", "/sample/v1/things/a", "").body(empty).unwrap();
    assert_eq!(send(&router(&sample), request).await.status.as_u16(), 200);
}

/// Targets and bodies of inserts, each with the violations.
const INVALID_REQUESTS: [(&str, &str, &[&str]); 7] = [
    (
        "/sample/v1/things?copies=9&nonsense=1",
        r#"{"weight":"x","tags":["a",7,"toolong"],"kind":"huge"}"#,
        &[
            "required owner | is required",
            "invalidParameter copies | must be 1 to 3",
            "invalidParameter nonsense | is unknown",
            "required name | is required",
            "invalid weight | must be a 32-bit integer, found a string",
            "invalid tags[1] | must be a string, found a number",
            "invalid tags[2] | must have 1 to 5 characters, found 7",
            "invalid kind | \"huge\" is not a value of Kind",
        ],
    ),
    // The body cannot be decoded, and the parameters are validated nevertheless.
    (
        "/sample/v1/things?copies=9&owner=much-too-long",
        r#"{"name": "#,
        &[
            "invalidParameter owner | must have 1 to 10 characters, found 13",
            "invalidParameter copies | must be 1 to 3",
            "parseError name | invalid JSON: EOF while parsing a value",
        ],
    ),
    (
        "/sample/v1/things?copies=x",
        "[]",
        &[
            "required owner | is required",
            "invalidParameter copies | must be a 32-bit integer that is not negative",
            "invalid - | the body must be an object (Thing), found a list",
        ],
    ),
    (
        "/sample/v1/things?copies=0",
        "",
        &[
            "required owner | is required",
            "invalidParameter copies | must be 1 to 3",
            "required - | the body is required",
        ],
    ),
    (INSERT, r#"{"name":"n","kind":"large","weight":5}"#, &["invalid weight | a large thing is not light"]),
    (
        INSERT,
        r#"{"name":"n","kind":"large","weight":"5"}"#,
        &["invalid weight | must be a 32-bit integer, found a string"],
    ),
    (INSERT, r#"{"name":"n","name":"m"}"#, &["invalid name | must not be repeated"]),
];

#[tokio::test]
async fn violations_of_parameters_and_body_are_combined() {
    let sample = Sample::default();
    for (target, body, violations) in INVALID_REQUESTS {
        let response = ask(&sample, "POST", target, body).await;
        assert_eq!(response.status.as_u16(), 400, "{target} {body}");
        assert_eq!(response.violations(), violations, "{target} {body}");
        assert_eq!(sample.called_for(), None, "{target} {body}");
    }
}

#[tokio::test]
async fn bodies_have_bounds() {
    let sample = Sample::default();
    let mut limits = Limits::DEFAULT;
    (limits.body_bytes, limits.json_depth) = (64, 2);
    let router = server(&sample).limits(limits).router();
    for (body, status) in [
        (r#"{"name":"n","owner":{"name":"[[[["}}"#.to_owned(), 201),
        (r#"{"name":"n","owner":{"name":[]}}"#.to_owned(), 400),
        (format!(r#"{{"name":"n","secret":"{}"}}"#, "x".repeat(100)), 413),
    ] {
        let response = send(&router, request("POST", INSERT, &body).body(Body::from(body.clone())).unwrap()).await;
        assert_eq!(response.status.as_u16(), status, "{body}: {response:?}");
    }
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    assert_eq!(ask(&sample, "POST", INSERT, &deep).await.status.as_u16(), 400);
}

#[tokio::test]
async fn depth_counts_in_unknown_fields() {
    let sample = Sample::default();
    for (levels, status) in [(126, 201), (127, 400), (100_000, 400)] {
        let body = format!(r#"{{"name":"n","unknown":{}{}}}"#, "[".repeat(levels), "]".repeat(levels));
        let response = ask(&sample, "POST", INSERT, &body).await;
        assert_eq!(response.status.as_u16(), status, "{levels}: {response:?}");
    }
    // Brackets in strings, and next to each other, are not nested.
    let broad = format!(r#"{{"name":"n","text":"{}","unknown":[{}{{}}]}}"#, "[".repeat(300), "[],".repeat(300));
    assert_eq!(ask(&sample, "POST", INSERT, &broad).await.status.as_u16(), 201);
}

#[tokio::test]
async fn streamed_field_of_other_operations_is_unchanged() {
    let sample = Sample::default();
    let router =
        server(&sample).memory_budget(MemoryBudget::new(64 << 20)).decode_streaming("secret", 64 << 10).router();
    // The text looks like base64, and is long enough to be decoded while it arrives.
    let text = "AAAA".repeat(5 << 10);
    let body = format!("{{\"name\":\"n\",\"secret\":\"{text}\"}}");
    let response = send(&router, request("POST", INSERT, &body).body(Body::from(body)).unwrap()).await;
    assert_eq!(response.status.as_u16(), 201, "{}", response.json());
    let stored = sample.seen::<ThingsInsert>().and_then(|request| request.body.secret).unwrap_or_default();
    assert!(stored == text, "{:?}", stored.chars().take(40).collect::<String>());
}
