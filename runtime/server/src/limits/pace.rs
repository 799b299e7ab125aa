//! A body goes on, or it ends.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// The least that must arrive within the pause that a budget allows.
pub(super) const PROGRESS: u64 = 16 << 10;

/// The times in which a body must go on.
pub(super) struct Pace {
    /// For its next piece.
    piece: Duration,
    /// For some more of it, while it holds a share.
    progress: Duration,
    /// Since when the next piece is waited for.
    since: Option<Instant>,
    /// When it last had made progress, and how much had arrived then.
    window: Option<(Instant, u64)>,
    alarm: Option<Pin<Box<Sleep>>>,
}

impl Pace {
    pub(super) const fn new(piece: Duration, progress: Duration) -> Self {
        Self { piece, progress, since: None, window: None, alarm: None }
    }

    /// Notes that a piece has arrived.
    pub(super) fn note_piece(&mut self) {
        self.since = None;
    }

    /// Forgets the time so far: what could not arrive meanwhile is nobody's fault.
    pub(super) fn restart(&mut self) {
        (self.since, self.window) = (None, None);
    }

    /// Whether the time is over, of a body of which so much has arrived. The task is woken when it is.
    pub(super) fn poll_expired(&mut self, arrived: u64, holds_share: bool, cx: &mut Context<'_>) -> Poll<()> {
        let now = Instant::now();
        let mut until = *self.since.get_or_insert(now) + self.piece;
        if holds_share {
            let (begin, before) = self.window.get_or_insert((now, arrived));
            if arrived - *before >= PROGRESS {
                (*begin, *before) = (now, arrived);
            }
            until = until.min(*begin + self.progress);
        }
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(sleep_until(until)));
        if alarm.deadline() != until {
            alarm.as_mut().reset(until);
        }
        alarm.as_mut().poll(cx)
    }
}
