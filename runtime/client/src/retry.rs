//! Retry policy.

use std::borrow::Cow;
use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};

use crate::error::{ErrorKind, RETRYABLE_STATUSES, StatusError};

/// Maximum delay between two attempts: a year.
const MAX_DELAY: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Retry policy: which failures are retried, how often, and after which delays.
///
/// Only safe or idempotent operations, and requests that start a resumable upload, are retried: after connection
/// errors, timeouts, failures of the token server and some statuses. The delays grow exponentially, each with a random
/// addition of up to its own length, so that clients which failed together do not retry together. A server that
/// requests a longer delay with `Retry-After` gets it.
#[derive(Clone, Debug, PartialEq)]
pub struct RetryPolicy {
    pub(crate) max_attempts: u32,
    max_elapsed: Option<Duration>,
    min_delay: Duration,
    max_delay: Duration,
    jitter: bool,
    statuses: Cow<'static, [u16]>,
    /// Reasons that are retried; `None` for those of the API.
    reasons: Option<Vec<String>>,
}

impl Default for RetryPolicy {
    /// Returns a policy with up to four attempts, started within three minutes, and delays of half a second to half a
    /// minute.
    fn default() -> Self {
        Self {
            max_attempts: 4,
            max_elapsed: Some(Duration::from_secs(180)),
            min_delay: Duration::from_millis(500),
            max_delay: Duration::from_secs(30),
            jitter: true,
            statuses: Cow::Borrowed(RETRYABLE_STATUSES),
            reasons: None,
        }
    }
}

impl RetryPolicy {
    /// Returns a policy without retries.
    #[must_use]
    pub fn off() -> Self {
        Self { max_attempts: 1, ..Self::default() }
    }

    /// Sets the maximum number of attempts, including the first one. It is at least 1.
    #[must_use]
    pub fn with_max_attempts(mut self, attempts: u32) -> Self {
        self.max_attempts = attempts.max(1);
        self
    }

    /// Sets the maximum time, from the start of the call, after which no attempt starts. If a server requests a longer
    /// delay than remains, the call ends at once.
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

    /// Sets the first delay.
    #[must_use]
    pub fn with_min_delay(mut self, delay: Duration) -> Self {
        self.min_delay = delay;
        self
    }

    /// Sets the maximum delay, without the random addition.
    #[must_use]
    pub fn with_max_delay(mut self, delay: Duration) -> Self {
        self.max_delay = delay;
        self
    }

    /// Sets whether delays have a random addition.
    #[must_use]
    pub fn with_jitter(mut self, jitter: bool) -> Self {
        self.jitter = jitter;
        self
    }

    /// Sets the statuses that are retried.
    #[must_use]
    pub fn with_statuses(mut self, statuses: impl IntoIterator<Item = u16>) -> Self {
        self.statuses = statuses.into_iter().collect();
        self
    }

    /// Sets the error reasons that are retried, whatever the status. The default is those of the schema.
    #[must_use]
    pub fn with_reasons(mut self, reasons: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.reasons = Some(reasons.into_iter().map(Into::into).collect());
        self
    }

    /// Returns whether a failure is retried.
    pub(crate) fn should_retry<B>(&self, failed: &ErrorKind<B>) -> bool {
        match failed {
            ErrorKind::Status(StatusError { status, reason, raw_response: received, .. }) => {
                let slower = match &self.reasons {
                    // The statuses of the policy decide about 429.
                    None => received.is_rate_limit && *status != 429,
                    Some(known) => reason.as_ref().is_some_and(|reason| known.contains(reason)),
                };
                slower || self.statuses.contains(status)
            }
            failed => failed.is_temporary(),
        }
    }

    /// Returns the delays between the attempts.
    pub(crate) fn delays(&self) -> ExponentialBackoff {
        // The delay is multiplied by the jitter, which must not overflow a duration.
        let longest = self.max_delay.min(MAX_DELAY);
        let builder = ExponentialBuilder::new()
            .with_factor(2.0)
            .with_min_delay(self.min_delay.min(longest))
            .with_max_delay(longest)
            .without_max_times();
        if self.jitter { builder.with_jitter().build() } else { builder.build() }
    }

    /// Returns whether an attempt may start after this time since the start of the call.
    pub(crate) fn allows(&self, elapsed: Duration) -> bool {
        self.max_elapsed.is_none_or(|max| elapsed <= max)
    }
}
