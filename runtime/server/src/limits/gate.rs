//! How many requests are worked on at the same time.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::Error;

/// The seconds after which somebody who was turned away may come back.
pub(super) const RETRY_AFTER: u32 = 1;

/// Lets so many requests in, and turns away the rest at once: a queue would only make everybody wait.
#[derive(Debug)]
pub(crate) struct Gate(Arc<Semaphore>);

/// A request that was let in, until this is dropped.
#[derive(Debug)]
pub(crate) struct Pass {
    _permit: OwnedSemaphorePermit,
}

impl Gate {
    /// A gate for so many requests at a time.
    pub(crate) fn new(requests: usize) -> Self {
        Self(Arc::new(Semaphore::new(requests.min(Semaphore::MAX_PERMITS))))
    }

    /// Goes in.
    ///
    /// # Errors
    /// 503 with `Retry-After` when there are too many inside.
    pub(crate) fn enter(&self) -> Result<Pass, Error> {
        let permit = Arc::clone(&self.0).try_acquire_owned();
        let permit = permit.map_err(|_| Error::unavailable("the server has too much to do", RETRY_AFTER))?;
        Ok(Pass { _permit: permit })
    }
}
