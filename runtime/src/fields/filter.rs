//! Serializer of the selected fields of a value as JSON text.
//!
//! Fields that are selected as a whole are written by `serde_json` with the code that writes them elsewhere. Only
//! partially selected objects and lists are written here, and scalars are not: so each filtered type is compiled only
//! once more, and nothing is generic except over the values.

mod key_serializer;

use std::fmt::Display;

use serde::ser::{
    Error as _, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple,
    SerializeTupleStruct, Serializer,
};
use serde_json::{Error, to_writer};

use self::key_serializer::KeySerializer;
use super::compile::Node;
use crate::json::EncodeError;

/// Serializes the selected fields of a value.
pub fn to_vec<T: Serialize + ?Sized>(node: &Node, value: &T) -> Result<Vec<u8>, EncodeError> {
    let mut text = Vec::with_capacity(1024);
    write(value, node, &mut text).map_err(|error| EncodeError::new(&error))?;
    if text.is_empty() {
        text.extend_from_slice(b"null");
    }
    Ok(text)
}

/// Serializes a value. Writes nothing if nothing of it can be selected.
fn write<T: Serialize + ?Sized>(value: &T, node: &Node, text: &mut Vec<u8>) -> Result<(), Error> {
    match node {
        Node::Whole => to_writer(text, value),
        Node::Partial { .. } => value.serialize(FilterSerializer { node, text }),
    }
}

/// Serializer of a partially selected value.
struct FilterSerializer<'f> {
    node: &'f Node,
    text: &'f mut Vec<u8>,
}

/// Serializer of the fields of an object, or the elements of a list.
struct ContainerWriter<'f> {
    node: &'f Node,
    text: &'f mut Vec<u8>,
    /// True if a comma is needed before the next field.
    needs_comma: bool,
    /// Selection of the field whose name was serialized last.
    next: Option<&'f Node>,
    /// Start of its name in the text.
    start: usize,
    close: u8,
}

impl<'f> FilterSerializer<'f> {
    /// Starts an object or a list with its opening bracket.
    fn open(self, open: u8, close: u8) -> ContainerWriter<'f> {
        self.text.push(open);
        ContainerWriter { node: self.node, text: self.text, needs_comma: false, next: None, start: 0, close }
    }
}

impl ContainerWriter<'_> {
    /// Writes a comma if one is needed, and remembers where the next field or element starts.
    fn write_comma(&mut self) {
        self.start = self.text.len();
        if self.needs_comma {
            self.text.push(b',');
        }
    }

    /// Keeps the text since the comma if a value was written, else removes it.
    fn keep_or_remove(&mut self, value: usize) {
        if self.text.len() == value {
            self.text.truncate(self.start);
        } else {
            self.needs_comma = true;
        }
    }

    /// Writes the name of a field if any of it is selected.
    fn write_name(&mut self, name: &str) -> Result<(), Error> {
        self.next = self.node.field(name);
        if self.next.is_some() {
            self.write_comma();
            to_writer(&mut *self.text, name)?;
            self.text.push(b':');
        }
        Ok(())
    }

    /// Writes the selected fields of the value of the last name. Removes the name if there are none.
    fn write_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let Some(node) = self.next.take() else { return Ok(()) };
        let start = self.text.len();
        write(value, node, self.text)?;
        self.keep_or_remove(start);
        Ok(())
    }

    /// Writes the selected fields of an element, or nothing if there are none.
    fn write_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.write_comma();
        let start = self.text.len();
        write(value, self.node, self.text)?;
        self.keep_or_remove(start);
        Ok(())
    }

    /// Writes the closing bracket.
    fn close(self) {
        self.text.push(self.close);
    }
}

impl SerializeMap for ContainerWriter<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        key.serialize(KeySerializer { parts: self })
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.write_value(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

impl SerializeStruct for ContainerWriter<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.write_name(key)?;
        self.write_value(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

macro_rules! lists {
    ($($of:ident $take:ident),*) => {$(
        impl $of for ContainerWriter<'_> {
            type Ok = ();
            type Error = Error;

            fn $take<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.write_element(value)
            }

            fn end(self) -> Result<(), Error> {
                self.close();
                Ok(())
            }
        }
    )*};
}

lists!(SerializeSeq serialize_element, SerializeTuple serialize_element, SerializeTupleStruct serialize_field);

/// Scalars: nothing of them can be selected.
macro_rules! skip_scalars {
    ($($function:ident($($ty:ty),*);)*) => {$(
        fn $function(self, $(_: $ty),*) -> Result<(), Error> {
            Ok(())
        }
    )*};
}

impl<'f> Serializer for FilterSerializer<'f> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = ContainerWriter<'f>;
    type SerializeTuple = ContainerWriter<'f>;
    type SerializeTupleStruct = ContainerWriter<'f>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = ContainerWriter<'f>;
    type SerializeStruct = ContainerWriter<'f>;
    type SerializeStructVariant = Impossible<(), Error>;

    skip_scalars! {
        serialize_bool(bool);
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
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    fn collect_str<T: Display + ?Sized>(self, _: &T) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error> {
        Err(variant_error())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<ContainerWriter<'f>, Error> {
        Ok(self.open(b'[', b']'))
    }

    fn serialize_tuple(self, _: usize) -> Result<ContainerWriter<'f>, Error> {
        Ok(self.open(b'[', b']'))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<ContainerWriter<'f>, Error> {
        Ok(self.open(b'[', b']'))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        Err(variant_error())
    }

    fn serialize_map(self, _: Option<usize>) -> Result<ContainerWriter<'f>, Error> {
        Ok(self.open(b'{', b'}'))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<ContainerWriter<'f>, Error> {
        Ok(self.open(b'{', b'}'))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        Err(variant_error())
    }
}

/// Creates the error of an enum variant with content, which generated types never have.
#[cold]
fn variant_error() -> Error {
    Error::custom("fields of an enum variant cannot be selected")
}
