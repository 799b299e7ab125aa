//! Delays between polls.

use std::time::Duration;

/// Maximum delay between two polls: a year.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Default maximum time: a program must not wait forever for an operation that never ends.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Delays between the polls of a long-running operation, and their maximum time.
///
/// The first delay is short, because many operations are done soon; each further one is longer by a factor, up to a
/// maximum. A server that requests a longer delay with `Retry-After` gets it.
#[derive(Clone, Debug, PartialEq)]
pub struct PollPolicy {
    first: Duration,
    factor: f64,
    longest: Duration,
    within: Option<Duration>,
}

impl Default for PollPolicy {
    /// Returns a policy with a first delay of one second, a factor of 1.5, a maximum delay of half a minute and a
    /// maximum time of a day.
    fn default() -> Self {
        Self { first: Duration::from_secs(1), factor: 1.5, longest: Duration::from_secs(30), within: Some(DAY) }
    }
}

impl PollPolicy {
    /// Sets the first delay.
    #[must_use]
    pub fn with_first(mut self, wait: Duration) -> Self {
        self.first = wait;
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
    pub fn with_longest(mut self, wait: Duration) -> Self {
        self.longest = wait;
        self
    }

    /// Sets the maximum time, from the first request on, after which polling stops. The default is a day. The operation
    /// is not cancelled.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Self {
        self.within = Some(time);
        self
    }

    /// Removes the maximum time.
    #[must_use]
    pub fn without_end(mut self) -> Self {
        self.within = None;
        self
    }

    /// Returns whether a poll may be sent after this time since the first request.
    pub(super) fn allows(&self, elapsed: Duration) -> bool {
        self.within.is_none_or(|max| elapsed <= max)
    }

    pub(super) fn waits(&self) -> Waits {
        let longest = self.longest.min(LONGEST);
        Waits { next: self.first.min(longest), factor: self.factor, longest }
    }
}

/// Iterator over the delays of a policy.
#[derive(Clone, Debug)]
pub(super) struct Waits {
    next: Duration,
    factor: f64,
    longest: Duration,
}

impl Waits {
    pub(super) fn next(&mut self) -> Duration {
        let wait = self.next;
        // NaN and factors below one count as one.
        let factor = if self.factor > 1.0 { self.factor } else { 1.0 };
        let longer = Duration::try_from_secs_f64(wait.as_secs_f64() * factor);
        self.next = longer.map_or(self.longest, |longer| longer.min(self.longest));
        wait
    }
}
