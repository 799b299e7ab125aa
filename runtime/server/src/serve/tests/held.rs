//! Responses that keep a guard while they are sent.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::routing::get;
use http::Response;
use tokio::io::AsyncReadExt;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use super::{GET, Pipe, limits, since};
use crate::error::Error;
use crate::guarded_body::GuardedBody;
use crate::memory::MemoryBudget;

/// More than a connection buffers.
const LENGTH: usize = 300_000;

#[tokio::test(start_paused = true)]
async fn a_guard_is_kept_until_the_response_was_taken() {
    let guard = Arc::new(());
    let held = Arc::clone(&guard);
    let large = move || async move { Body::new(GuardedBody::new(Body::from(vec![b'x'; LENGTH]), held)) };
    let mut pipe = Pipe::to(Router::new().route("/", get(large)), limits());
    let head = {
        pipe.send(GET).await;
        pipe.read_until("\r\n\r\n").await
    };
    assert!(head.contains("content-length: 300000"), "{head}");
    sleep(Duration::from_secs(5)).await;
    assert_eq!(Arc::strong_count(&guard), 3, "the router has one, the response another");
    let mut body = vec![0; LENGTH];
    pipe.peer.read_exact(&mut body).await.expect("all of it");
    let begin = Instant::now();
    sleep(Duration::from_secs(1)).await;
    assert_eq!(Arc::strong_count(&guard), 2);
    // The connection is idle now.
    assert_eq!(pipe.read_to_end().await, "");
    assert_eq!(since(begin), 60);
}

/// Connection that sends a response which holds half of a budget, while another user waits for more than the rest.
struct ContendedResponse {
    pipe: Pipe,
    budget: MemoryBudget,
    waiting: JoinHandle<Result<(), Error>>,
}

async fn contended_response(wait: Duration) -> ContendedResponse {
    let budget = MemoryBudget::new(100).with_wait(wait);
    let shares = budget.clone();
    let large = move || async move {
        let share = shares.share("ana");
        share.reserve(50).await.expect("there is room");
        let mark = share.mark();
        let mut response = Response::new(Body::new(GuardedBody::new(Body::from(vec![b'x'; LENGTH]), share)));
        response.extensions_mut().insert(mark);
        response
    };
    let mut pipe = Pipe::to(Router::new().route("/", get(large)), limits());
    pipe.send(GET).await;
    pipe.read_until("\r\n\r\n").await;
    let (others, waits) = (budget.share("ben"), budget.share("cy"));
    others.reserve(25).await.expect("there is room");
    let waiting = tokio::spawn(async move {
        let _others = others;
        waits.reserve(50).await
    });
    ContendedResponse { pipe, budget, waiting }
}

#[tokio::test(start_paused = true)]
async fn stalled_response_is_aborted_for_waiters() {
    let begin = Instant::now();
    let ContendedResponse { mut pipe, waiting, .. } = contended_response(Duration::from_secs(5)).await;
    let drips = tokio::spawn(async move {
        // A few bytes now and then are no progress.
        let mut some = [0; 1024];
        while pipe.peer.read(&mut some).await.expect("no error") > 0 {
            sleep(Duration::from_millis(500)).await;
        }
    });
    waiting.await.expect("no panic").expect("there is room in time");
    assert_eq!(since(begin), 3);
    drips.await.expect("the connection ended");
}

#[tokio::test(start_paused = true)]
async fn progressing_response_continues_while_others_wait() {
    let ContendedResponse { mut pipe, waiting, .. } = contended_response(Duration::from_secs(600)).await;
    let mut taken = 0;
    let mut some = [0; 2048];
    while taken < LENGTH {
        sleep(Duration::from_millis(250)).await;
        taken += pipe.peer.read(&mut some).await.expect("it is served");
    }
    waiting.await.expect("no panic").expect("it has ended");
}

#[tokio::test(start_paused = true)]
async fn slow_response_continues_without_waiters() {
    let begin = Instant::now();
    let ContendedResponse { mut pipe, waiting, budget } = contended_response(Duration::from_secs(1)).await;
    waiting.await.expect("no panic").expect_err("it waits for less than the timeout of a response");
    let mut taken = 0;
    let mut some = [0; 2048];
    while taken < LENGTH {
        sleep(Duration::from_secs(15)).await;
        taken += pipe.peer.read(&mut some).await.expect("it is served");
    }
    assert!(since(begin) > 1000);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(budget.held(), 0);
}
