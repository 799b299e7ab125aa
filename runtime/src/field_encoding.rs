//! Encoding of fields: whether a field is written, and its value.

use std::collections::BTreeMap;

use serde::de::MapAccess;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

/// Field of an object, which decides whether it is written.
pub trait ToField {
    /// Type of the value to write.
    type Value: Serialize + ?Sized;

    /// Returns the value to write, or `None` if the field is absent.
    fn to_field(&self) -> Option<&Self::Value>;
}

/// Writes the field `name` if it is present.
///
/// # Errors
/// Returns an error if the serializer fails.
#[inline]
pub fn write_field<M: SerializeMap, T: ToField + ?Sized>(
    map: &mut M,
    name: &'static str,
    value: &T,
) -> Result<(), M::Error> {
    match value.to_field() {
        Some(value) => map.serialize_entry(name, value),
        None => Ok(()),
    }
}

/// Writer of the fields of an object that keeps the first error, so that generated code is one plain statement per
/// field, which compiles fast.
pub struct FieldWriter<'m, M: SerializeMap> {
    map: &'m mut M,
    error: Option<M::Error>,
}

impl<'m, M: SerializeMap> FieldWriter<'m, M> {
    /// Creates a writer into a map.
    #[inline]
    pub fn new(map: &'m mut M) -> Self {
        Self { map, error: None }
    }

    /// Writes the field `name` if it is present and no error occurred before.
    #[inline]
    pub fn write<T: ToField + ?Sized>(&mut self, name: &'static str, value: &T) {
        // Most fields of most objects are absent, so this is checked first.
        if let Some(value) = value.to_field()
            && self.error.is_none()
            && let Err(error) = self.map.serialize_entry(name, value)
        {
            self.error = Some(error);
        }
    }

    /// Ends the object.
    ///
    /// # Errors
    /// Returns the first error of the serializer.
    #[inline]
    pub fn finish(self) -> Result<(), M::Error> {
        self.error.map_or(Ok(()), Err)
    }
}

/// Field that holds a text with known values that may have aliases.
pub trait TextField: ToField {
    /// Returns the text if the field is present.
    fn text(&self) -> Option<&str>;

    /// Returns a mutable reference to the text if the field is present.
    fn text_mut(&mut self) -> Option<&mut String>;
}

impl TextField for Option<String> {
    fn text(&self) -> Option<&str> {
        self.as_deref()
    }

    fn text_mut(&mut self) -> Option<&mut String> {
        self.as_mut()
    }
}

/// Reads a text with known values that may have aliases, which are replaced by the names of the schema.
///
/// # Errors
/// Returns the same errors as `member`.
pub fn read_aliased_text<'de, A, T>(
    map: &mut A,
    slot: &mut T,
    aliases: &[(&'static str, &'static str)],
) -> Result<(), A::Error>
where
    A: MapAccess<'de>,
    T: TextField + crate::FromWire<'de>,
{
    crate::read_value(map, slot)?;
    if let Some(text) = slot.text_mut()
        && let Some((known, _)) = aliases.iter().find(|(_, alias)| alias == text)
    {
        (*known).clone_into(text);
    }
    Ok(())
}

impl<T: Serialize> ToField for Option<T> {
    type Value = T;

    #[inline]
    fn to_field(&self) -> Option<&T> {
        self.as_ref()
    }
}

impl<T: Serialize> ToField for Vec<T> {
    type Value = Self;

    #[inline]
    fn to_field(&self) -> Option<&Self> {
        (!self.is_empty()).then_some(self)
    }
}

impl<T: Serialize> ToField for BTreeMap<String, T> {
    type Value = Self;

    #[inline]
    fn to_field(&self) -> Option<&Self> {
        (!self.is_empty()).then_some(self)
    }
}

/// Collects converted items into a list. The compiler processes the iteration once, instead of once for each list in
/// generated code.
#[inline]
#[must_use]
pub fn collect_list<T>(items: impl IntoIterator<Item = impl Into<T>>) -> Vec<T> {
    items.into_iter().map(Into::into).collect()
}

/// Encoding of a value inside a [`Patch`](crate::Patch).
///
/// For all types but one this is the same as `Serialize`. The exception is a map of patches: an entry that is
/// [`Patch::Keep`](crate::Patch::Keep) must be omitted, which serde's map cannot do, and writing `null` instead would
/// delete it.
pub trait ToWire {
    /// Writes the value.
    ///
    /// # Errors
    /// Returns an error if the serializer fails.
    fn to_wire<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error>;
}

macro_rules! as_serde_writes {
    ($($ty:ty),*) => {$(
        impl ToWire for $ty {
            #[inline]
            fn to_wire<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                self.serialize(s)
            }
        }
    )*};
}

as_serde_writes!(bool, i32, u32, i64, u64, f32, f64, crate::Number, String, Value, Map<String, Value>);

impl<T: Serialize> ToWire for Vec<T> {
    #[inline]
    fn to_wire<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        self.serialize(s)
    }
}

impl<T: ToWire> ToWire for Option<T> {
    #[inline]
    fn to_wire<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(value) => value.to_wire(s),
            None => s.serialize_unit(),
        }
    }
}

impl<T: ToWire> ToWire for Box<T> {
    #[inline]
    fn to_wire<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        (**self).to_wire(s)
    }
}
