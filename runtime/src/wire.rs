//! Decoding of values: [`FromWire`], and its implementations for common types.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Value that can be decoded by the wire rules of this library.
///
/// This is a separate trait because the rules differ from those of [`serde::Deserialize`]: `null` is absent (a list or
/// a map becomes empty), an integer may be written `1.0`, a map rejects duplicate keys. Types with
/// [`object!`](crate::object!), [`open_enum!`](crate::open_enum!) or [`outcome!`](crate::outcome!) implement both
/// traits, with the same result.
pub trait FromWire<'de>: Sized {
    /// Decodes a value from a deserializer.
    ///
    /// # Errors
    /// Returns an error if the input has another type, or a value that this type cannot represent exactly.
    fn from_wire<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error>;
}

/// [`DeserializeSeed`] for [`FromWire`], for serde's map and sequence access.
pub struct WireSeed<T>(PhantomData<fn() -> T>);

impl<T> WireSeed<T> {
    /// Creates a seed for a `T`.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T> Default for WireSeed<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Clone for WireSeed<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for WireSeed<T> {}

impl<T> fmt::Debug for WireSeed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed")
    }
}

impl<'de, T: FromWire<'de>> DeserializeSeed<'de> for WireSeed<T> {
    type Value = T;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<T, D::Error> {
        T::from_wire(d)
    }
}

/// Reads the value of the field whose name was read last into `slot`.
///
/// # Errors
/// Returns the same errors as [`FromWire::from_wire`]; `slot` is unchanged then.
#[inline]
pub fn read_value<'de, A: MapAccess<'de>, T: FromWire<'de>>(map: &mut A, slot: &mut T) -> Result<(), A::Error> {
    *slot = map.next_value_seed(WireSeed::new())?;
    Ok(())
}

/// Types that are decoded by serde's own rules.
macro_rules! as_serde_reads {
    ($($ty:ty),*) => {$(
        impl<'de> FromWire<'de> for $ty {
            #[inline]
            fn from_wire<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                Self::deserialize(d)
            }
        }
    )*};
}

as_serde_reads!(bool, String, Value, Map<String, Value>);

/// Type whose `Deserialize` implementation follows the wire rules.
pub trait WireDeserialize: DeserializeOwned {}

impl<'de, T: WireDeserialize> FromWire<'de> for T {
    #[inline]
    fn from_wire<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        T::deserialize(d)
    }
}

impl<T: WireDeserialize> WireDeserialize for Box<T> {}

impl<'de, T: FromWire<'de>> FromWire<'de> for Option<T> {
    #[inline]
    fn from_wire<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_option(OptionVisitor(PhantomData))
    }
}

/// Visitor of a value that is `None` if it is null.
struct OptionVisitor<T>(PhantomData<fn() -> T>);

impl<'de, T: FromWire<'de>> Visitor<'de> for OptionVisitor<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or null")
    }

    #[inline]
    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    #[inline]
    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    #[inline]
    fn visit_some<D: Deserializer<'de>>(self, d: D) -> Result<Self::Value, D::Error> {
        T::from_wire(d).map(Some)
    }
}

impl<'de, T: FromWire<'de>> FromWire<'de> for Vec<T> {
    #[inline]
    fn from_wire<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_option(ListVisitor(PhantomData))
    }
}

/// Visitor of a list. It first requests an option, since `null` is an absent list, and then a sequence.
struct ListVisitor<T>(PhantomData<fn() -> T>);

impl<'de, T: FromWire<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    #[inline]
    fn visit_some<D: Deserializer<'de>>(self, d: D) -> Result<Self::Value, D::Error> {
        d.deserialize_seq(self)
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::with_capacity(bounded_capacity::<T>(items.size_hint()));
        while let Some(item) = items.next_element_seed(WireSeed::<T>::new())? {
            list.push(item);
        }
        Ok(list)
    }
}

/// Returns the number of items to preallocate: the size hint, but at most 64 KiB, since the hint is untrusted.
#[inline]
fn bounded_capacity<T>(hint: Option<usize>) -> usize {
    const MAX_BYTES: usize = 64 * 1024;
    hint.unwrap_or(0).min(MAX_BYTES / size_of::<T>().max(1))
}

impl<'de, T: FromWire<'de>> FromWire<'de> for BTreeMap<String, T> {
    #[inline]
    fn from_wire<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_option(MapVisitor(PhantomData))
    }
}

/// Visitor of a map from strings to values; `null` is an absent map, as with lists.
struct MapVisitor<T>(PhantomData<fn() -> T>);

impl<'de, T: FromWire<'de>> Visitor<'de> for MapVisitor<T> {
    type Value = BTreeMap<String, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(BTreeMap::new())
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(BTreeMap::new())
    }

    #[inline]
    fn visit_some<D: Deserializer<'de>>(self, d: D) -> Result<Self::Value, D::Error> {
        d.deserialize_map(self)
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut table = BTreeMap::new();
        while let Some(key) = entries.next_key::<String>()? {
            // The key is checked before its value is read, so that the error is located at the key.
            match table.entry(key) {
                Entry::Vacant(entry) => entry.insert(entries.next_value_seed(WireSeed::<T>::new())?),
                Entry::Occupied(entry) => return Err(duplicate_key(entry.key())),
            };
        }
        Ok(table)
    }
}

/// Creates the error of a repeated key.
#[cold]
fn duplicate_key<E: Error>(key: &str) -> E {
    E::custom(format_args!("duplicate key {key:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::from_str;

    #[test]
    fn null_is_absent() {
        assert_eq!(from_str::<Option<i32>>("null").ok(), Some(None));
        assert_eq!(from_str::<Vec<i32>>("null").ok(), Some(Vec::new()));
        assert_eq!(from_str::<BTreeMap<String, i32>>("null").ok(), Some(BTreeMap::new()));
        assert_eq!(from_str::<Option<Value>>("null").ok(), Some(None));
        assert_eq!(from_str::<Value>("null").ok(), Some(Value::Null));
        assert_eq!(from_str::<Option<Vec<Vec<bool>>>>("[[true]]").ok(), Some(Some(vec![vec![true]])));
    }

    #[test]
    fn null_is_neither_an_item_nor_a_scalar() {
        for text in ["[1, null]", "[null]", "1", "{}", "\"1\"", "[1,]", "[1] 2"] {
            assert!(from_str::<Vec<i32>>(text).is_err(), "{text}");
        }
        for text in ["{\"a\": null}", "[]", "{\"a\": 1, \"a\": 2}", "{\"a\": 1, \"\\u0061\": 1}"] {
            assert!(from_str::<BTreeMap<String, i32>>(text).is_err(), "{text}");
        }
        for text in ["null", "0", "1", "\"true\"", "[]"] {
            assert!(from_str::<bool>(text).is_err(), "{text}");
        }
        assert!(from_str::<String>("null").is_err());
        assert!(from_str::<Map<String, Value>>("null").is_err());
    }

    #[test]
    fn capacity_is_bounded() {
        assert_eq!(bounded_capacity::<u64>(Some(usize::MAX)), 8 * 1024);
        assert_eq!(bounded_capacity::<()>(Some(usize::MAX)), 64 * 1024);
        assert_eq!(bounded_capacity::<u64>(None), 0);
        assert_eq!(bounded_capacity::<[u8; 100_000]>(Some(5)), 0);
    }
}
