//! Conversions from Rust's numbers, and comparisons with them.

use std::cmp::Ordering;

use super::Number;
use crate::decimal_digits::compare;
use crate::parse_error::{ParseError, ParseErrorKind};

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl From<$ty> for Number {
            fn from(value: $ty) -> Self {
                Self::of_text(itoa::Buffer::new().format(value))
            }
        }

        impl PartialEq<$ty> for Number {
            fn eq(&self, other: &$ty) -> bool {
                compare(self.as_str(), itoa::Buffer::new().format(*other)).is_eq()
            }
        }

        impl PartialEq<Number> for $ty {
            fn eq(&self, other: &Number) -> bool {
                other == self
            }
        }

        impl PartialOrd<$ty> for Number {
            fn partial_cmp(&self, other: &$ty) -> Option<Ordering> {
                Some(compare(self.as_str(), itoa::Buffer::new().format(*other)))
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 i128 u8 u16 u32 u64 u128);

macro_rules! floats {
    ($($ty:ty)*) => {$(
        /// The number has the shortest digits that identify the float; one without a fraction is written as an integer.
        impl TryFrom<$ty> for Number {
            type Error = ParseError;

            fn try_from(value: $ty) -> Result<Self, ParseError> {
                if !value.is_finite() {
                    return Err(ParseError::new(ParseErrorKind::Expected("a finite number"), 0));
                }
                let mut buffer = zmij::Buffer::new();
                let text = buffer.format_finite(value);
                Ok(Self::of_text(text.strip_suffix(".0").unwrap_or(text)))
            }
        }
    )*};
}

floats!(f32 f64);

impl PartialEq<f64> for Number {
    fn eq(&self, other: &f64) -> bool {
        self.as_f64() == *other
    }
}

impl PartialEq<Number> for f64 {
    fn eq(&self, other: &Number) -> bool {
        other == self
    }
}

impl PartialOrd<f64> for Number {
    fn partial_cmp(&self, other: &f64) -> Option<Ordering> {
        self.as_f64().partial_cmp(other)
    }
}
