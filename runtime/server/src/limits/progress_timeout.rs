//! Progress of bodies.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// Minimum number of bytes that must arrive within the pause that a budget allows.
pub(super) const MIN_PROGRESS_BYTES: u64 = 16 << 10;

/// Time limits on the progress of a body.
pub(super) struct ProgressTimeout {
    /// Maximum time for the next chunk.
    chunk_time: Duration,
    /// Maximum time for some progress, while the body holds memory.
    progress_time: Duration,
    /// Start of the wait for the next chunk.
    since: Option<Instant>,
    /// Time of the last progress, and the number of bytes that had arrived then.
    window: Option<(Instant, u64)>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl ProgressTimeout {
    pub(super) const fn new(piece: Duration, progress: Duration) -> Self {
        Self { chunk_time: piece, progress_time: progress, since: None, window: None, timer: None }
    }

    /// Records that a chunk has arrived.
    pub(super) fn note_chunk(&mut self) {
        self.since = None;
    }

    /// Restarts the times: the peer is not responsible for the time in which nothing was read.
    pub(super) fn restart(&mut self) {
        (self.since, self.window) = (None, None);
    }

    /// Returns whether a time limit has expired for a body of which `arrived` bytes have arrived. The task is woken
    /// when it does.
    pub(super) fn poll_expired(&mut self, arrived: u64, holds_share: bool, cx: &mut Context<'_>) -> Poll<()> {
        let now = Instant::now();
        let mut until = *self.since.get_or_insert(now) + self.chunk_time;
        if holds_share {
            let (begin, before) = self.window.get_or_insert((now, arrived));
            if arrived - *before >= MIN_PROGRESS_BYTES {
                (*begin, *before) = (now, arrived);
            }
            until = until.min(*begin + self.progress_time);
        }
        let alarm = self.timer.get_or_insert_with(|| Box::pin(sleep_until(until)));
        if alarm.deadline() != until {
            alarm.as_mut().reset(until);
        }
        alarm.as_mut().poll(cx)
    }
}
