//! Signed span of time in seconds, in the JSON format of `google.protobuf.Duration`.

use std::cmp::Ordering;
use std::fmt;

use crate::cursor::{Cursor, TextBuffer};
use crate::datetime::minimal_fraction;
use crate::jiff::SignedDuration;
use crate::parse_error::{ParseError, ParseErrorKind};
use crate::text::text_type;

/// Span of time, written as seconds with the suffix `s`: `3s`, `-1.5s`, `0.000000001s`.
///
/// The sign is absent or `-`. The seconds have no leading zeros and are at most 315,576,000,000 (about 10,000 years) in
/// either direction; the fraction has at most nine digits and is kept as it is.
///
/// Equality and hash are those of the text: `1s` and `1.000s` are different values. [`cmp_length`](Self::cmp_length)
/// compares the lengths.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Duration {
    seconds: u64,
    /// Digits of the fraction as a number; `fraction_digits` is their count.
    fraction: u32,
    fraction_digits: u8,
    negative: bool,
}

/// Maximum number of whole seconds.
const MAX_SECONDS: u64 = 315_576_000_000;
/// Maximum number of digits of the fraction: nanoseconds.
const MAX_FRACTION_DIGITS: u8 = 9;

text_type!(Duration, "duration");

impl Duration {
    /// Zero-length duration.
    pub const ZERO: Self = Self { seconds: 0, fraction: 0, fraction_digits: 0, negative: false };

    /// Parses a duration.
    ///
    /// # Errors
    /// Returns an error if the text is not in the format of [`Duration`].
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut cursor = Cursor::new(text);
        let negative = cursor.eat(b'-');
        let seconds = parse_whole_seconds(&mut cursor)?;
        let (fraction, fraction_digits) = if cursor.eat(b'.') { cursor.fraction(MAX_FRACTION_DIGITS)? } else { (0, 0) };
        cursor.expect(b's', "`s` for seconds, as in `1.5s`,")?;
        cursor.expect_end()?;
        // Nine digits fit.
        let fraction = u32::try_from(fraction).unwrap_or(u32::MAX);
        Ok(Self { seconds, fraction, fraction_digits, negative })
    }

    /// Creates a duration from its sign, its seconds, and the digits of the fraction with their count.
    pub(crate) const fn of_digits(negative: bool, seconds: u64, (fraction, fraction_digits): (u32, u8)) -> Self {
        Self { seconds, fraction, fraction_digits, negative }
    }

    /// Appends `1.5s`, with the fraction digits of the value.
    #[inline]
    pub(crate) fn write_text(&self, text: &mut TextBuffer) {
        if self.negative {
            text.push(b'-');
        }
        text.number(self.seconds);
        if self.fraction_digits > 0 {
            text.push(b'.');
            text.digits(u64::from(self.fraction), self.fraction_digits);
        }
        text.push(b's');
    }

    /// Returns whether the duration is less than zero.
    #[must_use]
    pub const fn is_negative(&self) -> bool {
        self.negative && !self.is_zero()
    }

    /// Returns whether the duration is zero, regardless of the notation.
    #[must_use]
    pub const fn is_zero(&self) -> bool {
        self.seconds == 0 && self.fraction == 0
    }

    /// Compares the lengths, regardless of the notation; negative durations are less.
    #[must_use]
    pub fn cmp_length(&self, other: &Self) -> Ordering {
        self.to_signed().cmp(&other.to_signed())
    }

    /// Converts the duration to jiff's type, for arithmetic.
    #[must_use]
    pub fn to_signed(&self) -> SignedDuration {
        let seconds = i64::try_from(self.seconds).unwrap_or(i64::MAX);
        let nanos = i32::try_from(self.nanos()).unwrap_or(0);
        if self.negative { SignedDuration::new(-seconds, -nanos) } else { SignedDuration::new(seconds, nanos) }
    }

    /// Returns the fraction in nanoseconds.
    fn nanos(&self) -> u32 {
        let missing = MAX_FRACTION_DIGITS.saturating_sub(self.fraction_digits);
        self.fraction.saturating_mul(10_u32.saturating_pow(u32::from(missing)))
    }

    /// Creates a duration with the fewest of 0, 3, 6 or 9 fraction digits.
    const fn from_parts(negative: bool, seconds: u64, nanos: u32) -> Result<Self, DurationOutOfRange> {
        if seconds > MAX_SECONDS {
            return Err(DurationOutOfRange);
        }
        let (fraction, fraction_digits) = minimal_fraction(nanos);
        Ok(Self { seconds, fraction, fraction_digits, negative })
    }
}

/// Parses the digits before the fraction; an error at a leading zero or beyond the maximum.
fn parse_whole_seconds(cursor: &mut Cursor<'_>) -> Result<u64, ParseError> {
    let start = cursor.position();
    let Some(first) = cursor.eat_digit() else {
        return Err(cursor.error_here(ParseErrorKind::Expected("seconds, as in `1.5s`,")));
    };
    let mut seconds = u64::from(first);
    while let Some(digit) = cursor.eat_digit() {
        if first == 0 {
            return Err(ParseError::new(ParseErrorKind::LeadingZero, start));
        }
        seconds = seconds.saturating_mul(10).saturating_add(u64::from(digit));
    }
    if seconds > MAX_SECONDS {
        return Err(ParseError::new(ParseErrorKind::OutOfRange("duration"), start));
    }
    Ok(seconds)
}

/// Error of a conversion to a type of duration that cannot hold the length: beyond 315,576,000,000 seconds, or negative
/// if the type has no negative durations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DurationOutOfRange;

impl fmt::Display for DurationOutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("duration out of range")
    }
}

impl std::error::Error for DurationOutOfRange {}

impl From<Duration> for SignedDuration {
    fn from(duration: Duration) -> Self {
        duration.to_signed()
    }
}

impl TryFrom<SignedDuration> for Duration {
    type Error = DurationOutOfRange;

    fn try_from(duration: SignedDuration) -> Result<Self, DurationOutOfRange> {
        let length = duration.unsigned_abs();
        Self::from_parts(duration.is_negative(), length.as_secs(), length.subsec_nanos())
    }
}

impl TryFrom<std::time::Duration> for Duration {
    type Error = DurationOutOfRange;

    fn try_from(duration: std::time::Duration) -> Result<Self, DurationOutOfRange> {
        Self::from_parts(false, duration.as_secs(), duration.subsec_nanos())
    }
}

impl TryFrom<Duration> for std::time::Duration {
    type Error = DurationOutOfRange;

    fn try_from(duration: Duration) -> Result<Self, DurationOutOfRange> {
        if duration.is_negative() {
            return Err(DurationOutOfRange);
        }
        Ok(Self::new(duration.seconds, duration.nanos()))
    }
}

#[cfg(test)]
mod tests;
