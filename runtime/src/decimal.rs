//! 64-bit integers that are strings on the wire, since numbers of JavaScript cannot represent them.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, SeqAccess, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::cursor::{Cursor, TextBuffer};
use crate::field_encoding::ToWire;
use crate::merge::Merge;
use crate::number::exact_integer;
use crate::parse_error::{ParseError, ParseErrorKind};
use crate::wire::FromWire;

/// `i64` or `u64` that is written as a string of decimal digits.
///
/// It is parsed exactly, from such a string or from a JSON number, which may be a float without a fraction. Each number
/// has one string: digits without a leading zero, after a `-` if the number is negative; no `+`, no `-0`, no spaces.
///
/// ```
/// use wireform_runtime::{Decimal, json};
///
/// assert_eq!(json::from_str::<Decimal<u64>>("12")?, Decimal(12));
/// assert_eq!(json::to_string(&Decimal(12_u64)).ok().as_deref(), Some("\"12\""));
/// # Ok::<(), json::DecodeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal<T>(pub T);

/// Integer that a [`Decimal`] holds: `i64` or `u64`.
pub trait DecimalInteger: Copy + PartialEq + fmt::Display + FromStr + sealed::Integer + 'static {}

mod sealed {
    /// Requirements of [`super::Decimal`] on its integer.
    pub trait Integer: Sized + TryFrom<i64> + TryFrom<u64> {
        /// Expected type, for error messages.
        const EXPECTING: &'static str;
        /// True if the type has negative numbers.
        const SIGNED: bool;
        /// Returns whether the number is negative, and its magnitude.
        fn split(self) -> (bool, u64);
    }
}

impl DecimalInteger for i64 {}
impl DecimalInteger for u64 {}

impl sealed::Integer for i64 {
    const EXPECTING: &'static str = "a 64-bit integer, as a string or a number";
    const SIGNED: bool = true;

    #[inline]
    fn split(self) -> (bool, u64) {
        (self < 0, self.unsigned_abs())
    }
}

impl sealed::Integer for u64 {
    const EXPECTING: &'static str = "a 64-bit integer that is not negative, as a string or a number";
    const SIGNED: bool = false;

    #[inline]
    fn split(self) -> (bool, u64) {
        (false, self)
    }
}

impl<T: DecimalInteger> Decimal<T> {
    /// Parses a decimal string.
    ///
    /// # Errors
    /// Returns an error if the text is not the canonical form of a number, or the number is out of range.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut cursor = Cursor::new(text);
        let negative = T::SIGNED && cursor.eat(b'-');
        let start = cursor.position();
        let Some(first) = cursor.eat_digit() else {
            return Err(cursor.error_here(ParseErrorKind::Expected("a digit")));
        };
        if first == 0 && (negative || cursor.peek().is_some_and(|next| next.is_ascii_digit())) {
            return Err(ParseError::new(ParseErrorKind::LeadingZero, start));
        }
        while cursor.eat_digit().is_some() {}
        cursor.expect_end()?;
        // Only the range can be wrong now.
        text.parse().map(Self).map_err(|_| ParseError::new(ParseErrorKind::OutOfRange("integer"), 0))
    }

    /// Appends the digits, after a sign if the value is negative.
    #[inline]
    fn write_text(self, text: &mut TextBuffer) {
        let (negative, magnitude) = self.0.split();
        if negative {
            text.push(b'-');
        }
        text.number(magnitude);
    }
}

impl<T: DecimalInteger> FromStr for Decimal<T> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

impl<T> From<T> for Decimal<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T: PartialEq> PartialEq<T> for Decimal<T> {
    fn eq(&self, other: &T) -> bool {
        self.0 == *other
    }
}

impl<T: fmt::Display> fmt::Display for Decimal<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: DecimalInteger> Serialize for Decimal<T> {
    #[inline]
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut text = TextBuffer::new();
        self.write_text(&mut text);
        s.serialize_str(text.as_str())
    }
}

impl<T: DecimalInteger> ToWire for Decimal<T> {
    #[inline]
    fn to_wire<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        self.serialize(s)
    }
}

impl<'de, T: DecimalInteger> Deserialize<'de> for Decimal<T> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Self::from_wire(d)
    }
}

impl<'de, T: DecimalInteger> FromWire<'de> for Decimal<T> {
    #[inline]
    fn from_wire<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        // The value may have either type, so the format has to be self-describing.
        d.deserialize_any(DecimalVisitor(PhantomData))
    }
}

/// Visitor of an integer, as a number or as decimal text.
struct DecimalVisitor<T>(PhantomData<fn() -> T>);

impl<'de, T: DecimalInteger> Visitor<'de> for DecimalVisitor<T> {
    type Value = Decimal<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTING)
    }

    #[inline]
    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Decimal::parse(text).map_err(|error| E::custom(format_args!("invalid decimal integer: {error}")))
    }

    #[inline]
    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        T::try_from(value).map(Decimal).map_err(|_| E::invalid_value(Unexpected::Signed(value), &self))
    }

    #[inline]
    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        T::try_from(value).map(Decimal).map_err(|_| E::invalid_value(Unexpected::Unsigned(value), &self))
    }

    #[inline]
    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        exact_integer(value)
            .and_then(|integer| T::try_from(integer).ok())
            .map(Decimal)
            .ok_or_else(|| E::invalid_value(Unexpected::Float(value), &self))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        // Skipped to its end, so that the error is located at the list and not at its first item.
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Err(A::Error::invalid_type(Unexpected::Seq, &self))
    }
}

impl<T: DecimalInteger> Merge for Decimal<T> {
    type Patch = Self;

    fn diff(&self, new: &Self) -> Option<Self> {
        (self != new).then_some(*new)
    }

    fn apply(&mut self, patch: Self) {
        *self = patch;
    }

    fn create(patch: Self) -> Self {
        patch
    }

    fn to_patch(&self) -> Self {
        *self
    }
}

#[cfg(test)]
mod tests;
