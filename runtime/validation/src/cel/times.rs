//! Points in time and dates.
//!
//! A date-time may lack an offset, which CEL does not know: two of them are compared by local time, and one has no
//! order relative to a point in time.

use std::cmp::Ordering;

use wireform_runtime::jiff::civil::{self, Weekday};
use wireform_runtime::jiff::tz::{Offset, TimeZone};
use wireform_runtime::jiff::{SignedDuration, Timestamp};
use wireform_runtime::{Date, DateTime};

use super::{EvalError, EvalResult};

/// Compares two date-times.
///
/// # Errors
/// Returns an error if only one of them has an offset.
#[inline]
pub fn compare_times(a: DateTime, b: DateTime) -> EvalResult<Ordering> {
    a.cmp_instant(&b).ok_or(EvalError::Incomparable)
}

/// Returns whether two date-times are the same, regardless of the notation.
#[inline]
#[must_use]
pub fn eq_time(a: DateTime, b: DateTime) -> bool {
    a.same_instant(&b)
}

/// Returns the instant of a date-time.
pub(super) fn to_instant(time: DateTime) -> EvalResult<Timestamp> {
    let error = if time.has_offset() { EvalError::Overflow } else { EvalError::Incomparable };
    time.to_timestamp().ok_or(error)
}

/// Evaluates `time + duration`; a time without an offset remains without one.
///
/// # Errors
/// Returns an error if the result is out of range.
pub fn add_duration(time: DateTime, by: SignedDuration) -> EvalResult<DateTime> {
    let moved = match time.offset() {
        Some(_) => to_instant(time)?.checked_add(by).map(DateTime::from),
        None => time.to_civil().checked_add(by).map(DateTime::from_civil),
    };
    moved.ok().filter(|moved| moved.year() > 0).ok_or(EvalError::Overflow)
}

/// Evaluates `time - duration`.
///
/// # Errors
/// Returns an error if the result is out of range.
pub fn subtract_duration(time: DateTime, by: SignedDuration) -> EvalResult<DateTime> {
    add_duration(time, by.checked_neg().ok_or(EvalError::Overflow)?)
}

/// Evaluates `a - b`.
///
/// # Errors
/// Returns an error if only one of them has an offset, or one is out of range.
pub fn time_difference(a: DateTime, b: DateTime) -> EvalResult<SignedDuration> {
    if a.has_offset() || b.has_offset() {
        return Ok(to_instant(a)?.duration_since(to_instant(b)?));
    }
    Ok(a.to_civil().duration_since(b.to_civil()))
}

/// Evaluates `timestamp(text)`.
///
/// # Errors
/// Returns an error if the text is not a date-time, or its year is 0.
pub fn timestamp(text: &str) -> EvalResult<DateTime> {
    let time = DateTime::parse(text).map_err(|_| EvalError::BadConversion)?;
    // CEL starts with the year 1.
    (time.year() > 0).then_some(time).ok_or(EvalError::Overflow)
}

/// Evaluates `timestamp(seconds)`.
///
/// # Errors
/// Returns an error if the result is out of range.
pub fn timestamp_from_seconds(seconds: i64) -> EvalResult<DateTime> {
    let time = Timestamp::from_second(seconds).map(DateTime::from);
    time.ok().filter(|time| time.year() > 0).ok_or(EvalError::Overflow)
}

/// Evaluates `date(text)`.
///
/// # Errors
/// Returns an error if the text is not a date.
pub fn date(text: &str) -> EvalResult<Date> {
    Date::parse(text).map_err(|_| EvalError::BadConversion)
}

/// Returns a date that was validated when the code was generated.
#[must_use]
pub const fn const_date(year: u16, month: u8, day: u8) -> Date {
    match Date::new(year, month, day) {
        Some(date) => date,
        None => Date::MIN,
    }
}

/// Converts a point in time to local time in UTC; a time without an offset is unchanged.
///
/// # Errors
/// Returns an error if it is out of range.
pub fn to_utc(time: DateTime) -> EvalResult<civil::DateTime> {
    let minutes = time.offset_minutes().unwrap_or(0);
    let shift = SignedDuration::from_mins(i64::from(minutes));
    time.to_civil().checked_sub(shift).map_err(|_| EvalError::Overflow)
}

/// Converts a point in time to local time in a zone: a name of the IANA Time Zone Database, or an offset such as
/// `-08:00`. A time without an offset is unchanged.
///
/// # Errors
/// Returns an error if the zone does not exist, or the time is out of range.
pub fn to_zone(time: DateTime, zone: &str) -> EvalResult<civil::DateTime> {
    let zone = match parse_offset(zone) {
        Some(offset) => TimeZone::fixed(offset),
        None => jiff::tz::db().get(zone).map_err(|_| EvalError::BadConversion)?,
    };
    if !time.has_offset() {
        return Ok(time.to_civil());
    }
    Ok(zone.to_datetime(to_instant(time)?))
}

/// Parses an offset: `-08:00`, `+01:00` or `01:00`.
fn parse_offset(text: &str) -> Option<Offset> {
    let (sign, rest) = match text.as_bytes().first()? {
        b'-' => (-1, text.get(1..)?),
        b'+' => (1, text.get(1..)?),
        _ => (1, text),
    };
    let (hours, minutes) = rest.split_once(':')?;
    let number = |text: &str, max: i32| -> Option<i32> {
        let plain = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| text.parse().ok())?.filter(|value| *value <= max)
    };
    Offset::from_seconds(sign * (number(hours, 23)? * 60 + number(minutes, 59)?) * 60).ok()
}

/// Returns the start of the day of a date.
#[must_use]
pub fn start_of_day(date: Date) -> civil::DateTime {
    date.to_civil().at(0, 0, 0, 0)
}

/// Parts of a date, with the numbering of CEL.
pub trait DateParts {
    /// Returns the year.
    fn full_year(&self) -> i64;
    /// Returns the month, from 0.
    fn month_index(&self) -> i64;
    /// Returns the day of the month, from 1.
    fn day_number(&self) -> i64;
}

impl DateParts for civil::DateTime {
    fn full_year(&self) -> i64 {
        self.year().into()
    }

    fn month_index(&self) -> i64 {
        i64::from(self.month()) - 1
    }

    fn day_number(&self) -> i64 {
        self.day().into()
    }
}

/// Returns the day of the week, Sunday is 0.
#[must_use]
pub fn day_of_week(time: civil::DateTime) -> i64 {
    match time.weekday() {
        Weekday::Sunday => 0,
        day => day.to_monday_one_offset().into(),
    }
}

/// Returns the day of the year, from 0.
#[must_use]
pub fn day_of_year(time: civil::DateTime) -> i64 {
    i64::from(time.day_of_year()) - 1
}

/// Returns the hour.
#[must_use]
pub fn hours(time: civil::DateTime) -> i64 {
    time.hour().into()
}

/// Returns the minute.
#[must_use]
pub fn minutes(time: civil::DateTime) -> i64 {
    time.minute().into()
}

/// Returns the second.
#[must_use]
pub fn seconds(time: civil::DateTime) -> i64 {
    time.second().into()
}

/// Returns the milliseconds of the second.
#[must_use]
pub fn milliseconds(time: civil::DateTime) -> i64 {
    time.millisecond().into()
}
