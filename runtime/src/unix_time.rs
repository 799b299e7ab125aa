//! Points in time as the number of seconds or milliseconds since 1970.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::field_encoding::ToWire;
use crate::jiff::Timestamp;
use crate::wire::FromWire;

/// Error of a number that is before the year -9999 or after the year 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeOutOfRange;

impl fmt::Display for TimeOutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a timestamp out of range")
    }
}

impl std::error::Error for TimeOutOfRange {}

macro_rules! unix_time {
    ($(#[$doc:meta])* $ty:ident, $unit:literal, $from:ident, $as:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $ty(pub i64);

        impl $ty {
            #[doc = concat!("Creates the point in time of this number of ", $unit, " since 1970-01-01T00:00:00Z.")]
            ///
            /// # Errors
            /// Returns an error if it is not in the years -9999 to 9999.
            pub fn new(value: i64) -> Result<Self, TimeOutOfRange> {
                Timestamp::$from(value).map(|_| Self(value)).map_err(|_| TimeOutOfRange)
            }

            /// Converts the value to jiff's type, for arithmetic.
            ///
            /// # Errors
            /// Returns an error if the number is out of range, which no parsed number is.
            pub fn to_timestamp(self) -> Result<Timestamp, TimeOutOfRange> {
                Timestamp::$from(self.0).map_err(|_| TimeOutOfRange)
            }
        }

        #[doc = concat!("Truncates to whole ", $unit, ".")]
        impl From<Timestamp> for $ty {
            fn from(time: Timestamp) -> Self {
                Self(time.$as())
            }
        }

        impl TryFrom<$ty> for Timestamp {
            type Error = TimeOutOfRange;

            fn try_from(time: $ty) -> Result<Self, TimeOutOfRange> {
                time.to_timestamp()
            }
        }

        impl From<i64> for $ty {
            fn from(value: i64) -> Self {
                Self(value)
            }
        }

        impl PartialEq<i64> for $ty {
            fn eq(&self, other: &i64) -> bool {
                self.0 == *other
            }
        }

        impl fmt::Display for $ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl Serialize for $ty {
            #[inline]
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_i64(self.0)
            }
        }

        impl<'de> Deserialize<'de> for $ty {
            #[inline]
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                Self::from_wire(d)
            }
        }

        impl<'de> FromWire<'de> for $ty {
            #[inline]
            fn from_wire<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let value = i64::from_wire(d)?;
                Self::new(value).map_err(|error| D::Error::custom(format_args!(
                    concat!("invalid number of ", $unit, " since 1970: {}"), error
                )))
            }
        }

        impl ToWire for $ty {
            #[inline]
            fn to_wire<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                self.serialize(s)
            }
        }

        crate::merge_whole!($ty);
    };
}

unix_time! {
    /// Point in time as the number of whole seconds since 1970-01-01T00:00:00Z, a JSON number on the wire.
    ///
    /// ```
    /// use wireform_runtime::UnixTime;
    ///
    /// let at = UnixTime::new(1_700_000_000)?;
    /// assert_eq!(at.to_timestamp()?.to_string(), "2023-11-14T22:13:20Z");
    /// # Ok::<(), wireform_runtime::TimeOutOfRange>(())
    /// ```
    UnixTime, "seconds", from_second, as_second
}

unix_time! {
    /// Point in time as the number of whole milliseconds since 1970-01-01T00:00:00Z, a JSON number on the wire.
    UnixMillis, "milliseconds", from_millisecond, as_millisecond
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{from_str, to_string};

    #[test]
    fn numbers_are_points_in_time() {
        for (text, expected) in
            [("0", "1970-01-01T00:00:00Z"), ("-1", "1969-12-31T23:59:59Z"), ("1e3", "1970-01-01T00:16:40Z")]
        {
            let time = from_str::<UnixTime>(text).ok().and_then(|time| time.to_timestamp().ok());
            assert_eq!(time.map(|time| time.to_string()).as_deref(), Some(expected), "{text}");
        }
        let time = from_str::<UnixMillis>("1700000000123").unwrap_or_default();
        assert_eq!(time.to_timestamp().map(|time| time.to_string()).as_deref(), Ok("2023-11-14T22:13:20.123Z"));
        assert_eq!(to_string(&time).ok().as_deref(), Some("1700000000123"));
        assert_eq!(time.to_timestamp().map(UnixMillis::from), Ok(time));
    }

    #[test]
    fn invalid_points_in_time_are_rejected() {
        for text in ["0.5", "\"0\"", "9223372036854775807", "-377705116801", "253402300800", "true"] {
            assert!(from_str::<UnixTime>(text).is_err(), "{text}");
        }
        assert_eq!(
            from_str::<UnixTime>("1e12").err().map(|error| error.to_string().contains("out of range")),
            Some(true)
        );
        assert!(from_str::<UnixMillis>("1e15").is_err());
        assert_eq!(UnixTime::from(i64::MAX).to_timestamp(), Err(TimeOutOfRange));
    }
}
