#![allow(clippy::unwrap_used)]

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use super::*;

/// Starts a proxy that gives each request this response; returns the requests it received.
fn proxy(response: &'static str) -> (SocketAddr, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    let (sender, received) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, mut read) = (stream.unwrap(), [0; 4096]);
            let length = stream.read(&mut read).unwrap();
            let _ = sender.send(String::from_utf8_lossy(&read[..length]).into_owned());
            let _ = stream.write_all(response.as_bytes());
        }
    });
    (at, received)
}

async fn send(proxy: SocketAddr, uri: &str) -> Result<http::StatusCode, TransportError> {
    let proxies = Matcher::builder().all(format!("http://ana:secret@{proxy}")).build();
    let transport = Http::with_proxies(Some(Arc::new(proxies)))?;
    let request = http::Request::get(uri).body(Bytes::new()).unwrap();
    transport.send(request).await.map(|response| response.status())
}

const CREDENTIALS: &str = "proxy-authorization: Basic YW5hOnNlY3JldA==";

#[tokio::test]
async fn a_proxy_forwards_requests_without_encryption() {
    let (at, received) = proxy("HTTP/1.1 204 No Content\r\n\r\n");
    assert_eq!(send(at, "http://api.example/a?b=c").await.unwrap(), 204);
    let received = received.recv().unwrap().to_ascii_lowercase();
    assert!(received.starts_with("get http://api.example/a?b=c http/1.1\r\n"), "{received}");
    assert!(received.contains(&CREDENTIALS.to_ascii_lowercase()), "{received}");
}

#[tokio::test]
async fn proxy_tunnels_tls() {
    let (at, received) = proxy("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
    let error = send(at, "https://api.example/secret").await.unwrap_err();
    assert_eq!(error.kind(), TransportErrorKind::Connect, "{error}");
    let received = received.recv().unwrap();
    assert!(received.starts_with("CONNECT api.example:443 HTTP/1.1\r\n"), "{received}");
    let lower = received.to_ascii_lowercase();
    assert!(lower.contains(&CREDENTIALS.to_ascii_lowercase()) && !lower.contains("secret\r"), "{received}");
}

#[tokio::test]
async fn local_requests_bypass_the_proxy() {
    let (at, received) = proxy("HTTP/1.1 204 No Content\r\n\r\n");
    let (server, direct) = proxy("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    assert_eq!(send(at, &format!("http://{server}/a")).await.unwrap(), 200);
    assert!(direct.recv().unwrap().starts_with("GET /a HTTP/1.1\r\n"));
    assert!(received.try_recv().is_err());
}

#[tokio::test]
async fn other_proxy_schemes_are_rejected() {
    let proxies = Matcher::builder().all("socks5://127.0.0.1:1").build();
    let transport = Http::with_proxies(Some(Arc::new(proxies))).unwrap();
    let request = http::Request::get("http://api.example/").body(Bytes::new()).unwrap();
    let error = transport.send(request).await.err().unwrap();
    assert_eq!(error.kind(), TransportErrorKind::Connect);
    assert!(error.to_string().contains("unsupported proxy scheme `socks5`: expected `http` or `https`"), "{error}");
}
