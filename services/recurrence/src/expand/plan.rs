//! Rule and start, prepared for expansion.

use super::bit_set::Days;
use super::period::{Period, Positions};
use super::times::Times;
use super::year::{DayRules, Years, signed_bits};
use crate::civil::{
    DAY, MAX_YEAR, first_of_month, first_of_year, month_of, to_date, weekday_index, weekday_of, year_of,
};
use crate::rule::{Frequency, Rule};

/// Rule with its start, in local time.
///
/// Periods of a rule are numbered: years, months since the year 0, weeks, days, hours, minutes or seconds.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(super) frequency: Frequency,
    pub(super) interval: i64,
    /// The local start.
    pub(super) start: i64,
    /// The number of the period that contains the start.
    pub(super) anchor: i64,
    pub(super) days: DayRules,
    pub(super) times: Times,
    pub(super) positions: Option<Positions>,
    /// Time of day of a rule with one instance a day, the most common case.
    daily_time: Option<i64>,
    /// Last local time that may be an instance.
    pub(crate) last: i64,
}

/// Content of a numbered period.
pub(super) enum PeriodContent {
    /// One or more instances.
    Period(Period),
    /// A single instance.
    One(i64),
    /// No instance: the next one is at this local time or later.
    Skip(i64),
}

impl Plan {
    /// Prepares a rule. A start without a time counts as midnight, and rule parts that select times are ignored.
    pub(crate) fn new(rule: &Rule, start: i64, timed: bool, last: i64) -> Self {
        let mut plan = Self {
            frequency: rule.frequency,
            interval: i64::from(rule.interval),
            start,
            anchor: 0,
            days: day_rules(rule, start.div_euclid(DAY)),
            times: times(rule, start.rem_euclid(DAY), timed),
            positions: Positions::new(&rule.by_set_pos),
            daily_time: None,
            last,
        };
        plan.anchor = plan.period_number(start);
        let daily = plan.frequency == Frequency::Daily && plan.positions.is_none() && plan.times.count() == 1;
        plan.daily_time = daily.then(|| plan.times.first());
        plan
    }

    /// Returns the number of the period that contains a local time.
    #[inline]
    pub(super) fn period_number(&self, local: i64) -> i64 {
        let day = local.div_euclid(DAY);
        match self.frequency {
            Frequency::Yearly => i64::from(year_of(day)),
            Frequency::Monthly => month_of(day),
            Frequency::Weekly => (day + 3 - i64::from(self.days.week_start)).div_euclid(7),
            Frequency::Daily => day,
            Frequency::Hourly => local.div_euclid(3_600),
            Frequency::Minutely => local.div_euclid(60),
            Frequency::Secondly => local,
        }
    }

    /// Returns the first number at or after `number` that the interval reaches.
    #[inline]
    pub(super) fn align(&self, number: i64) -> i64 {
        if self.interval == 1 {
            return number;
        }
        number + (self.anchor - number).rem_euclid(self.interval)
    }

    /// Returns the local time at which a period begins; the maximum for years and months beyond the calendar.
    #[inline]
    pub(super) fn period_start(&self, number: i64) -> i64 {
        match self.frequency {
            Frequency::Yearly if number > i64::from(MAX_YEAR) => i64::MAX,
            Frequency::Monthly if number >= (i64::from(MAX_YEAR) + 1) * 12 => i64::MAX,
            Frequency::Yearly => i64::from(first_of_year(i32::try_from(number).unwrap_or(MAX_YEAR))) * DAY,
            Frequency::Monthly => first_of_month(number) * DAY,
            Frequency::Weekly => (number * 7 - 3 + i64::from(self.days.week_start)) * DAY,
            Frequency::Daily => number * DAY,
            Frequency::Hourly => number * 3_600,
            Frequency::Minutely => number * 60,
            Frequency::Secondly => number,
        }
    }

    /// Returns the instances of a period, before `BYSETPOS`.
    #[inline]
    pub(super) fn load(&self, number: i64, years: &mut Years) -> PeriodContent {
        #[cfg(test)]
        super::steps::count();
        let first = self.period_start(number).div_euclid(DAY);
        let days = match self.frequency {
            Frequency::Yearly => years.year(&self.days, i32::try_from(number).unwrap_or(MAX_YEAR)).days,
            Frequency::Monthly => {
                let len = first_of_month(number + 1) - first;
                let (year, index) = years.find(&self.days, first);
                Days::word(year.days.word_at(index, u32::try_from(len).unwrap_or(31)))
            }
            Frequency::Weekly => Days::word(years.week(&self.days, first)),
            _ => return self.load_day(number, first, years),
        };
        if days == Days::EMPTY {
            return PeriodContent::Skip(self.period_start(number + 1));
        }
        PeriodContent::Period(Period { first, days, times: self.times })
    }

    /// Returns the instances of a day or of a part of it. Skips ranges of days and times that do not match.
    #[inline]
    fn load_day(&self, number: i64, day: i64, years: &mut Years) -> PeriodContent {
        let (year, index) = years.find(&self.days, day);
        if !year.days.contains(index) {
            let next = year.days.next(index).unwrap_or(year.len);
            return PeriodContent::Skip((year.first + i64::from(next)) * DAY);
        }
        if let Some(time) = self.daily_time {
            return PeriodContent::One(day * DAY + time);
        }
        let time = self.period_start(number).rem_euclid(DAY);
        let mut times = self.times;
        let (hour, minute, second) = (1 << (time / 3_600), 1 << (time / 60 % 60), 1 << (time % 60));
        if self.frequency <= Frequency::Hourly {
            times.hours &= hour;
        }
        if self.frequency <= Frequency::Minutely {
            times.minutes &= minute;
        }
        if self.frequency == Frequency::Secondly {
            times.seconds &= second;
        }
        if times.hours == 0 || times.minutes == 0 || times.seconds == 0 {
            let next = self.times.next(time).unwrap_or(DAY);
            return PeriodContent::Skip(day * DAY + next);
        }
        PeriodContent::Period(Period { first: day, days: Days::word(1), times })
    }

    /// Returns whether a local time is an instance.
    pub(crate) fn contains(&self, local: i64) -> bool {
        let number = self.period_number(local);
        if local < self.start || local > self.last || self.align(number) != number {
            return false;
        }
        let period = match self.load(number, &mut Years::new()) {
            PeriodContent::Period(period) => period,
            PeriodContent::One(one) => return one == local,
            PeriodContent::Skip(_) => return false,
        };
        match &self.positions {
            None => period.next(local) == Some(local),
            Some(positions) => {
                let (count, mut visited) = (period.count(), Default::default());
                let mut places = std::iter::from_fn(|| positions.next(count, &mut visited));
                places.any(|place| period.select(place) == Some(local))
            }
        }
    }
}

/// Returns the set of the given numbers, which are below 64.
fn bits(numbers: &[u8]) -> u64 {
    numbers.iter().fold(0, |set, number| set | 1 << (number % 64))
}

/// Returns the times of day of instances, for a start at `time` seconds of its day; midnight if not `timed`.
fn times(rule: &Rule, time: i64, timed: bool) -> Times {
    if !timed {
        return Times { hours: 1, minutes: 1, seconds: 1 };
    }
    // Rule parts that are absent are taken from the start, unless the frequency runs through all values.
    let set = |numbers: &[u8], start: i64, frequency: Frequency, all: u64| match numbers {
        [] if rule.frequency > frequency => 1 << start,
        [] => all,
        numbers => bits(numbers),
    };
    let seconds = set(&rule.by_second, time % 60, Frequency::Secondly, (1 << 60) - 1);
    Times {
        hours: set(&rule.by_hour, time / 3_600, Frequency::Hourly, (1 << 24) - 1),
        minutes: set(&rule.by_minute, time / 60 % 60, Frequency::Minutely, (1 << 60) - 1),
        // Clocks here have no leap seconds; RFC 5545, section 3.3.12, treats one as the second before.
        seconds: if seconds >> 60 & 1 == 1 { seconds & ((1 << 60) - 1) | 1 << 59 } else { seconds },
    }
}

fn day_rules(rule: &Rule, start: i64) -> DayRules {
    let some = |numbers: &[i16]| (!numbers.is_empty()).then(|| signed_bits(numbers));
    let narrow = |bits: u64| u32::try_from(bits & u64::from(u32::MAX)).unwrap_or(0);
    let plain = |numbers: &[u8]| (!numbers.is_empty()).then(|| (bits(numbers) & 0x1fff) as u16);
    // Ordinals count within months of these rules, and within the year of others.
    let nth_in_month = rule.frequency == Frequency::Monthly || !rule.by_month.is_empty();
    let mut days = DayRules {
        months: plain(&rule.by_month),
        weeks: some(&rule.by_week_no),
        year_days: (!rule.by_year_day.is_empty()).then(|| year_days(&rule.by_year_day)),
        month_days: some(&rule.by_month_day).map(|(start, end)| (narrow(start), narrow(end))),
        nth_in_month,
        week_start: weekday_index(rule.week_start),
        ..DayRules::default()
    };
    if !rule.by_day.is_empty() {
        let all = rule.by_day.iter().filter(|day| day.ordinal.is_none());
        days.weekdays = Some(all.fold(0, |set, day| set | 1 << weekday_index(day.weekday)));
        let nth = rule.by_day.iter().filter_map(|day| Some((day.ordinal?, weekday_index(day.weekday))));
        days.nth_weekdays = nth.collect();
    }
    derive_absent_parts(&mut days, rule.frequency, start);
    days
}

/// Derives absent rule parts from the start.
fn derive_absent_parts(days: &mut DayRules, frequency: Frequency, start: i64) {
    let date = to_date(start);
    let chosen = days.month_days.is_some() || days.year_days.is_some() || days.weekdays.is_some();
    let month_day = Some((1_u32 << date.day(), 0));
    match frequency {
        _ if chosen => {}
        Frequency::Yearly if days.weeks.is_some() => days.weekdays = Some(1 << weekday_of(start)),
        _ if days.weeks.is_some() => {}
        Frequency::Yearly => {
            days.months = days.months.or(Some(1 << date.month()));
            days.month_days = month_day;
        }
        Frequency::Monthly => days.month_days = month_day,
        Frequency::Weekly => days.weekdays = Some(1 << weekday_of(start)),
        _ => {}
    }
}

fn year_days(numbers: &[i16]) -> (Days, Days) {
    let mut sets = (Days::EMPTY, Days::EMPTY);
    for number in numbers {
        let set = if *number > 0 { &mut sets.0 } else { &mut sets.1 };
        set.insert(u32::from(number.unsigned_abs()) - 1);
    }
    sets
}
