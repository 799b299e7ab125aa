//! Decoding and encoding of numbers.
//!
//! serde has no number of arbitrary precision. The reader and the writer of [`json`](crate::json), and other
//! deserializers that know the names below, pass the text; all others pass the integer, or the double if it has
//! the same value, and fail otherwise.

use std::cell::Cell;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Unexpected, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

use super::Number;
use crate::decimal_digits::write_normalized;
use crate::wire::FromWire;

/// Name of the newtype with which a [`Number`] requests and passes its text. A deserializer that knows it calls
/// `visit_str` for a JSON number, and fails for any other value. A serializer that knows it is not human-readable for
/// the content of the newtype, which then passes its text as bytes.
pub const NUMBER_NEWTYPE: &str = "$wireform::number";

/// Name of the newtype with which a visitor of any value requests the exact text of numbers. A deserializer that knows
/// it calls `visit_borrowed_bytes` for a number that is not an integer of 64 bits as it would be written, and otherwise
/// the same methods as in `deserialize_any`.
pub const EXACT_NEWTYPE: &str = "$wireform::exact";

impl<'de> FromWire<'de> for Number {
    fn from_wire<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_newtype_struct(NUMBER_NEWTYPE, NumberVisitor { is_text: true })
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Self::from_wire(d)
    }
}

/// Visitor of a number.
struct NumberVisitor {
    /// Whether a text is that of a number. It is a string if the deserializer does not know [`NUMBER_NEWTYPE`].
    is_text: bool,
}

impl<'de> Visitor<'de> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, d: D) -> Result<Number, D::Error> {
        d.deserialize_any(Self { is_text: false })
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Number, E> {
        Ok(value.into())
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Number, E> {
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Number, E> {
        Number::try_from(value).map_err(|_| E::invalid_value(Unexpected::Float(value), &self))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Number, E> {
        if !self.is_text {
            return Err(E::invalid_type(Unexpected::Str(text), &self));
        }
        Number::parse(text).map_err(|error| E::custom(format_args!("invalid number: {error}")))
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_newtype_struct(NUMBER_NEWTYPE, &Content(self))
    }
}

/// Content of the newtype of a number.
struct Content<'n>(&'n Number);

impl Serialize for Content<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let text = self.0.as_str();
        if !s.is_human_readable() {
            return s.serialize_bytes(text.as_bytes());
        }
        if IS_NORMALIZED.get() {
            let mut normalized = String::new();
            write_normalized(text, &mut normalized).map_err(S::Error::custom)?;
            return s.serialize_str(&normalized);
        }
        // `5.0` remains a float.
        let is_integer = !text.contains(['.', 'e', 'E']) && text != "-0";
        match (self.0.as_u64(), self.0.as_i64()) {
            (Some(value), _) if is_integer => s.serialize_u64(value),
            (_, Some(value)) if is_integer => s.serialize_i64(value),
            // A double that has another value would change the number in silence.
            _ => match Number::try_from(self.0.as_f64()) {
                Ok(nearest) if nearest == *self.0 => s.serialize_f64(self.0.as_f64()),
                _ => Err(S::Error::custom(format_args!("the number `{text}` has more digits than a double"))),
            },
        }
    }
}

thread_local! {
    /// True while equal numbers are serialized as equal texts.
    static IS_NORMALIZED: Cell<bool> = const { Cell::new(false) };
}

/// Calls a function that serializes values to compare them: equal numbers have equal texts then.
pub fn with_normalized_numbers<T>(function: impl FnOnce() -> T) -> T {
    crate::scoped::with_value(&IS_NORMALIZED, true, function)
}
