//! References to the fields of an object in tuples, for reading and writing.
//!
//! A tuple is one expression with one type, which the compiler processes once, unlike a statement for each field.

use serde::de::MapAccess;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::skip_value;
use crate::field_encoding::{FieldWriter, TextField, ToField};
use crate::wire::{FromWire, read_value};

/// Mutable references to fields, for reading.
pub trait ReadFields<'de> {
    /// Number of fields.
    const COUNT: usize;

    /// Reads the value of the field with this index; skips it if the index is out of bounds.
    ///
    /// # Errors
    /// Returns an error if the value does not have the type of the field.
    fn read<A: MapAccess<'de>>(self, index: usize, map: &mut A) -> Result<(), A::Error>;
}

/// References to fields, for writing.
pub trait WriteFields {
    /// Number of fields.
    const COUNT: usize;

    /// Writes the present fields with these names.
    fn write<M: SerializeMap>(&self, names: &[&'static str], members: &mut FieldWriter<'_, M>);
}

/// Concatenation of two groups of fields.
#[derive(Debug)]
pub struct Chain<F, R>(pub F, pub R);

impl<'de, F: ReadFields<'de>, R: ReadFields<'de>> ReadFields<'de> for Chain<F, R> {
    const COUNT: usize = F::COUNT + R::COUNT;

    #[inline]
    fn read<A: MapAccess<'de>>(self, index: usize, map: &mut A) -> Result<(), A::Error> {
        if index < F::COUNT { self.0.read(index, map) } else { self.1.read(index - F::COUNT, map) }
    }
}

impl<F: WriteFields, R: WriteFields> WriteFields for Chain<F, R> {
    const COUNT: usize = F::COUNT + R::COUNT;

    #[inline]
    fn write<M: SerializeMap>(&self, names: &[&'static str], members: &mut FieldWriter<'_, M>) {
        let (first, rest) = names.split_at_checked(F::COUNT).unwrap_or_default();
        self.0.write(first, members);
        self.1.write(rest, members);
    }
}

macro_rules! tuples {
    ($(($count:literal: $($place:tt $part:ident $name:ident)*))*) => {$(
        impl<'de, $($part: FromWire<'de>),*> ReadFields<'de> for ($(&mut $part,)*) {
            const COUNT: usize = $count;

            #[inline]
            fn read<Access: MapAccess<'de>>(self, index: usize, map: &mut Access) -> Result<(), Access::Error> {
                match index {
                    $($place => read_value(map, self.$place),)*
                    _ => skip_value(map),
                }
            }
        }

        impl<$($part: ToField),*> WriteFields for ($(&$part,)*) {
            const COUNT: usize = $count;

            #[inline]
            fn write<Map: SerializeMap>(&self, names: &[&'static str], members: &mut FieldWriter<'_, Map>) {
                if let [$($name,)* ..] = names {
                    $(members.write($name, self.$place);)*
                }
            }
        }
    )*};
}

tuples! {
    (1: 0 A a)
    (2: 0 A a 1 B b)
    (3: 0 A a 1 B b 2 C c)
    (4: 0 A a 1 B b 2 C c 3 D d)
    (5: 0 A a 1 B b 2 C c 3 D d 4 E e)
    (6: 0 A a 1 B b 2 C c 3 D d 4 E e 5 F f)
    (7: 0 A a 1 B b 2 C c 3 D d 4 E e 5 F f 6 G g)
    (8: 0 A a 1 B b 2 C c 3 D d 4 E e 5 F f 6 G g 7 H h)
}

impl<'de> ReadFields<'de> for () {
    const COUNT: usize = 0;

    #[inline]
    fn read<A: MapAccess<'de>>(self, _index: usize, map: &mut A) -> Result<(), A::Error> {
        skip_value(map)
    }
}

impl WriteFields for () {
    const COUNT: usize = 0;

    #[inline]
    fn write<M: SerializeMap>(&self, _names: &[&'static str], _members: &mut FieldWriter<'_, M>) {}
}

/// Text with known values that have aliases: pairs of a value and each of its aliases, that of the public service
/// first.
#[derive(Debug)]
pub struct AliasedText<'a, T>(pub &'a T, pub &'static [(&'static str, &'static str)]);

impl<T: TextField> ToField for AliasedText<'_, T> {
    type Value = Self;

    #[inline]
    fn to_field(&self) -> Option<&Self> {
        self.0.to_field().map(|_| self)
    }
}

impl<T: TextField> Serialize for AliasedText<'_, T> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        if let Some(text) = self.0.text()
            && crate::naming::current_naming() == crate::Naming::Public
            && let Some((_, public)) = self.1.iter().find(|(known, _)| *known == text)
        {
            return s.serialize_str(public);
        }
        match self.0.to_field() {
            Some(value) => value.serialize(s),
            None => s.serialize_unit(),
        }
    }
}

/// Field that is written as `"***"` while a value is formatted with `Debug`.
#[derive(Debug)]
pub struct Masked<'a, T>(pub &'a T);

impl<T: ToField> ToField for Masked<'_, T> {
    type Value = Self;

    #[inline]
    fn to_field(&self) -> Option<&Self> {
        self.0.to_field().map(|_| self)
    }
}

impl<T: ToField> Serialize for Masked<'_, T> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self.0.to_field() {
            Some(_) if crate::masking::is_masking() => s.serialize_str("***"),
            Some(value) => value.serialize(s),
            None => s.serialize_unit(),
        }
    }
}

/// Writes the fields of an object.
///
/// # Errors
/// Returns an error if the serializer fails.
#[inline]
pub fn write_fields<M: SerializeMap, T: super::Object>(parts: impl WriteFields, map: &mut M) -> Result<(), M::Error> {
    let mut members = FieldWriter::new(map);
    parts.write(T::FIELDS, &mut members);
    members.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enough fields to exceed the recursion limit of the compiler with a step for every eight of them.
    const MANY: usize = 1280;

    /// Calls a macro with the list doubled once for each sign.
    macro_rules! doubled {
        ([$($part:tt)*]) => { crate::members!(@parts $($part)*) };
        ([$($part:tt)*] + $($more:tt)*) => { doubled!([$($part)* $($part)*] $($more)*) };
    }

    #[test]
    fn writes_more_than_a_thousand_fields() {
        let names: Vec<&'static str> = (0..MANY).map(|index| &*index.to_string().leak()).collect();
        let parts = doubled!([(&Some(0)) (&Some(1)) (&Some(2)) (&Some(3)) (&Some(4))] + + + + + + + +);
        let mut map = serde_json::value::Serializer.serialize_map(None).expect("a map");
        let mut members = FieldWriter::new(&mut map);
        parts.write(&names, &mut members);
        members.finish().expect("the members can be written");
        let written = SerializeMap::end(map).expect("the map can be written");
        for (index, name) in names.iter().enumerate() {
            assert_eq!(written[name], index % 5, "{name}");
        }
    }

    #[test]
    fn reads_more_than_a_thousand_fields() {
        fn count<P: for<'de> ReadFields<'de>>(_: P) -> usize {
            P::COUNT
        }

        assert_eq!(count(doubled!([(&mut None::<i32>) (&mut None::<bool>)] + +)), 8);
        assert_eq!(
            count(doubled!([
                (&mut None::<i32>) (&mut None::<bool>) (&mut None::<i32>) (&mut None::<bool>) (&mut None::<i32>)
            ] + + + + + + + +)),
            MANY
        );
    }
}
