//! Responses that hold memory must be taken while others wait for it.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::time::Instant;

use crate::memory::ShareMarker;

/// Minimum number of bytes that must be taken within the pause that the budget allows.
const MIN_PROGRESS_BYTES: u64 = 16 << 10;

/// Memory that the response of a connection holds. The service sets it, and the socket reads it.
#[derive(Clone, Debug, Default)]
pub(super) struct ResponseShare(Arc<Mutex<Option<ShareMarker>>>);

impl ResponseShare {
    /// Records the mark of the response that is about to be sent.
    pub(super) fn set(&self, mark: Option<ShareMarker>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = mark;
    }

    /// Returns the mark of the response that is being sent, if it holds memory.
    fn get(&self) -> Option<ShareMarker> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Progress of a response.
#[derive(Debug)]
pub(super) struct Progress {
    share: ResponseShare,
    written: u64,
    /// Start of the observation, and the number of bytes that were written then.
    window: Option<(Instant, u64)>,
}

impl Progress {
    pub(super) const fn new(share: ResponseShare) -> Self {
        Self { share, written: 0, window: None }
    }

    /// Records that bytes were taken.
    pub(super) fn note_written(&mut self, bytes: usize) {
        self.written += bytes as u64;
    }

    /// Records that nothing waits to be taken.
    pub(super) fn note_flushed(&mut self) {
        self.window = None;
    }

    /// Returns when to check a waiting response again, or `None` if it holds no memory. Returns an error if too little
    /// of it was taken while others waited for the memory.
    pub(super) fn check(&mut self) -> Result<Option<Instant>, TooSlow> {
        let Some(mark) = self.share.get() else { return Ok(None) };
        let now = Instant::now();
        let (begin, before) = self.window.get_or_insert((now, self.written));
        let has_gone_on = self.written - *before >= MIN_PROGRESS_BYTES;
        if !has_gone_on && now >= *begin + mark.pause() && mark.is_contended() {
            return Err(TooSlow);
        }
        if has_gone_on || now >= *begin + mark.pause() {
            (*begin, *before) = (now, self.written);
        }
        Ok(Some(*begin + mark.pause()))
    }
}

/// Too little of a response was taken.
pub(super) struct TooSlow;
