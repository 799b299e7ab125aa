//! Connections, with a paused clock.

mod handshake;
mod held;
mod idle;
mod shed;
mod shutdown;
mod slow;
mod sockets;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::routing::{get, post};
use futures_util::stream;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::connection::{Phase, ServerState, serve_requests};
use super::limits::ServeLimits;
use super::registry::Registry;

/// Capacity of the pipe between peer and server in each direction.
const PIPE: usize = 4096;

const GET: &[u8] = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n";

/// Connection without a socket.
struct Pipe {
    peer: DuplexStream,
    phases: watch::Sender<Phase>,
    ended: JoinHandle<()>,
}

impl Pipe {
    fn open(limits: ServeLimits) -> Self {
        Self::serving(&Registry::new(), router(), limits)
    }

    /// Opens a connection in a registry.
    fn open_in(registry: &Arc<Registry>, limits: ServeLimits) -> Self {
        Self::serving(registry, router(), limits)
    }

    /// Opens a connection to a router.
    fn to(router: Router, limits: ServeLimits) -> Self {
        Self::serving(&Registry::new(), router, limits)
    }

    fn serving(registry: &Arc<Registry>, router: Router, limits: ServeLimits) -> Self {
        let registered = registry.add();
        let (peer, stream) = duplex(PIPE);
        let (phases, phase) = watch::channel(Phase::Running);
        let ended = tokio::spawn(async move {
            let shared = Arc::new(ServerState::new(router, limits));
            let first_head = Instant::now() + shared.head_time();
            let peer = ([127, 0, 0, 1], 1).into();
            serve_requests(stream, (peer, &registered.activity), first_head, phase, &shared).await;
        });
        Self { peer, phases, ended }
    }

    async fn send(&mut self, bytes: &[u8]) {
        self.peer.write_all(bytes).await.expect("the server listens");
    }

    /// Reads until a text has arrived.
    async fn read_until(&mut self, end: &str) -> String {
        let mut text = String::new();
        while !text.ends_with(end) {
            let mut byte = [0];
            let read = self.peer.read(&mut byte).await.expect("the server responds");
            assert!(read > 0, "the connection ended after {text:?}");
            text.push(char::from(byte[0]));
        }
        text
    }

    /// Reads the rest.
    async fn read_to_end(&mut self) -> String {
        let mut bytes = Vec::new();
        let _ = self.peer.read_to_end(&mut bytes).await;
        String::from_utf8(bytes).expect("responses are text")
    }
}

/// Returns a router with handlers that respond at once, later, with a large body, or after the body.
fn router() -> Router {
    Router::new()
        .route("/", get(|| async { "done" }))
        .route(
            "/slow",
            get(|| async {
                tokio::time::sleep(Duration::from_secs(5)).await;
                "done"
            }),
        )
        .route("/never", get(std::future::pending::<&str>))
        .route("/much", get(|| async { "much ".repeat(100_000) }))
        .route("/drops", get(drops))
        .route("/refused", post(|| async { http::StatusCode::PAYLOAD_TOO_LARGE }))
        .route("/read", post(|body: String| async move { body }))
}

/// Returns a body of a long chunk, and then a short one every few seconds.
async fn drops() -> Body {
    let drops = stream::unfold(0, |number| async move {
        let pause = if number == 0 { 0 } else { 4 };
        tokio::time::sleep(Duration::from_secs(pause)).await;
        let piece = if number == 0 { "x".repeat(2 * PIPE) } else { String::new() } + "drop ";
        Some((Ok::<_, std::convert::Infallible>(piece), number + 1))
    });
    Body::from_stream(drops)
}

fn limits() -> ServeLimits {
    ServeLimits {
        head_time: Duration::from_secs(10),
        idle_time: Duration::from_secs(60),
        write_pause: Duration::from_secs(20),
        grace: Duration::from_secs(30),
        ..ServeLimits::DEFAULT
    }
}

/// Returns the seconds since an instant. With the paused clock, they are exact.
fn since(begin: Instant) -> u64 {
    begin.elapsed().as_secs()
}
