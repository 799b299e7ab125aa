//! How long it is waited between two questions.

use std::time::Duration;

/// The longest wait between two questions: a year.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// How long work is waited for, unless said otherwise: a program that waits for what never ends does not end.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How long it is waited between two questions about work that goes on, and in all.
///
/// The first wait is short, as much work is done soon; each further one is longer by a factor, up to a longest one. A
/// server that asks for a longer wait with `Retry-After` gets it.
#[derive(Clone, Debug, PartialEq)]
pub struct PollPolicy {
    first: Duration,
    factor: f64,
    longest: Duration,
    within: Option<Duration>,
}

impl Default for PollPolicy {
    /// One second at first, half as long again each time, half a minute at the most, for up to a day.
    fn default() -> Self {
        Self { first: Duration::from_secs(1), factor: 1.5, longest: Duration::from_secs(30), within: Some(DAY) }
    }
}

impl PollPolicy {
    /// With that first wait.
    #[must_use]
    pub fn with_first(mut self, wait: Duration) -> Self {
        self.first = wait;
        self
    }

    /// With waits that grow by that factor; never below 1, at which they stay the same.
    #[must_use]
    pub fn with_factor(mut self, factor: f64) -> Self {
        self.factor = factor;
        self
    }

    /// With waits that grow up to this one.
    #[must_use]
    pub fn with_longest(mut self, wait: Duration) -> Self {
        self.longest = wait;
        self
    }

    /// With a time, counted from the first request, after which nothing is asked any more; a day unless said. The work
    /// goes on.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Self {
        self.within = Some(time);
        self
    }

    /// However long it takes.
    #[must_use]
    pub fn without_end(mut self) -> Self {
        self.within = None;
        self
    }

    /// Whether something may be asked so long after the first request.
    pub(super) fn allows(&self, elapsed: Duration) -> bool {
        self.within.is_none_or(|most| elapsed <= most)
    }

    pub(super) fn waits(&self) -> Waits {
        let longest = self.longest.min(LONGEST);
        Waits { next: self.first.min(longest), factor: self.factor, longest }
    }
}

/// The waits of a policy, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Waits {
    next: Duration,
    factor: f64,
    longest: Duration,
}

impl Waits {
    pub(super) fn next(&mut self) -> Duration {
        let wait = self.next;
        // A factor that is no number, or below one, is one.
        let factor = if self.factor > 1.0 { self.factor } else { 1.0 };
        let longer = Duration::try_from_secs_f64(wait.as_secs_f64() * factor);
        self.next = longer.map_or(self.longest, |longer| longer.min(self.longest));
        wait
    }
}
