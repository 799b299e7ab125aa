//! Rules that match nothing, such as one of 30 February: recognized without a search.

use super::plan::Plan;
use super::year::Year;
use crate::civil::{DAY, weekday_of};
use crate::rule::Frequency;

/// Years of the Gregorian calendar, after which days, weekdays and weeks repeat.
const CYCLE: i64 = 400;
/// First year of a range of [`KINDS`] years that contains every combination of weekdays and leap years.
const FIRST: i32 = 2000;
const KINDS: i32 = 28;

impl Plan {
    /// Returns whether the rule certainly matches nothing. Some rules that match nothing are not recognized: their
    /// search ends after [`MAX_IDLE_PERIODS`](crate::limits::MAX_IDLE_PERIODS).
    pub(crate) fn matches_nothing(&self) -> bool {
        !(self.has_time() && self.has_position() && self.has_weekday() && self.has_day())
    }

    /// Returns whether the interval reaches a time of a day.
    fn has_time(&self) -> bool {
        let (unit, of_day) = match self.frequency {
            Frequency::Hourly => (3_600, 24),
            Frequency::Minutely => (60, 24 * 60),
            Frequency::Secondly => (1, DAY),
            _ => return true,
        };
        let step = greatest_common_divisor(self.interval, of_day);
        let first = self.anchor.rem_euclid(step);
        // Whichever are fewer: the periods of a day that the interval reaches, or the times.
        let periods = of_day / step;
        if periods.unsigned_abs() <= self.times.count() {
            return (0..periods).any(|place| self.has_time_in((first + place * step) * unit));
        }
        let mut times = (0..self.times.count()).filter_map(|index| self.times.select(index));
        times.any(|time| (time / unit).rem_euclid(step) == first)
    }

    /// Returns whether a period that begins at a second of a day has a time.
    fn has_time_in(&self, second: i64) -> bool {
        let is_in = |set: u64, value: i64| set >> value & 1 == 1;
        is_in(self.times.hours, second / 3_600)
            && (self.frequency == Frequency::Hourly || is_in(self.times.minutes, second / 60 % 60))
            && (self.frequency != Frequency::Secondly || is_in(self.times.seconds, second % 60))
    }

    /// Returns whether a period can have as many instances as a position of `BYSETPOS` requires.
    fn has_position(&self) -> bool {
        let Some(positions) = &self.positions else { return true };
        let size = |set: u64| u64::from(set.count_ones());
        let (days, weeks) = match self.frequency {
            Frequency::Yearly => (366, 53),
            Frequency::Monthly => (31, 5),
            Frequency::Weekly => (7, 1),
            _ => (1, 1),
        };
        let of_weekdays = self.weekdays().map_or(days, |set| weeks * size(u64::from(set)));
        let times = match self.frequency {
            Frequency::Hourly => size(self.times.minutes) * size(self.times.seconds),
            Frequency::Minutely => size(self.times.seconds),
            Frequency::Secondly => 1,
            _ => self.times.count(),
        };
        positions.has_any(days.min(of_weekdays) * times)
    }

    /// Returns whether an interval of whole weeks reaches a weekday of the rule.
    fn has_weekday(&self) -> bool {
        let unit = match self.frequency {
            Frequency::Daily => DAY,
            Frequency::Hourly => 3_600,
            Frequency::Minutely => 60,
            Frequency::Secondly => 1,
            _ => return true,
        };
        let is_fixed = self.interval * unit % (7 * DAY) == 0;
        let weekday = 1_u8 << weekday_of(self.start.div_euclid(DAY));
        !is_fixed || self.weekdays().is_none_or(|set| set & weekday != 0)
    }

    /// Returns the weekdays of `BYDAY`, with and without ordinals.
    fn weekdays(&self) -> Option<u8> {
        let nth = self.days.nth_weekdays.iter().fold(0, |set, (_, weekday)| set | 1 << weekday);
        self.days.weekdays.map(|set| set | nth)
    }

    /// Returns whether a year that the interval reaches has a day of the rule, in a month that it reaches.
    fn has_day(&self) -> bool {
        if self.days.match_all() {
            return true;
        }
        if self.frequency == Frequency::Yearly && self.interval > 1 {
            let years = CYCLE / greatest_common_divisor(self.interval, CYCLE);
            let number = |place: i64| (self.anchor + place * self.interval).rem_euclid(CYCLE);
            let mut years = (0..years).filter_map(|place| i32::try_from(number(place)).ok());
            return years.any(|number| Year::new(&self.days, FIRST + number).days.next(0).is_some());
        }
        let step = match self.frequency {
            Frequency::Monthly => greatest_common_divisor(self.interval, 12),
            _ => 1,
        };
        (FIRST..FIRST + KINDS).any(|number| {
            let year = Year::new(&self.days, number);
            let is_reached = |month: usize| (month as i64 - self.anchor).rem_euclid(step) == 0;
            year.month_ranges().any(|(month, start, len)| is_reached(month) && year.days.word_at(start, len) != 0)
        })
    }
}

fn greatest_common_divisor(one: i64, other: i64) -> i64 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}
