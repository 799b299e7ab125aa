//! Limits on connections per kind of access, so that short reads always get one.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use crate::operation::Access;
use crate::{Error, Result, Unavailable};

/// Limits on concurrent operations. Short reads need no permit: some connections are reserved for them.
#[derive(Debug)]
pub(super) struct ConnectionLimiter {
    /// Permits of writes and scans together, which may wait for locks or run long.
    slow: Arc<Semaphore>,
    /// Permits of scans, so that they leave connections to writes.
    scans: Arc<Semaphore>,
}

impl ConnectionLimiter {
    /// Creates limits for a number of connections: a quarter is reserved for reads, and scans get at most half.
    pub(super) fn new(connections: usize) -> Self {
        let slow = connections.saturating_sub(connections.div_ceil(4)).max(1);
        Self { slow: Arc::new(Semaphore::new(slow)), scans: Arc::new(Semaphore::new((connections / 2).clamp(1, slow))) }
    }

    /// Acquires the permits that an operation needs, waiting until `until`.
    pub(super) async fn acquire(&self, access: Access, until: Instant) -> Result<Vec<OwnedSemaphorePermit>> {
        let needed: &[&Arc<Semaphore>] = match access {
            Access::Read => &[],
            Access::Write => &[&self.slow],
            Access::Scan => &[&self.scans, &self.slow],
        };
        let mut permits = Vec::with_capacity(needed.len());
        for &semaphore in needed {
            match timeout_at(until, Arc::clone(semaphore).acquire_owned()).await {
                Ok(Ok(permit)) => permits.push(permit),
                Ok(Err(_)) => return Err(Error::Unavailable(Unavailable::Closed)),
                Err(_) => return Err(Error::Unavailable(Unavailable::Busy)),
            }
        }
        Ok(permits)
    }
}
