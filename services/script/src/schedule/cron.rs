//! Cron expressions: minute, hour, day of the month, month, day of the week.

use jiff::Zoned;
use jiff::civil::{Date, Time};

/// Number of days that are searched: the 29th of February on a given day of the week comes every 28 years, and after 40
/// years across a century without a leap year.
const MAX_DAYS: usize = 41 * 366;

/// Names of the months, which have the numbers from 1 on.
const MONTHS: [&str; 12] = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
/// Names of the weekdays, which have the numbers from 0 on.
const WEEKDAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/// Expression such as `*/15 9-17 * * MON-FRI`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cron {
    minutes: u64,
    hours: u64,
    days: u64,
    months: u64,
    weekdays: u64,
    /// True if a day matches if it fits either the month or the week, because both are restricted.
    either: bool,
}

impl Cron {
    /// Parses an expression.
    ///
    /// # Errors
    /// Returns an error that names the invalid part, or an error if there are not five parts.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split_whitespace().collect();
        let [minute, hour, day, month, weekday] = parts[..] else {
            return Err(format!(
                "invalid schedule `{text}`, expected the parts minute, hour, day of the month, month, day of the week"
            ));
        };
        let weekdays = parse_set(weekday, 0, 7, &WEEKDAYS, 0)?;
        Ok(Self {
            minutes: parse_set(minute, 0, 59, &[], 0)?,
            hours: parse_set(hour, 0, 23, &[], 0)?,
            days: parse_set(day, 1, 31, &[], 0)?,
            months: parse_set(month, 1, 12, &MONTHS, 1)?,
            // Sunday is 0 and 7.
            weekdays: weekdays | (weekdays >> 7 & 1),
            either: !day.starts_with('*') && !weekday.starts_with('*'),
        })
    }

    /// Returns the first time after another, or `None` if there is none.
    pub(super) fn next(&self, after: &Zoned) -> Option<Zoned> {
        let mut date = after.date();
        for _ in 0..MAX_DAYS {
            if self.has_day(date)
                && let Some(found) = self.first_on(date, after)
            {
                return Some(found);
            }
            date = date.tomorrow().ok()?;
        }
        None
    }

    /// Returns whether a day matches the month, the day of the month and the day of the week.
    fn has_day(&self, date: Date) -> bool {
        let month = set_contains(self.days, date.day());
        let week = set_contains(self.weekdays, date.weekday().to_sunday_zero_offset());
        let day = if self.either { month || week } else { month && week };
        day && set_contains(self.months, date.month())
    }

    /// Returns the first time on a day that is after another. A time that the clock skips moves with it.
    fn first_on(&self, date: Date, after: &Zoned) -> Option<Zoned> {
        for hour in (0..24).filter(|hour| set_contains(self.hours, *hour)) {
            for minute in (0..60).filter(|minute| set_contains(self.minutes, *minute)) {
                let time = Time::new(hour, minute, 0, 0).ok()?;
                let at = date.to_datetime(time).to_zoned(after.time_zone().clone()).ok()?;
                if at > *after {
                    return Some(at);
                }
            }
        }
        None
    }
}

/// Returns whether a number is in a set, the bits of an integer.
fn set_contains(set: u64, number: i8) -> bool {
    u32::try_from(number).is_ok_and(|number| set >> number & 1 == 1)
}

/// Parses a part: numbers, names, ranges and steps, separated by commas.
fn parse_set(part: &str, from: u32, to: u32, names: &[&str], first: u32) -> Result<u64, String> {
    let invalid = || {
        format!("invalid schedule part `{part}`, expected numbers from {from} to {to} such as `1,5`, `1-5` or `*/5`")
    };
    let number = |text: &str| {
        let named = names.iter().position(|name| name.eq_ignore_ascii_case(text)).and_then(|at| u32::try_from(at).ok());
        let number = named.map(|at| at + first).or_else(|| text.parse().ok());
        number.filter(|number| (from..=to).contains(number)).ok_or_else(invalid)
    };
    let mut set = 0;
    for piece in part.split(',') {
        let (range, step) = piece.split_once('/').map_or((piece, None), |(range, step)| (range, Some(step)));
        let (low, high) = match range.split_once('-') {
            _ if range == "*" => (from, to),
            Some((low, high)) => (number(low)?, number(high)?),
            // `5/10` continues to the end.
            None => (number(range)?, if step.is_some() { to } else { number(range)? }),
        };
        let step = step.map_or(Some(1), |step| step.parse::<u8>().ok()).filter(|step| *step > 0).ok_or_else(invalid)?;
        if low > high {
            return Err(invalid());
        }
        set |= (low..=high).step_by(step.into()).fold(0, |set, number| set | 1_u64 << number);
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the first times after Wednesday, 2026-03-25, at noon in Berlin; the clock goes forward on Sunday at 2.
    fn times(expression: &str, count: usize) -> Vec<String> {
        let cron = Cron::parse(expression).unwrap();
        let mut time: Zoned = "2026-03-25T12:00[Europe/Berlin]".parse().unwrap();
        let mut times = Vec::new();
        while times.len() < count {
            time = cron.next(&time).unwrap();
            times.push(time.datetime().to_string());
        }
        times
    }

    #[test]
    fn expressions_are_parsed_as_in_cron() {
        for (expression, expected) in [
            ("*/20 * * * *", ["2026-03-25T12:20:00", "2026-03-25T12:40:00", "2026-03-25T13:00:00"]),
            ("0 9 * * MON-FRI", ["2026-03-26T09:00:00", "2026-03-27T09:00:00", "2026-03-30T09:00:00"]),
            ("30 8,18 1 * *", ["2026-04-01T08:30:00", "2026-04-01T18:30:00", "2026-05-01T08:30:00"]),
            // Either the 13th or a Friday.
            ("0 0 13 * 5", ["2026-03-27T00:00:00", "2026-04-03T00:00:00", "2026-04-10T00:00:00"]),
            ("0 0 * * 7", ["2026-03-29T00:00:00", "2026-04-05T00:00:00", "2026-04-12T00:00:00"]),
            ("5/25 23 31 12 *", ["2026-12-31T23:05:00", "2026-12-31T23:30:00", "2026-12-31T23:55:00"]),
            ("0 0 29 feb *", ["2028-02-29T00:00:00", "2032-02-29T00:00:00", "2036-02-29T00:00:00"]),
            ("30 2 * * *", ["2026-03-26T02:30:00", "2026-03-27T02:30:00", "2026-03-28T02:30:00"]),
        ] {
            assert_eq!(times(expression, 3), expected, "{expression}");
        }
        assert_eq!(times("30 2 29 3 *", 1), ["2026-03-29T03:30:00"], "the hour that clocks skip");
        assert_eq!(Cron::parse("0 0 30 2 *").unwrap().next(&"2026-03-25T12:00[UTC]".parse().unwrap()), None);
    }

    #[test]
    fn invalid_expressions_are_rejected() {
        for invalid in [
            "",
            "* * * *",
            "* * * * * *",
            "60 * * * *",
            "* 24 * * *",
            "* * 0 * *",
            "* * * 13 *",
            "* * * * 8",
            "*/0 * * * *",
            "5-1 * * * *",
            "1, * * * *",
            "x * * * *",
            "-1 * * * *",
            "* * * MON *",
            "*/99999999999 * * * *",
        ] {
            assert!(Cron::parse(invalid).is_err(), "{invalid}");
        }
    }
}
