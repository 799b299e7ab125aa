//! HTTP over sockets of this machine.
#![cfg(feature = "sockets")]

use std::io::Write as _;
use std::net::SocketAddr;

use axum::Router;
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use axum::routing::get as on_get;
use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
#[cfg(feature = "reqwest")]
use wireform_client::transport::Reqwest;
use wireform_client::{Builder, Client, Credentials, ErrorKind, RetryPolicy, TransportErrorKind};

use super::sample::{Clear, SAMPLE, get};

fn client(at: SocketAddr) -> Builder {
    Client::builder(&SAMPLE)
        .base_url(format!("http://{at}"))
        .credentials(Credentials::token("secret-token"))
        .retry(RetryPolicy::off())
}

async fn serve(router: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    at
}

/// Starts a server that sends these bytes on each connection and closes it.
async fn serve_bytes(bytes: &'static str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut read = [0; 4096];
            let _ = stream.read(&mut read).await;
            let _ = stream.write_all(bytes.as_bytes()).await;
        }
    });
    at
}

/// Without TLS nothing is sent to an `https` URL, not even unencrypted.
#[cfg(not(feature = "tls"))]
#[tokio::test]
async fn an_https_url_is_refused_without_tls() {
    let builder = Client::builder(&SAMPLE).base_url("https://localhost:1").retry(RetryPolicy::off());
    let client = builder.credentials(Credentials::token("secret-token")).build().unwrap();
    let error = client.call(get("small")).send().await.unwrap_err();
    let causes: Vec<String> = std::iter::successors(std::error::Error::source(&error), |error| error.source())
        .map(ToString::to_string)
        .collect();
    let expected = "`https` needs the feature `tls` of the client, which is not enabled";
    assert!(
        error.to_string().contains(expected) || causes.iter().any(|cause| cause.contains(expected)),
        "{error} {causes:?}"
    );
}

fn zipped(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn responses_are_decompressed_and_limited() {
    let bomb = format!(r#"{{"text": "{}"}}"#, " ".repeat(1 << 20));
    let packed = move |size: &str| if size == "big" { zipped(&bomb) } else { zipped(r#"{"text": "small"}"#) };
    let router = Router::new().route(
        "/sample/v1/things/{size}",
        on_get(|axum::extract::Path(size): axum::extract::Path<String>, headers: HeaderMap| async move {
            assert!(headers["accept-encoding"].to_str().unwrap().contains("gzip"));
            assert_eq!(headers["authorization"], "Bearer secret-token");
            ([("content-encoding", "gzip")], packed(&size)).into_response()
        }),
    );
    let client = client(serve(router).await).max_body_bytes(1 << 19).build().unwrap();
    assert_eq!(client.call(get("small")).send().await.unwrap().text.as_deref(), Some("small"));
    let error = client.call(get("big")).send().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::BodyTooLong { .. }), "{error:?}");
}

#[tokio::test]
async fn truncated_response_is_a_broken_connection() {
    for bytes in [
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{\"text\": \"a\"}",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nd\r\n{\"text\": \"a\"}\r\n",
        "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\n\u{1f}ab",
        "HTTP/1.1 2",
        "nonsense\r\n\r\n",
    ] {
        let error = client(serve_bytes(bytes).await).build().unwrap().call(get("1")).send().await.unwrap_err();
        let ErrorKind::Connection(cause) = error.kind() else { panic!("{bytes}: {error:?}") };
        assert_eq!(cause.kind(), TransportErrorKind::Broken, "{bytes}: {cause}");
        assert!(!format!("{error} {error:?}").contains("/things"), "{error:?}");
    }
}

#[tokio::test]
async fn unreachable_server_is_a_connect_error() {
    let at = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let error = client(at).build().unwrap().call(get("1")).send().await.unwrap_err();
    assert!(error.is_connect() && error.is_retryable(), "{error:?}");
    assert!(error.to_string().contains("refused") && !error.to_string().contains("things/"), "{error}");
}

#[cfg(feature = "reqwest")]
#[tokio::test]
async fn transport_does_not_follow_redirects() {
    use axum::http::StatusCode;

    let router = Router::new()
        .route("/sample/v1/things/{id}", on_get(async || (StatusCode::FOUND, [("location", "/else")], "")))
        .route("/else", on_get(async || r#"{"text": "moved"}"#))
        .route("/sample/v1/things", axum::routing::post(async || (StatusCode::FOUND, [("location", "/else")], "")));
    let client = client(serve(router).await).transport(Reqwest::without_proxy().unwrap()).build().unwrap();
    assert_eq!(client.call(get("1")).send().await.unwrap().text.as_deref(), Some("moved"));
    assert_eq!(client.call(Clear).send().await.unwrap_err().status(), Some(302));
}

#[tokio::test]
async fn connections_are_reused() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let accepted = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut read = [0; 4096];
        let mut requests = 0;
        while requests < 3 && stream.read(&mut read).await.unwrap() > 0 {
            requests += 1;
            let status = if requests == 1 { "404 Not Found" } else { "200 OK" };
            let response = format!("HTTP/1.1 {status}\r\ncontent-length: 2\r\n\r\n{{}}");
            stream.write_all(response.as_bytes()).await.unwrap();
        }
        requests
    });
    let client = client(at).build().unwrap();
    assert!(client.call(get("1")).send().await.unwrap_err().is_not_found());
    client.call(Clear).send().await.unwrap();
    client.call(get("1")).send().await.unwrap();
    assert_eq!(accepted.await.unwrap(), 3);
}

#[tokio::test]
async fn no_body_is_sent_with_its_length() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let request = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut read = [0; 4096];
        let length = stream.read(&mut read).await.unwrap();
        stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.unwrap();
        String::from_utf8(read[..length].to_vec()).unwrap()
    });
    client(at).build().unwrap().call(Clear).send().await.unwrap();
    let request = request.await.unwrap();
    assert!(request.starts_with("POST /sample/v1/things HTTP/1.1\r\n"), "{request}");
    assert_eq!(request.matches("content-length: 0\r\n").count(), 1, "{request}");
    assert!(!request.contains("referer"));
}
