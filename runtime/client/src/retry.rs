//! When a request is sent again, and after how long.

use std::borrow::Cow;
use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};

use crate::error::{ErrorKind, STATUSES, StatusError};

/// The longest delay between two attempts: a year.
const LONGEST_DELAY: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// When a request is sent again, and after how long.
///
/// Only requests of operations that are safe or idempotent are ever sent again. Connections that fail, attempts
/// that take too long and some statuses are reasons for it. The delays double, and each is longer by a random
/// part of up to itself, so that clients which failed together do not come back together. A server that asks
/// for a longer delay with `Retry-After` gets it.
#[derive(Clone, Debug, PartialEq)]
pub struct RetryPolicy {
    pub(crate) max_attempts: u32,
    max_elapsed: Option<Duration>,
    min_delay: Duration,
    max_delay: Duration,
    jitter: bool,
    statuses: Cow<'static, [u16]>,
    /// Those of the API, without.
    reasons: Option<Vec<String>>,
}

impl Default for RetryPolicy {
    /// Up to four attempts, begun within three minutes, with delays of half a second to half a minute.
    fn default() -> Self {
        Self {
            max_attempts: 4,
            max_elapsed: Some(Duration::from_secs(180)),
            min_delay: Duration::from_millis(500),
            max_delay: Duration::from_secs(30),
            jitter: true,
            statuses: Cow::Borrowed(STATUSES),
            reasons: None,
        }
    }
}

impl RetryPolicy {
    /// Nothing is sent again.
    #[must_use]
    pub fn off() -> Self {
        Self { max_attempts: 1, ..Self::default() }
    }

    /// With that many attempts at most, the first one included; at least one is made.
    #[must_use]
    pub fn with_max_attempts(mut self, attempts: u32) -> Self {
        self.max_attempts = attempts.max(1);
        self
    }

    /// With a time, counted from the start of the call, after which no attempt begins. Where a server asks for a
    /// longer delay than what is left of it, the call ends at once.
    #[must_use]
    pub fn with_max_elapsed(mut self, time: Duration) -> Self {
        self.max_elapsed = Some(time);
        self
    }

    /// However long it takes.
    #[must_use]
    pub fn without_max_elapsed(mut self) -> Self {
        self.max_elapsed = None;
        self
    }

    /// With that first delay.
    #[must_use]
    pub fn with_min_delay(mut self, delay: Duration) -> Self {
        self.min_delay = delay;
        self
    }

    /// With delays that grow up to this one, not counting the random part.
    #[must_use]
    pub fn with_max_delay(mut self, delay: Duration) -> Self {
        self.max_delay = delay;
        self
    }

    /// With a random part of each delay, or without.
    #[must_use]
    pub fn with_jitter(mut self, jitter: bool) -> Self {
        self.jitter = jitter;
        self
    }

    /// With other statuses that say: try again.
    #[must_use]
    pub fn with_statuses(mut self, statuses: impl IntoIterator<Item = u16>) -> Self {
        self.statuses = statuses.into_iter().collect();
        self
    }

    /// With other reasons for which an error says: try again, whatever its status. Without them, those of the schema do.
    #[must_use]
    pub fn with_reasons(mut self, reasons: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.reasons = Some(reasons.into_iter().map(Into::into).collect());
        self
    }

    /// Whether what went wrong may go right another time.
    pub(crate) fn retries<B>(&self, failed: &ErrorKind<B>) -> bool {
        match failed {
            ErrorKind::Status(StatusError { status, reason, received, .. }) => {
                let slower = match &self.reasons {
                    // Of 429 the statuses of the policy decide.
                    None => received.is_rate_limit && *status != 429,
                    Some(known) => reason.as_ref().is_some_and(|reason| known.contains(reason)),
                };
                slower || self.statuses.contains(status)
            }
            failed => failed.is_temporary(),
        }
    }

    /// The delays between the attempts.
    pub(crate) fn delays(&self) -> ExponentialBackoff {
        // Jitter is multiplied in, which must not leave the range of a duration.
        let longest = self.max_delay.min(LONGEST_DELAY);
        let builder = ExponentialBuilder::new()
            .with_factor(2.0)
            .with_min_delay(self.min_delay.min(longest))
            .with_max_delay(longest)
            .without_max_times();
        if self.jitter { builder.with_jitter().build() } else { builder.build() }
    }

    /// Whether an attempt may begin so long after the start of the call.
    pub(crate) fn allows(&self, elapsed: Duration) -> bool {
        self.max_elapsed.is_none_or(|most| elapsed <= most)
    }
}
