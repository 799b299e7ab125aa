//! Date and time, RFC 3339 `date-time`, with or without an offset.

mod convert;

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

pub(crate) use convert::minimal_fraction;

use crate::cursor::{Cursor, TextBuffer, two_ascii_digits};
use crate::date::Date;
use crate::parse_error::{ParseError, ParseErrorKind};
use crate::text::text_type;

/// Date and time that keeps its original text.
///
/// It is parsed strictly by RFC 3339, section 5.6, with one extension: the offset may be absent, as in
/// `2026-01-01T10:00:00`, for APIs that name the time zone elsewhere. `t` and `z` may be lower case. A fraction has at
/// most 18 digits. An offset is at most 23:59 in either direction; `-00:00` (unknown local offset, section 4.3) is
/// distinct from `+00:00`. Second 60 is accepted where it can be a leap second: in the minute 23:59 UTC of any day, or
/// at 23:59 if there is no offset.
///
/// Equality and hash are those of the text: `10:00:00Z`, `10:00:00.0Z` and `11:00:00+01:00` are three values.
/// [`same_instant`](Self::same_instant) and [`cmp_instant`](Self::cmp_instant) compare instants. For arithmetic there
/// are [`to_timestamp`](Self::to_timestamp) and [`to_civil`](Self::to_civil).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DateTime {
    /// Digits of the fraction as a number; `fraction_digits` is their count.
    pub(crate) fraction: u64,
    pub(crate) date: Date,
    pub(crate) zone: UtcOffset,
    pub(crate) hour: u8,
    pub(crate) minute: u8,
    /// Second, 0 to 60.
    pub(crate) second: u8,
    /// Number of fraction digits, 0 to 18; 0 if there is no fraction.
    pub(crate) fraction_digits: u8,
    /// True if the separator of date and time is `t`, not `T`.
    pub(crate) lowercase_separator: bool,
}

/// Offset after the time. Numeric offsets are in minutes, at most 23:59.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum UtcOffset {
    /// No offset.
    Absent,
    /// `Z`.
    Utc,
    /// `z`.
    LowercaseUtc,
    /// Minutes to the east of Greenwich.
    East(u16),
    /// Minutes to the west of Greenwich; 0 if the local offset is unknown.
    West(u16),
}

/// Maximum number of fraction digits.
pub(crate) const MAX_FRACTION_DIGITS: u8 = 18;
const MINUTES_PER_DAY: i64 = 24 * 60;
/// Minute of the day that may have a second 60: 23:59.
const LEAP_SECOND_MINUTE: i64 = MINUTES_PER_DAY - 1;

text_type!(DateTime, "date-time");

impl DateTime {
    /// Parses a date-time.
    ///
    /// # Errors
    /// Returns an error if the text is not in the format of [`DateTime`].
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut cursor = Cursor::new(text);
        let date = Date::parse_prefix(&mut cursor)?;
        let lowercase_separator = cursor.eat(b't');
        if !lowercase_separator {
            cursor.expect(b'T', "`T`")?;
        }
        let [hour, minute, second] = cursor.time_of_day()?;
        let second_at = cursor.position() - 2;
        let (fraction, fraction_digits) = if cursor.eat(b'.') { cursor.fraction(MAX_FRACTION_DIGITS)? } else { (0, 0) };
        let zone = UtcOffset::parse(&mut cursor)?;
        cursor.expect_end()?;
        let this = Self { fraction, date, zone, hour, minute, second, fraction_digits, lowercase_separator };
        if second == 60 && this.utc_minutes().rem_euclid(MINUTES_PER_DAY) != LEAP_SECOND_MINUTE {
            return Err(ParseError::new(ParseErrorKind::LeapSecond, second_at));
        }
        Ok(this)
    }

    /// Appends the text with the separator, the fraction digits and the offset of the value.
    #[inline]
    pub(crate) fn write_text(&self, text: &mut TextBuffer) {
        self.date.write_text(text);
        let separator = if self.lowercase_separator { b't' } else { b'T' };
        let [[a, b], [c, d], [e, f]] = [self.hour, self.minute, self.second].map(two_ascii_digits);
        text.extend([separator, a, b, b':', c, d, b':', e, f]);
        if self.fraction_digits > 0 {
            text.push(b'.');
            text.digits(self.fraction, self.fraction_digits);
        }
        self.zone.write(text);
    }

    /// Returns the date at the offset of the value.
    #[must_use]
    pub const fn date(&self) -> Date {
        self.date
    }

    /// Returns the year, 0 to 9999.
    #[must_use]
    pub const fn year(&self) -> u16 {
        self.date.year()
    }

    /// Returns the month, 1 to 12.
    #[must_use]
    pub const fn month(&self) -> u8 {
        self.date.month()
    }

    /// Returns the day of the month, from 1.
    #[must_use]
    pub const fn day(&self) -> u8 {
        self.date.day()
    }

    /// Returns the hour, 0 to 23.
    #[must_use]
    pub const fn hour(&self) -> u8 {
        self.hour
    }

    /// Returns the minute, 0 to 59.
    #[must_use]
    pub const fn minute(&self) -> u8 {
        self.minute
    }

    /// Returns the second, 0 to 59, or 60 if this is a leap second.
    #[must_use]
    pub const fn second(&self) -> u8 {
        self.second
    }

    /// Returns the number of fraction digits of the second, 0 to 18.
    #[must_use]
    pub const fn fraction_digits(&self) -> u8 {
        self.fraction_digits
    }

    /// Returns the fraction of the second in nanoseconds, truncated.
    #[must_use]
    pub fn subsec_nanos(&self) -> u32 {
        nanos(self.attoseconds())
    }

    /// Returns whether the value has an offset, `Z` or numeric.
    #[must_use]
    pub const fn has_offset(&self) -> bool {
        !matches!(self.zone, UtcOffset::Absent)
    }

    /// Returns whether the offset is `-00:00`: the time is UTC and the local offset is unknown (RFC 3339, section 4.3).
    #[must_use]
    pub const fn is_local_offset_unknown(&self) -> bool {
        matches!(self.zone, UtcOffset::West(0))
    }

    /// Returns the offset in minutes, negative to the west of Greenwich; `None` if the value has none.
    #[must_use]
    pub fn offset_minutes(&self) -> Option<i16> {
        self.zone.minutes()
    }

    /// Returns whether both are the same instant, regardless of the notation. Two values without an offset are compared
    /// by their local time; one with and one without an offset are never the same.
    #[must_use]
    pub fn same_instant(&self, other: &Self) -> bool {
        self.cmp_instant(other) == Some(Ordering::Equal)
    }

    /// Compares the instants, including leap seconds and all fraction digits. If neither side has an offset the local
    /// times are compared; returns `None` if only one side has an offset.
    #[must_use]
    pub fn cmp_instant(&self, other: &Self) -> Option<Ordering> {
        let key = |this: &Self| (this.utc_minutes(), this.second, this.attoseconds());
        (self.has_offset() == other.has_offset()).then(|| key(self).cmp(&key(other)))
    }

    /// Returns the minutes since 0000-03-01T00:00Z; a value without an offset counts as UTC.
    fn utc_minutes(&self) -> i64 {
        let minute = i64::from(self.hour) * 60 + i64::from(self.minute);
        self.date.day_number() * MINUTES_PER_DAY + minute - i64::from(self.offset_minutes().unwrap_or(0))
    }

    /// Returns the fraction in attoseconds.
    fn attoseconds(&self) -> u64 {
        attoseconds(self.fraction, self.fraction_digits)
    }
}

/// Returns a fraction of `digits` digits in attoseconds.
pub(crate) fn attoseconds(fraction: u64, digits: u8) -> u64 {
    let missing = MAX_FRACTION_DIGITS.saturating_sub(digits);
    fraction.saturating_mul(10_u64.saturating_pow(u32::from(missing)))
}

/// Converts attoseconds to nanoseconds, truncated.
pub(crate) fn nanos(attoseconds: u64) -> u32 {
    // The quotient is at most 999,999,999.
    u32::try_from(attoseconds / 1_000_000_000).unwrap_or(0)
}

impl UtcOffset {
    /// Parses `Z`, `+01:00` or `-01:00`; at the end of the text the offset is absent.
    #[inline]
    pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Result<Self, ParseError> {
        match cursor.peek() {
            None => Ok(Self::Absent),
            Some(b'Z') => {
                cursor.eat(b'Z');
                Ok(Self::Utc)
            }
            Some(b'z') => {
                cursor.eat(b'z');
                Ok(Self::LowercaseUtc)
            }
            Some(sign @ (b'+' | b'-')) => {
                cursor.eat(sign);
                let hours = cursor.two_digits(0, 23, "offset hour")?;
                cursor.expect(b':', "`:`")?;
                let minutes = cursor.two_digits(0, 59, "offset minute")?;
                let offset = u16::from(hours) * 60 + u16::from(minutes);
                Ok(if sign == b'+' { Self::East(offset) } else { Self::West(offset) })
            }
            Some(_) => Err(cursor.error_here(ParseErrorKind::Expected("an offset"))),
        }
    }

    /// Returns the offset in minutes, negative to the west of Greenwich; `None` if it is absent.
    pub(crate) fn minutes(self) -> Option<i16> {
        match self {
            Self::Absent => None,
            Self::Utc | Self::LowercaseUtc => Some(0),
            Self::East(minutes) => i16::try_from(minutes).ok(),
            Self::West(minutes) => i16::try_from(minutes).ok().map(|minutes| -minutes),
        }
    }

    /// Appends the offset as it was parsed; nothing if it is absent.
    #[inline]
    pub(crate) fn write(self, text: &mut TextBuffer) {
        let (sign, minutes) = match self {
            Self::Absent => return,
            Self::Utc => return text.push(b'Z'),
            Self::LowercaseUtc => return text.push(b'z'),
            Self::East(minutes) => (b'+', minutes),
            Self::West(minutes) => (b'-', minutes),
        };
        let [[a, b], [c, d]] =
            [minutes / 60, minutes % 60].map(|part| two_ascii_digits(u8::try_from(part).unwrap_or(0)));
        text.extend([sign, a, b, b':', c, d]);
    }
}
