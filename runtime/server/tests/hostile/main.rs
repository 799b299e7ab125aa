//! Hostile peers on the sockets of a server: they do no harm, and others are served meanwhile.
#![allow(missing_docs, clippy::expect_used, clippy::panic)]

#[path = "../sample/mod.rs"]
mod sample;

mod bodies;
mod corpus;
mod crowd;
mod ends;
mod mailbox;
mod memory;
mod raw;
mod smuggled;
mod uploads;

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{Mutex, MutexGuard};
use wireform_server::{Limits, ServeLimits, serve};

use mailbox::Mailbox;
use raw::RawResponse;

/// Memory is shared by the whole process, so tests that measure it or need much of it run one at a time.
async fn lock_exclusively() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::const_new(());
    LOCK.lock().await
}

/// Running server, until the test ends.
struct Target {
    address: SocketAddr,
    mailbox: Mailbox,
}

impl Target {
    /// Starts a server with short timeouts, so that tests need not wait for them.
    async fn with_short_timeouts() -> Self {
        let mut limits = Limits::DEFAULT;
        limits.body_pause = Duration::from_millis(300);
        let mut connections = ServeLimits::DEFAULT;
        connections.head_time = Duration::from_millis(300);
        Self::start(limits, connections).await
    }

    /// Starts a server with timeouts that exceed the duration of a test.
    async fn with_long_timeouts() -> Self {
        let hour = Duration::from_secs(3600);
        let mut limits = Limits::DEFAULT;
        (limits.body_pause, limits.request_time) = (hour, hour);
        let mut connections = ServeLimits::DEFAULT;
        (connections.head_time, connections.idle_time, connections.write_pause) = (hour, hour, hour);
        Self::start(limits, connections).await
    }

    async fn start(limits: Limits, connections: ServeLimits) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let mailbox = Mailbox::default();
        let router = mailbox.router(limits);
        tokio::spawn(serve(listener, router).limits(connections).into_future());
        Self { address, mailbox }
    }

    /// Sends these bytes, and then a harmless request. Returns all responses.
    async fn send(&self, bytes: &[u8]) -> Vec<RawResponse> {
        let mut all = bytes.to_vec();
        all.extend_from_slice(&raw::get("sentinel", "Connection: close\r\n"));
        raw::exchange(self.address, &all).await
    }

    /// Asserts that another peer is served.
    async fn assert_serving(&self, after: &str) {
        let responses = raw::exchange(self.address, &raw::get("other", "Connection: close\r\n")).await;
        assert!(matches!(&*responses, [one] if one.is_for("other")), "{after}: {responses:?}");
    }
}
