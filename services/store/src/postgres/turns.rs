//! Who may have a connection, so that reads of a few rows always get one.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use crate::operation::Access;
use crate::{Error, Result, Trouble};

/// Turns. Reads need none: some connections are theirs alone.
#[derive(Debug)]
pub(super) struct Turns {
    /// Those of writes and scans together, which may wait for locks or read long.
    slow: Arc<Semaphore>,
    /// Those of scans, so that they leave something to the writes.
    scans: Arc<Semaphore>,
}

impl Turns {
    /// For so many connections: a quarter is left to reads, and scans have half at the most.
    pub(super) fn new(connections: usize) -> Self {
        let slow = connections.saturating_sub(connections.div_ceil(4)).max(1);
        Self { slow: Arc::new(Semaphore::new(slow)), scans: Arc::new(Semaphore::new((connections / 2).clamp(1, slow))) }
    }

    /// Waits for what an operation needs, `until` then at the latest.
    pub(super) async fn take(&self, access: Access, until: Instant) -> Result<Vec<OwnedSemaphorePermit>> {
        let needed: &[&Arc<Semaphore>] = match access {
            Access::Read => &[],
            Access::Write => &[&self.slow],
            Access::Scan => &[&self.scans, &self.slow],
        };
        let mut turns = Vec::with_capacity(needed.len());
        for &turn in needed {
            match timeout_at(until, Arc::clone(turn).acquire_owned()).await {
                Ok(Ok(taken)) => turns.push(taken),
                Ok(Err(_)) => return Err(Error::Unavailable(Trouble::Closed)),
                Err(_) => return Err(Error::Unavailable(Trouble::Busy)),
            }
        }
        Ok(turns)
    }
}
