//! Random rules, as text and in the form of the oracle.

use std::fmt::Write as _;

use crate::random::Random;

/// Rule in the form of the oracle; an empty list stands for an absent part.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// Frequency: `Y`, `M`, `W`, `D`, `h`, `m` or `s`.
    pub frequency: char,
    pub interval: i64,
    pub count: Option<usize>,
    pub months: Vec<i64>,
    pub weeks: Vec<i64>,
    pub year_days: Vec<i64>,
    pub month_days: Vec<i64>,
    /// Ordinals, 0 for none, and weekdays from Monday as 0.
    pub weekdays: Vec<(i64, i64)>,
    pub hours: Vec<i64>,
    pub minutes: Vec<i64>,
    pub seconds: Vec<i64>,
    pub positions: Vec<i64>,
    pub week_start: i64,
}

pub const WEEKDAYS: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

fn list(random: &mut Random, most: i64, low: i64, high: i64, signed: bool) -> Vec<i64> {
    let mut values: Vec<i64> = (0..random.within(1, most)).map(|_| random.within(low, high)).collect();
    if signed {
        for value in &mut values {
            *value = if random.once_in(2) { -*value } else { *value };
        }
    }
    values
}

impl Parts {
    /// Generates a rule with one of the frequencies.
    pub fn random(random: &mut Random, frequencies: &[&str]) -> Self {
        let frequency = random.pick(frequencies).chars().next().unwrap();
        let mut parts = Self { frequency, interval: 1, ..Self::default() };
        if random.once_in(2) {
            parts.interval = random.within(2, if frequency.is_lowercase() { 100 } else { 5 });
        }
        let dense = frequency.is_lowercase();
        let rare = if dense { 6 } else { 4 };
        if random.once_in(3) {
            parts.months = list(random, 4, 1, 12, false);
        }
        if random.once_in(rare * 2) {
            parts.weeks = list(random, 5, 1, 53, true);
        }
        if random.once_in(rare * 2) {
            parts.year_days = list(random, 20, 1, 366, true);
        }
        if random.once_in(rare) {
            parts.month_days = list(random, 6, 1, 31, true);
        }
        if random.once_in(2) {
            parts.random_weekdays(random);
        }
        parts.random_times(random);
        if random.once_in(4) {
            let high = if random.once_in(4) { 40 } else { 4 };
            parts.positions = list(random, 3, 1, high, true);
            if parts.months.is_empty() {
                parts.months = (1..=12).collect();
            }
        }
        if random.once_in(3) {
            parts.week_start = random.within(0, 6);
        }
        if random.once_in(3) {
            parts.count = Some(usize::try_from(random.within(1, 40)).unwrap());
        }
        parts
    }

    fn random_weekdays(&mut self, random: &mut Random) {
        let ordinals = matches!(self.frequency, 'Y' | 'M') && self.weeks.is_empty();
        let high = if self.frequency == 'Y' && self.months.is_empty() { 53 } else { 5 };
        for weekday in list(random, 4, 0, 6, false) {
            let ordinal = if ordinals && random.once_in(2) { list(random, 1, 1, high, true)[0] } else { 0 };
            self.weekdays.push((ordinal, weekday));
        }
    }

    fn random_times(&mut self, random: &mut Random) {
        if random.once_in(4) {
            self.hours = list(random, 3, 0, 23, false);
        }
        if random.once_in(4) {
            self.minutes = list(random, 3, 0, 59, false);
        }
        if random.once_in(5) {
            self.seconds = list(random, 3, 0, 59, false);
        }
    }

    /// Returns the text of the rule.
    pub fn text(&self) -> String {
        let frequency = match self.frequency {
            'Y' => "YEARLY",
            'M' => "MONTHLY",
            'W' => "WEEKLY",
            'D' => "DAILY",
            'h' => "HOURLY",
            'm' => "MINUTELY",
            _ => "SECONDLY",
        };
        let mut text = format!("RRULE:FREQ={frequency};INTERVAL={}", self.interval);
        let start = WEEKDAYS[usize::try_from(self.week_start).unwrap()];
        write!(text, ";WKST={start}").unwrap();
        if let Some(count) = self.count {
            write!(text, ";COUNT={count}").unwrap();
        }
        let lists = [
            ("BYMONTH", &self.months),
            ("BYWEEKNO", &self.weeks),
            ("BYYEARDAY", &self.year_days),
            ("BYMONTHDAY", &self.month_days),
            ("BYHOUR", &self.hours),
            ("BYMINUTE", &self.minutes),
            ("BYSECOND", &self.seconds),
            ("BYSETPOS", &self.positions),
        ];
        for (name, values) in lists.into_iter().filter(|(_, values)| !values.is_empty()) {
            let values: Vec<String> = values.iter().map(i64::to_string).collect();
            write!(text, ";{name}={}", values.join(",")).unwrap();
        }
        let day = |&(ordinal, weekday): &(i64, i64)| match (ordinal, WEEKDAYS[usize::try_from(weekday).unwrap()]) {
            (0, name) => name.to_owned(),
            (ordinal, name) => format!("{ordinal}{name}"),
        };
        if !self.weekdays.is_empty() {
            let days: Vec<String> = self.weekdays.iter().map(day).collect();
            write!(text, ";BYDAY={}", days.join(",")).unwrap();
        }
        text
    }
}
