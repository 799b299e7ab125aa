//! Decimal numbers of arbitrary precision, kept as the text that they are on the wire.

use std::borrow::Borrow;
use std::cmp::Ordering;

use crate::decimal_digits::{check, compare};
use crate::parse_error::ParseError;
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
    pub(crate) text: Box<str>,
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
