//! How much connections may cost.

use std::time::Duration;

/// How much connections may cost, before there is a request and beside it. Each limit is on by default. What a request
/// may cost once it is there is said by [`Limits`](crate::Limits).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServeLimits {
    /// The most connections at the same time, at least 1. For a further one another ends that holds no request: first
    /// one on which none was ever answered, then the one that has been idle, or has let a response wait, for the longest
    /// time. A response goes on that has not waited for five seconds since its peer took 16 KiB of it. While requests are worked on on all of them, further ones wait in the queue of the operating system. Each
    /// takes a file descriptor: keep this below the process's limit on open files. When that is reached nevertheless,
    /// connections end in the same order.
    pub connections: usize,
    /// The most headers of a request. Beyond: 431, and the connection ends. Another number than 100 costs an
    /// allocation for every request.
    pub headers: usize,
    /// The most bytes of a request's first line and headers together, and of the trailers of a body; at least 8,192.
    /// Beyond: 431, and the connection ends. A connection buffers about that much in each direction.
    pub head_bytes: usize,
    /// How long a first line with its headers may take: from the connection's begin, and for further requests from
    /// their first byte. Beyond, the connection ends.
    pub head_time: Duration,
    /// How long a connection is kept between two requests.
    pub idle_time: Duration,
    /// How long a peer may take nothing of an answer that waits for it. Beyond, the connection ends.
    pub write_pause: Duration,
    /// How long a shutdown waits for requests that were accepted. Connections that are left then are dropped.
    pub grace: Duration,
}

impl ServeLimits {
    /// What suits a service behind a proxy as well as one that faces whoever connects.
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
