//! Dates, times and durations.

use jiff::civil::{Date, DateTime, Time};

use super::content::{Fragment, LineError};
use crate::dates::NominalDuration;
use crate::error::ParseErrorKind;
use crate::limits::MAX_PERIOD_DAYS;
use crate::rule::DateValue;

/// Forms of a date value, for messages.
const EXPECTED_DATE: &str = "a date such as `20260105` or a date-time such as `20260105T090000Z`";

/// Parses a date, a local time or a UTC time. Second 60 becomes second 59.
pub(super) fn parse_date_value(piece: Fragment<'_>, name: &str) -> Result<DateValue, LineError> {
    let bytes = piece.text.as_bytes();
    let (day, time) = bytes.split_at(bytes.len().min(8));
    let shape = parse_digits::<8>(day).ok_or_else(|| piece.invalid_value(name, EXPECTED_DATE))?;
    let missing = || {
        let message = format!("invalid `{name}` value `{}`, expected a date that exists", piece.excerpt());
        piece.error(ParseErrorKind::OutOfRange, message)
    };
    let date = date_of(shape).ok_or_else(missing)?;
    let (time, utc) = match time {
        [] => return Ok(DateValue::Date(date)),
        [b'T' | b't', time @ .., b'Z' | b'z'] => (time, true),
        [b'T' | b't', time @ ..] => (time, false),
        _ => return Err(piece.invalid_value(name, EXPECTED_DATE)),
    };
    let shape = parse_digits::<6>(time).ok_or_else(|| piece.invalid_value(name, EXPECTED_DATE))?;
    let late = || {
        let message = format!("invalid `{name}` value `{}`, expected a time up to `T235959`", piece.excerpt());
        piece.error(ParseErrorKind::OutOfRange, message)
    };
    let time = time_of(shape).ok_or_else(late)?;
    let time = DateTime::from_parts(date, time);
    Ok(if utc { DateValue::Utc(time) } else { DateValue::Local(time) })
}

fn parse_digits<const N: usize>(bytes: &[u8]) -> Option<u32> {
    if bytes.len() != N || !bytes.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(bytes.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0')))
}

fn date_of(digits: u32) -> Option<Date> {
    let year = i16::try_from(digits / 10_000).ok()?;
    let month = i8::try_from(digits / 100 % 100).ok()?;
    Date::new(year, month, i8::try_from(digits % 100).ok()?).ok()
}

fn time_of(digits: u32) -> Option<Time> {
    let hour = i8::try_from(digits / 10_000).ok()?;
    let minute = i8::try_from(digits / 100 % 100).ok()?;
    let second = i8::try_from(digits % 100).ok().filter(|second| *second <= 60)?;
    Time::new(hour, minute, second.min(59), 0).ok()
}

/// Forms of a duration, for messages.
const EXPECTED_DURATION: &str = "a positive duration such as `PT1H30M`, `P1D` or `P2W`";

/// Parses a duration greater than zero.
pub(super) fn parse_duration(piece: Fragment<'_>, name: &str) -> Result<NominalDuration, LineError> {
    let form = || piece.invalid_value(name, EXPECTED_DURATION);
    let text = piece.text.strip_prefix('+').unwrap_or(piece.text);
    let rest = text.strip_prefix(['P', 'p']).ok_or_else(form)?;
    let (date, time) = match rest.split_once(['T', 't']) {
        Some((_, "")) => return Err(form()),
        Some((date, time)) => (date, time),
        None => (rest, ""),
    };
    let (days, seconds) = (sum_units(date, &DATE_UNITS), sum_units(time, &TIME_UNITS));
    let (Some(days), Some(seconds)) = (days, seconds) else { return Err(form()) };
    // Weeks cannot be combined with other units.
    let weeks = date.ends_with(['W', 'w']) && !time.is_empty();
    if weeks || (days, seconds) == (0, 0) {
        return Err(form());
    }
    if days.saturating_mul(86_400).saturating_add(seconds) > MAX_PERIOD_DAYS * 86_400 {
        let message = format!("`{name}` value `{}` is longer than 100 years", piece.excerpt());
        return Err(piece.error(ParseErrorKind::OutOfRange, message));
    }
    Ok(NominalDuration { days, seconds })
}

/// Units before the `T` of a duration, in their order, with their days.
const DATE_UNITS: [(u8, i64); 2] = [(b'W', 7), (b'D', 1)];
/// Units after the `T` of a duration, in their order, with their seconds.
const TIME_UNITS: [(u8, i64); 3] = [(b'H', 3_600), (b'M', 60), (b'S', 1)];

/// Sums numbers with units, each unit at most once and in the given order. Weeks and days exclude each other.
fn sum_units(text: &str, units: &[(u8, i64)]) -> Option<i64> {
    let (mut sum, mut number, mut next) = (0_i64, None, 0);
    for byte in text.bytes() {
        if byte.is_ascii_digit() {
            number = Some(number.unwrap_or(0_i64).saturating_mul(10).saturating_add(i64::from(byte - b'0')));
            continue;
        }
        let found = units.iter().position(|(unit, _)| *unit == byte.to_ascii_uppercase())?;
        if found < next || (next == 1 && units.len() == 2) {
            return None;
        }
        next = found + 1;
        sum = sum.saturating_add(number.take()?.saturating_mul(units[found].1));
    }
    number.is_none().then_some(sum)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn parse(text: &str) -> Option<DateValue> {
        parse_date_value(Fragment { text, offset: 0 }, "RDATE").ok()
    }

    #[test]
    fn dates_and_times_have_one_form() {
        assert_eq!(parse("20260105"), Some(DateValue::Date(date(2026, 1, 5))));
        assert_eq!(parse("20260105T093000"), Some(DateValue::Local(date(2026, 1, 5).at(9, 30, 0, 0))));
        assert_eq!(parse("20161231t235960z"), Some(DateValue::Utc(date(2016, 12, 31).at(23, 59, 59, 0))));
        let wrong = ["", "2026010", "202601051", "2026-01-05", "20260230", "20261301", "20260105T", "20260105T0930"];
        let times = ["20260105T240000", "20260105T096000", "20260105T093061", "20260105T093000ZZ", "2026010éT093000"];
        for text in wrong.iter().chain(&times) {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn durations_have_days_and_seconds() {
        let of = |text| parse_duration(Fragment { text, offset: 0 }, "RDATE").ok().map(|one| (one.days, one.seconds));
        assert_eq!(of("PT1H30M"), Some((0, 5_400)));
        assert_eq!(of("+P1DT1S"), Some((1, 1)));
        assert_eq!(of("p2w"), Some((14, 0)));
        assert_eq!(of("PT36H"), Some((0, 129_600)));
        let wrong =
            ["", "P", "PT", "P1", "P1H", "PT1D", "-PT1H", "PT0S", "P1W1D", "P1D1W", "P1WT1H", "PT1M1H", "PT1H1H"];
        let long = ["P1000W1", "P99999999999999999999D", "P5218W", "PT99999999999H"];
        for text in wrong.iter().chain(&long) {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
