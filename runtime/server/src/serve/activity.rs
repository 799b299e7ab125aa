//! What the two ends of a connection, requests and bytes, know of each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

/// How long a response waits for its peer before the connection can end for others.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many bytes a peer takes of a response for [`PATIENCE`] to begin anew. A peer that takes a byte now and then holds
/// the connection all the while.
const PROGRESS: usize = 16 << 10;

/// What goes on on one connection. The service writes it and the socket reads it, within the same task, so that no
/// order between the numbers is needed. The registry reads it from elsewhere, and what it decides is checked again.
#[derive(Debug)]
pub(super) struct Activity {
    begun: AtomicU32,
    open: AtomicU32,
    body: AtomicBool,
    /// Whether a request was answered as it was meant.
    served: AtomicBool,
    /// Whether a response waits for the peer to take it.
    waits: AtomicBool,
    /// Since when nothing goes on, in milliseconds. While a response waits, that less the time that it had waited before.
    since: AtomicU64,
    /// How long a response has waited since the peer took [`PROGRESS`] bytes, in milliseconds, this time left out.
    waited: AtomicU64,
    /// How many bytes the peer has taken since then.
    taken: AtomicUsize,
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

    /// A request begins; it lasts until what is returned is dropped.
    pub(super) fn begin(self: &Arc<Self>, body: bool) -> Open {
        self.begun.fetch_add(1, Relaxed);
        self.open.fetch_add(1, Relaxed);
        self.body.store(body, Relaxed);
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
        self.since.store(self.millis(since), Relaxed);
        self.waits.store(false, Relaxed);
        self.waited.store(0, Relaxed);
        self.taken.store(0, Relaxed);
    }

    /// Notes that a response begins to wait for the peer.
    pub(super) fn begin_wait(&self, now: Instant) {
        self.since.store(self.millis(now).saturating_sub(self.waited.load(Relaxed)), Relaxed);
        self.waits.store(true, Relaxed);
    }

    /// Notes that a response waits no longer.
    pub(super) fn end_wait(&self, now: Instant) {
        if self.waits.swap(false, Relaxed) {
            self.waited.store(self.millis(now).saturating_sub(self.since.load(Relaxed)), Relaxed);
        }
    }

    /// Notes that the peer, or the buffers before it, took some of a response.
    pub(super) fn add_taken(&self, bytes: usize) {
        let taken = self.taken.load(Relaxed).saturating_add(bytes);
        if taken >= PROGRESS {
            self.waited.store(0, Relaxed);
        }
        self.taken.store(if taken >= PROGRESS { 0 } else { taken }, Relaxed);
    }

    /// Returns the place among those that can end, if this can: while no request is answered, or its response has waited
    /// for too long. What was handed over to be written is no request any more, and still waits.
    pub(super) fn rank(&self, now: Instant) -> Option<Rank> {
        let since = self.since.load(Relaxed);
        let has_waited = || u128::from(self.millis(now).saturating_sub(since)) >= PATIENCE.as_millis();
        let can_end = if self.waits.load(Relaxed) { has_waited() } else { !self.is_open() };
        can_end.then(|| Rank { served: self.served.load(Relaxed), since })
    }

    fn millis(&self, instant: Instant) -> u64 {
        u64::try_from(instant.saturating_duration_since(self.epoch).as_millis()).unwrap_or(u64::MAX)
    }

    /// Tells the connection to end, if it can when it hears that.
    pub(super) fn end(&self) {
        self.end.notify_one();
    }

    /// Waits until the connection is told to end, and can.
    pub(super) async fn ended(&self) {
        loop {
            self.end.notified().await;
            if self.rank(Instant::now()).is_some() {
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
