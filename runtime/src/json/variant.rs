//! Variants of enums in serde's default representation: the name of the variant, or an object with one member of this
//! name.

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error as _, Unexpected, VariantAccess, Visitor,
};

use super::key::Key;
use super::reader::{Reader, Result};
use super::syntax::{Code, ReadError};

/// Variant with a value, whose bracket was consumed.
pub(super) struct ObjectVariant<'r, 'de> {
    reader: &'r mut Reader<'de>,
}

impl<'r, 'de> ObjectVariant<'r, 'de> {
    pub(super) fn new(reader: &'r mut Reader<'de>) -> Self {
        Self { reader }
    }
}

impl<'de> EnumAccess<'de> for ObjectVariant<'_, 'de> {
    type Error = ReadError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        match self.reader.peek() {
            Some(b'"') => {}
            Some(b'}') => return Err(self.reader.error_at_next(Code::ExpectedValue)),
            Some(_) => return Err(self.reader.error_at_next(Code::KeyMustBeAString)),
            None => return Err(self.reader.error_at_next(Code::EofInObject)),
        }
        let name = seed.deserialize(Key::new(self.reader));
        let name = self.reader.located(name)?;
        self.reader.colon()?;
        Ok((name, self))
    }
}

impl<'de> VariantAccess<'de> for ObjectVariant<'_, 'de> {
    type Error = ReadError;

    fn unit_variant(self) -> Result<()> {
        <()>::deserialize(self.reader)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(self.reader)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value> {
        self.reader.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value> {
        self.reader.deserialize_struct("", fields, visitor)
    }
}

/// Variant without a value: a string, whose quote was peeked.
pub(super) struct NamedVariant<'r, 'de> {
    reader: &'r mut Reader<'de>,
}

impl<'r, 'de> NamedVariant<'r, 'de> {
    pub(super) fn new(reader: &'r mut Reader<'de>) -> Self {
        Self { reader }
    }
}

impl<'de> EnumAccess<'de> for NamedVariant<'_, 'de> {
    type Error = ReadError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        Ok((seed.deserialize(&mut *self.reader)?, self))
    }
}

impl<'de> VariantAccess<'de> for NamedVariant<'_, 'de> {
    type Error = ReadError;

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _seed: T) -> Result<T::Value> {
        Err(ReadError::invalid_type(Unexpected::UnitVariant, &"newtype variant"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, _visitor: V) -> Result<V::Value> {
        Err(ReadError::invalid_type(Unexpected::UnitVariant, &"tuple variant"))
    }

    fn struct_variant<V: Visitor<'de>>(self, _fields: &'static [&'static str], _visitor: V) -> Result<V::Value> {
        Err(ReadError::invalid_type(Unexpected::UnitVariant, &"struct variant"))
    }
}
