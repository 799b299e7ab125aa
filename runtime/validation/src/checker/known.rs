//! Checks that are made apart from others: to see what was wrong before, and to tell of the rest.

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;

use super::Checker;
use crate::violation::Violation;

/// Violations that are known, by their path and rule. Of each there is a hash and nothing else, since there may be as
/// many as a value has members; its keys are random, so that nobody can prepare two that are alike.
#[derive(Debug, Default)]
pub(crate) struct Known {
    keys: RandomState,
    hashes: HashSet<u64>,
}

impl Known {
    fn hash(&self, violation: &Violation) -> u64 {
        self.keys.hash_one((&violation.path, violation.rule))
    }

    /// Remembers a violation.
    pub fn note(&mut self, violation: &Violation) {
        let hash = self.hash(violation);
        self.hashes.insert(hash);
    }

    fn has(&self, violation: &Violation) -> bool {
        self.hashes.contains(&self.hash(violation))
    }
}

/// What becomes of a violation.
#[derive(Debug)]
pub(super) enum Fate {
    /// It is kept, or counted where there are enough of them.
    Kept,
    /// It is noted and not told.
    Noted(Known),
    /// It is kept unless it is known.
    Except(Known),
}

impl Fate {
    /// Returns whether there is nothing more to do with a violation. Every other one is made, so that its path is
    /// there.
    pub fn ends(&mut self, violation: &Violation) -> bool {
        match self {
            Self::Kept => false,
            Self::Noted(known) => {
                known.note(violation);
                true
            }
            Self::Except(known) => known.has(violation),
        }
    }
}

impl Checker<'_> {
    /// Returns whether a check finds something; none of it is told.
    pub(crate) fn finds(&mut self, check: impl FnOnce(&mut Self)) -> bool {
        let (errors, warnings, more) = (self.errors, std::mem::take(&mut self.warnings), self.more);
        let kept = std::mem::take(&mut self.violations);
        check(self);
        let found = self.count() > more;
        (self.errors, self.warnings, self.more, self.violations) = (errors, warnings, more, kept);
        found
    }

    /// Notes what a check finds, and tells none of it.
    pub(crate) fn noting(&mut self, known: Known, check: impl FnOnce(&mut Self)) -> Known {
        let before = std::mem::replace(&mut self.fate, Fate::Noted(known));
        check(self);
        match std::mem::replace(&mut self.fate, before) {
            Fate::Noted(known) | Fate::Except(known) => known,
            Fate::Kept => Known::default(),
        }
    }

    /// Tells what a check finds apart from what is known.
    pub(crate) fn except(&mut self, known: Known, check: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.fate, Fate::Except(known));
        check(self);
        self.fate = before;
    }
}
