//! [`Serializer`] of the names of members: strings, and values with a text that becomes one. It writes the comma before
//! a name, and the colon after it.

use std::fmt;

use serde::ser::{Impossible, Serialize, Serializer};

use super::{Result, WriteError, Writer};

/// Name of a member.
pub(super) struct Key<'w> {
    writer: &'w mut Writer,
    first: bool,
}

impl<'w> Key<'w> {
    #[inline]
    pub(super) const fn new(writer: &'w mut Writer, first: bool) -> Self {
        Self { writer, first }
    }
}

/// Creates the error of a key that is not a string.
#[cold]
fn not_a_string() -> WriteError {
    WriteError::new("key must be a string")
}

macro_rules! integers {
    ($($method:ident($ty:ty);)*) => {$(
        fn $method(self, value: $ty) -> Result<()> {
            self.serialize_str(itoa::Buffer::new().format(value))
        }
    )*};
}

macro_rules! floats {
    ($($method:ident($ty:ty);)*) => {$(
        fn $method(self, value: $ty) -> Result<()> {
            if !value.is_finite() {
                return Err(WriteError::new("float key must be finite (got NaN or +/-inf)"));
            }
            self.serialize_str(zmij::Buffer::new().format_finite(value))
        }
    )*};
}

impl Serializer for Key<'_> {
    type Ok = ();
    type Error = WriteError;
    type SerializeSeq = Impossible<(), WriteError>;
    type SerializeTuple = Impossible<(), WriteError>;
    type SerializeTupleStruct = Impossible<(), WriteError>;
    type SerializeTupleVariant = Impossible<(), WriteError>;
    type SerializeMap = Impossible<(), WriteError>;
    type SerializeStruct = Impossible<(), WriteError>;
    type SerializeStructVariant = Impossible<(), WriteError>;

    fn serialize_bool(self, value: bool) -> Result<()> {
        self.serialize_str(if value { "true" } else { "false" })
    }

    integers! {
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_i128(i128);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_u128(u128);
    }

    floats! {
        serialize_f32(f32);
        serialize_f64(f64);
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<()> {
        self.writer.name(value, self.first);
        Ok(())
    }

    fn serialize_bytes(self, _value: &[u8]) -> Result<()> {
        Err(not_a_string())
    }

    fn serialize_none(self) -> Result<()> {
        Err(not_a_string())
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        Err(not_a_string())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        Err(not_a_string())
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<()> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _name: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<()> {
        Err(not_a_string())
    }

    fn serialize_seq(self, _len: Option<usize>) -> Result<Self::SerializeSeq> {
        Err(not_a_string())
    }

    fn serialize_tuple(self, _len: usize) -> Result<Self::SerializeTuple> {
        Err(not_a_string())
    }

    fn serialize_tuple_struct(self, _name: &'static str, _len: usize) -> Result<Self::SerializeTupleStruct> {
        Err(not_a_string())
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _len: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        Err(not_a_string())
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Self::SerializeMap> {
        Err(not_a_string())
    }

    fn serialize_struct(self, _name: &'static str, _len: usize) -> Result<Self::SerializeStruct> {
        Err(not_a_string())
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _len: usize,
    ) -> Result<Self::SerializeStructVariant> {
        Err(not_a_string())
    }

    fn collect_str<T: ?Sized + fmt::Display>(self, value: &T) -> Result<()> {
        if !self.first {
            self.writer.text.push(',');
        }
        self.writer.collect_str(value)?;
        self.writer.text.push(':');
        Ok(())
    }
}
