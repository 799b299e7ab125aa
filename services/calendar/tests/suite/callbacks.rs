//! Tests of the URLs that notifications are sent to, and of the limits on receivers.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use serde_json::json;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use wireform_calendar::{CallbackClient, PostError, Resolver, UrlError};
use wireform_store::Channels as _;
use wireform_test_data::requires;

use crate::desk::{TestService, hour};
use crate::hostile::corpus;

/// Resolver that returns the given addresses, one list after the other; the last one is repeated.
#[derive(Debug)]
struct Scripted(Mutex<VecDeque<Vec<SocketAddr>>>);

impl Scripted {
    fn new(lists: &[&[&str]]) -> Self {
        let list = |list: &&[&str]| list.iter().map(|address| address.parse().unwrap()).collect();
        Self(Mutex::new(lists.iter().map(list).collect()))
    }
}

impl Resolver for Scripted {
    fn resolve<'a>(
        &'a self,
        _: &'a str,
        _: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send + 'a>> {
        let mut lists = self.0.lock().unwrap();
        let found = if lists.len() > 1 { lists.pop_front() } else { lists.front().cloned() };
        Box::pin(async move { found.ok_or_else(|| io::Error::other("no such host")) })
    }
}

fn local() -> CallbackClient {
    CallbackClient::default().with_loopback(true)
}

fn request(address: &str) -> Request<Body> {
    Request::post(address).header("content-length", "0").body(Body::empty()).unwrap()
}

/// Starts a receiver that responds to every connection with the same bytes, and then waits for its end.
async fn receiver(response: &'static [u8]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(converse(stream, response));
        }
    });
    address
}

async fn converse(mut stream: impl AsyncRead + AsyncWrite + Unpin, response: &'static [u8]) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let _ = stream.write_all(response).await;
    let _ = stream.flush().await;
    while stream.read(&mut [0; 64]).await.is_ok_and(|read| read > 0) {}
}

async fn posted(response: &'static [u8]) -> Result<u16, PostError> {
    let address = receiver(response).await;
    local().post(request(&format!("http://{address}/hook"))).await
}

#[tokio::test]
async fn the_status_is_all_that_is_read_of_a_response() {
    assert_eq!(posted(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\nx").await, Ok(200));
    assert_eq!(posted(b"HTTP/1.1 503 Gone\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n").await, Ok(503));
    assert_eq!(posted(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n").await, Ok(302));
    assert_eq!(posted(b"HTTP/1.1 102 Processing\r\n\r\n").await, Ok(102), "a promise, with any outcome");
    assert_eq!(posted(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n").await, Ok(204));
    assert_eq!(posted(b"SSH-2.0-OpenSSH_9.6\r\n").await, Err(PostError::InvalidResponse));
    let long: &[u8] =
        Box::leak(format!("HTTP/1.1 200 OK\r\nA: {}", "a".repeat(1 << 20)).into_bytes().into_boxed_slice());
    assert_eq!(posted(long).await, Err(PostError::InvalidResponse), "the size of a head is limited");
}

#[tokio::test]
async fn connection_errors_are_distinguished() {
    let address = { TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap() };
    assert_eq!(local().post(request(&format!("http://{address}/"))).await, Err(PostError::Connect));
    let nowhere = local().with_resolver(Scripted::new(&[]));
    assert_eq!(nowhere.post(request("https://example.com/")).await, Err(PostError::Unresolved));
}

/// The clock of this test only advances while all tasks wait.
#[tokio::test(start_paused = true)]
async fn an_unresponsive_receiver_times_out() {
    let begun = tokio::time::Instant::now();
    assert_eq!(posted(b"HTTP/1.1 200").await, Err(PostError::Timeout));
    assert_eq!(begun.elapsed().as_secs(), 10);
}

/// A name that is public when it is checked and private when it is used.
#[tokio::test]
async fn the_address_that_was_checked_is_the_one_that_is_connected_to() {
    let inside = receiver(b"HTTP/1.1 204 No Content\r\n\r\n").await;
    let address = format!("https://rebinding.example.com:{}/", inside.port());
    let inside = inside.to_string();
    for lists in [&[&[inside.as_str()][..]][..], &[&["1.1.1.1:443", inside.as_str()]], &[&["[::ffff:127.0.0.1]:443"]]] {
        let callbacks = CallbackClient::default().with_resolver(Scripted::new(lists));
        let refused = callbacks.post(request(&address)).await;
        assert_eq!(refused, Err(PostError::Url(UrlError::NotPublic)), "{lists:?}");
    }
    let desk = TestService::open().await;
    let resolver = Scripted::new(&[&["1.1.1.1:443"], &[inside.as_str()]]);
    let desk =
        desk.with_service(|service| service.with_callback_client(CallbackClient::default().with_resolver(resolver)));
    desk.post("/watch", json!({ "id": "c", "type": "web_hook", "address": address })).await.ok();
    assert_eq!(desk.service.send_notifications().await.unwrap(), 1);
    let channel = desk.store.channels(None).await.unwrap().remove(0);
    assert_eq!(channel.last_attempt.unwrap().outcome, UrlError::NotPublic.to_string());
    assert_eq!((channel.is_sending, channel.due), (false, None), "it is not tried again");
    desk.insert(hour(2, 9, "Lunch")).await;
    assert_eq!(desk.service.send_notifications().await.unwrap(), 1, "but with the next change");
}

#[tokio::test]
async fn addresses_are_refused_when_a_channel_is_opened() {
    let desk = TestService::open().await;
    let resolver = Scripted::new(&[&["10.0.0.7:443"]]);
    let desk =
        desk.with_service(|service| service.with_callback_client(CallbackClient::default().with_resolver(resolver)));
    for (address, reason) in [
        ("http://example.com/", "push.webhookUrlNotHttps"),
        ("http://127.0.0.1:8080/", "push.webhookUrlNotHttps"),
        ("https://127.0.0.1/", "invalid"),
        ("https://[fd00::1]/", "invalid"),
        ("https://169.254.169.254/latest/meta-data", "invalid"),
        ("https://user:pass@example.com/", "invalid"),
        ("https://example.com:25/", "invalid"),
        // This host resolves to a private address.
        ("https://intranet.example.com/", "invalid"),
    ] {
        let refused = desk.post("/watch", json!({ "id": "c", "type": "web_hook", "address": address })).await;
        refused.assert_error(400, reason);
        refused.assert_location("address");
    }
    assert!(desk.store.channels(None).await.unwrap().is_empty());
    let unresolved = desk.with_service(|service| {
        service.with_callback_client(CallbackClient::default().with_resolver(Scripted::new(&[])))
    });
    let later = json!({ "id": "c", "type": "webhook", "address": "https://later.example.com/" });
    unresolved.post("/watch", later).await.ok();
    assert_eq!(unresolved.service.send_notifications().await.unwrap(), 1);
    let channel = desk.store.channels(None).await.unwrap().remove(0);
    assert!(
        channel.is_sending && channel.due.unwrap() > desk.clock.now().saturating_sub(Duration::from_secs(1)),
        "{channel:?}"
    );
}

/// Hostile URLs of a public corpus.
#[requires("corpora/hostile")]
#[tokio::test]
async fn hostile_addresses_are_refused() {
    let cases = corpus("hostile/callback-addresses.json");
    assert!(!cases.is_empty());
    let desk = TestService::open().await;
    for (at, case) in cases.iter().enumerate() {
        // Public when the channel is opened, and unresolvable when a notification is sent.
        let callbacks = CallbackClient::default().with_resolver(Scripted::new(&[&["1.1.1.1:443"], &[]]));
        let desk = desk.with_service(|service| service.with_callback_client(callbacks));
        let body = json!({ "id": format!("c{at}"), "type": "web_hook", "address": case["address"] });
        let response = desk.post("/watch", body).await;
        if case["expect"] == "refuse" {
            assert_eq!(response.status, 400, "{case:.200}");
            response.assert_location("address");
            continue;
        }
        response.ok();
        assert_eq!(desk.service.send_notifications().await.unwrap(), 1);
        let channel = desk.store.channels(None).await.unwrap().pop().unwrap();
        assert_eq!(channel.last_attempt.unwrap().outcome, PostError::Unresolved.to_string(), "{case}");
    }
}

#[tokio::test]
async fn receivers_need_a_trusted_certificate() {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(vec!["hooks.example.com".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let provider = || Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions().unwrap();
    let config = config.with_no_client_auth().with_single_cert(vec![cert.der().clone()], key).unwrap();
    let (acceptor, listener) = (TlsAcceptor::from(Arc::new(config)), TcpListener::bind("127.0.0.1:0").await.unwrap());
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                if let Ok(stream) = acceptor.accept(stream).await {
                    converse(stream, b"HTTP/1.1 201 Created\r\n\r\n").await;
                }
            });
        }
    });
    let trusting = |roots: RootCertStore| {
        let config = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions().unwrap();
        let config = config.with_root_certificates(roots).with_no_client_auth();
        local().with_tls(Arc::new(config)).with_resolver(Scripted::new(&[&[&address.to_string()]]))
    };
    let mut roots = RootCertStore::empty();
    roots.add(cert.der().clone()).unwrap();
    let hook = |name: &str| request(&format!("https://{name}:{}/", address.port()));
    let trusted = trusting(roots);
    assert_eq!(trusted.post(hook("hooks.example.com")).await, Ok(201));
    assert_eq!(trusted.post(hook("HOOKS.example.com.")).await, Ok(201));
    assert_eq!(trusted.post(hook("other.example.com")).await, Err(PostError::Tls));
    let untrusting_client = trusting(RootCertStore::empty()).post(hook("hooks.example.com")).await;
    assert_eq!(untrusting_client, Err(PostError::Tls));
}
