//! Choice of the connections that are closed when there are too many, by the progress of their responses.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::time::sleep;

use super::super::registry::Registry;
use super::{Pipe, limits};

/// Returns a peer that has received the start of a long response, and the registry of its connection.
async fn download() -> (Pipe, Arc<Registry>) {
    let registry = Registry::new();
    let mut pipe = Pipe::open_in(&registry, limits());
    pipe.send(b"GET /much HTTP/1.1\r\nHost: x\r\n\r\n").await;
    pipe.read_until("\r\n\r\n").await;
    (pipe, registry)
}

/// Reads a number of bytes each second, and returns the number of seconds after which the connection may be closed.
async fn read_steadily(pipe: &mut Pipe, registry: &Registry, bytes: usize, seconds: u64) -> Option<u64> {
    for second in 0..seconds {
        if registry.shed() > 0 {
            return Some(second);
        }
        pipe.peer.read_exact(&mut vec![0; bytes]).await.expect("the server responds");
        sleep(Duration::from_secs(1)).await;
    }
    None
}

#[tokio::test(start_paused = true)]
async fn progressing_download_is_not_shed() {
    let (mut pipe, registry) = download().await;
    assert_eq!(read_steadily(&mut pipe, &registry, 8 << 10, 40).await, None);
    // The connection may be closed when its peer stops reading.
    sleep(Duration::from_secs(6)).await;
    assert_eq!(registry.shed(), 1);
}

#[tokio::test(start_paused = true)]
async fn slow_download_is_shed() {
    let (mut pipe, registry) = download().await;
    assert_eq!(read_steadily(&mut pipe, &registry, 100, 40).await, Some(5));
}

#[tokio::test(start_paused = true)]
async fn slow_handler_is_not_shed() {
    let registry = Registry::new();
    let mut pipe = Pipe::open_in(&registry, limits());
    pipe.send(b"GET /drops HTTP/1.1\r\nHost: x\r\n\r\n").await;
    // The peer is slow once, and then waits for the server.
    sleep(Duration::from_secs(2)).await;
    pipe.read_until("drop ").await;
    for _ in 0..8 {
        assert_eq!(registry.shed(), 0);
        pipe.read_until("drop ").await;
    }
}
