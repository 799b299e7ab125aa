//! Authentication and authorization.

use std::time::Duration;

use axum::body::Body;
use http::Request;
use wireform_server::wireform_runtime::Naming;
use wireform_server::{Quota, Server, axum};

use crate::sample::*;

/// Sends a request with only these headers.
async fn with(sample: &Sample, method: &str, target: &str, authorization: &[&str]) -> TestResponse {
    let mut builder = Request::builder().method(method).uri(target);
    for value in authorization {
        builder = builder.header("authorization", *value);
    }
    send(&router(sample), builder.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn tokens_in_the_header() {
    let sample = Sample::default();
    for authorization in ["Bearer read", "bearer read", "BEARER  read", "Bearer write", "Bearer public", "Bearer all"] {
        let response = with(&sample, "GET", "/sample/v1/things/a", &[authorization]).await;
        assert_eq!((response.status.as_u16(), sample.called_for().is_some()), (200, true), "{authorization}");
    }
    for (authorization, challenge) in [
        (&[] as &[&str], r#"Bearer realm="sample""#),
        (&["Basic cmVhZDpyZWFk"], r#"Bearer realm="sample""#),
        (&["Bearer unknown"], r#"Bearer realm="sample", error="invalid_token""#),
        (&["Bearer"], r#"Bearer realm="sample""#),
        (&["Bearer "], r#"Bearer realm="sample""#),
        (&["Bearer a b"], r#"Bearer realm="sample", error="invalid_token""#),
    ] {
        let response = with(&sample, "GET", "/sample/v1/things/a", authorization).await;
        assert_eq!(
            (response.status.as_u16(), response.header("www-authenticate")),
            (401, challenge),
            "{authorization:?}"
        );
        assert_eq!(response.json()["error"]["status"], "UNAUTHENTICATED");
        assert_eq!(response.json()["error"]["errors"][0]["location"], "Authorization");
        assert_eq!(sample.called_for(), None);
    }
    let response = with(&sample, "GET", "/sample/v1/things/a", &["Bearer read", "Bearer read"]).await;
    assert_eq!(response.status.as_u16(), 400);
}

#[tokio::test]
async fn tokens_in_the_query() {
    let sample = Sample::default();
    for (target, authorization, status) in [
        ("/sample/v1/things/a?access_token=read", &[] as &[&str], 200),
        ("/sample/v1/things/a?oauth_token=r%65ad", &[], 200),
        ("/sample/v1/things/a?acc%65ss_token=read", &[], 200),
        ("/sample/v1/things/a?%61%63%63%65%73%73%5f%74%6f%6b%65%6e=read", &[], 200),
        ("/sample/v1/things/a?accessToken=read", &[], 200),
        ("/sample/v1/things/a?accessToken=unknown", &[], 401),
        ("/sample/v1/things/a?accessToken=read&access_token=read", &[], 400),
        ("/sample/v1/things/a?accessToken=read", &["Bearer read"], 400),
        ("/sample/v1/files/a?accessToken=unknown", &[], 401),
        ("/sample/v1/things/a?access_token=unknown", &[], 401),
        ("/sample/v1/things/a?access_token=", &[], 401),
        ("/sample/v1/things/a?access_token=%FF", &[], 400),
        ("/sample/v1/things/a?access_token=read&oauth_token=read", &[], 400),
        ("/sample/v1/things/a?access_token=read&access_token=read", &[], 400),
        ("/sample/v1/things/a?access_token=read", &["Bearer read"], 400),
    ] {
        let response = with(&sample, "GET", target, authorization).await;
        assert_eq!(response.status.as_u16(), status, "{target}: {response:?}");
        assert_eq!(sample.called_for().is_some(), status == 200, "{target}");
    }
}

#[tokio::test]
async fn keys_are_enough_where_the_operation_says_so() {
    let sample = Sample::default();
    for (method, target, authorization, status, subject) in [
        ("GET", "/sample/v1/things/a?key=key", &[] as &[&str], 200, Some("program")),
        ("GET", "/sample/v1/things/a?key=other", &[], 401, None),
        ("GET", "/sample/v1/things/a?key=", &[], 401, None),
        ("DELETE", "/sample/v1/things/a?key=key", &[], 401, None),
        // Together with a token, a key identifies the project and does not authenticate.
        ("GET", "/sample/v1/things/a?key=other", &["Bearer read"], 200, Some("someone")),
        ("GET", "/sample/v1/things/a?key=key", &["Bearer unknown"], 401, None),
        ("GET", "/sample/v1/files/a?key=key", &[], 200, Some("anonymous")),
    ] {
        let response = with(&sample, method, target, authorization).await;
        assert_eq!(response.status.as_u16(), status, "{method} {target}: {response:?}");
        assert_eq!(sample.called_for().as_deref(), subject, "{method} {target}");
    }
}

#[tokio::test]
async fn scopes() {
    let sample = Sample::default();
    for (method, target, token, scopes) in [
        ("DELETE", "/sample/v1/things/a", "read", Some("https://sample.example/write")),
        ("POST", "/sample/v1/things/a:run", "read", Some("https://sample.example/write https://sample.example/read")),
        ("POST", "/sample/v1/things/a:run", "write", Some("https://sample.example/write https://sample.example/read")),
        ("POST", "/sample/v1/things/a:run", "read+write", None),
        ("GET", "/sample/v1/things", "read", None),
        ("GET", "/sample/v1/files/a", "read", None),
    ] {
        let response = with(&sample, method, target, &[&format!("Bearer {token}")]).await;
        let Some(scopes) = scopes else {
            assert_eq!(response.status.as_u16(), 200, "{method} {target}");
            continue;
        };
        let challenge = format!(r#"Bearer realm="sample", error="insufficient_scope", scope="{scopes}""#);
        assert_eq!(
            (response.status.as_u16(), response.header("www-authenticate")),
            (403, &*challenge),
            "{method} {target}"
        );
        assert_eq!(response.json()["error"]["errors"][0]["reason"], "insufficientPermissions");
        let message = response.json()["error"]["message"].to_string();
        assert!(scopes.split(' ').all(|scope| message.contains(scope)), "{message}");
        assert!(message.contains(if method == "POST" { "all of" } else { "one of" }), "{message}");
    }
    let public = server(&sample).naming(Naming::Public).router();
    let request = Request::post("/sample/v1/things/a:run").header("authorization", "Bearer read");
    let response = send(&public, request.body(Body::empty()).unwrap()).await;
    assert!(response.header("www-authenticate").contains("https://public.example/read"));
}

#[tokio::test]
async fn authentication_precedes_validation() {
    // Violations of the request are not shown to an unauthenticated caller.
    let sample = Sample::default();
    let response = with(&sample, "GET", "/sample/v1/things?maxResult=x", &[]).await;
    assert_eq!(response.status.as_u16(), 401);
    let response = with(&sample, "PUT", "/sample/v1/things/..", &["Bearer read"]).await;
    assert_eq!(response.status.as_u16(), 403);
    let response = with(&sample, "GET", "/sample/v1/nothing", &[]).await;
    assert_eq!(response.status.as_u16(), 404);
}

#[tokio::test]
async fn operations_without_scopes_are_open() {
    let sample = Sample::default();
    for (authorization, status, subject) in [
        (&[] as &[&str], 200, Some("anonymous")),
        (&["Basic abc"], 200, Some("anonymous")),
        (&["Bearer read"], 200, Some("someone")),
        (&["Bearer unknown"], 401, None),
    ] {
        let response = with(&sample, "GET", "/sample/v1/files/a", authorization).await;
        assert_eq!((response.status.as_u16(), sample.called_for().as_deref()), (status, subject), "{authorization:?}");
    }
}

#[tokio::test]
async fn without_an_authenticator_only_public_operations_respond() {
    let sample = Sample::default();
    let router = Server::new(Handlers(sample.clone())).router();
    let response = send(&router, request("GET", "/sample/v1/things/a", "").body(Body::empty()).unwrap()).await;
    assert_eq!(response.status.as_u16(), 401);
    assert_eq!(response.json()["error"]["message"], "access denied: the server has no authenticator");
    let response = send(&router, request("GET", "/sample/v1/files/a", "").body(Body::empty()).unwrap()).await;
    assert_eq!((response.status.as_u16(), sample.called_for().as_deref()), (200, Some("anonymous")));
}

#[tokio::test]
async fn unavailable_authenticator_is_a_503() {
    let sample = Sample::default();
    let response = with(&sample, "GET", "/sample/v1/things/a", &["Bearer down"]).await;
    assert_eq!((response.status.as_u16(), response.header("retry-after")), (503, "1"));
    assert!(!String::from_utf8_lossy(&response.body).contains("secret-host"), "{response:?}");
}

#[tokio::test]
async fn responses_show_no_secrets() {
    let sample = Sample::default();
    for (target, authorization) in [
        ("/sample/v1/things/a?access_token=s3cret&oauth_token=s3cret", &[] as &[&str]),
        ("/sample/v1/things/a?access_token=s3cret", &[]),
        ("/sample/v1/things/a?key=s3cret", &[]),
        ("/sample/v1/things/a", &["Bearer s3cret"]),
        ("/sample/v1/things/a", &["s3cret"]),
        ("/sample/v1/things?maxResult=s3cret&since=s3cret&showDeleted=s3cret&alt=s3cret&ratio=s3cret", &["Bearer all"]),
    ] {
        let response = with(&sample, "GET", target, authorization).await;
        assert!((400..500).contains(&response.status.as_u16()), "{target}");
        let text = format!("{:?} {}", response.headers, String::from_utf8_lossy(&response.body));
        assert!(!text.contains("s3cret"), "{text}");
    }
}

#[tokio::test]
async fn callers_have_a_quota_each() {
    let sample = Sample::default();
    let router = server(&sample).quota(Quota::new(3, Duration::from_secs(3600))).router();
    let ask = async |token: &str| {
        let authorization = format!("Bearer {token}");
        let request = Request::builder().uri("/sample/v1/things/a").header("authorization", authorization);
        send(&router, request.body(Body::empty()).unwrap()).await
    };
    // Unauthenticated requests cost nothing; requests that are rejected later do.
    for (token, status) in [("wrong", 401), ("read", 200), ("all", 200), ("read", 200), ("write", 200), ("read", 429)] {
        assert_eq!(ask(token).await.status.as_u16(), status, "{token}");
    }
    let beyond = ask("read+write").await;
    assert_eq!(beyond.json()["error"]["errors"][0]["reason"], "rateLimitExceeded");
    assert_eq!(beyond.header("retry-after"), "1200");
    assert_eq!(ask("all").await.status.as_u16(), 200);
}

#[tokio::test]
async fn parts_of_batches_are_part_of_the_quota() {
    let sample = Sample::default();
    let router = server(&sample).quota(Quota::new(3, Duration::from_secs(3600))).router();
    let part = "--b\r\nContent-Type: application/http\r\n\r\nGET /sample/v1/things/a\r\n";
    let request = Request::builder().method("POST").uri("/batch/sample/v1").header("authorization", "Bearer read");
    let request = request.header("content-type", "multipart/mixed; boundary=b");
    let response = send(&router, request.body(Body::from(format!("{}--b--", part.repeat(5)))).unwrap()).await;
    let text = String::from_utf8(response.body).unwrap();
    assert_eq!((text.matches("200 OK").count(), text.matches("429 Too Many Requests").count()), (3, 2));
}
