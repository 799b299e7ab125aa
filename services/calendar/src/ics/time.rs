//! Dates, times and durations.

use wireform_recurrence::jiff::civil::{Date, DateTime, Time};

/// Date or time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DateOrTime {
    Date(Date),
    /// Local time.
    Local(DateTime),
    Utc(DateTime),
}

/// Parses a date or a time; second 60 is second 59.
pub(crate) fn parse_value(text: &str) -> Option<DateOrTime> {
    let text = text.trim();
    let digits = |text: &str, count: usize| {
        let fits = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
        if fits { text.parse::<i32>().ok() } else { None }
    };
    let (day, time) = text.split_once(['T', 't']).map_or((text, None), |(day, time)| (day, Some(time)));
    let number = digits(day, 8)?;
    let part = |number: i32| i8::try_from(number % 100).ok();
    let date = Date::new(i16::try_from(number / 10_000).ok()?, part(number / 100)?, part(number)?).ok()?;
    let Some(time) = time else { return Some(DateOrTime::Date(date)) };
    let (time, is_utc) = time.strip_suffix(['Z', 'z']).map_or((time, false), |time| (time, true));
    // Some programs omit the seconds.
    let number = digits(time, 6).or_else(|| digits(time, 4).map(|number| number * 100))?;
    let second = part(number).filter(|second| *second <= 60)?.min(59);
    let time = Time::new(i8::try_from(number / 10_000).ok()?, part(number / 100)?, second, 0).ok()?;
    let time = DateTime::from_parts(date, time);
    Some(if is_utc { DateOrTime::Utc(time) } else { DateOrTime::Local(time) })
}

/// Duration: days follow the calendar, seconds are exact. Both have the same sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Duration {
    pub(crate) days: i64,
    pub(crate) seconds: i64,
}

impl Duration {
    /// Returns the seconds, with days of 24 hours.
    pub(crate) fn total_seconds(self) -> i64 {
        self.days.saturating_mul(86_400).saturating_add(self.seconds)
    }
}

/// Parses a duration such as `PT1H30M`, `-P1DT12H` or `P2W`.
pub(crate) fn parse_duration(text: &str) -> Option<Duration> {
    let text = text.trim().to_ascii_uppercase();
    let (text, sign) = match text.strip_prefix('-') {
        Some(rest) => (rest, -1),
        None => (text.strip_prefix('+').unwrap_or(&text), 1),
    };
    let rest = text.strip_prefix('P').filter(|rest| !rest.is_empty())?;
    let (days, time) = rest.split_once('T').unwrap_or((rest, ""));
    let days = sum_units(days, &[('W', 7), ('D', 1)])?;
    let seconds = sum_units(time, &[('H', 3_600), ('M', 60), ('S', 1)])?;
    Some(Duration { days: sign * days, seconds: sign * seconds })
}

/// Sums numbers with units; returns `None` for sums of 10,000,000,000 or more.
fn sum_units(text: &str, units: &[(char, i64)]) -> Option<i64> {
    let (mut sum, mut number) = (0_i64, None);
    for character in text.chars() {
        match character.to_digit(10) {
            Some(digit) => number = Some(number.unwrap_or(0_i64).checked_mul(10)?.checked_add(i64::from(digit))?),
            None => {
                let (_, factor) = units.iter().find(|(unit, _)| *unit == character)?;
                sum = sum.checked_add(number.take()?.checked_mul(*factor)?)?;
            }
        }
    }
    (number.is_none() && sum < 10_000_000_000).then_some(sum)
}

/// Parses an offset of a time zone such as `+0100` or `-033000`, in seconds.
pub(crate) fn parse_offset(text: &str) -> Option<i32> {
    let text = text.trim();
    let (sign, digits) = match (text.strip_prefix('+'), text.strip_prefix('-')) {
        (Some(rest), _) => (1, rest),
        (_, Some(rest)) => (-1, rest),
        _ => return None,
    };
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let number: i32 = match digits.len() {
        4 if is_number => digits.parse::<i32>().ok()? * 100,
        6 if is_number => digits.parse().ok()?,
        _ => return None,
    };
    let seconds = number / 10_000 * 3_600 + number / 100 % 100 * 60 + number % 100;
    (seconds < 26 * 3_600).then_some(sign * seconds)
}

#[cfg(test)]
mod tests {
    use wireform_recurrence::jiff::civil::date;

    use super::*;

    #[test]
    fn values_are_dates_and_times() {
        assert_eq!(parse_value("20260105"), Some(DateOrTime::Date(date(2026, 1, 5))));
        assert_eq!(parse_value("20260105T0930"), Some(DateOrTime::Local(date(2026, 1, 5).at(9, 30, 0, 0))));
        assert_eq!(parse_value("20161231T235960Z"), Some(DateOrTime::Utc(date(2016, 12, 31).at(23, 59, 59, 0))));
        for text in ["", "2026", "20260230", "20260105T", "20260105T250000", "20260105T093000+01", "2026010\u{e9}"] {
            assert_eq!(parse_value(text), None, "{text}");
        }
    }

    #[test]
    fn durations_and_offsets_have_signs() {
        let total = |text| parse_duration(text).map(Duration::total_seconds);
        assert_eq!(total("-PT15M"), Some(-900));
        assert_eq!((total("P1DT1S"), total("P2W"), total("PT0S")), (Some(86_401), Some(14 * 86_400), Some(0)));
        for text in ["", "P", "PT1", "1H", "PT1D", "P99999999999999999999D", "PT99999999999999H"] {
            assert_eq!(total(text), None, "{text}");
        }
        assert_eq!((parse_offset("+0100"), parse_offset("-033015")), (Some(3_600), Some(-12_615)));
        assert_eq!((parse_offset("0100"), parse_offset("+1"), parse_offset("+9999")), (None, None, None));
    }
}
