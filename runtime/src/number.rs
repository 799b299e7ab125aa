//! Numbers on the wire: an integer may be written as a float without a fraction, and nothing is rounded into range.

use std::fmt;

use serde::de::{Deserializer, Error, Unexpected, Visitor};

use crate::wire::FromWire;

/// Largest magnitude at which every integer has a distinct float, 2^53 - 1. Above it the float may be the rounding of
/// another integer (RFC 8259, section 6), so it is not accepted as one.
const MAX_EXACT_INTEGER: f64 = 9_007_199_254_740_991.0;

/// Converts a float to an integer, if it has no fraction and its magnitude is small enough to be exact.
#[inline]
pub(crate) fn exact_integer(value: f64) -> Option<i64> {
    // NaN fails the comparison, and so do the infinities.
    if value.abs() <= MAX_EXACT_INTEGER && value.fract() == 0.0 {
        // Exact: the range was checked above.
        return Some(value as i64);
    }
    None
}

macro_rules! integer {
    ($($ty:ident by $method:ident: $expecting:literal;)*) => {$(
        impl<'de> FromWire<'de> for $ty {
            #[inline]
            fn from_wire<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                struct IntegerVisitor;

                impl Visitor<'_> for IntegerVisitor {
                    type Value = $ty;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expecting)
                    }

                    #[inline]
                    fn visit_i64<E: Error>(self, value: i64) -> Result<$ty, E> {
                        $ty::try_from(value).map_err(|_| E::invalid_value(Unexpected::Signed(value), &self))
                    }

                    #[inline]
                    fn visit_u64<E: Error>(self, value: u64) -> Result<$ty, E> {
                        $ty::try_from(value).map_err(|_| E::invalid_value(Unexpected::Unsigned(value), &self))
                    }

                    #[inline]
                    fn visit_f64<E: Error>(self, value: f64) -> Result<$ty, E> {
                        exact_integer(value)
                            .and_then(|integer| $ty::try_from(integer).ok())
                            .ok_or_else(|| E::invalid_value(Unexpected::Float(value), &self))
                    }
                }

                d.$method(IntegerVisitor)
            }
        }
    )*};
}

integer! {
    i32 by deserialize_i32: "a 32-bit integer";
    u32 by deserialize_u32: "a 32-bit integer that is not negative";
    i64 by deserialize_i64: "a 64-bit integer";
    u64 by deserialize_u64: "a 64-bit integer that is not negative";
}

macro_rules! float {
    ($($ty:ident by $method:ident: $expecting:literal;)*) => {$(
        impl<'de> FromWire<'de> for $ty {
            #[inline]
            fn from_wire<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                struct FloatVisitor;

                // The casts round to the nearest float, as parsing a decimal number as a float does.
                impl Visitor<'_> for FloatVisitor {
                    type Value = $ty;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expecting)
                    }

                    #[inline]
                    fn visit_i64<E: Error>(self, value: i64) -> Result<$ty, E> {
                        Ok(value as $ty)
                    }

                    #[inline]
                    fn visit_u64<E: Error>(self, value: u64) -> Result<$ty, E> {
                        Ok(value as $ty)
                    }

                    #[inline]
                    fn visit_f64<E: Error>(self, value: f64) -> Result<$ty, E> {
                        // A finite number that is too large for the type has become infinite.
                        let narrowed = value as $ty;
                        if narrowed.is_finite() {
                            Ok(narrowed)
                        } else {
                            Err(E::invalid_value(Unexpected::Float(value), &self))
                        }
                    }
                }

                d.$method(FloatVisitor)
            }
        }
    )*};
}

float! {
    f32 by deserialize_f32: "a number within the range of 32-bit floats";
    f64 by deserialize_f64: "a finite number";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::from_str;

    #[test]
    fn integers_may_be_written_as_floats() {
        for (text, value) in [
            ("0", 0),
            ("-0", 0),
            ("-0.0", 0),
            ("1.0", 1),
            ("1e2", 100),
            ("100000.000", 100_000),
            ("2147483647", i32::MAX),
            ("2.147483647e9", i32::MAX),
            ("-2.147483648e9", i32::MIN),
            ("1200e-2", 12),
        ] {
            assert_eq!(from_str::<i32>(text).ok(), Some(value), "{text}");
        }
        for text in ["0.5", "1e-1", "2147483648", "-2147483649", "2147483648.0", "1e400", "\"1\"", "true", "[]"] {
            assert!(from_str::<i32>(text).is_err(), "{text}");
        }
        assert_eq!(from_str::<u32>("4.294967295e9").ok(), Some(u32::MAX));
        assert!(from_str::<u32>("-1").is_err());
        assert!(from_str::<u32>("-1.0").is_err());
    }

    #[test]
    fn wide_integers_are_exact_or_rejected() {
        assert_eq!(from_str::<i64>("-9223372036854775808").ok(), Some(i64::MIN));
        assert_eq!(from_str::<u64>("18446744073709551615").ok(), Some(u64::MAX));
        assert!(from_str::<i64>("9223372036854775808").is_err());
        assert!(from_str::<u64>("18446744073709551616").is_err());
        assert_eq!(from_str::<i64>("9007199254740991.0").ok(), Some(9_007_199_254_740_991));
        // As a float this is the same number as 9007199254740992.0.
        assert!(from_str::<i64>("9007199254740993.0").is_err());
    }

    #[test]
    fn floats_stay_finite() {
        assert_eq!(from_str::<f32>("3.402823e+38").ok(), Some(3.402_823e38));
        assert!(from_str::<f32>("3.502823e+38").is_err());
        assert!(from_str::<f32>("-3.502823e+38").is_err());
        assert_eq!(from_str::<f32>("7").ok(), Some(7.0));
        assert_eq!(from_str::<f64>("1.79769e+308").ok(), Some(1.79769e308));
        for text in ["1.89769e+308", "\"NaN\"", "NaN", "Infinity", "\"1\"", "true", "null"] {
            assert!(from_str::<f64>(text).is_err(), "{text}");
        }
        let infinite = serde::de::value::F64Deserializer::<serde::de::value::Error>::new(f64::INFINITY);
        assert!(f64::from_wire(infinite).is_err());
        assert_eq!(exact_integer(f64::NAN), None);
        assert_eq!(exact_integer(f64::INFINITY), None);
    }
}
