//! Behavior that needs a socket. No time is measured here.

use std::net::SocketAddr;
use std::time::Duration;

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

async fn send_get(stream: &mut TcpStream) -> String {
    stream.write_all(GET).await.expect("sent");
    let mut response = [0; 1024];
    let read = stream.read(&mut response).await.expect("a response arrives");
    String::from_utf8_lossy(&response[..read]).into_owned()
}

/// The server peeks at a head until it is complete.
#[tokio::test]
async fn head_may_arrive_in_chunks_or_be_incomplete() {
    let (listener, address) = listen().await;
    tokio::spawn(serve(listener, super::router()).into_future());
    let mut pieces = TcpStream::connect(address).await.expect("connected");
    pieces.set_nodelay(true).expect("set");
    for piece in ["\r\n", "GET / HT", "TP/1.1\r\nHost: x\r", "\n\r", "\n"] {
        pieces.write_all(piece.as_bytes()).await.expect("sent");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let mut begin = [0; 15];
    pieces.read_exact(&mut begin).await.expect("a response arrives");
    assert_eq!(&begin, b"HTTP/1.1 200 OK");

    let mut long = TcpStream::connect(address).await.expect("connected");
    long.write_all(format!("GET / HTTP/1.1\r\nHost: x\r\nX: {}", "y".repeat(70_000)).as_bytes()).await.expect("sent");
    long.read_exact(&mut begin).await.expect("rejected before it is complete");
    assert_eq!(&begin, b"HTTP/1.1 431 Re");

    for early in ["", "GET / HT"] {
        let mut ended = TcpStream::connect(address).await.expect("connected");
        ended.write_all(early.as_bytes()).await.expect("sent");
        ended.shutdown().await.expect("ended");
        let mut rest = Vec::new();
        let time = tokio::time::timeout(Duration::from_secs(5), ended.read_to_end(&mut rest));
        time.await.expect("before the timeout of a head").expect("ended");
    }
}

#[tokio::test]
async fn a_handler_knows_the_peer() {
    let (listener, address) = listen().await;
    let peer = get(|ConnectInfo(peer): ConnectInfo<SocketAddr>| async move { peer.to_string() });
    let server = tokio::spawn(serve(listener, Router::new().route("/", peer)).into_future());
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    let own = stream.local_addr().expect("an address").to_string();
    assert!(send_get(&mut stream).await.ends_with(&own));
    server.abort();
}

/// Returns a router whose `/held` responds once it is released.
fn router_with_gate() -> (Router, std::sync::Arc<tokio::sync::Semaphore>) {
    let gate = std::sync::Arc::new(tokio::sync::Semaphore::new(0));
    let inside = std::sync::Arc::clone(&gate);
    let handler = get(move || async move {
        let _ = inside.acquire().await;
        "held"
    });
    (super::router().route("/held", handler), gate)
}

#[tokio::test]
async fn further_connection_waits_while_all_are_busy() {
    let (listener, address) = listen().await;
    let (router, gate) = router_with_gate();
    let limits = ServeLimits { connections: 1, ..ServeLimits::DEFAULT };
    let server = tokio::spawn(serve(listener, router).limits(limits).into_future());
    let mut first = TcpStream::connect(address).await.expect("it listens");
    first.write_all(b"GET /held HTTP/1.1\r\nHost: x\r\n\r\n").await.expect("sent");
    let mut second = TcpStream::connect(address).await.expect("it listens");
    second.write_all(GET).await.expect("the system accepts it");
    tokio::time::sleep(Duration::from_millis(100)).await;
    let early = second.try_read(&mut [0; 1]).expect_err("there is no response yet");
    assert_eq!(early.kind(), std::io::ErrorKind::WouldBlock);
    gate.add_permits(1);
    let mut response = [0; 1024];
    let read = first.read(&mut response).await.expect("a response arrives");
    assert!(String::from_utf8_lossy(&response[..read]).ends_with("held"));
    // It is idle now, and is closed for the one that waits.
    assert_eq!(first.read(&mut response).await.expect("closed"), 0);
    assert_eq!(second.read(&mut [0; 8]).await.expect("a response arrives"), 8);
    server.abort();
}

/// Returns whether the server has closed a connection; an open one has nothing to read.
async fn is_closed(stream: &mut TcpStream) -> bool {
    !matches!(tokio::time::timeout(Duration::from_millis(50), stream.read(&mut [0; 1])).await, Err(_) | Ok(Ok(1)))
}

#[tokio::test]
async fn idle_connections_are_closed_in_order() {
    let (listener, address) = listen().await;
    let limits = ServeLimits { connections: 4, ..ServeLimits::DEFAULT };
    let server = tokio::spawn(serve(listener, super::router()).limits(limits).into_future());
    let connect = || async { TcpStream::connect(address).await.expect("it listens") };
    let (mut older, mut newer) = (connect().await, connect().await);
    assert!(send_get(&mut older).await.ends_with("done"));
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert!(send_get(&mut newer).await.ends_with("done"));
    let mut silent = connect().await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    let mut half = connect().await;
    half.write_all(b"GET / HTTP/1.1\r\nX: ").await.expect("sent");
    tokio::time::sleep(Duration::from_millis(50)).await;
    // Each of these has a running request for the rest of the test.
    let mut working = Vec::new();
    for (ended, left) in [("silent", 3), ("half", 2), ("older", 1), ("newer", 0)] {
        let mut stream = connect().await;
        stream.write_all(b"GET /never HTTP/1.1\r\nHost: x\r\n\r\n").await.expect("sent");
        tokio::time::sleep(Duration::from_millis(50)).await;
        let all = [
            is_closed(&mut silent).await,
            is_closed(&mut half).await,
            is_closed(&mut older).await,
            is_closed(&mut newer).await,
        ];
        assert_eq!(all.iter().filter(|ended| !**ended).count(), left, "{ended} ends now: {all:?}");
        assert!(all.is_sorted_by(|a, b| a >= b), "they end in this order: {all:?}");
        working.push(stream);
    }
    for stream in &mut working {
        assert!(!is_closed(stream).await, "active requests continue");
    }
    server.abort();
}

#[tokio::test(start_paused = true)]
async fn connection_with_an_unread_response_is_closed() {
    let (listener, address) = listen().await;
    // More than the buffers of the system.
    let large = get(|| async { vec![b'x'; 64 << 20] });
    let limits = ServeLimits { connections: 1, ..ServeLimits::DEFAULT };
    let server = tokio::spawn(serve(listener, super::router().route("/large", large)).limits(limits).into_future());
    let mut reader = TcpStream::connect(address).await.expect("it listens");
    reader.write_all(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n").await.expect("sent");
    reader.readable().await.expect("a response arrives");
    let mut other = TcpStream::connect(address).await.expect("it listens");
    assert!(send_get(&mut other).await.ends_with("done"));
    let mut taken = Vec::new();
    let _ = reader.read_to_end(&mut taken).await;
    assert!(taken.len() < 64 << 20, "the rest is not there");
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
    let mut response = String::new();
    stream.read_to_string(&mut response).await.expect("a response arrives");
    assert!(response.ends_with("done"), "{response}");
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
    assert!(send_get(&mut other).await.ends_with("done"));
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    stream.write_all(b"GET /panic HTTP/1.1\r\nHost: x\r\n\r\n").await.expect("sent");
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response).await;
    assert!(response.is_empty());
    assert!(send_get(&mut other).await.ends_with("done"));
    server.abort();
}
