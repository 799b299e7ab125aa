//! How much one request may cost.

mod body;
mod gate;
mod head;
#[cfg(test)]
mod tests;
mod time;

use std::time::Duration;

pub(crate) use self::body::{first_piece, next, read_body};
pub(crate) use self::gate::Gate;
pub(crate) use self::head::{check_head, closing, is_host};
pub(crate) use self::time::{caught, within};

/// How much one request may cost. Each limit is on by default; what goes beyond one is refused before a handler sees
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of a body, as it is received. Beyond: 413. The value that it becomes can take fifty times as many,
    /// so this is best what the resources of the API need.
    pub body_bytes: usize,
    /// How deep lists and objects of a body may stand in one another, in members that nobody knows as well; more than
    /// 127 counts as that. Beyond: 400.
    pub json_depth: usize,
    /// The most headers. Beyond: 431.
    pub headers: usize,
    /// The most bytes of all header names and values. Beyond: 431.
    pub header_bytes: usize,
    /// The most bytes of the path and the query. Beyond: 414.
    pub target_bytes: usize,
    /// The most parameters in the query. Beyond: 400.
    pub query_pairs: usize,
    /// How many requests are worked on at the same time; further ones are answered 503 with `Retry-After`.
    pub concurrent_requests: usize,
    /// How long a request may take, its body included. Beyond: 503.
    pub request_time: Duration,
    /// The most bytes of media, where the operation takes as many or says nothing of it. They are no part of
    /// `body_bytes`, and a handler need not hold them in memory. Beyond: 413.
    pub media_bytes: u64,
    /// How long a request may take with which media come. Beyond: 503.
    pub media_time: Duration,
    /// How long the next piece of a body may keep the server waiting. Beyond: 408, and the connection is closed.
    pub body_pause: Duration,
}

impl Limits {
    /// Enough for whatever the three APIs of this project are asked, and little for whoever means harm.
    pub const DEFAULT: Self = Self {
        body_bytes: 10 << 20,
        json_depth: 127,
        headers: 100,
        header_bytes: 32 << 10,
        target_bytes: 16 << 10,
        query_pairs: 500,
        concurrent_requests: 1024,
        request_time: Duration::from_secs(60),
        body_pause: Duration::from_secs(10),
        media_bytes: 1 << 30,
        media_time: Duration::from_secs(15 * 60),
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
