//! Responses of token servers without a token.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use crate::support::adc::{account, read, user, with};
use crate::support::{Clock, Log, granted, server};
use axum::response::IntoResponse as _;
use http_body::Frame;
use http_body_util::StreamBody;
use wireform_client::transport::{BoxFuture, ResponseBody, Transport, TransportError, TransportErrorKind};
use wireform_client::wire::serde_json::{Value, json};
use wireform_client::{CredentialsErrorKind, TokenProvider};

#[tokio::test]
async fn rejection_has_the_message_of_the_server() {
    let long = "x".repeat(5_000);
    let cases = [
        (
            400,
            json!({"error": "invalid_grant", "error_description": "Bad\r\nRequest\u{1b}"}),
            "400: invalid_grant: Bad\u{fffd}\u{fffd}Request\u{fffd}; help: log in",
        ),
        (401, json!({"error": "invalid_client"}), "401: invalid_client"),
        (403, json!({"error": {"status": "PERMISSION_DENIED", "message": "no"}}), "403: PERMISSION_DENIED: no"),
        (403, json!({"error": 3, "error_description": ["x"]}), "403"),
        (400, json!(["x"]), "400"),
        (400, json!({"error": "invalid_grant", "error_description": long}), "xxx…; help: log in"),
        (429, json!({"error": "slow_down"}), "429: slow_down"),
        (503, json!("no object"), "503"),
    ];
    for (status, body, expected) in cases {
        let text = body.to_string();
        let status = axum::http::StatusCode::from_u16(status).unwrap();
        let (transport, _) = server(move |_| (status, text.clone()).into_response());
        let error = read(&user()).unwrap().transport(transport).token(&[]).await.unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert!(error.to_string().contains("oauth2.googleapis.com") && error.to_string().len() < 560, "{error}");
        let later = matches!(status.as_u16(), 429 | 503);
        let kind = if later { CredentialsErrorKind::Unavailable } else { CredentialsErrorKind::Refused };
        assert_eq!(error.kind(), kind, "{error}");
        assert_eq!(error.is_retryable(), later);
    }
}

#[tokio::test]
async fn secrets_in_error_responses_are_redacted() {
    for file in [user(), account()] {
        let log: Arc<OnceLock<Log>> = Arc::default();
        let seen = log.clone();
        let (transport, requests) = server(move |number| {
            let request = seen.get().unwrap().all()[number - 1].clone();
            let values: Vec<String> = request.form.into_iter().map(|(_, value)| value).chain([request.body]).collect();
            let body = json!({"error": "invalid_request", "error_description": format!("got {}", values.join(" , "))});
            (axum::http::StatusCode::BAD_REQUEST, body.to_string()).into_response()
        });
        assert!(log.set(requests.clone()).is_ok());
        let error = read(&file).unwrap().transport(transport).token(&["a"]).await.unwrap_err();
        let shown = format!("{error} {error:?}");
        assert!(shown.contains("got "), "{shown}");
        assert!(!shown.contains("client-secret") && !shown.contains("refresh-secret"), "{shown}");
        for (name, value) in &requests.all()[0].form {
            let secret = matches!(name.as_str(), "client_secret" | "refresh_token" | "assertion");
            assert_eq!(secret, !shown.contains(value.as_str()), "{name}: {shown}");
        }
    }
}

#[tokio::test]
async fn invalid_token_response_is_rejected() {
    let cases = [
        ("<html>".to_owned(), "not JSON"),
        (String::new(), "not JSON"),
        ("[]".to_owned(), "returned no `access_token`"),
        (json!({"token_type": "Bearer"}).to_string(), "returned no `access_token`"),
        (json!({"access_token": 7}).to_string(), "returned no `access_token`"),
        (json!({"access_token": "answered-secret", "token_type": "mac"}).to_string(), "not a bearer token"),
        (json!({"access_token": "answered-secret", "token_type": 1}).to_string(), "not a bearer token"),
        (json!({"access_token": "answered-secret\r\nX: y"}).to_string(), "not allowed in a header"),
        (json!({"access_token": "answered-secret", "pad": "x".repeat(64 * 1024)}).to_string(), "more than 65536 bytes"),
    ];
    for (body, why) in cases {
        let (transport, _) = server(move |_| body.clone().into_response());
        let error = read(&user()).unwrap().transport(transport).token(&[]).await.unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
        assert!(!error.is_retryable() && !format!("{error:?}").contains("answered-secret"), "{error}");
    }
}

#[tokio::test]
async fn the_end_of_a_token_is_read_as_servers_write_it() {
    let cases = [
        (json!(120), Some(120)),
        (json!("120"), Some(120)),
        (json!("soon"), None),
        (json!(-1), None),
        (Value::Null, None),
        (json!(u64::MAX), None),
    ];
    for (written, end) in cases {
        let (transport, _) =
            server(move |_| granted(&json!({"access_token": "t", "expires_in": written, "token_type": "bearer"})));
        let provider = read(&user()).unwrap().transport(transport).clock(Clock::at(0).now());
        let token = provider.token(&[]).await.unwrap();
        let read = token.expiry().map(|end| end.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs());
        assert_eq!(read, end);
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let (transport, log) = server(|_| {
        let to = [("location", "https://evil.example.com/token")];
        (axum::http::StatusCode::TEMPORARY_REDIRECT, to, "").into_response()
    });
    let error = read(&user()).unwrap().transport(transport).token(&[]).await.unwrap_err();
    assert!(error.to_string().contains("returned 307; redirects are not followed"), "{error}");
    assert_eq!((error.kind(), log.count()), (CredentialsErrorKind::Refused, 1));
}

/// Failures of a transport.
enum Broken {
    Failed(TransportErrorKind),
    Silent,
    Halfway,
}

impl Transport for Broken {
    fn send(
        &self,
        _request: http::Request<bytes::Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<ResponseBody>, TransportError>> {
        Box::pin(async {
            match self {
                Self::Failed(kind) => Err(TransportError::new(*kind, "what happened")),
                Self::Silent => std::future::pending().await,
                Self::Halfway => {
                    let pieces = [Ok(Frame::data(bytes::Bytes::from("{"))), Err("the end")];
                    let body = ResponseBody::new(StreamBody::new(futures_util::stream::iter(pieces)));
                    Ok(http::Response::new(body))
                }
            }
        })
    }
}

#[tokio::test(start_paused = true)]
async fn unavailable_server_is_retryable() {
    for (transport, why, later) in [
        (Broken::Failed(TransportErrorKind::Connect), "cannot be reached: what happened", true),
        (Broken::Failed(TransportErrorKind::Timeout), "cannot be reached: what happened", true),
        (Broken::Failed(TransportErrorKind::Refused), "cannot be reached: what happened", false),
        (Broken::Silent, "did not respond in time", true),
        (Broken::Halfway, "closed the connection during the response", true),
    ] {
        let error = read(&user()).unwrap().transport(transport).token(&[]).await.unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
        assert_eq!(error.is_retryable(), later, "{error}");
    }
}

/// The default transport.
#[cfg(feature = "sockets")]
#[tokio::test]
async fn a_redirect_is_not_followed_over_sockets() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let respond = move || async move {
        counted.fetch_add(1, Ordering::SeqCst);
        (axum::http::StatusCode::TEMPORARY_REDIRECT, [("location", "/elsewhere")], "")
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/token", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().fallback(respond)).await });
    let provider = read(&with(user(), "token_uri", address.into())).unwrap();
    let error = provider.token(&[]).await.unwrap_err();
    assert!(error.to_string().contains("returned 307; redirects are not followed"), "{error}");
    assert_eq!(count.load(Ordering::SeqCst), 1);
}
