//! Decimal numbers of arbitrary precision, kept as the text that they are on the wire.

use std::borrow::Borrow;
use std::cmp::Ordering;

use crate::parse_error::{ParseError, ParseErrorKind};
use crate::text::kept_text;

/// Decimal number of arbitrary precision, a JSON string on the wire: `0.10`, `-12`, `6.02e23`.
///
/// The text follows the grammar of JSON numbers (RFC 8259, section 6): an optional `-`, digits without a leading zero,
/// an optional fraction and an optional exponent. It is kept as it is, without rounding.
///
/// Equality and hash are those of the text: `1` and `1.0` are different values. [`cmp_value`](Self::cmp_value) compares
/// the numbers exactly. To convert to a decimal type of another crate, parse the text: `value.parse::<Decimal>()`.
///
/// ```
/// use std::cmp::Ordering;
/// use wireform_runtime::BigDecimal;
///
/// let price = BigDecimal::parse("0.10")?;
/// assert_eq!(price.as_str(), "0.10");
/// assert_eq!(price.cmp_value(&BigDecimal::parse("1e-1")?), Ordering::Equal);
/// # Ok::<(), wireform_runtime::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BigDecimal {
    text: Box<str>,
}

kept_text!(BigDecimal, "decimal number");

impl BigDecimal {
    /// Parses a decimal number.
    ///
    /// # Errors
    /// Returns an error if the text is not a number in the format of [`BigDecimal`].
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        check(text)?;
        Ok(Self { text: text.into() })
    }

    /// Returns zero, written `0`.
    #[must_use]
    pub fn zero() -> Self {
        Self { text: "0".into() }
    }

    /// Returns the number as its text.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Compares the numeric values exactly, regardless of the notation and of the number of digits.
    #[must_use]
    pub fn cmp_value(&self, other: &Self) -> Ordering {
        compare(&self.text, &other.text)
    }

    /// Returns whether both have the same numeric value, regardless of the notation.
    #[must_use]
    pub fn eq_value(&self, other: &Self) -> bool {
        self.cmp_value(other) == Ordering::Equal
    }

    /// Compares the number with a number in text form. Falls back to the order of the texts where `other` is not a
    /// number.
    #[must_use]
    pub fn cmp_text(&self, other: &str) -> Ordering {
        if check(other).is_ok() { compare(&self.text, other) } else { self.as_str().cmp(other) }
    }
}

/// Checks that a text is a number in the grammar of JSON.
fn check(text: &str) -> Result<(), ParseError> {
    let digits = |at: usize| text.as_bytes().iter().skip(at).take_while(|byte| byte.is_ascii_digit()).count();
    let byte = |at: usize| text.as_bytes().get(at).copied();
    let some_digits = |at: usize| match digits(at) {
        0 => Err(ParseError::new(ParseErrorKind::Expected("a digit"), at)),
        count => Ok(at + count),
    };
    let start = usize::from(byte(0) == Some(b'-'));
    let mut at = some_digits(start)?;
    if byte(start) == Some(b'0') && at > start + 1 {
        return Err(ParseError::new(ParseErrorKind::LeadingZero, start));
    }
    if byte(at) == Some(b'.') {
        at = some_digits(at + 1)?;
    }
    if matches!(byte(at), Some(b'e' | b'E')) {
        at += 1 + usize::from(matches!(byte(at + 1), Some(b'+' | b'-')));
        at = some_digits(at)?;
    }
    if at == text.len() { Ok(()) } else { Err(ParseError::new(ParseErrorKind::Trailing, at)) }
}

/// Digits of a number other than zero, and the power of ten of the first of them.
struct Magnitude<'t> {
    whole: &'t str,
    fraction: &'t str,
    /// Number of zeros before the first non-zero digit.
    zeros: usize,
    /// Power of ten of the first non-zero digit.
    power: i128,
}

impl<'t> Magnitude<'t> {
    /// Splits a number into its digits and its power of ten; `None` for zero.
    fn parse(text: &'t str) -> Option<Self> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let zeros = digits(whole, fraction).position(|digit| digit != b'0')?;
        let power = i128::try_from(whole.len()).unwrap_or(i128::MAX) - 1 - i128::try_from(zeros).unwrap_or(i128::MAX);
        Some(Self { whole, fraction, zeros, power: power.saturating_add(clamped_exponent(exponent)) })
    }

    /// Returns the digits from the first non-zero one, followed by infinitely many zeros.
    fn digits(&self) -> impl Iterator<Item = u8> {
        digits(self.whole, self.fraction).skip(self.zeros).chain(std::iter::repeat(b'0'))
    }

    fn cmp(&self, other: &Self) -> Ordering {
        let count = |one: &Self| one.whole.len() + one.fraction.len();
        let longest = count(self).max(count(other));
        self.power.cmp(&other.power).then_with(|| self.digits().take(longest).cmp(other.digits().take(longest)))
    }
}

/// Returns the digits before and after the point.
fn digits<'t>(whole: &'t str, fraction: &'t str) -> impl Iterator<Item = u8> + 't {
    whole.bytes().chain(fraction.bytes())
}

/// Returns the value of an exponent, limited to a magnitude that no number of digits can compensate.
fn clamped_exponent(text: &str) -> i128 {
    let negative = text.starts_with('-');
    let magnitude = text.trim_start_matches(['+', '-']).trim_start_matches('0');
    // Larger than the number of bytes of any text, and well within the limits of the type.
    const MAX_EXPONENT: i128 = 1_000_000_000_000_000_000_000_000_000_000;
    let magnitude = if magnitude.is_empty() { 0 } else { magnitude.parse().unwrap_or(MAX_EXPONENT).min(MAX_EXPONENT) };
    if negative { -magnitude } else { magnitude }
}

/// Compares two texts that are valid numbers.
fn compare(one: &str, other: &str) -> Ordering {
    let split = |text| match str::strip_prefix(text, "-") {
        Some(rest) => (true, Magnitude::parse(rest)),
        None => (false, Magnitude::parse(text)),
    };
    match (split(one), split(other)) {
        ((_, None), (_, None)) => Ordering::Equal,
        ((true, Some(_)), (_, None)) | ((true, Some(_)), (false, Some(_))) | ((_, None), (false, Some(_))) => {
            Ordering::Less
        }
        ((false, Some(_)), (_, None)) | ((false, Some(_)), (true, Some(_))) | ((_, None), (true, Some(_))) => {
            Ordering::Greater
        }
        ((false, Some(one)), (false, Some(other))) => one.cmp(&other),
        ((true, Some(one)), (true, Some(other))) => other.cmp(&one),
    }
}

impl Borrow<str> for BigDecimal {
    fn borrow(&self) -> &str {
        &self.text
    }
}

impl AsRef<str> for BigDecimal {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

macro_rules! from_integers {
    ($($ty:ty)*) => {$(
        impl From<$ty> for BigDecimal {
            fn from(value: $ty) -> Self {
                Self { text: value.to_string().into() }
            }
        }
    )*};
}

from_integers!(i32 i64 u32 u64 i128 u128);

#[cfg(test)]
mod tests;
