//! Nullable fields, for which null is distinct from absent.

use std::marker::PhantomData;
use std::ops::Deref;
use std::{fmt, mem};

use serde::de::{Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::field_encoding::{TextField, ToField};
use crate::patch::Patch;
use crate::wire::FromWire;
use crate::{FieldBehavior, Fill, Merge, MergeField, WriteContext};

/// Field that is absent, null or a value. Where the difference between absent and null does not matter it is used as
/// an [`Option`]: [`as_ref`](Self::as_ref), [`as_deref`](Self::as_deref), [`into_option`](Self::into_option).
///
/// In a merge patch, which cannot represent absence, null sets such a field to null.
///
/// ```
/// use wireform_runtime::{Nullable, json};
///
/// assert_eq!(json::from_str::<Nullable<i32>>("null")?, Nullable::Null);
/// assert_eq!(json::from_str::<Nullable<i32>>("3")?.into_option(), Some(3));
/// # Ok::<(), json::DecodeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Nullable<T> {
    /// The field is absent.
    #[default]
    Absent,
    /// The field is null.
    Null,
    /// The field has a value.
    Value(T),
}

impl<T> Nullable<T> {
    /// Returns whether the field is absent.
    #[inline]
    #[must_use]
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Returns whether the field is present and null.
    #[inline]
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Returns whether the field has a value.
    #[inline]
    #[must_use]
    pub const fn is_some(&self) -> bool {
        matches!(self, Self::Value(_))
    }

    /// Returns whether the field has no value: it is absent or null.
    #[inline]
    #[must_use]
    pub const fn is_none(&self) -> bool {
        !self.is_some()
    }

    /// Returns a reference to the value; `None` if the field is absent or null.
    #[inline]
    #[must_use]
    pub const fn as_ref(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// Returns a mutable reference to the value; `None` if the field is absent or null.
    #[inline]
    #[must_use]
    pub const fn as_mut(&mut self) -> Option<&mut T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// Returns the dereferenced value, if there is one: a `&str` for a `String`, the content of a `Box`.
    #[inline]
    #[must_use]
    pub fn as_deref(&self) -> Option<&T::Target>
    where
        T: Deref,
    {
        self.as_ref().map(T::deref)
    }

    /// Returns the value, if there is one.
    #[inline]
    #[must_use]
    pub fn into_option(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// Takes the value, if there is one, and leaves the field absent, even if it was null.
    #[inline]
    #[must_use]
    pub fn take(&mut self) -> Option<T> {
        mem::take(self).into_option()
    }
}

impl<T> From<T> for Nullable<T> {
    #[inline]
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

/// `None` becomes null, since an absent field is not written at all.
impl<T> From<Option<T>> for Nullable<T> {
    #[inline]
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::Value)
    }
}

impl<T> From<Nullable<T>> for Option<T> {
    #[inline]
    fn from(value: Nullable<T>) -> Self {
        value.into_option()
    }
}

impl<'de, T: FromWire<'de>> FromWire<'de> for Nullable<T> {
    #[inline]
    fn from_wire<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_option(NullableVisitor(PhantomData))
    }
}

/// Visitor of a value or null.
struct NullableVisitor<T>(PhantomData<fn() -> T>);

impl<'de, T: FromWire<'de>> Visitor<'de> for NullableVisitor<T> {
    type Value = Nullable<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or null")
    }

    #[inline]
    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Nullable::Null)
    }

    #[inline]
    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Nullable::Null)
    }

    #[inline]
    fn visit_some<D: Deserializer<'de>>(self, d: D) -> Result<Self::Value, D::Error> {
        T::from_wire(d).map(Nullable::Value)
    }
}

/// Writes the value, or null. [`ToField`] decides before whether the field is written at all.
impl<T: Serialize> Serialize for Nullable<T> {
    #[inline]
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Value(value) => value.serialize(s),
            Self::Absent | Self::Null => s.serialize_unit(),
        }
    }
}

impl<T: Serialize> ToField for Nullable<T> {
    type Value = Self;

    #[inline]
    fn to_field(&self) -> Option<&Self> {
        (!self.is_absent()).then_some(self)
    }
}

impl TextField for Nullable<String> {
    fn text(&self) -> Option<&str> {
        self.as_deref()
    }

    fn text_mut(&mut self) -> Option<&mut String> {
        self.as_mut()
    }
}

impl<T: Merge> MergeField for Nullable<T> {
    type Patch = Patch<T::Patch>;

    /// A patch cannot represent absence; null is the closest.
    fn diff_field(&self, new: &Self) -> Self::Patch {
        match (self, new) {
            (Self::Absent | Self::Null, Self::Absent) | (Self::Null, Self::Null) => Patch::Keep,
            (Self::Value(_), Self::Absent) | (_, Self::Null) => Patch::Clear,
            (Self::Value(old), Self::Value(new)) => old.diff(new).map_or(Patch::Keep, Patch::Set),
            (_, Self::Value(new)) => Patch::Set(new.to_patch()),
        }
    }

    fn apply_field(&mut self, patch: Self::Patch) {
        match (patch, self) {
            (Patch::Keep, _) => {}
            (Patch::Clear, member) => *member = Self::Null,
            (Patch::Set(patch), Self::Value(value)) => value.apply(patch),
            (Patch::Set(patch), member) => *member = Self::Value(T::create(patch)),
        }
    }
}

impl<T: FieldBehavior> FieldBehavior for Nullable<T> {
    fn strip_output_only(&mut self, operation: &str) {
        self.as_mut().into_iter().for_each(|value| value.strip_output_only(operation));
    }

    fn strip_input_only(&mut self, operation: &str) {
        self.as_mut().into_iter().for_each(|value| value.strip_input_only(operation));
    }

    fn strip_ineffective(&mut self, context: &WriteContext<'_>) {
        self.as_mut().into_iter().for_each(|value| value.strip_ineffective(context));
    }

    fn restore_stored(&mut self, stored: &Self, context: &WriteContext<'_>) {
        if let (Some(value), Some(stored)) = (self.as_mut(), stored.as_ref()) {
            value.restore_stored(stored, context);
        }
    }
}

impl<T: Fill> Fill for Nullable<T> {
    fn fill(&mut self, new_id: &mut dyn FnMut() -> String) {
        self.as_mut().into_iter().for_each(|value| value.fill(new_id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::from_str;

    #[test]
    fn differences_lead_to_the_new_value_or_null() {
        let all = [Nullable::Absent, Nullable::Null, Nullable::Value(1), Nullable::Value(2)];
        for old in all {
            for new in all {
                let mut changed = old;
                changed.apply_field(old.diff_field(&new));
                let reached = if new.is_absent() && !old.is_absent() { Nullable::Null } else { new };
                assert_eq!(changed, reached, "{old:?} {new:?}");
            }
        }
    }

    #[test]
    fn lists_and_texts_are_null_or_empty() {
        assert_eq!(from_str::<Nullable<Vec<i32>>>("null").ok(), Some(Nullable::Null));
        assert_eq!(from_str::<Nullable<Vec<i32>>>("[]").ok(), Some(Nullable::Value(vec![])));
        assert_eq!(from_str::<Nullable<String>>("\"\"").ok().and_then(Nullable::into_option), Some(String::new()));
        assert!(from_str::<Nullable<String>>("1").is_err());
    }
}
