//! Delays between polls.

use std::time::Duration;

/// Maximum delay between two polls: a year.
const MAX_DELAY: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Default maximum time: a program must not wait forever for an operation that never ends.
const DEFAULT_MAX_ELAPSED: Duration = Duration::from_secs(24 * 60 * 60);

/// Delays between the polls of a long-running operation, and their maximum time.
///
/// The first delay is short, because many operations are done soon; each further one is longer by a factor, up to a
/// maximum. A server that requests a longer delay with `Retry-After` gets it.
#[derive(Clone, Debug, PartialEq)]
pub struct PollPolicy {
    initial_delay: Duration,
    factor: f64,
    max_delay: Duration,
    max_elapsed: Option<Duration>,
}

impl Default for PollPolicy {
    /// Returns a policy with a first delay of one second, a factor of 1.5, a maximum delay of half a minute and a
    /// maximum time of a day.
    fn default() -> Self {
        Self {
            initial_delay: Duration::from_secs(1),
            factor: 1.5,
            max_delay: Duration::from_secs(30),
            max_elapsed: Some(DEFAULT_MAX_ELAPSED),
        }
    }
}

impl PollPolicy {
    /// Sets the first delay.
    #[must_use]
    pub fn with_initial_delay(mut self, wait: Duration) -> Self {
        self.initial_delay = wait;
        self
    }

    /// Sets the factor by which delays grow. Values below 1 count as 1, with which delays are constant.
    #[must_use]
    pub fn with_factor(mut self, factor: f64) -> Self {
        self.factor = factor;
        self
    }

    /// Sets the maximum delay.
    #[must_use]
    pub fn with_max_delay(mut self, wait: Duration) -> Self {
        self.max_delay = wait;
        self
    }

    /// Sets the maximum time, from the first request on, after which polling stops. The default is a day. The operation
    /// is not cancelled.
    #[must_use]
    pub fn with_max_elapsed(mut self, time: Duration) -> Self {
        self.max_elapsed = Some(time);
        self
    }

    /// Removes the maximum time.
    #[must_use]
    pub fn without_max_elapsed(mut self) -> Self {
        self.max_elapsed = None;
        self
    }

    /// Returns whether a poll may be sent after this time since the first request.
    pub(super) fn allows(&self, elapsed: Duration) -> bool {
        self.max_elapsed.is_none_or(|max| elapsed <= max)
    }

    /// Returns the growing delays between polls, none above the maximum.
    pub(super) fn delays(&self) -> Delays {
        let longest = self.max_delay.min(MAX_DELAY);
        Delays { next: self.initial_delay.min(longest), factor: self.factor, max: longest }
    }
}

/// Iterator over the delays of a policy.
#[derive(Clone, Debug)]
pub(super) struct Delays {
    next: Duration,
    factor: f64,
    max: Duration,
}

impl Delays {
    pub(super) fn next(&mut self) -> Duration {
        let wait = self.next;
        // NaN and factors below one count as one.
        let factor = if self.factor > 1.0 { self.factor } else { 1.0 };
        let longer = Duration::try_from_secs_f64(wait.as_secs_f64() * factor);
        self.next = longer.map_or(self.max, |longer| longer.min(self.max));
        wait
    }
}
