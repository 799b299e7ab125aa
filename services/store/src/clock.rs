//! What time it is.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A point in time in milliseconds since the start of 1970 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Millis(pub i64);

impl Millis {
    /// So much later; the end of time where that lies beyond it.
    #[must_use]
    pub fn after(self, time: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(time.as_millis()).unwrap_or(i64::MAX)))
    }

    /// So much earlier; the beginning of time where that lies before it.
    #[must_use]
    pub fn before(self, time: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(time.as_millis()).unwrap_or(i64::MAX)))
    }
}

/// The clock of the machine, moved by as much as a test likes. All clones are moved together.
#[derive(Clone, Default)]
pub struct Clock {
    offset: Arc<AtomicI64>,
}

impl Clock {
    /// The clock of the machine.
    #[must_use]
    pub fn system() -> Self {
        Self::default()
    }

    /// A clock that shows `now` at the moment and goes on from there.
    #[must_use]
    pub fn starting_at(now: Millis) -> Self {
        let clock = Self::system();
        clock.set(now);
        clock
    }

    /// What time it is.
    #[must_use]
    pub fn now(&self) -> Millis {
        Millis(machine().saturating_add(self.offset.load(Ordering::Relaxed)))
    }

    /// Shows `now` from now on.
    pub fn set(&self, now: Millis) {
        self.offset.store(now.0.saturating_sub(machine()), Ordering::Relaxed);
    }

    /// Is later by so much from now on.
    pub fn advance(&self, time: Duration) {
        let by = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        self.set(Millis(self.now().0.saturating_add(by)));
    }

    /// How far this clock is ahead of that of the machine, in milliseconds; negative where it is behind.
    #[must_use]
    pub fn ahead(&self) -> i64 {
        self.offset.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Clock").field("now", &self.now().0).finish()
    }
}

/// The time by the clock of the machine, in milliseconds since the start of 1970.
pub(crate) fn machine() -> i64 {
    // A machine whose clock stands before 1970 is taken to be there.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
