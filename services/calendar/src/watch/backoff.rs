//! Pauses between attempts.

use std::time::Duration;

/// Number of attempts to send a notification, and exponentially growing pauses between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backoff {
    /// Maximum number of attempts.
    pub attempts: u32,
    /// Pause after the first attempt.
    pub initial_pause: Duration,
    /// Maximum pause.
    pub max_pause: Duration,
}

impl Default for Backoff {
    /// Returns fifteen attempts, in about three hours.
    fn default() -> Self {
        Self { attempts: 15, initial_pause: Duration::from_secs(1), max_pause: Duration::from_secs(60 * 60) }
    }
}

impl Backoff {
    /// Returns the pause after a number of attempts; `None` if it was the last one. `jitter`, from 0 to 1, selects
    /// between half of the pause and all of it, so that simultaneous failures are not retried simultaneously.
    #[must_use]
    pub fn pause(&self, attempts: u32, jitter: f64) -> Option<Duration> {
        if attempts >= self.attempts {
            return None;
        }
        let doubled = 1_u32.checked_shl(attempts.saturating_sub(1)).unwrap_or(u32::MAX);
        let pause = self.initial_pause.saturating_mul(doubled).min(self.max_pause);
        Some(pause.mul_f64(0.5 + 0.5 * jitter.clamp(0.0, 1.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_maximum_and_end() {
        let backoff = Backoff::default();
        let whole = |attempts| backoff.pause(attempts, 1.0).map(|pause| pause.as_secs());
        assert_eq!([1, 2, 3, 12, 13, 14].map(whole), [Some(1), Some(2), Some(4), Some(2048), Some(3600), Some(3600)]);
        assert_eq!([15, 16, u32::MAX].map(whole), [None; 3]);
        let forever = Backoff { attempts: u32::MAX, ..backoff };
        assert_eq!(forever.pause(1_000, 1.0), Some(backoff.max_pause));
    }

    #[test]
    fn jitter_takes_at_most_half_of_a_pause() {
        let backoff = Backoff::default();
        for (jitter, expected) in [(0.0, 2_000), (0.5, 3_000), (1.0, 4_000), (7.0, 4_000), (f64::NEG_INFINITY, 2_000)] {
            assert_eq!(backoff.pause(3, jitter), Some(Duration::from_millis(expected)), "{jitter}");
        }
    }
}
