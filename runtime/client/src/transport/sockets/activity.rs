//! Whether anybody waits for what a server sends.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of the exchanges of a transport that have not ended.
#[derive(Clone, Default)]
pub(super) struct Activity(Arc<AtomicUsize>);

/// Exchange that has not ended; dropping it ends it.
pub(crate) struct Ongoing(Arc<AtomicUsize>);

impl Activity {
    /// Begins an exchange.
    pub(super) fn begin(&self) -> Ongoing {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ongoing(Arc::clone(&self.0))
    }

    /// Returns whether there is no exchange.
    pub(super) fn is_idle(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

impl Drop for Ongoing {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
