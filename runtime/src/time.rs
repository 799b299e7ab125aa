//! Time of day, RFC 3339 `partial-time` and `full-time`.

use crate::cursor::{Cursor, TextBuffer, two_ascii_digits};
use crate::datetime::{MAX_FRACTION_DIGITS, UtcOffset, attoseconds, nanos};
use crate::jiff::civil;
use crate::parse_error::{ParseError, ParseErrorKind};
use crate::text::text_type;

/// Time of day that keeps its original text: `09:30:00`, `09:30:00.25Z`, `23:59:60+01:00`.
///
/// It is parsed strictly by RFC 3339, section 5.6, with an offset (`full-time`) or without one (`partial-time`). A
/// fraction has at most 18 digits. Second 60 is accepted where it can be a leap second: in the minute 23:59 UTC, or at
/// 23:59 if there is no offset.
///
/// Equality and hash are those of the text: `10:00:00` and `10:00:00.0` are different values.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Time {
    /// Digits of the fraction as a number; `fraction_digits` is their count.
    pub(crate) fraction: u64,
    pub(crate) zone: UtcOffset,
    pub(crate) hour: u8,
    pub(crate) minute: u8,
    /// Second, 0 to 60.
    pub(crate) second: u8,
    pub(crate) fraction_digits: u8,
}

/// Number of minutes of a day.
const MINUTES_PER_DAY: i16 = 24 * 60;

text_type!(Time, "time of day");

impl Time {
    /// Start of the day, 00:00:00.
    pub const MIDNIGHT: Self =
        Self { fraction: 0, zone: UtcOffset::Absent, hour: 0, minute: 0, second: 0, fraction_digits: 0 };

    /// Parses a time.
    ///
    /// # Errors
    /// Returns an error if the text is not in the format of [`Time`].
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut cursor = Cursor::new(text);
        let [hour, minute, second] = cursor.time_of_day()?;
        let second_at = cursor.position() - 2;
        let (fraction, fraction_digits) = if cursor.eat(b'.') { cursor.fraction(MAX_FRACTION_DIGITS)? } else { (0, 0) };
        let zone = UtcOffset::parse(&mut cursor)?;
        cursor.expect_end()?;
        let this = Self { fraction, zone, hour, minute, second, fraction_digits };
        let local = i16::from(hour) * 60 + i16::from(minute);
        let utc = (local - this.offset_minutes().unwrap_or(0)).rem_euclid(MINUTES_PER_DAY);
        if second == 60 && utc != MINUTES_PER_DAY - 1 {
            return Err(ParseError::new(ParseErrorKind::LeapSecond, second_at));
        }
        Ok(this)
    }

    /// Appends the text with the fraction digits and the offset of the value.
    #[inline]
    pub(crate) fn write_text(&self, text: &mut TextBuffer) {
        let [[a, b], [c, d], [e, f]] = [self.hour, self.minute, self.second].map(two_ascii_digits);
        text.extend([a, b, b':', c, d, b':', e, f]);
        if self.fraction_digits > 0 {
            text.push(b'.');
            text.digits(self.fraction, self.fraction_digits);
        }
        self.zone.write(text);
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

    /// Returns the fraction of the second in nanoseconds, truncated.
    #[must_use]
    pub fn subsec_nanos(&self) -> u32 {
        nanos(attoseconds(self.fraction, self.fraction_digits))
    }

    /// Returns the offset in minutes, negative to the west of Greenwich; `None` if the value has none.
    #[must_use]
    pub fn offset_minutes(&self) -> Option<i16> {
        self.zone.minutes()
    }

    /// Converts the local time to jiff's type, for arithmetic. A leap second becomes the last nanosecond of its minute.
    #[must_use]
    pub fn to_civil(&self) -> civil::Time {
        let (second, nanos) = if self.second == 60 { (59, 999_999_999) } else { (self.second, self.subsec_nanos()) };
        let parts = [self.hour, self.minute, second].map(|part| i8::try_from(part).unwrap_or(0));
        civil::Time::new(parts[0], parts[1], parts[2], i32::try_from(nanos).unwrap_or(0)).unwrap_or_default()
    }
}

/// Creates a time without an offset, with the fewest of 0, 3, 6 or 9 fraction digits.
impl From<civil::Time> for Time {
    fn from(time: civil::Time) -> Self {
        let part = |part: i8| u8::try_from(part).unwrap_or(0);
        let nanos = u32::try_from(time.subsec_nanosecond()).unwrap_or(0);
        let (fraction, fraction_digits) = crate::datetime::minimal_fraction(nanos);
        Self {
            fraction: u64::from(fraction),
            zone: UtcOffset::Absent,
            hour: part(time.hour()),
            minute: part(time.minute()),
            second: part(time.second()),
            fraction_digits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn times_keep_their_notation() {
        for text in [
            "00:00:00",
            "09:30:00.250Z",
            "23:59:60",
            "23:59:60z",
            "00:59:60+01:00",
            "12:00:00-00:00",
            "12:00:00.123456789012345678+23:59",
        ] {
            assert_eq!(Time::parse(text).map(|time| time.to_string()).as_deref(), Ok(text));
        }
        let time = Time::parse("09:30:05.25-01:30").unwrap_or(Time::MIDNIGHT);
        assert_eq!((time.to_civil(), time.offset_minutes()), (civil::time(9, 30, 5, 250_000_000), Some(-90)));
        assert_eq!(Time::from(civil::time(9, 30, 5, 250_000_000)).to_string(), "09:30:05.250");
    }

    #[test]
    fn invalid_texts_and_positions() {
        for (text, position) in [
            ("", 0),
            ("24:00:00", 0),
            ("9:30:00", 1),
            ("09:30", 5),
            ("09:60:00", 3),
            ("09:30:61", 6),
            ("09:30:60", 6),
            ("23:59:60+01:00", 6),
            ("09:30:00.", 9),
            ("09:30:00 Z", 8),
            ("09:30:00+1:00", 10),
            ("T09:30:00", 0),
        ] {
            assert_eq!(Time::parse(text).map_err(|error| error.position()), Err(position), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_parses_or_fails(text in "[0-2][0-9]:[0-5][0-9]:[0-6][0-9](\\.[0-9]{0,3})?[-+Zz:0-9]{0,6}|.{0,12}") {
            if let Ok(time) = Time::parse(&text) {
                prop_assert_eq!(time.to_string(), text);
            }
        }
    }
}
