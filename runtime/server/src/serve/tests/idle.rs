//! Idle connections, which keep neither buffers nor the state of HTTP for longer than a second.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::routing::post;
use http_body_util::BodyExt as _;
use tokio::io::AsyncWriteExt as _;
use tokio::time::{Instant, sleep};

use super::{GET, Phase, Pipe, limits, since};

/// More than the time for which buffers are kept.
const PAUSE: Duration = Duration::from_secs(3);

#[tokio::test(start_paused = true)]
async fn requests_continue_after_a_pause() {
    let mut pipe = Pipe::open(limits());
    for pause in [0, 1, 2, 10, 0, 59, 3] {
        sleep(Duration::from_secs(pause)).await;
        pipe.send(GET).await;
        assert!(pipe.read_until("done").await.starts_with("HTTP/1.1 200"));
        pipe.send(b"POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody").await;
        assert!(pipe.read_until("body").await.starts_with("HTTP/1.1 200"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_head_may_arrive_in_chunks_with_pauses() {
    let mut pipe = Pipe::open(limits());
    for _ in 0..2 {
        for piece in ["\r\n", "G", "ET / HT", "TP/1.1\r\nHost: x\r\n\r\n"] {
            sleep(Duration::from_secs(2)).await;
            pipe.send(piece.as_bytes()).await;
        }
        assert!(pipe.read_until("done").await.starts_with("HTTP/1.1 200"));
    }
}

#[tokio::test(start_paused = true)]
async fn the_beginning_of_a_head_after_a_request_is_kept() {
    let mut pipe = Pipe::open(limits());
    pipe.send(&[GET, b"GET / HT"].concat()).await;
    pipe.read_until("done").await;
    sleep(PAUSE).await;
    pipe.send(b"TP/1.1\r\nHost: x\r\n\r\n").await;
    assert!(pipe.read_until("done").await.starts_with("HTTP/1.1 200"));
}

#[tokio::test(start_paused = true)]
async fn an_idle_connection_ends_with_the_server_or_its_peer() {
    let (begin, mut pipe) = (Instant::now(), Pipe::open(limits()));
    pipe.send(GET).await;
    pipe.read_until("done").await;
    sleep(PAUSE).await;
    pipe.phases.send_replace(Phase::Finishing);
    pipe.ended.await.expect("no panic");

    let mut pipe = Pipe::open(limits());
    pipe.send(GET).await;
    pipe.read_until("done").await;
    sleep(PAUSE).await;
    pipe.peer.shutdown().await.expect("closed");
    assert_eq!(pipe.read_to_end().await, "");
    pipe.ended.await.expect("no panic");
    assert_eq!(since(begin), 6);
}

/// A handler may pass the body of its request to another task, and respond before.
#[tokio::test(start_paused = true)]
async fn a_body_may_arrive_after_the_response() {
    type Slot = Arc<Mutex<Option<Body>>>;
    let slot = Slot::default();
    let keep = |State(slot): State<Slot>, body: Body| async move {
        *slot.lock().expect("no panic") = Some(body);
        "kept"
    };
    let router = Router::new().route("/", post(keep)).with_state(Arc::clone(&slot));
    let mut pipe = Pipe::to(router, limits());
    pipe.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nfirst").await;
    pipe.read_until("kept").await;
    sleep(PAUSE).await;
    pipe.send(b" part").await;
    let mut body = slot.lock().expect("no panic").take().expect("the handler was called");
    for expected in ["first", " part"] {
        let frame = body.frame().await.expect("not the end").expect("the connection is open");
        assert_eq!(frame.data_ref().map(|data| &data[..]), Some(expected.as_bytes()));
    }
    drop(body);
    sleep(PAUSE).await;
    pipe.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n").await;
    pipe.read_until("kept").await;
}
