//! Digits of decimal numbers of arbitrary precision, in the text of JSON: their grammar, order and value.
//!
//! No function writes out an exponent, so that `1e999999999` costs no more than its text.

use std::cmp::Ordering;
use std::fmt;

use crate::parse_error::{ParseError, ParseErrorKind};

/// Checks that a text is a number in the grammar of JSON.
pub fn check(text: &str) -> Result<(), ParseError> {
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

    /// Returns the written digits from the first non-zero one.
    fn significant(&self) -> impl Iterator<Item = u8> {
        digits(self.whole, self.fraction).skip(self.zeros)
    }

    /// Returns the digits from the first non-zero one, followed by infinitely many zeros.
    fn digits(&self) -> impl Iterator<Item = u8> {
        self.significant().chain(std::iter::repeat(b'0'))
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
pub fn compare(one: &str, other: &str) -> Ordering {
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

/// Splits a number into its sign and its magnitude; `None` for zero, which has no sign.
fn split(text: &str) -> (bool, Option<Magnitude<'_>>) {
    match text.strip_prefix('-') {
        Some(rest) => (true, Magnitude::parse(rest)),
        None => (false, Magnitude::parse(text)),
    }
}

/// Returns the integer that a valid number is, whatever its notation; `None` if it has a fraction or more than 128 bits.
pub fn integer(text: &str) -> Option<i128> {
    let (negative, Some(magnitude)) = split(text) else { return Some(0) };
    let count = usize::try_from(magnitude.power).ok().filter(|power| *power < MAX_INTEGER_DIGITS)? + 1;
    if magnitude.significant().skip(count).any(|digit| digit != b'0') {
        return None;
    }
    // The sign comes first: the least integer has no positive counterpart.
    magnitude.digits().take(count).try_fold(0_i128, |value, digit| {
        let digit = i128::from(digit - b'0');
        value.checked_mul(10)?.checked_add(if negative { -digit } else { digit })
    })
}

/// Number of digits of the greatest integer of 128 bits.
const MAX_INTEGER_DIGITS: usize = 39;

/// Writes a valid number in the only notation that all numbers of its value share: `-12e3`, without zeros at either end.
pub fn write_normalized(text: &str, output: &mut impl fmt::Write) -> fmt::Result {
    let (negative, Some(magnitude)) = split(text) else { return output.write_char('0') };
    if negative {
        output.write_char('-')?;
    }
    let mut zeros = 0;
    for digit in magnitude.significant() {
        if digit == b'0' {
            zeros += 1;
            continue;
        }
        for _ in 0..std::mem::take(&mut zeros) {
            output.write_char('0')?;
        }
        output.write_char(char::from(digit))?;
    }
    // The power is that of the first digit, which does not depend on the others.
    write!(output, "e{}", magnitude.power)
}
