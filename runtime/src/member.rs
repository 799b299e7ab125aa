//! Whether a member is written, and how its value is.

use std::collections::BTreeMap;

use serde::de::MapAccess;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

/// A member of an object: it decides whether it is written at all.
pub trait ToMember {
    /// What is written if anything is.
    type Value: Serialize + ?Sized;

    /// Returns the value to write, or `None` if the member is left out.
    fn to_member(&self) -> Option<&Self::Value>;
}

/// Writes the member `name` if `value` is to be written.
///
/// # Errors
/// Returns the errors of the serializer.
#[inline]
pub fn write_member<M: SerializeMap, T: ToMember + ?Sized>(
    map: &mut M,
    name: &'static str,
    value: &T,
) -> Result<(), M::Error> {
    match value.to_member() {
        Some(value) => map.serialize_entry(name, value),
        None => Ok(()),
    }
}

/// Writes the members of an object one after the other and keeps the first error, so that generated
/// code is one plain statement a member: that is what it costs to compile.
pub struct Members<'m, M: SerializeMap> {
    map: &'m mut M,
    error: Option<M::Error>,
}

impl<'m, M: SerializeMap> Members<'m, M> {
    /// Writes into a map.
    #[inline]
    pub fn new(map: &'m mut M) -> Self {
        Self { map, error: None }
    }

    /// Writes the member `name` if `value` is to be written, and nothing after an error.
    #[inline]
    pub fn member<T: ToMember + ?Sized>(&mut self, name: &'static str, value: &T) {
        // Most members of most objects are absent, so that is asked first.
        if let Some(value) = value.to_member()
            && self.error.is_none()
            && let Err(error) = self.map.serialize_entry(name, value)
        {
            self.error = Some(error);
        }
    }

    /// Ends the writing.
    ///
    /// # Errors
    /// Returns the first that the serializer had.
    #[inline]
    pub fn finish(self) -> Result<(), M::Error> {
        self.error.map_or(Ok(()), Err)
    }
}

/// A member that holds a text, of which some values may have further spellings.
pub trait KnownText: ToMember {
    /// Returns the text, where there is one.
    fn text(&self) -> Option<&str>;

    /// Returns the text, to be replaced.
    fn text_mut(&mut self) -> Option<&mut String>;
}

impl KnownText for Option<String> {
    fn text(&self) -> Option<&str> {
        self.as_deref()
    }

    fn text_mut(&mut self) -> Option<&mut String> {
        self.as_mut()
    }
}

/// Reads a text of which some values have further spellings; a known value takes the spelling of the schema.
///
/// # Errors
/// Returns the errors of [`member`](crate::member).
pub fn known_member<'de, A, T>(
    map: &mut A,
    slot: &mut T,
    spellings: &[(&'static str, &'static str)],
) -> Result<(), A::Error>
where
    A: MapAccess<'de>,
    T: KnownText + crate::FromWire<'de>,
{
    crate::member(map, slot)?;
    if let Some(text) = slot.text_mut()
        && let Some((known, _)) = spellings.iter().find(|(_, spelling)| spelling == text)
    {
        (*known).clone_into(text);
    }
    Ok(())
}

impl<T: Serialize> ToMember for Option<T> {
    type Value = T;

    #[inline]
    fn to_member(&self) -> Option<&T> {
        self.as_ref()
    }
}

impl<T: Serialize> ToMember for Vec<T> {
    type Value = Self;

    #[inline]
    fn to_member(&self) -> Option<&Self> {
        (!self.is_empty()).then_some(self)
    }
}

impl<T: Serialize> ToMember for BTreeMap<String, T> {
    type Value = Self;

    #[inline]
    fn to_member(&self) -> Option<&Self> {
        (!self.is_empty()).then_some(self)
    }
}

/// Returns a list of what becomes its items. The compiler looks at it once, where it would look at each step for each
/// list.
#[inline]
#[must_use]
pub fn list<T>(items: impl IntoIterator<Item = impl Into<T>>) -> Vec<T> {
    items.into_iter().map(Into::into).collect()
}

/// How a value is written inside a [`Patch`](crate::Patch).
///
/// For all types but one this is what `Serialize` does. The exception is a map of patches: an entry that is
/// [`Patch::Keep`](crate::Patch::Keep) must be left out, which serde's map cannot do, and writing `null` instead would delete it.
pub trait ToWire {
    /// Writes the value.
    ///
    /// # Errors
    /// Returns the errors of the serializer.
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

as_serde_writes!(bool, i32, u32, i64, u64, f32, f64, String, Value, Map<String, Value>);

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
