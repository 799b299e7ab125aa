//! Limits on connections.

use std::time::Duration;

/// Limits on connections: their number, the heads of their requests, and the times in which they make no progress.
/// Each limit is enabled by default. Requests themselves are limited by [`Limits`](crate::Limits).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServeLimits {
    /// Maximum number of connections, at least 1. For a further one, a connection without a request is closed: first
    /// one that never had a request that got a response other than 4xx, then the one that has been idle, or has let a
    /// response wait, for the longest time. A response is not aborted within five seconds since its peer last took 16
    /// KiB of it. While all connections process requests, further ones wait in the queue of the operating system. Each
    /// connection takes a file descriptor: keep this below the process's limit on open files. If that is reached
    /// nevertheless, connections are closed in the same order.
    pub connections: usize,
    /// Maximum number of headers of a request. Beyond: 431, and the connection is closed. A number other than 100 costs
    /// an allocation for every request.
    pub headers: usize,
    /// Maximum size in bytes of a request's first line and headers together, and of the trailers of a body; at least
    /// 8,192. Beyond: 431, and the connection is closed. A connection buffers about that much in each direction.
    pub head_bytes: usize,
    /// Maximum time of a first line with its headers: from the start of the connection, and for further requests from
    /// their first byte. Beyond, the connection is closed.
    pub head_time: Duration,
    /// Maximum time between two requests of a connection.
    pub idle_time: Duration,
    /// Maximum time for which a peer may take nothing of a waiting response. Beyond, the connection is closed.
    pub write_pause: Duration,
    /// Maximum time for which a shutdown waits for accepted requests. The remaining connections are dropped.
    pub grace: Duration,
}

impl ServeLimits {
    /// Limits that suit a service behind a proxy as well as one on the public network.
    pub const DEFAULT: Self = Self {
        connections: 4096,
        headers: 100,
        head_bytes: 64 << 10,
        head_time: Duration::from_secs(10),
        idle_time: Duration::from_secs(60),
        write_pause: Duration::from_secs(20),
        grace: Duration::from_secs(30),
    };
}

impl Default for ServeLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
