//! Content of errors.

use wireform_client::wire::Value;
use wireform_client::wire::json::DecodeErrorKind;
use wireform_client::{Credentials, Error, ErrorKind, RetryPolicy, TransportError, TransportErrorKind};

use super::sample::{Clear, ErrorBody, get, insert};
use super::script::{Step, error_body, error_response, respond, respond_with_headers, scripted_client, thing};

async fn failed_call(step: impl Fn() -> Step + Send + Sync + 'static) -> Error<ErrorBody> {
    let (client, _) = scripted_client(move |_| step());
    let client = client.retry(RetryPolicy::off()).build().unwrap();
    client.call(get("1")).send().await.unwrap_err()
}

#[tokio::test]
async fn an_error_is_one_line() {
    let html = || respond_with_headers(200, &[("content-type", "text/html; charset=utf-8")], "<html>Sign in</html>");
    let lines: Vec<(Error<ErrorBody>, &str)> = vec![
        (failed_call(|| error_response(404, "notFound", "Not Found")).await, "things.get: 404 notFound: Not Found"),
        (failed_call(|| respond(404, "")).await, "things.get: 404 Not Found"),
        (failed_call(|| respond(599, "{}")).await, "things.get: 599"),
        (failed_call(|| respond(400, r#"{"error": {"message": "so"}}"#)).await, "things.get: 400: so"),
        (failed_call(|| respond(400, r#"{"error": {"errors": [{"reason": "why"}]}}"#)).await, "things.get: 400 why"),
        (
            failed_call(|| error_response(400, "a\nb", "c\u{202e}\r\nd")).await,
            "things.get: 400 a\u{fffd}b: c\u{fffd}\u{fffd}\u{fffd}d",
        ),
        (failed_call(|| Step::Fail(TransportErrorKind::Connect)).await, "things.get: the script says so"),
        (
            failed_call(html).await,
            "things.get: cannot decode the response (200): expected value at line 1 column 1; \
             its content type is `text/html; charset=utf-8`",
        ),
        (
            failed_call(|| respond_with_headers(200, &[("content-type", "application/json")], r#"{"id": 1}"#)).await,
            "things.get: cannot decode the response (200): id: invalid type: integer `1`, expected a string \
             at line 1 column 8",
        ),
        (
            failed_call(|| respond(204, "")).await,
            "things.get: cannot decode the response (204): EOF while parsing a value at line 1 column 0",
        ),
    ];
    for (error, line) in lines {
        assert_eq!(error.to_string(), line);
        assert_eq!(error.operation(), "things.get");
    }
}

#[tokio::test]
async fn messages_are_bounded() {
    let error = failed_call(|| error_response(400, &"r".repeat(40_000), &"m".repeat(20_000))).await;
    assert!(error.to_string().len() < 1200, "{}", error.to_string().len());
    assert_eq!(error.reason().map(str::len), Some(40_000));
    let error = failed_call(|| respond(400, "é".repeat(500_000))).await;
    assert!(error.response().unwrap().raw.len() <= 64 * 1024 + 2);
    let deep = "[".repeat(60_000);
    assert_eq!(failed_call(move || respond(400, deep.clone())).await.to_string(), "things.get: 400 Bad Request");
}

#[tokio::test]
async fn error_body_is_available() {
    let error = failed_call(|| {
        let headers = [("x-request-id", "r1"), ("retry-after", "3")];
        respond_with_headers(404, &headers, error_body(404, "notFound", "Not Found"))
    })
    .await;
    let response = error.response().unwrap();
    assert_eq!((response.status, response.location.as_deref()), (404, Some("q")));
    assert_eq!((response.message.as_deref(), error.reason()), (Some("Not Found"), Some("notFound")));
    assert_eq!(response.body.as_ref().unwrap()["error"]["code"], Value::from(404));
    assert_eq!(response.raw, error_body(404, "notFound", "Not Found"));
    assert_eq!((response.request_id.as_deref(), response.retry_after.unwrap().as_secs()), (Some("r1"), 3));
    let error = failed_call(|| self::respond(502, "<html>")).await;
    assert_eq!((&error.response().unwrap().body, error.response().unwrap().raw.as_str()), (&None, "<html>"));
}

#[tokio::test]
async fn status_predicates() {
    type Is = fn(&Error<ErrorBody>) -> bool;
    let names: [(u16, Is); 7] = [
        (401, Error::is_unauthorized),
        (403, Error::is_forbidden),
        (404, Error::is_not_found),
        (409, Error::is_conflict),
        (410, Error::is_gone),
        (412, Error::is_precondition_failed),
        (429, Error::is_rate_limited),
    ];
    for (status, _) in names {
        let error = failed_call(move || respond(status, "")).await;
        for (named, is) in names {
            assert_eq!(is(&error), named == status, "{named} {status}");
        }
        assert_eq!((error.status(), error.is_retryable(), error.is_decode()), (Some(status), status == 429, false));
    }
}

#[tokio::test]
async fn schema_mismatch_is_a_decode_error() {
    let error = failed_call(|| respond(200, "[]")).await;
    assert!(error.is_decode() && !error.is_retryable() && error.status() == Some(200));
    let ErrorKind::Decode { error, status: 200, content_type: None } = error.kind() else { panic!("{error:?}") };
    assert_eq!(error.kind, DecodeErrorKind::Data);
}

#[tokio::test]
async fn unused_body_is_not_decoded() {
    let (client, _) = scripted_client(|_| respond(200, "<html>"));
    client.build().unwrap().call(Clear).send().await.unwrap();
}

#[tokio::test]
async fn errors_show_no_secrets() {
    // The server repeats the request.
    let body = error_body(400, "invalid", "Bearer secret-token is wrong, and so is secret-key");
    let echo = body.clone();
    let (client, _) = scripted_client(move |_| respond(400, echo.clone()));
    let error = client.credentials(Credentials::token("secret-token")).build().unwrap();
    let error = error.call(insert("x")).send().await.unwrap_err();
    let response = error.response().unwrap();
    let shown = format!("{error} {error:?} {} {:?}", response.raw, response.body);
    assert!(!shown.contains("secret-token") && shown.contains("Bearer … is wrong"), "{shown}");
    let (client, log) = scripted_client(move |_| super::script::respond(400, body.clone()));
    let client = client.credentials(Credentials::api_key("secret-key")).build().unwrap();
    let error = client.call(get("1")).send().await.unwrap_err();
    assert!(log.only().uri.ends_with("?key=secret-key"));
    let shown = format!("{error} {error:?} {}", error.response().unwrap().raw);
    assert!(!shown.contains("secret-key") && !shown.contains("https:"), "{shown}");
}

#[tokio::test]
async fn decode_errors_show_no_secrets() {
    let (client, _) = scripted_client(|_| respond(200, r#"{"id":["secret-token"],"etag":{"secret-token":1}}"#));
    let client = client.credentials(Credentials::token("secret-token")).build().unwrap();
    let error = client.call(get("1")).send().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Decode { .. }));
    let (client, _) = scripted_client(|_| respond(200, "\"secret-token\""));
    let client = client.credentials(Credentials::token("secret-token")).build().unwrap();
    let error = client.call(get("1")).send().await.unwrap_err();
    let shown = format!("{error} {error:?}");
    assert!(!shown.contains("secret-token") && shown.contains('…'), "{shown}");
}

#[tokio::test]
async fn a_versioned_read_selects_the_version() {
    for (selection, sent) in [("id", "id%2Cetag"), ("id,etag", "etag%2Cid")] {
        let (client, log) = scripted_client(|_| respond(200, r#"{"id":"1","etag":"\"7\""}"#));
        let mut call = client.build().unwrap().call(get("1"));
        call.select(selection.parse().unwrap());
        let read = wireform_client::__private::send_versioned(&call).await.unwrap();
        assert_eq!(read.etag().as_str(), "\"7\"");
        assert!(log.only().uri.ends_with(&format!("?fields={sent}")), "{}", log.only().uri);
    }
}

#[tokio::test]
async fn error_is_small_send_and_sync() {
    fn check<T: std::error::Error + Send + Sync + 'static>(_: &T) {}
    let error = failed_call(|| respond(404, "")).await;
    check(&error);
    assert_eq!(size_of_val(&error), size_of::<usize>());
    assert!(matches!(error.into_kind(), ErrorKind::Status(_)));
}

#[test]
fn transport_error_shows_each_cause_once() {
    #[derive(Debug)]
    struct Outer(std::io::Error);
    impl std::fmt::Display for Outer {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("no\nconnection")
        }
    }
    impl std::error::Error for Outer {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }
    #[derive(Debug)]
    struct Both(std::io::Error);
    impl std::fmt::Display for Both {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "no connection: {}", self.0)
        }
    }
    impl std::error::Error for Both {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }
    let inner = TransportError::new(TransportErrorKind::Connect, Outer(std::io::Error::other("refused")));
    assert_eq!(inner.to_string(), "no\u{fffd}connection: refused");
    // Some errors include their source in their own message.
    let shown = TransportError::new(TransportErrorKind::Broken, Both(std::io::Error::other("refused")));
    assert_eq!(shown.to_string(), "no connection: refused");
    let wrapped = TransportError::new(TransportErrorKind::Broken, inner);
    assert_eq!((wrapped.kind(), wrapped.cause().is::<Outer>()), (TransportErrorKind::Connect, true));
}

#[tokio::test]
async fn a_future_shows_its_operation() {
    let (client, _) = scripted_client(|_| thing());
    let call = client.build().unwrap().call(get("secret-id"));
    assert_eq!(
        format!("{:?} {:?}", call.perform(), call.send()),
        r#"ReplyFuture("things.get") SendFuture("things.get")"#
    );
}
