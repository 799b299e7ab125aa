//! What only a socket shows. No time is measured here.

use std::net::SocketAddr;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::routing::get;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use super::super::{ServeLimits, serve};
use super::GET;

async fn listen() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    (listener, address)
}

async fn ask(stream: &mut TcpStream) -> String {
    stream.write_all(GET).await.expect("sent");
    let mut answer = [0; 1024];
    let read = stream.read(&mut answer).await.expect("answered");
    String::from_utf8_lossy(&answer[..read]).into_owned()
}

#[tokio::test]
async fn a_handler_knows_the_peer() {
    let (listener, address) = listen().await;
    let peer = get(|ConnectInfo(peer): ConnectInfo<SocketAddr>| async move { peer.to_string() });
    let server = tokio::spawn(serve(listener, Router::new().route("/", peer)).into_future());
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    let own = stream.local_addr().expect("an address").to_string();
    assert!(ask(&mut stream).await.ends_with(&own));
    server.abort();
}

#[tokio::test]
async fn one_connection_more_waits_for_a_place() {
    let (listener, address) = listen().await;
    let limits = ServeLimits { connections: 1, ..ServeLimits::DEFAULT };
    let server = tokio::spawn(serve(listener, super::router()).limits(limits).into_future());
    let mut first = TcpStream::connect(address).await.expect("it listens");
    assert!(ask(&mut first).await.ends_with("done"));
    let mut second = TcpStream::connect(address).await.expect("it listens");
    second.write_all(GET).await.expect("the system takes it");
    // The first is still served, the second is not yet: it has no answer when the first has its next one.
    assert!(ask(&mut first).await.ends_with("done"));
    let early = second.try_read(&mut [0; 1]).expect_err("there is no answer yet");
    assert_eq!(early.kind(), std::io::ErrorKind::WouldBlock);
    drop(first);
    assert_eq!(second.read(&mut [0; 8]).await.expect("answered"), 8);
    server.abort();
}

#[tokio::test]
async fn a_stopped_server_finishes_and_does_not_listen() {
    let (listener, address) = listen().await;
    let (entered, inside) = oneshot::channel();
    let (go, gate) = oneshot::channel::<()>();
    let once = std::sync::Mutex::new(Some((entered, gate)));
    let once = std::sync::Arc::new(once);
    let handler = get(move || async move {
        let taken = once.lock().expect("no panic").take();
        if let Some((entered, gate)) = taken {
            let _ = entered.send(());
            let _ = gate.await;
        }
        "done"
    });
    let (stop, stopped) = oneshot::channel::<()>();
    let stopping = async { _ = stopped.await };
    let server = serve(listener, Router::new().route("/", handler)).graceful_shutdown(stopping);
    let server = tokio::spawn(server.into_future());
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    stream.write_all(GET).await.expect("sent");
    inside.await.expect("the handler was called");
    stop.send(()).expect("it runs");
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    go.send(()).expect("it waits");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("answered");
    assert!(answer.ends_with("done"), "{answer}");
    server.await.expect("it ends without a panic");
}

#[tokio::test]
async fn a_handler_that_panics_ends_no_other_connection() {
    let (listener, address) = listen().await;
    let router = super::router().route(
        "/panic",
        get(|| async {
            if true {
                panic!("on purpose")
            }
        }),
    );
    let server = tokio::spawn(serve(listener, router).into_future());
    let mut other = TcpStream::connect(address).await.expect("it listens");
    assert!(ask(&mut other).await.ends_with("done"));
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    stream.write_all(b"GET /panic HTTP/1.1\r\nHost: x\r\n\r\n").await.expect("sent");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    assert!(answer.is_empty());
    assert!(ask(&mut other).await.ends_with("done"));
    server.abort();
}
