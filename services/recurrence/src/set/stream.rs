//! Instances of one rule, ordered by instant.

use std::collections::VecDeque;

use super::RecurrenceSet;
use super::series::Series;
use crate::clock::{ResolvedTime, Resolver};
use crate::expand::Walk;

/// Instances of a rule after the start of its series.
///
/// Local times that a clock skips move forward, past others that it shows: they wait until it is their turn.
#[derive(Clone, Debug)]
pub(super) struct Stream<'s> {
    series: &'s Series,
    walk: Walk<'s>,
    resolver: Resolver<'s>,
    moved: VecDeque<ResolvedTime>,
    waiting: Option<ResolvedTime>,
    head: Option<ResolvedTime>,
    from: i64,
    exhausted: bool,
}

impl<'s> Stream<'s> {
    /// Creates a stream that starts with the first instance at or after `from`; instances at or after `end` may be
    /// omitted.
    pub fn new(series: &'s Series, set: &'s RecurrenceSet, from: i64, end: Option<i64>) -> Self {
        let clock = &set.start.clock;
        let from = from.max(set.first.saturating_add(1));
        let local = clock.local_time(from).saturating_sub(clock.recent_gaps(from));
        // An offset is less than 26 hours.
        let stop = end.map_or(i64::MAX, |end| end.saturating_add(26 * 3_600));
        let mut stream = Self {
            series,
            walk: Walk::new(&series.plan, local, stop),
            resolver: Resolver::new(clock),
            moved: VecDeque::new(),
            waiting: None,
            head: None,
            from,
            exhausted: false,
        };
        stream.advance();
        stream
    }

    /// Returns whether a rule matches anything after the start.
    pub fn has_any(series: &'s Series, set: &'s RecurrenceSet) -> bool {
        Self::new(series, set, i64::MIN, None).head().is_some()
    }

    /// Returns the next instance.
    #[inline]
    pub fn head(&self) -> Option<ResolvedTime> {
        self.head
    }

    /// Advances to the following instance.
    pub fn advance(&mut self) {
        loop {
            self.head = self.pull().filter(|found| found.instant <= self.series.until);
            if self.head.is_none_or(|head| head.instant >= self.from) {
                return;
            }
        }
    }

    /// Takes the next instance by instant, from the walk or the local times that moved forward.
    #[inline]
    fn pull(&mut self) -> Option<ResolvedTime> {
        while self.waiting.is_none() {
            let Some(local) = self.walk.next() else {
                self.exhausted = self.walk.is_exhausted() || self.series.is_exhausted;
                break;
            };
            let resolved = self.resolver.resolve(local)?;
            if resolved.local == local {
                self.waiting = Some(resolved);
            } else {
                self.moved.push_back(resolved);
            }
        }
        let Some(moved) = self.moved.front() else { return self.waiting.take() };
        if self.waiting.is_some_and(|waiting| waiting.instant < moved.instant) {
            return self.waiting.take();
        }
        // Two local times with the same instant are one instance.
        self.waiting = self.waiting.filter(|waiting| waiting.instant != moved.instant);
        self.moved.pop_front()
    }

    /// Counts an excluded instance.
    pub fn reject(&mut self) {
        self.walk.reject();
    }

    /// Counts an instance of the series.
    #[inline]
    pub fn accept(&mut self) {
        self.walk.accept();
    }

    /// Returns whether the search for the next instance was given up.
    pub fn is_exhausted(&self) -> bool {
        self.head.is_none() && self.exhausted
    }

    /// Returns the number of examined periods and rejected instances.
    pub fn steps(&self) -> u64 {
        self.walk.steps()
    }

    /// Returns whether the rule has `COUNT` or `UNTIL`.
    pub fn is_bounded(&self) -> bool {
        self.series.is_bounded()
    }
}
