//! Deduplication of violations between checks: recording known ones, and reporting only new ones.

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;

use super::Checker;
use crate::violation::Violation;

/// Set of known violations, by path and rule. Only hashes are stored, since there may be as many violations as a value
/// has fields; the hash keys are random, so that collisions cannot be constructed.
#[derive(Debug, Default)]
pub(crate) struct Known {
    keys: RandomState,
    hashes: HashSet<u64>,
}

impl Known {
    fn hash(&self, violation: &Violation) -> u64 {
        self.keys.hash_one((&violation.path, violation.rule))
    }

    /// Adds a violation.
    pub fn insert(&mut self, violation: &Violation) {
        let hash = self.hash(violation);
        self.hashes.insert(hash);
    }

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
    Record(Known),
    /// Kept unless it is known.
    Exclude(Known),
}

impl Mode {
    /// Returns whether a violation is not reported.
    pub fn consumes(&mut self, violation: &Violation) -> bool {
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
    pub(crate) fn finds(&mut self, check: impl FnOnce(&mut Self)) -> bool {
        let (errors, warnings, more) = (self.errors, std::mem::take(&mut self.warnings), self.more);
        let kept = std::mem::take(&mut self.violations);
        check(self);
        let found = self.count() > more;
        (self.errors, self.warnings, self.more, self.violations) = (errors, warnings, more, kept);
        found
    }

    /// Adds the violations of a check to the known ones, and does not report them.
    pub(crate) fn record_known(&mut self, known: Known, check: impl FnOnce(&mut Self)) -> Known {
        let before = std::mem::replace(&mut self.mode, Mode::Record(known));
        check(self);
        match std::mem::replace(&mut self.mode, before) {
            Mode::Record(known) | Mode::Exclude(known) => known,
            Mode::Keep => Known::default(),
        }
    }

    /// Reports only the violations of a check that are not known.
    pub(crate) fn without_known(&mut self, known: Known, check: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.mode, Mode::Exclude(known));
        check(self);
        self.mode = before;
    }
}
