//! State of a connection that its service and its socket share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// Time that a response waits for its peer before the connection may be closed for others.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// Number of bytes that a peer must take of a response to restart [`MAX_WAIT`], so that one that takes single bytes
/// cannot hold the connection.
const MIN_PROGRESS_BYTES: usize = 16 << 10;

/// Activity of a connection. The service writes it and the socket reads it within the same task, so the values need no
/// memory ordering. The registry reads it from other tasks, and its decisions are checked again.
#[derive(Debug)]
pub(super) struct ConnectionActivity {
    begun: AtomicU32,
    open: AtomicU32,
    body: AtomicBool,
    /// Number of bodies of requests that were not dropped.
    bodies: AtomicU32,
    /// True if the last response was flushed, and nothing was read or written since.
    idle: AtomicBool,
    /// True if a request got a response with a status other than 4xx.
    served: AtomicBool,
    /// True if a response waits for the peer.
    waits: AtomicBool,
    /// Start of the inactivity, in milliseconds. While a response waits, it is earlier by the time that it had waited
    /// before.
    since: AtomicU64,
    /// Time in milliseconds that a response has waited since the peer took [`MIN_PROGRESS_BYTES`] bytes, without the
    /// current wait.
    waited: AtomicU64,
    /// Number of bytes that the peer has taken since then.
    taken: AtomicUsize,
    /// Origin of the times.
    epoch: Instant,
    /// Notifies the connection that it should close.
    end: Notify,
}

/// Order in which idle connections are closed, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CloseRank {
    served: bool,
    since: u64,
}

impl ConnectionActivity {
    /// Creates the activity of a new connection, with the origin of the times of all connections of a server.
    pub(super) fn new(epoch: Instant) -> Self {
        let activity = Self {
            begun: AtomicU32::default(),
            open: AtomicU32::default(),
            body: AtomicBool::default(),
            bodies: AtomicU32::default(),
            idle: AtomicBool::default(),
            served: AtomicBool::default(),
            waits: AtomicBool::default(),
            since: AtomicU64::default(),
            waited: AtomicU64::default(),
            taken: AtomicUsize::default(),
            epoch,
            end: Notify::new(),
        };
        activity.idle_since(Instant::now());
        activity
    }

    /// Begins a request; it lasts until the result is dropped.
    pub(super) fn begin_request(self: &Arc<Self>, body: bool) -> RequestGuard {
        self.begun.fetch_add(1, Relaxed);
        self.open.fetch_add(1, Relaxed);
        self.body.store(body, Relaxed);
        RequestGuard(Arc::clone(self))
    }

    /// Returns the number of requests that have begun. It wraps around, and only shows whether another one has begun.
    pub(super) fn begun(&self) -> u32 {
        self.begun.load(Relaxed)
    }

    /// Returns whether a request is being processed.
    pub(super) fn is_open(&self) -> bool {
        self.open.load(Relaxed) > 0
    }

    /// Returns whether the latest request has a body, which may still be arriving.
    pub(super) fn has_body(&self) -> bool {
        self.body.load(Relaxed)
    }

    /// Begins to receive the body of a request, which may outlast the request.
    pub(super) fn begin_body(self: &Arc<Self>) -> RequestBodyGuard {
        self.bodies.fetch_add(1, Relaxed);
        RequestBodyGuard(Arc::clone(self))
    }

    /// Records that a request got a response with a status other than 4xx.
    pub(super) fn mark_served(&self) {
        self.served.store(true, Relaxed);
    }

    /// Records the start of the inactivity.
    pub(super) fn idle_since(&self, since: Instant) {
        self.since.store(self.millis(since), Relaxed);
        self.waits.store(false, Relaxed);
        self.waited.store(0, Relaxed);
        self.taken.store(0, Relaxed);
    }

    /// Records that the last response was flushed, so that the connection is idle.
    pub(super) fn begin_idle(&self, now: Instant) {
        self.idle_since(now);
        self.idle.store(true, Relaxed);
    }

    /// Records that something was read or written, or that the connection ends.
    pub(super) fn end_idle(&self) {
        self.idle.store(false, Relaxed);
    }

    /// Waits until the connection has been idle for a time.
    pub(super) async fn idle_for(&self, time: Duration) {
        let mut until = Instant::now() + time;
        loop {
            sleep_until(until).await;
            let now = Instant::now();
            let is_idle = self.idle.load(Relaxed) && !self.is_open() && self.bodies.load(Relaxed) == 0;
            let since = if is_idle { self.epoch + Duration::from_millis(self.since.load(Relaxed)) } else { now };
            until = since + time;
            if until <= now {
                return;
            }
        }
    }

    /// Records that a response starts to wait for the peer.
    pub(super) fn begin_wait(&self, now: Instant) {
        self.since.store(self.millis(now).saturating_sub(self.waited.load(Relaxed)), Relaxed);
        self.waits.store(true, Relaxed);
    }

    /// Records that a response waits no longer.
    pub(super) fn end_wait(&self, now: Instant) {
        if self.waits.swap(false, Relaxed) {
            self.waited.store(self.millis(now).saturating_sub(self.since.load(Relaxed)), Relaxed);
        }
    }

    /// Records that the peer, or the buffers before it, took some of a response.
    pub(super) fn add_taken(&self, bytes: usize) {
        let taken = self.taken.load(Relaxed).saturating_add(bytes);
        if taken >= MIN_PROGRESS_BYTES {
            self.waited.store(0, Relaxed);
        }
        self.taken.store(if taken >= MIN_PROGRESS_BYTES { 0 } else { taken }, Relaxed);
    }

    /// Returns the rank among the connections that may be closed, or `None` if this one may not: it may while no
    /// request is processed, or if its response has waited for too long. A response that was handed over to be written
    /// is not a request any more, but still waits.
    pub(super) fn close_rank(&self, now: Instant) -> Option<CloseRank> {
        let since = self.since.load(Relaxed);
        let has_waited = || u128::from(self.millis(now).saturating_sub(since)) >= MAX_WAIT.as_millis();
        let can_end = if self.waits.load(Relaxed) { has_waited() } else { !self.is_open() };
        can_end.then(|| CloseRank { served: self.served.load(Relaxed), since })
    }

    /// Returns the milliseconds from the epoch of the connection to an instant.
    fn millis(&self, instant: Instant) -> u64 {
        u64::try_from(instant.saturating_duration_since(self.epoch).as_millis()).unwrap_or(u64::MAX)
    }

    /// Notifies the connection to close, if it still may.
    pub(super) fn request_close(&self) {
        self.end.notify_one();
    }

    /// Waits until the connection is notified to close, and may.
    pub(super) async fn close_requested(&self) {
        loop {
            self.end.notified().await;
            if self.close_rank(Instant::now()).is_some() {
                return;
            }
        }
    }
}

/// Request that is being processed.
#[derive(Debug)]
pub(super) struct RequestGuard(Arc<ConnectionActivity>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Relaxed);
    }
}

/// Body of a request that was not dropped yet.
#[derive(Debug)]
pub(super) struct RequestBodyGuard(Arc<ConnectionActivity>);

impl Drop for RequestBodyGuard {
    fn drop(&mut self) {
        self.0.bodies.fetch_sub(1, Relaxed);
    }
}
