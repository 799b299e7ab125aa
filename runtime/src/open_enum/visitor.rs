//! Visitor of the values of an open enum.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};

use super::{OpenEnum, ValueKind, mixed};

/// Visitor that accepts values of the type of the enum.
pub(super) struct EnumVisitor<E>(pub(super) PhantomData<fn() -> E>);

impl<'de, E: OpenEnum> Visitor<'de> for EnumVisitor<E> {
    type Value = E;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match E::KIND {
            ValueKind::Strings => "a string",
            ValueKind::Integers => "a whole number",
            ValueKind::Numbers => "a number",
            ValueKind::Json => "a string, a number or a boolean",
        };
        write!(f, "{what} ({})", E::NAME)
    }

    #[inline]
    fn visit_str<X: Error>(self, text: &str) -> Result<E, X> {
        match E::KIND {
            ValueKind::Strings => Ok(E::from_text(text)),
            ValueKind::Integers | ValueKind::Numbers => Err(X::invalid_type(Unexpected::Str(text), &self)),
            ValueKind::Json => Ok(mixed::from_exact_text(mixed::quote(text))),
        }
    }

    #[inline]
    fn visit_i64<X: Error>(self, value: i64) -> Result<E, X> {
        if E::KIND == ValueKind::Strings {
            return Err(X::invalid_type(Unexpected::Signed(value), &self));
        }
        Ok(mixed::from_exact_text(value.to_string()))
    }

    #[inline]
    fn visit_u64<X: Error>(self, value: u64) -> Result<E, X> {
        if E::KIND == ValueKind::Strings {
            return Err(X::invalid_type(Unexpected::Unsigned(value), &self));
        }
        Ok(mixed::from_exact_text(value.to_string()))
    }

    fn visit_bool<X: Error>(self, value: bool) -> Result<E, X> {
        if E::KIND != ValueKind::Json {
            return Err(X::invalid_type(Unexpected::Bool(value), &self));
        }
        Ok(mixed::from_exact_text(value.to_string()))
    }

    fn visit_f64<X: Error>(self, value: f64) -> Result<E, X> {
        // Integers up to this magnitude are exact in a float.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        #[allow(clippy::cast_possible_truncation)]
        if value.fract() == 0.0 && value.abs() <= EXACT {
            return self.visit_i64(value as i64);
        }
        if matches!(E::KIND, ValueKind::Numbers | ValueKind::Json) && value.is_finite() {
            return Ok(mixed::from_exact_text(format!("{value:?}")));
        }
        Err(X::invalid_type(Unexpected::Float(value), &self))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<E, A::Error> {
        // Skipped to its end, so that the error is located at the list and not at its first item.
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Err(A::Error::invalid_type(Unexpected::Seq, &self))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<E, A::Error> {
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Err(A::Error::invalid_type(Unexpected::Map, &self))
    }
}
