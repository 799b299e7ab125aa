//! Deduplication of violations between checks: recording known ones, and reporting only new ones.

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;

use super::Checker;
use crate::violation::Violation;

/// Set of known violations, by path and rule. Only hashes are stored, since there may be as many violations as a value
/// has fields; the hash keys are random, so that collisions cannot be constructed.
#[derive(Debug, Default)]
pub(crate) struct KnownViolations {
    keys: RandomState,
    hashes: HashSet<u64>,
}

impl KnownViolations {
    fn hash(&self, violation: &Violation) -> u64 {
        self.keys.hash_one((&violation.path, violation.rule))
    }

    /// Adds a violation.
    pub fn insert(&mut self, violation: &Violation) {
        let hash = self.hash(violation);
        self.hashes.insert(hash);
    }

    /// Returns whether a violation with the same path and rule was added before.
    fn contains(&self, violation: &Violation) -> bool {
        self.hashes.contains(&self.hash(violation))
    }
}

/// Handling of violations.
#[derive(Debug)]
pub(super) enum Mode {
    /// Kept, or counted if the limit is reached.
    Keep,
    /// Added to the known violations, and not reported.
    Record(KnownViolations),
    /// Kept unless it is known.
    Exclude(KnownViolations),
}

impl Mode {
    /// Returns whether a violation is not reported.
    pub fn suppresses(&mut self, violation: &Violation) -> bool {
        match self {
            Self::Keep => false,
            Self::Record(known) => {
                known.insert(violation);
                true
            }
            Self::Exclude(known) => known.contains(violation),
        }
    }
}

impl Checker<'_> {
    /// Returns whether a check finds violations, and discards them.
    pub(crate) fn has_violations(&mut self, check: impl FnOnce(&mut Self)) -> bool {
        let (errors, warnings, more) = (self.errors, std::mem::take(&mut self.warnings), self.omitted);
        let kept = std::mem::take(&mut self.violations);
        check(self);
        let found = self.violation_count() > more;
        (self.errors, self.warnings, self.omitted, self.violations) = (errors, warnings, more, kept);
        found
    }

    /// Adds the violations of a check to the known ones instead of reporting them, for [`exclude_known`] to skip them
    /// in a later check.
    ///
    /// [`exclude_known`]: Self::exclude_known
    pub(crate) fn record_known(&mut self, known: KnownViolations, check: impl FnOnce(&mut Self)) -> KnownViolations {
        let before = std::mem::replace(&mut self.mode, Mode::Record(known));
        check(self);
        match std::mem::replace(&mut self.mode, before) {
            Mode::Record(known) | Mode::Exclude(known) => known,
            Mode::Keep => KnownViolations::default(),
        }
    }

    /// Reports only the violations of a check that are not known.
    pub(crate) fn exclude_known(&mut self, known: KnownViolations, check: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.mode, Mode::Exclude(known));
        check(self);
        self.mode = before;
    }
}
