//! Serializer of the keys of a map, which are serialized as values.

use serde::ser::{Error as _, Impossible, Serialize, Serializer};
use serde_json::Error;

use super::ContainerWriter;

/// Serializer of the name of a field.
pub(super) struct KeySerializer<'p, 'f> {
    pub(super) parts: &'p mut ContainerWriter<'f>,
}

macro_rules! reject_names {
    ($($function:ident($($ty:ty),*) $(-> $ok:ty)?;)*) => {$(
        fn $function(self, $(_: $ty),*) -> Result<reject_names!(@ $($ok)?), Error> {
            Err(invalid_name())
        }
    )*};
    (@) => { () };
    (@ $ok:ty) => { $ok };
}

/// Serializer of compound values, none of which can be a key.
type Never = Impossible<(), Error>;

impl Serializer for KeySerializer<'_, '_> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Never;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Never;
    type SerializeStructVariant = Never;

    fn serialize_str(self, name: &str) -> Result<(), Error> {
        self.parts.write_name(name)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Result<(), Error> {
        self.parts.write_name(name)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    reject_names! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_char(char);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_seq(Option<usize>) -> Never;
        serialize_tuple(usize) -> Never;
        serialize_tuple_struct(&'static str, usize) -> Never;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Never;
        serialize_map(Option<usize>) -> Never;
        serialize_struct(&'static str, usize) -> Never;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Never;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), Error> {
        Err(invalid_name())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error> {
        Err(invalid_name())
    }
}

/// Creates the error of a key that is not a string.
#[cold]
fn invalid_name() -> Error {
    Error::custom("the name of a field must be a string")
}
