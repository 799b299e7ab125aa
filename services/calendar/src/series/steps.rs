//! Limits of the work of expansions.

use std::cell::Cell;

/// Steps of an expansion: examined periods and instances, of about 20 ns each.
#[derive(Debug)]
pub(crate) struct Steps {
    left: Cell<u64>,
    used: Cell<u64>,
    /// True if an expansion can stop anywhere: it runs on an async worker, and is repeated elsewhere.
    is_attempt: bool,
}

impl Steps {
    /// Maximum number of steps on an async worker.
    const MAX_ATTEMPT: u64 = 5_000;
    /// Maximum number of steps in a turn.
    const MAX_TURN: u64 = 500_000;
    /// Steps of preparing an iterator over a series.
    const OF_SERIES: u64 = 20;
    /// Steps of parsing a rule.
    const OF_RULE: u64 = 500;
    /// Maximum number of lines, other than dates, of a series that is expanded on an async worker: its rules can exclude the
    /// instances of each other.
    const MAX_ATTEMPT_RULES: usize = 2;

    /// Creates the limit of an attempt on an async worker.
    pub(crate) fn of_attempt() -> Self {
        Self { left: Cell::new(Self::MAX_ATTEMPT), used: Cell::new(0), is_attempt: true }
    }

    /// Creates the limit of a turn on a thread of its own.
    pub(crate) fn of_turn() -> Self {
        Self { left: Cell::new(Self::MAX_TURN), used: Cell::new(0), is_attempt: false }
    }

    /// Creates a limit that is never reached, for work in a turn that must be complete.
    pub(crate) fn unlimited() -> Self {
        Self { left: Cell::new(u64::MAX), used: Cell::new(0), is_attempt: false }
    }

    /// Counts steps.
    pub(crate) fn take(&self, steps: u64) {
        self.used.set(self.used.get().saturating_add(steps));
        self.left.set(self.left.get().saturating_sub(steps));
    }

    /// Counts the preparation of an iterator over a series.
    pub(crate) fn take_series(&self) {
        self.take(Self::OF_SERIES);
    }

    /// Counts the parsing of recurrence lines. Counting the instances of a rule with `COUNT` is not attempted on an async
    /// worker, and several rules neither.
    pub(crate) fn take_rule(&self, lines: &[String]) {
        let rules = lines.iter().filter(|line| !line.get(2..6).is_some_and(|name| name.eq_ignore_ascii_case("DATE")));
        let is_long = rules.clone().count() > Self::MAX_ATTEMPT_RULES
            || rules.clone().any(|line| line.to_ascii_uppercase().contains("COUNT"));
        let bytes: usize = lines.iter().map(String::len).sum();
        self.take(match self.is_attempt {
            true if is_long => u64::MAX,
            true => Self::OF_RULE + bytes as u64 / 20,
            // A page reaches the next second, however many series have long lists of dates.
            false => Self::OF_RULE,
        });
    }

    /// Returns the number of steps that were counted.
    pub(crate) fn used(&self) -> u64 {
        self.used.get()
    }

    /// Returns whether the limit is reached.
    pub(crate) fn is_over(&self) -> bool {
        self.left.get() == 0
    }

    /// Returns whether they are those of an attempt on an async worker.
    pub(crate) fn is_attempt(&self) -> bool {
        self.is_attempt
    }

    /// Returns whether an attempt is over.
    pub(crate) fn is_attempt_over(&self) -> bool {
        self.is_attempt && self.is_over()
    }

    /// Returns whether an iterator stops that has yielded an instance or not: outside of an attempt it yields one, so that
    /// every page makes progress.
    pub(super) fn stops(&self, has_yielded: bool) -> bool {
        self.is_over() && (has_yielded || self.is_attempt)
    }
}
