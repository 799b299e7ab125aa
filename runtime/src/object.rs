//! Objects: a fixed set of fields, read in one pass into an existing value, and written without absent fields.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

mod field_lookup;
mod field_tuples;
mod macros;

pub(crate) use field_lookup::{find, find_alias};
pub use field_tuples::{AliasedText, Chain, Masked, ReadFields, WriteFields, write_fields};

/// Type with named fields on the wire. [`object!`](crate::object!) implements it from a list of the fields.
///
/// Fields are identified by an index: reading compares names once, and everything after that uses integers.
pub trait Object: Default {
    /// Name of the type in the schema, for error messages.
    const NAME: &'static str;

    /// Wire names of the fields; the position of a field in this list is its index.
    const FIELDS: &'static [&'static str];

    /// Aliases that are accepted on input, each with the name in [`FIELDS`](Self::FIELDS).
    const ALIASES: &'static [(&'static str, &'static str)] = &[];

    /// True if unknown fields are kept: [`read_unknown`](Self::read_unknown) then receives them. Otherwise they are
    /// skipped.
    const PRESERVES_UNKNOWN: bool = false;

    /// Returns the index of the field with this name or alias.
    #[inline]
    fn index(name: &str) -> Option<usize> {
        field_lookup::find::<Self>(name).or_else(|| field_lookup::find_alias::<Self>(name))
    }

    /// Reads the value of the field with this index, usually with `member`. For an index out of
    /// bounds it calls [`skip_value`].
    ///
    /// # Errors
    /// Returns an error if the value does not have the type of the field.
    fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error>;

    /// Reads the value of an unknown field. It is called only if [`PRESERVES_UNKNOWN`](Self::PRESERVES_UNKNOWN) is set;
    /// the default implementation skips the value.
    ///
    /// # Errors
    /// Returns an error if the value is not well-formed, or cannot be kept.
    fn read_unknown<'de, A: MapAccess<'de>>(&mut self, name: String, map: &mut A) -> Result<(), A::Error> {
        drop(name);
        skip_value(map)
    }

    /// Writes the fields that are present, usually with [`write_field`](crate::write_field).
    ///
    /// # Errors
    /// Returns an error if the serializer fails.
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;
}

/// Skips the value of the field whose name was read last. With JSON this does not recurse, however deeply the value is
/// nested.
///
/// # Errors
/// Returns an error if the value is not well-formed.
#[inline]
pub fn skip_value<'de, A: MapAccess<'de>>(map: &mut A) -> Result<(), A::Error> {
    map.next_value::<IgnoredAny>().map(drop)
}

/// Reads an object.
///
/// # Errors
/// Returns an error if the input is not an object, a known field is duplicate (under its name or an alias), or the
/// value of a field is invalid.
#[inline]
pub fn read_object<'de, D: Deserializer<'de>, T: Object>(d: D) -> Result<T, D::Error> {
    d.deserialize_map(ObjectVisitor(PhantomData))
}

/// Writes an object: the present fields, in the order of the schema.
///
/// # Errors
/// Returns an error if the serializer fails.
#[inline]
pub fn write_object<S: Serializer, T: Object>(value: &T, s: S) -> Result<S::Ok, S::Error> {
    let mut map = s.serialize_map(None)?;
    value.write(&mut map)?;
    map.end()
}

/// Formats an object as its name and its JSON: a resource has dozens of fields, and absent ones would hide the present
/// ones. With `{:#?}` each field has its own line. Sensitive fields are shown as `"***"`.
///
/// # Errors
/// Returns an error if the formatter fails.
pub fn debug_object<T: Object>(value: &T, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    struct AsJson<'v, T>(&'v T);

    impl<T: Object> Serialize for AsJson<'_, T> {
        fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            write_object(self.0, s)
        }
    }

    let json = AsJson(value);
    let encode = || if f.alternate() { serde_json::to_string_pretty(&json) } else { serde_json::to_string(&json) };
    let text = crate::masking::with_masking(encode);
    match text {
        Ok(text) => write!(f, "{} {text}", T::NAME),
        Err(error) => write!(f, "{} (cannot be encoded: {error})", T::NAME),
    }
}

/// Visitor of a JSON object.
struct ObjectVisitor<T>(PhantomData<fn() -> T>);

impl<'de, T: Object> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object ({})", T::NAME)
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        // Read in the place of the result: large values are not moved.
        let mut result = Ok(T::default());
        if let Ok(value) = &mut result
            && let Err(error) = read_fields(value, &mut map)
        {
            result = Err(error);
        }
        result
    }
}

/// Reads the fields of an object into `value`; an error if one is repeated. Unknown ones are preserved or skipped.
#[inline]
fn read_fields<'de, T: Object, A: MapAccess<'de>>(value: &mut T, map: &mut A) -> Result<(), A::Error> {
    let mut seen = IndexSet::default();
    let mut expected = 0;
    while let Some(key) = map.next_key_seed(KeySeed::<T> { expected, object: PhantomData })? {
        match key {
            Key::Known(index) => {
                if !seen.insert(index) {
                    return Err(duplicate_error::<T, A::Error>(index));
                }
                expected = index.wrapping_add(1);
                value.read(index, map)?;
            }
            Key::Skipped => skip_value(map)?,
            Key::Preserved(name) => value.read_unknown(name, map)?,
        }
    }
    Ok(())
}

/// Creates the error of a repeated field.
#[cold]
fn duplicate_error<T: Object, E: Error>(index: usize) -> E {
    E::duplicate_field(T::FIELDS.get(index).copied().unwrap_or_default())
}

/// Lookup result of the name of a field.
enum Key {
    Known(usize),
    Skipped,
    Preserved(String),
}

/// Seed that reads the name of a field as its index, without copying the name.
struct KeySeed<T> {
    /// Index after the previous one. Most peers write fields in the order of the schema, so this one comparison often
    /// avoids the lookup.
    expected: usize,
    object: PhantomData<fn() -> T>,
}

impl<'de, T: Object> DeserializeSeed<'de> for KeySeed<T> {
    type Value = Key;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<Key, D::Error> {
        d.deserialize_identifier(self)
    }
}

impl<T: Object> Visitor<'_> for KeySeed<T> {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    #[inline]
    fn visit_str<E: Error>(self, name: &str) -> Result<Key, E> {
        if T::FIELDS.get(self.expected).is_some_and(|expected| *expected == name) {
            return Ok(Key::Known(self.expected));
        }
        Ok(match T::index(name) {
            Some(index) => Key::Known(index),
            None if T::PRESERVES_UNKNOWN => Key::Preserved(name.to_owned()),
            None => Key::Skipped,
        })
    }
}

/// Set of indices. The first 128 need no allocation.
#[derive(Default)]
struct IndexSet {
    low: u64,
    middle: u64,
    high: Vec<u64>,
}

impl IndexSet {
    /// Inserts an index; returns false if it was present.
    #[inline]
    fn insert(&mut self, index: usize) -> bool {
        let bits = match index {
            ..64 => &mut self.low,
            64..128 => &mut self.middle,
            _ => return self.insert_high(index - 128),
        };
        let bit = 1_u64 << (index % 64);
        let new = *bits & bit == 0;
        *bits |= bit;
        new
    }

    /// Inserts an index that is not inline; `place` is counted from 128. Returns false if it was present.
    #[cold]
    fn insert_high(&mut self, place: usize) -> bool {
        let (word, bit) = (place / 64, 1_u64 << (place % 64));
        if self.high.len() <= word {
            self.high.resize(word + 1, 0);
        }
        self.high.get_mut(word).is_some_and(|bits| {
            let new = *bits & bit == 0;
            *bits |= bit;
            new
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_is_new_once() {
        let mut seen = IndexSet::default();
        for index in [0, 1, 63, 64, 127, 128, 129, 191, 192, 1000] {
            assert!(seen.insert(index), "{index}");
            assert!(!seen.insert(index), "{index}");
        }
        assert!(seen.insert(2));
        assert!(seen.insert(999));
    }
}
