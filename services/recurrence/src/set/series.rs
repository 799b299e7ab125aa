//! Rule of a series, with its end.

use crate::civil::{DAY, day_of, local_of};
use crate::clock::Clock;
use crate::expand::{Nth, Plan};
use crate::moment::{Kind, Start};
use crate::rule::{Bound, DateValue, Rule};

/// Rule of a series.
#[derive(Clone, Debug)]
pub(super) struct Series {
    pub plan: Plan,
    /// Last instant at which an instance may start.
    pub until: i64,
    /// True if counting up to `COUNT` was given up.
    pub is_exhausted: bool,
    bounded: bool,
}

impl Series {
    /// Prepares a rule. The start is the first instance of a rule that adds instances, even if the rule does not match
    /// it.
    pub fn new(rule: &Rule, start: &Start, adds: bool) -> Self {
        let plan = Plan::new(rule, start.local, start.kind != Kind::Date, start.clock.max_local());
        let mut series = Self { plan, until: i64::MAX, is_exhausted: false, bounded: rule.bound.is_some() };
        if series.plan.matches_nothing() {
            series.plan.last = start.local - 1;
        }
        match rule.bound {
            None => {}
            Some(Bound::Count(count)) => series.apply_count(count, start, adds),
            Some(Bound::Until(until)) => series.apply_until(until, start),
        }
        series
    }

    /// Ends the rule after `count` instances, one of which is the start if the rule `adds` instances.
    fn apply_count(&mut self, count: u32, start: &Start, adds: bool) {
        let besides_start = u64::from(adds && !self.plan.contains(start.local));
        // Number of instances before the last one.
        let before = u64::from(count).checked_sub(1 + besides_start);
        match before.map(|before| self.plan.nth(before)) {
            None => self.plan.last = start.local - 1,
            Some(Nth::Found(local)) => self.plan.last = local,
            Some(Nth::Exhausted(local)) => (self.plan.last, self.is_exhausted) = (local, true),
            Some(Nth::None) => {}
        }
    }

    /// Ends the rule at `UNTIL`, converted to a local time.
    fn apply_until(&mut self, until: DateValue, start: &Start) {
        let last = match (until, start.kind) {
            (DateValue::Date(date), _) => (day_of(date) + 1) * DAY - 1,
            (DateValue::Local(time) | DateValue::Utc(time), Kind::Date) => day_of(time.date()) * DAY,
            (DateValue::Utc(time), Kind::Zoned) => {
                self.until = local_of(time);
                // Local times around a transition are not ordered by instant; the instant decides.
                start.clock.local_time(self.until) + 26 * 3_600
            }
            (DateValue::Local(time) | DateValue::Utc(time), _) => local_of(time),
        };
        self.plan.last = self.plan.last.min(last);
    }

    pub fn is_bounded(&self) -> bool {
        self.bounded
    }

    /// Returns an instant after which the rule matches nothing; `None` if it has no end.
    pub fn end(&self, clock: &Clock) -> Option<i64> {
        let last = clock.resolve(self.plan.last).map_or(i64::MAX / 2, |last| last.instant + DAY);
        self.bounded.then(|| last.min(self.until))
    }

    /// Returns whether the rule matches an instant.
    pub fn contains(&self, instant: i64, clock: &Clock) -> bool {
        if instant > self.until {
            return false;
        }
        match clock {
            Clock::Floating => self.plan.contains(instant),
            Clock::Zoned(_) => clock.local_times(instant).any(|local| self.plan.contains(local)),
        }
    }
}
