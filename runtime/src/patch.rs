//! Field of a merge patch: kept, cleared or set.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::field_encoding::{TextField, ToField, ToWire};
use crate::wire::FromWire;

/// Change of a field in a merge patch (RFC 7396).
///
/// ```
/// use wireform_runtime::{Patch, json};
///
/// assert_eq!(json::from_str::<Patch<i32>>("null")?, Patch::Clear);
/// assert_eq!(json::from_str::<Patch<i32>>("3")?, Patch::Set(3));
/// # Ok::<(), json::DecodeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Patch<T> {
    /// The field is absent in the patch and stays unchanged.
    #[default]
    Keep,
    /// The field is removed; `null` on the wire.
    Clear,
    /// The field is set, or, for an object or a map, merged into the existing value.
    Set(T),
}

/// Merge patch of a map: each key is kept, cleared or set.
pub type MapPatch<P> = std::collections::BTreeMap<String, Patch<P>>;

impl<T> Patch<T> {
    /// Returns whether the field stays unchanged.
    #[inline]
    #[must_use]
    pub const fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }

    /// Returns whether the field is removed.
    #[inline]
    #[must_use]
    pub const fn is_clear(&self) -> bool {
        matches!(self, Self::Clear)
    }

    /// Returns whether the patch sets the field to a value; false if it keeps or removes the field.
    #[inline]
    #[must_use]
    pub const fn is_set(&self) -> bool {
        matches!(self, Self::Set(_))
    }

    /// Returns the value the field is set to.
    #[inline]
    #[must_use]
    pub const fn as_set(&self) -> Option<&T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Keep | Self::Clear => None,
        }
    }

    /// Returns a mutable reference to the value the field is set to.
    #[inline]
    #[must_use]
    pub const fn as_set_mut(&mut self) -> Option<&mut T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Keep | Self::Clear => None,
        }
    }

    /// Returns the value the field is set to, by value.
    #[inline]
    #[must_use]
    pub fn into_set(self) -> Option<T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Keep | Self::Clear => None,
        }
    }

    /// Converts to a patch with a reference to the value.
    #[inline]
    #[must_use]
    pub const fn as_ref(&self) -> Patch<&T> {
        match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(value) => Patch::Set(value),
        }
    }

    /// Converts the value with a function.
    #[inline]
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(value) => Patch::Set(f(value)),
        }
    }

    /// Creates a patch that sets the field to the option: `Set` for a value, `Clear` for `None`.
    #[inline]
    #[must_use]
    pub fn set_or_clear(value: Option<T>) -> Self {
        value.map_or(Self::Clear, Self::Set)
    }

    /// Takes the patch, and leaves `Keep` in its place.
    #[inline]
    #[must_use]
    pub fn take(&mut self) -> Self {
        std::mem::replace(self, Self::Keep)
    }
}

impl<T> From<T> for Patch<T> {
    #[inline]
    fn from(value: T) -> Self {
        Self::Set(value)
    }
}

impl<'de, T: FromWire<'de>> FromWire<'de> for Patch<T> {
    #[inline]
    fn from_wire<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_option(PatchVisitor(PhantomData))
    }
}

impl<'de, T: FromWire<'de>> Deserialize<'de> for Patch<T> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Self::from_wire(d)
    }
}

/// Visitor of a value or null in a patch.
struct PatchVisitor<T>(PhantomData<fn() -> T>);

impl<'de, T: FromWire<'de>> Visitor<'de> for PatchVisitor<T> {
    type Value = Patch<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or null")
    }

    #[inline]
    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Patch::Clear)
    }

    #[inline]
    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Patch::Clear)
    }

    #[inline]
    fn visit_some<D: Deserializer<'de>>(self, d: D) -> Result<Self::Value, D::Error> {
        T::from_wire(d).map(Patch::Set)
    }
}

/// Writes the value that is set, else `null`. [`ToField`] decides before whether a field is written
/// at all: outside of an object or a map `Keep` cannot be represented.
impl<T: ToWire> Serialize for Patch<T> {
    #[inline]
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Set(value) => value.to_wire(s),
            Self::Keep | Self::Clear => s.serialize_unit(),
        }
    }
}

impl TextField for Patch<String> {
    fn text(&self) -> Option<&str> {
        self.as_set().map(String::as_str)
    }

    fn text_mut(&mut self) -> Option<&mut String> {
        self.as_set_mut()
    }
}

impl<T: ToWire> ToField for Patch<T> {
    type Value = Self;

    #[inline]
    fn to_field(&self) -> Option<&Self> {
        (!self.is_keep()).then_some(self)
    }
}

impl<T: ToWire> ToWire for BTreeMap<String, Patch<T>> {
    fn to_wire<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        for (key, value) in self.iter().filter(|(_, value)| !value.is_keep()) {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{from_str, to_string};
    use std::collections::BTreeMap;

    #[test]
    fn null_clears_at_every_level() {
        type Table = Patch<BTreeMap<String, Patch<BTreeMap<String, Patch<i32>>>>>;
        let text = r#"{"a":null,"b":{"c":1,"d":null},"e":{}}"#;
        let table = from_str::<Table>(text);
        assert_eq!(table.as_ref().ok().and_then(|table| to_string(table).ok()).as_deref(), Some(text));
        assert_eq!(from_str::<Table>("null").ok(), Some(Patch::Clear));
        assert_eq!(from_str::<Patch<Vec<i32>>>("null").ok(), Some(Patch::Clear));
        assert_eq!(from_str::<Patch<Vec<i32>>>("[]").ok(), Some(Patch::Set(vec![])));
    }

    #[test]
    fn kept_entries_are_omitted() {
        let table: BTreeMap<String, Patch<i32>> =
            [("a", Patch::Keep), ("b", Patch::Clear), ("c", Patch::Set(1))].map(|(k, v)| (k.to_owned(), v)).into();
        assert_eq!(to_string(&Patch::Set(table)).ok().as_deref(), Some(r#"{"b":null,"c":1}"#));
        assert_eq!(to_string(&Patch::Set(BTreeMap::<String, Patch<i32>>::new())).ok().as_deref(), Some("{}"));
    }

    #[test]
    fn accessors() {
        let mut patch = Patch::from(2).map(|n| n + 1);
        assert_eq!(patch.as_set(), Some(&3));
        assert_eq!(patch.take(), Patch::Set(3));
        assert!(patch.is_keep() && !patch.is_clear() && !patch.is_set());
        assert_eq!(Patch::set_or_clear(None::<i32>), Patch::Clear);
        assert_eq!(Patch::Set(1).into_set(), Some(1));
        assert_eq!(Patch::<i32>::Clear.as_ref(), Patch::Clear);
    }
}
