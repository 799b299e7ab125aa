//! Requests during a shutdown.

use std::sync::Arc;

use tokio::sync::watch;
use tokio::time::Instant;

use super::super::drain;
use super::{GET, Phase, Pipe, limits, since};

#[tokio::test(start_paused = true)]
async fn a_connection_between_requests_is_closed_at_once() {
    let (begin, mut pipe) = (Instant::now(), Pipe::open(limits()));
    pipe.send(GET).await;
    pipe.read_until("done").await;
    pipe.phases.send_replace(Phase::Finishing);
    pipe.ended.await.expect("no panic");
    assert_eq!(since(begin), 0);
}

#[tokio::test(start_paused = true)]
async fn shutdown_finishes_the_request_and_accepts_no_other() {
    let mut pipe = Pipe::open(limits());
    pipe.send(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n").await;
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    pipe.phases.send_replace(Phase::Finishing);
    pipe.send(GET).await;
    let response = pipe.read_to_end().await;
    assert!(response.starts_with("HTTP/1.1 200") && response.ends_with("done"), "{response}");
    assert_eq!(response.matches("HTTP/1.1").count(), 1, "{response}");
    assert!(response.contains("connection: close"), "{response}");
}

#[tokio::test(start_paused = true)]
async fn unfinished_requests_are_dropped_after_the_grace_period() {
    let mut pipe = Pipe::open(limits());
    pipe.send(b"GET /never HTTP/1.1\r\nHost: x\r\n\r\n").await;
    let (begin, limits) = (Instant::now(), limits());
    drain(&pipe.phases, limits.grace).await;
    assert_eq!(since(begin), limits.grace.as_secs());
    assert_eq!(pipe.read_to_end().await, "");
}

#[tokio::test(start_paused = true)]
async fn connections_end_with_their_server() {
    let Pipe { mut peer, phases, ended } = Pipe::open(limits());
    tokio::io::AsyncWriteExt::write_all(&mut peer, b"GET /never HTTP/1.1\r\nHost: x\r\n\r\n").await.expect("sent");
    tokio::task::yield_now().await;
    drop(phases);
    ended.await.expect("no panic");
}

#[tokio::test(start_paused = true)]
async fn shutdown_without_connections_is_immediate() {
    let begin = Instant::now();
    let (phases, phase) = watch::channel(Phase::Running);
    drop(phase);
    drain(&Arc::new(phases), limits().grace).await;
    assert_eq!(since(begin), 0);
}
