//! Limits on the cost of a request.

mod body;
mod cost;
mod head;
mod progress_timeout;
mod reservation;
mod reserving_body;
mod slots;
mod streaming_base64;
#[cfg(test)]
mod tests;
mod time;

use std::time::Duration;

pub(crate) use self::body::{RequestBody, first_chunk, next_chunk, read_body};
pub(crate) use self::cost::exceeds as values_exceed;
pub use self::cost::json_memory;
pub(crate) use self::head::{check_head, is_valid_host, with_connection_close};
pub(crate) use self::reservation::{BodyReservation, BodyShare, DecodedData, body_length};
pub(crate) use self::slots::{Caller, Permit, Slots};
pub(crate) use self::time::{catch_panic, with_permit, with_timeout};

/// Limits on the cost of a request. Each limit is enabled by default. Requests beyond one are rejected before a handler
/// is called; `request_time` and `media_time` also end a running handler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of a body in bytes, as received. Beyond: 413.
    pub body_bytes: usize,
    /// Maximum memory in bytes that a decoded body takes in addition to its text: 512 for each object and list, and 96
    /// for each further field and element. Without it, a body of 10 MB takes 0.5 GB if it is a list of objects without
    /// fields. Beyond: 413.
    pub value_bytes: usize,
    /// Maximum nesting depth of lists and objects in a body, also in unknown fields; at most 127. Beyond: 400.
    pub json_depth: usize,
    /// Maximum number of headers. Beyond: 431.
    pub headers: usize,
    /// Maximum size of all header names and values in bytes. Beyond: 431.
    pub header_bytes: usize,
    /// Maximum size of the path and the query in bytes. Beyond: 414.
    pub target_bytes: usize,
    /// Maximum number of query parameters. Beyond: 400.
    pub query_pairs: usize,
    /// Maximum number of concurrent requests, each from the end of its body to the start of its response. Beyond: 503
    /// with `Retry-After`.
    pub concurrent_requests: usize,
    /// Maximum number of bodies that arrive concurrently, in addition to the concurrent requests. Media that a handler
    /// reads while they arrive count as bodies. Beyond: 503 with `Retry-After`.
    pub concurrent_bodies: usize,
    /// Maximum number of concurrent batches, each from its head until its response has been sent. Beyond: 503 with
    /// `Retry-After`.
    pub concurrent_batches: usize,
    /// Maximum share of one caller in each of these three, in percent, but at least one: of the subject of a
    /// credential, or of the IP address of a peer without one. Beyond: 429 with `Retry-After`.
    pub share_percent: u8,
    /// Maximum time of a request, including its body. Beyond: 503.
    pub request_time: Duration,
    /// Maximum size of media in bytes, where the operation has no lower limit. Media do not count for `body_bytes`, and
    /// a handler need not hold them in memory. Beyond: 413.
    pub media_bytes: u64,
    /// Maximum time of a request with media. Beyond: 503.
    pub media_time: Duration,
    /// Maximum time to wait for the next chunk of a body. Beyond: 408, and the connection is closed.
    pub body_pause: Duration,
}

impl Limits {
    /// Limits that suffice for ordinary requests of the APIs of this project, and restrict abuse.
    pub const DEFAULT: Self = Self {
        body_bytes: 10 << 20,
        value_bytes: 32 << 20,
        json_depth: 127,
        headers: 100,
        header_bytes: 32 << 10,
        target_bytes: 16 << 10,
        query_pairs: 500,
        concurrent_requests: 1024,
        concurrent_bodies: 1024,
        concurrent_batches: 64,
        share_percent: 25,
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
