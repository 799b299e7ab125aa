//! Timer that is rarely reset.

use std::pin::Pin;
use std::task::Context;

use tokio::time::{Instant, Sleep, sleep_until};

/// Timer that is rarely reset: it fires too early and checks again, rather than being reset for every request.
#[derive(Debug, Default)]
pub(super) struct Deadline(Option<Pin<Box<Sleep>>>);

impl Deadline {
    /// Returns whether the deadline has passed; otherwise the task is woken by then.
    pub(super) fn poll_expired(&mut self, until: Instant, cx: &mut Context<'_>) -> bool {
        let sleep = self.0.get_or_insert_with(|| Box::pin(sleep_until(until)));
        if sleep.deadline() > until {
            sleep.as_mut().reset(until);
        }
        while sleep.as_mut().poll(cx).is_ready() {
            if Instant::now() >= until {
                return true;
            }
            sleep.as_mut().reset(until);
        }
        false
    }
}
