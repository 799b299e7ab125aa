//! Days of a year that a rule matches.

use super::bit_set::Days;
use crate::civil::{before_month, first_of_year, weekday_of};

/// Rule parts that select days. An absent set matches all days.
#[derive(Clone, Debug, Default)]
pub(super) struct DayRules {
    /// Months, starting at bit 1.
    pub months: Option<u16>,
    /// Week numbers from the beginning and from the end of a year, starting at bit 1.
    pub weeks: Option<(u64, u64)>,
    /// Days of a year from its beginning and from its end, starting at bit 0.
    pub year_days: Option<(Days, Days)>,
    /// Days of a month from its beginning and from its end, starting at bit 1.
    pub month_days: Option<(u32, u32)>,
    /// Weekdays, Monday as bit 0.
    pub weekdays: Option<u8>,
    /// Weekdays with ordinals, in addition to `weekdays`.
    pub nth_weekdays: Vec<(i8, u8)>,
    /// True if ordinals count within months, false if within the year.
    pub nth_in_month: bool,
    /// First day of a week, Monday as 0.
    pub week_start: u8,
}

impl DayRules {
    /// Returns whether every day matches.
    pub fn match_all(&self) -> bool {
        self.months.is_none()
            && self.weeks.is_none()
            && self.year_days.is_none()
            && self.month_days.is_none()
            && self.weekdays.is_none()
    }

    fn has_month(&self, month: usize) -> bool {
        self.months.is_none_or(|months| months >> (month + 1) & 1 == 1)
    }
}

/// Matching days of a year.
#[derive(Clone, Copy, Debug)]
pub(super) struct Year {
    pub number: i32,
    /// January 1.
    pub first: i64,
    pub len: u32,
    pub days: Days,
}

impl Year {
    pub fn new(rules: &DayRules, number: i32) -> Self {
        let len = u32::from(before_month(number)[12]);
        let mut year = Self { number, first: i64::from(first_of_year(number)), len, days: Days::range(0, len) };
        if let Some(found) = rules.months.map(|_| year.months(rules)) {
            year.days.retain(&found);
        }
        if let Some(found) = rules.month_days.map(|(from_start, from_end)| year.month_days(from_start, from_end)) {
            year.days.retain(&found);
        }
        if let Some(found) = rules.year_days.as_ref().map(|(from_start, from_end)| year.year_days(from_start, from_end))
        {
            year.days.retain(&found);
        }
        if let Some(found) =
            rules.weeks.map(|(from_start, from_end)| year.weeks(from_start, from_end, rules.week_start))
        {
            year.days.retain(&found);
        }
        if let Some(found) = rules.weekdays.map(|weekdays| year.weekdays(rules, weekdays)) {
            year.days.retain(&found);
        }
        year
    }

    /// Returns the index of a day within the year, if the year contains it.
    #[inline]
    pub fn index(&self, day: i64) -> Option<u32> {
        u32::try_from(day - self.first).ok().filter(|index| *index < self.len)
    }

    /// Returns the index, the first day and the length of each month.
    pub fn month_ranges(&self) -> impl Iterator<Item = (usize, u32, u32)> {
        let before = before_month(self.number);
        before.windows(2).enumerate().map(|(month, ends)| (month, u32::from(ends[0]), u32::from(ends[1] - ends[0])))
    }

    /// Returns the days of the year that are in the months of `BYMONTH`.
    fn months(&self, rules: &DayRules) -> Days {
        let mut days = Days::EMPTY;
        for (_, start, len) in self.month_ranges().filter(|(month, ..)| rules.has_month(*month)) {
            days.insert_range(start, start + len);
        }
        days
    }

    fn month_days(&self, from_start: u32, from_end: u32) -> Days {
        let mut days = Days::EMPTY;
        for (_, start, len) in self.month_ranges() {
            // Bit i from the end is day len + 1 - i.
            let mirrored = (u64::from(from_end.reverse_bits()) << 1) >> (31 - len);
            let month = (u64::from(from_start) | mirrored) >> 1;
            days.insert_word(month & ((1 << len) - 1), start);
        }
        days
    }

    fn year_days(&self, from_start: &Days, from_end: &Days) -> Days {
        let mut days = *from_start;
        let mut next = from_end.next(0);
        while let Some(index) = next.filter(|index| *index < self.len) {
            days.insert(self.len - 1 - index);
            next = from_end.next(index + 1);
        }
        days
    }

    /// Returns the index of the first day of week 1, which may be in the previous year: the first week with at least
    /// four days in the year.
    fn first_week(number: i32, week_start: u8) -> i64 {
        let offset = i64::from((weekday_of(i64::from(first_of_year(number))) + 7 - week_start) % 7);
        if offset <= 3 { -offset } else { 7 - offset }
    }

    fn weeks_of(number: i32, week_start: u8) -> i64 {
        let days = i64::from(first_of_year(number + 1)) - i64::from(first_of_year(number));
        (days + Self::first_week(number + 1, week_start) - Self::first_week(number, week_start)) / 7
    }

    /// Returns the days in the given week numbers, which count from the start or from the end of the year.
    fn weeks(&self, from_start: u64, from_end: u64, week_start: u8) -> Days {
        let mut days = Days::EMPTY;
        let first = Self::first_week(self.number, week_start);
        let place = |day: i64| u32::try_from(day.clamp(0, i64::from(self.len))).unwrap_or(0);
        let mut insert = |number: i64, count: i64, start: i64| {
            if from_start >> number & 1 == 1 || from_end >> (count + 1 - number) & 1 == 1 {
                days.insert_range(place(start), place(start + 7));
            }
        };
        // The days before week 1 belong to the last week of the previous year, those at the end to week 1 of the next
        // year.
        let before = Self::weeks_of(self.number - 1, week_start);
        insert(before, before, first - 7);
        let count = Self::weeks_of(self.number, week_start);
        (1..=count).for_each(|number| insert(number, count, first + (number - 1) * 7));
        insert(1, Self::weeks_of(self.number + 1, week_start), first + count * 7);
        days
    }

    /// Returns the days of `BYDAY`: all with the weekdays of a set, and the nth weekdays of the year or of its months.
    fn weekdays(&self, rules: &DayRules, weekdays: u8) -> Days {
        let first = weekday_of(self.first);
        let mut days = Days::weekdays(weekdays, first, self.len);
        if rules.nth_weekdays.is_empty() {
            return days;
        }
        let year = [(0, 0, self.len)];
        let ranges: Vec<(usize, u32, u32)> = if rules.nth_in_month {
            self.month_ranges().filter(|(month, ..)| rules.has_month(*month)).collect()
        } else {
            year.to_vec()
        };
        for (_, start, len) in ranges {
            for &(ordinal, weekday) in &rules.nth_weekdays {
                let offset = (u32::from(weekday) + 7 * 60 - u32::from(first) - start % 7) % 7;
                days.extend(&nth(start, len, offset, ordinal));
            }
        }
        days
    }
}

/// Returns the nth of the days `offset`, `offset + 7`, … of a range.
fn nth(start: u32, len: u32, offset: u32, ordinal: i8) -> Days {
    let count = i64::from((len + 6 - offset) / 7);
    let place = if ordinal > 0 { i64::from(ordinal) - 1 } else { count + i64::from(ordinal) };
    let mut days = Days::EMPTY;
    if let Some(place) = u32::try_from(place).ok().filter(|_| place < count) {
        days.insert(start + offset + 7 * place);
    }
    days
}

/// Cache of the last even and the last odd year, so that a week at the turn of a year does not recompute them.
#[derive(Clone, Debug)]
pub(super) struct Years {
    years: [Year; 2],
}

impl Years {
    pub fn new() -> Self {
        // No day is in a year without days.
        let none = Year { number: i32::MIN, first: 0, len: 0, days: Days::EMPTY };
        Self { years: [none; 2] }
    }

    /// Returns a year.
    pub fn year(&mut self, rules: &DayRules, number: i32) -> &Year {
        let slot = &mut self.years[usize::from(number % 2 != 0)];
        if slot.number != number {
            *slot = Year::new(rules, number);
        }
        slot
    }

    /// Returns the year that contains a day, and the index of the day.
    #[inline]
    pub fn find(&mut self, rules: &DayRules, day: i64) -> (&Year, u32) {
        let found = self.years.iter().position(|year| year.index(day).is_some());
        let year = match found {
            Some(slot) => &self.years[slot],
            None => self.year(rules, crate::civil::year_of(day)),
        };
        (year, year.index(day).unwrap_or(0))
    }

    /// Returns the set of the matching days of a week.
    pub fn week(&mut self, rules: &DayRules, first: i64) -> u64 {
        let (year, index) = self.find(rules, first);
        let (within, rest) = ((year.len - index).min(7), 7 - (year.len - index).min(7));
        let (days, next) = (year.days.word_at(index, within), year.number + 1);
        if rest == 0 { days } else { days | self.year(rules, next).days.word_at(0, rest) << within }
    }
}

/// Returns the sets of the bits of positive and of negated negative numbers.
pub(super) fn signed_bits(numbers: &[i16]) -> (u64, u64) {
    let set = |negative: bool| {
        let chosen = numbers.iter().filter(|number| (**number < 0) == negative);
        chosen.fold(0, |set, number| set | 1_u64 << (number.unsigned_abs() % 64))
    };
    (set(false), set(true))
}
