//! What the two ends of a connection, requests and bytes, know of each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use tokio::sync::Notify;
use tokio::time::Instant;

/// What goes on on one connection. The service writes it and the socket reads it, within the same task, so that no
/// order between the numbers is needed. The registry reads it from elsewhere, and what it decides is checked again.
#[derive(Debug)]
pub(super) struct Activity {
    begun: AtomicU32,
    open: AtomicU32,
    body: AtomicBool,
    /// Whether a request was answered as it was meant.
    served: AtomicBool,
    /// Whether an answer waits for the peer to take it.
    stalled: AtomicBool,
    /// Since when nothing, or nothing but a peer that does not take its answer, goes on, in milliseconds.
    since: AtomicU64,
    /// What the milliseconds count from.
    epoch: Instant,
    /// Tells the connection to end.
    end: Notify,
}

/// Which of the connections without a request ends first: the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    served: bool,
    since: u64,
}

impl Activity {
    /// A connection that begins now, with what all connections of a server measure time from.
    pub(super) fn new(epoch: Instant) -> Self {
        let activity = Self {
            begun: AtomicU32::default(),
            open: AtomicU32::default(),
            body: AtomicBool::default(),
            served: AtomicBool::default(),
            stalled: AtomicBool::default(),
            since: AtomicU64::default(),
            epoch,
            end: Notify::new(),
        };
        activity.idle_since(Instant::now());
        activity
    }

    /// A request begins; it lasts until what is returned is dropped.
    pub(super) fn begin(self: &Arc<Self>, body: bool) -> Open {
        self.begun.fetch_add(1, Relaxed);
        self.open.fetch_add(1, Relaxed);
        self.body.store(body, Relaxed);
        self.stalled.store(false, Relaxed);
        Open(Arc::clone(self))
    }

    /// How many requests have begun. It wraps around, and is only good for telling whether another one has begun.
    pub(super) fn begun(&self) -> u32 {
        self.begun.load(Relaxed)
    }

    /// Whether a request is being answered.
    pub(super) fn is_open(&self) -> bool {
        self.open.load(Relaxed) > 0
    }

    /// Whether the latest request has a body, of which the peer may still be sending.
    pub(super) fn has_body(&self) -> bool {
        self.body.load(Relaxed)
    }

    /// Notes that a request was answered as it was meant.
    pub(super) fn mark_served(&self) {
        self.served.store(true, Relaxed);
    }

    /// Notes since when nothing goes on.
    pub(super) fn idle_since(&self, since: Instant) {
        let since = since.saturating_duration_since(self.epoch).as_millis();
        self.since.store(u64::try_from(since).unwrap_or(u64::MAX), Relaxed);
        self.stalled.store(false, Relaxed);
    }

    /// Notes that an answer waits for the peer. The first time of an answer counts: whoever takes a byte now and then
    /// holds the connection all the while.
    pub(super) fn stall(&self, since: Instant) {
        if !self.stalled.load(Relaxed) {
            self.idle_since(since);
            self.stalled.store(true, Relaxed);
        }
    }

    /// The place among those that can end, if this can.
    pub(super) fn rank(&self) -> Option<Rank> {
        let can_end = !self.is_open() || self.stalled.load(Relaxed);
        can_end.then(|| Rank { served: self.served.load(Relaxed), since: self.since.load(Relaxed) })
    }

    /// Tells the connection to end, if it can when it hears that.
    pub(super) fn end(&self) {
        self.end.notify_one();
    }

    /// Waits until the connection is told to end, and can.
    pub(super) async fn ended(&self) {
        loop {
            self.end.notified().await;
            if self.rank().is_some() {
                return;
            }
        }
    }
}

/// A request that is being answered.
#[derive(Debug)]
pub(super) struct Open(Arc<Activity>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Relaxed);
    }
}
