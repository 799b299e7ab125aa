//! Walk over the instances of a rule, in order.

use super::period::{Period, PositionCursor};
use super::plan::{PeriodContent, Plan};
use super::year::Years;
use crate::limits::MAX_IDLE_PERIODS;

/// Position in the instances of a rule. A walk can start anywhere at the same cost.
#[derive(Clone, Debug)]
pub(crate) struct Walk<'p> {
    plan: &'p Plan,
    years: Years,
    period: Option<Period>,
    visited: PositionCursor,
    /// Number of the period after the current one.
    number: i64,
    /// Local time up to which instances were visited, exclusive.
    from: i64,
    /// Last local time of the walk.
    stop: i64,
    /// Number of fruitless periods and rejected instances since the last accepted one.
    idle: u32,
    /// Number of examined periods and rejected instances.
    steps: u64,
}

impl<'p> Walk<'p> {
    /// Creates a walk from the first instance at or after `from` to the last one at or before `stop`.
    pub(crate) fn new(plan: &'p Plan, from: i64, stop: i64) -> Self {
        let (from, stop) = (from.max(plan.start), stop.min(plan.last));
        let number = plan.align(plan.period_number(from));
        Self {
            plan,
            years: Years::new(),
            period: None,
            visited: PositionCursor::default(),
            number,
            from,
            stop,
            idle: 0,
            steps: 0,
        }
    }

    /// Returns the next instance. If there is none, [`is_exhausted`](Self::is_exhausted) returns whether the search was
    /// given up.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<i64> {
        loop {
            if let Some(local) = self.next_of_period() {
                self.from = local + 1;
                return Some(local).filter(|local| *local <= self.stop);
            }
            if self.is_exhausted() || self.from > self.stop || self.plan.period_start(self.number) > self.stop {
                return None;
            }
            self.steps += 1;
            match self.plan.load(self.number, &mut self.years) {
                PeriodContent::Period(period) => {
                    (self.period, self.visited) = (Some(period), PositionCursor::default());
                    self.number += self.plan.interval;
                }
                PeriodContent::One(local) => {
                    self.period = None;
                    self.number += self.plan.interval;
                    // The first day may have ended before `from`.
                    if local >= self.from {
                        self.from = local + 1;
                        return Some(local).filter(|local| *local <= self.stop);
                    }
                }
                PeriodContent::Skip(local) => {
                    (self.period, self.idle) = (None, self.idle + 1);
                    let next = if local == i64::MAX { i64::MAX / 2 } else { self.plan.period_number(local) };
                    self.number = self.plan.align(next.max(self.number + 1));
                }
            }
        }
    }

    #[inline]
    fn next_of_period(&mut self) -> Option<i64> {
        let period = self.period.as_ref()?;
        let Some(positions) = &self.plan.positions else { return period.next(self.from) };
        let count = period.count();
        while let Some(place) = positions.next(count, &mut self.visited) {
            if let Some(local) = period.select(place).filter(|local| *local >= self.from) {
                return Some(local);
            }
        }
        self.idle += 1;
        self.period = None;
        None
    }

    /// Returns whether the limit of fruitless periods is reached.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.idle >= MAX_IDLE_PERIODS
    }

    /// Returns the number of examined periods and rejected instances: the work of the walk.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Counts a rejected instance.
    pub(crate) fn reject(&mut self) {
        self.idle += 1;
        self.steps += 1;
    }

    /// Records an accepted instance, which resets the limit.
    pub(crate) fn accept(&mut self) {
        self.idle = 0;
    }
}
