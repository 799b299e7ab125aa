//! End of a rule with `COUNT`.

use super::period::{Period, PositionCursor};
use super::plan::{PeriodContent, Plan};
use super::walk::Walk;
use super::year::Years;
use crate::civil::DAY;
use crate::limits::MAX_IDLE_PERIODS;
use crate::rule::Frequency;

/// Result of counting instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nth {
    /// The local time of the instance.
    Found(i64),
    /// The calendar ends before the instance.
    None,
    /// The search was given up. All instances found so far are at or before this local time.
    Exhausted(i64),
}

impl Plan {
    /// Returns the instance that has `index` instances before it. Periods are counted instead of walked; if all have
    /// the same number of instances, they are not even visited.
    pub(crate) fn nth(&self, mut index: u64) -> Nth {
        // In the first period, only instances at or after the start count.
        let mut walk = Walk::new(self, self.start, self.period_start(self.anchor + 1) - 1);
        while let Some(local) = walk.next() {
            if index == 0 {
                return Nth::Found(local);
            }
            index -= 1;
        }
        let mut number = self.anchor + self.interval;
        if let Some(count) = self.uniform() {
            let periods = i64::try_from(index / count).unwrap_or(0);
            number = number.saturating_add(periods.saturating_mul(self.interval));
            index %= count;
        }
        self.nth_from(number, index)
    }

    fn nth_from(&self, mut number: i64, mut index: u64) -> Nth {
        let (mut years, mut idle, mut last) = (Years::new(), 0, self.period_start(self.anchor + 1) - 1);
        while self.period_start(number) <= self.last {
            let count = match self.load(number, &mut years) {
                PeriodContent::Period(period) => {
                    let (count, found) = self.nth_in_period(&period, index);
                    if let Some(local) = found {
                        return if local <= self.last { Nth::Found(local) } else { Nth::None };
                    }
                    if count > 0 {
                        last = self.period_start(number + 1) - 1;
                    }
                    number += self.interval;
                    count
                }
                PeriodContent::One(local) if index == 0 => {
                    return if local <= self.last { Nth::Found(local) } else { Nth::None };
                }
                PeriodContent::One(local) => {
                    (last, number) = (local, number + self.interval);
                    1
                }
                PeriodContent::Skip(i64::MAX) => return Nth::None,
                PeriodContent::Skip(local) => {
                    number = self.align(self.period_number(local).max(number + 1));
                    0
                }
            };
            idle = if count == 0 { idle + 1 } else { 0 };
            if idle == MAX_IDLE_PERIODS {
                return Nth::Exhausted(last);
            }
            index -= count;
        }
        Nth::None
    }

    /// Returns the number of instances of a period, or the instance with `index` instances before it, if there is one.
    fn nth_in_period(&self, period: &Period, index: u64) -> (u64, Option<i64>) {
        let count = period.count();
        let Some(positions) = &self.positions else { return (count, period.select(index)) };
        let (mut visited, mut before) = (PositionCursor::default(), 0);
        while let Some(place) = positions.next(count, &mut visited) {
            if before == index {
                return (before, period.select(place));
            }
            before += 1;
        }
        (before, None)
    }

    /// Returns the number of instances of every period, if all have the same.
    fn uniform(&self) -> Option<u64> {
        if !self.days.match_all() || self.positions.is_some() {
            return None;
        }
        let [hours, minutes, seconds] =
            [self.times.hours, self.times.minutes, self.times.seconds].map(|set| u64::from(set.count_ones()));
        match self.frequency {
            Frequency::Daily => Some(hours * minutes * seconds),
            Frequency::Hourly if hours == 24 => Some(minutes * seconds),
            Frequency::Minutely if hours * minutes == 24 * 60 => Some(seconds),
            Frequency::Secondly if hours * minutes * seconds == DAY.unsigned_abs() => Some(1),
            _ => None,
        }
    }
}
