//! Responses that hold something while they are sent.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::routing::get;
use tokio::io::AsyncReadExt;
use tokio::time::{Instant, sleep};

use super::{GET, Pipe, limits, since};
use crate::held::HeldBody;

/// More than a connection buffers.
const LENGTH: usize = 300_000;

#[tokio::test(start_paused = true)]
async fn a_guard_is_kept_until_the_response_was_taken() {
    let guard = Arc::new(());
    let held = Arc::clone(&guard);
    let large = move || async move { Body::new(HeldBody::new(Body::from(vec![b'x'; LENGTH]), held)) };
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
    // The connection is between two requests now.
    assert_eq!(pipe.read_to_end().await, "");
    assert_eq!(since(begin), 60);
}
