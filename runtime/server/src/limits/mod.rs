//! How much one request may cost.

mod arrival;
mod body;
mod cost;
mod detach;
mod head;
mod intake;
mod pace;
mod slots;
#[cfg(test)]
mod tests;
mod time;

use std::time::Duration;

pub(crate) use self::body::{RequestBody, first_piece, next, read_body};
pub(crate) use self::head::{check_head, closing, is_host};
pub(crate) use self::intake::{BodyShare, Decoded, Intake, body_length};
pub(crate) use self::slots::{Caller, Permit, Slots};
pub(crate) use self::time::{caught, with_permit, within};

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
    /// The most requests that are worked on at the same time, from the end of their body to the begin of the answer.
    /// Beyond: 503 with `Retry-After`.
    pub concurrent_requests: usize,
    /// The most bodies that arrive at the same time, beside the requests that are worked on. Media that a handler reads
    /// while they arrive count as bodies. Beyond: 503 with `Retry-After`.
    pub concurrent_bodies: usize,
    /// The most batches at the same time, from their head until their answer has been taken. Beyond: 503 with
    /// `Retry-After`.
    pub concurrent_batches: usize,
    /// How much of each of these one caller can hold, in percent, but at least one: the subject of a credential, or the
    /// address of a peer where an operation asks for none. Beyond: 429 with `Retry-After`.
    pub share_percent: u8,
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
