//! Connections of a server, and the choice of those that are closed when there are too many.
//!
//! A peer with a request takes precedence over one that only holds a connection. When there is no room for another
//! connection, connections without a request are closed: first those that never had a request that got a response other
//! than 4xx, then those that have been idle, or have let a response wait, for the longest time. Running requests
//! continue, and so does a response of which the peer takes 16 KiB within five seconds of waiting.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use super::activity::{CloseRank, ConnectionActivity};

/// Inverse of the share of connections that are closed at a time. Finding a single one for each new connection would
/// cost more than serving it.
const SHED_DIVISOR: usize = 64;

/// All connections of a server.
#[derive(Debug)]
pub(super) struct Registry {
    epoch: Instant,
    next: AtomicU64,
    connections: Mutex<HashMap<u64, Arc<ConnectionActivity>>>,
}

/// Registration of a connection, until this is dropped.
#[derive(Debug)]
pub(super) struct Registration {
    registry: Arc<Registry>,
    number: u64,
    pub(super) activity: Arc<ConnectionActivity>,
}

impl Registry {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { epoch: Instant::now(), next: AtomicU64::new(0), connections: Mutex::default() })
    }

    /// Adds a new connection.
    pub(super) fn add(self: &Arc<Self>) -> Registration {
        let activity = Arc::new(ConnectionActivity::new(self.epoch));
        let number = self.next.fetch_add(1, Relaxed);
        self.lock().insert(number, Arc::clone(&activity));
        Registration { registry: Arc::clone(self), number, activity }
    }

    /// Notifies some connections without a request to close, and returns their number.
    pub(super) fn shed(&self) -> usize {
        let (connections, now) = (self.lock(), Instant::now());
        let mut idle: Vec<(CloseRank, &Arc<ConnectionActivity>)> =
            connections.values().filter_map(|activity| Some((activity.close_rank(now)?, activity))).collect();
        let count = (connections.len() / SHED_DIVISOR).max(1).min(idle.len());
        if count == 0 {
            return 0;
        }
        idle.select_nth_unstable_by_key(count - 1, |(rank, _)| *rank);
        for (_, activity) in idle.iter().take(count) {
            activity.request_close();
        }
        count
    }

    /// Locks the open connections by their identifiers.
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Arc<ConnectionActivity>>> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        self.registry.lock().remove(&self.number);
    }
}
