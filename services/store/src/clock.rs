//! Time and clocks.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Point in time in milliseconds since 1970-01-01 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Millis(pub i64);

impl Millis {
    /// Returns the point in time later by `time`, saturating at the maximum.
    #[must_use]
    pub fn saturating_add(self, time: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(time.as_millis()).unwrap_or(i64::MAX)))
    }

    /// Returns the point in time earlier by `time`, saturating at the minimum.
    #[must_use]
    pub fn saturating_sub(self, time: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(time.as_millis()).unwrap_or(i64::MAX)))
    }
}

/// System clock with an offset that tests can set. Clones share the offset.
#[derive(Clone, Default)]
pub struct Clock {
    offset: Arc<AtomicI64>,
}

impl Clock {
    /// Creates a clock that shows the system time.
    #[must_use]
    pub fn system() -> Self {
        Self::default()
    }

    /// Creates a clock that shows `now` and runs on from there.
    #[must_use]
    pub fn starting_at(now: Millis) -> Self {
        let clock = Self::system();
        clock.set(now);
        clock
    }

    /// Returns the current time of this clock.
    #[must_use]
    pub fn now(&self) -> Millis {
        Millis(system_millis().saturating_add(self.offset.load(Ordering::Relaxed)))
    }

    /// Sets the clock to `now`.
    pub fn set(&self, now: Millis) {
        self.offset.store(now.0.saturating_sub(system_millis()), Ordering::Relaxed);
    }

    /// Moves the clock forward.
    pub fn advance(&self, time: Duration) {
        let by = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        self.set(Millis(self.now().0.saturating_add(by)));
    }

    /// Returns the offset from the system clock in milliseconds; negative if this clock is slow.
    #[must_use]
    pub fn offset_millis(&self) -> i64 {
        self.offset.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Clock").field("now", &self.now().0).finish()
    }
}

/// Returns the system time in milliseconds since 1970-01-01 UTC.
pub(crate) fn system_millis() -> i64 {
    // A system clock before 1970 counts as 1970.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
