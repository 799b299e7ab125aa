//! Lists and objects.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};

use super::key::Key;
use super::{Result, WriteError, Writer};

/// Names of the structs as which `serde_json` serializes numbers of arbitrary precision and raw values. Their only
/// field is JSON text.
const RAW: [&str; 2] = ["$serde_json::private::Number", "$serde_json::private::RawValue"];

/// List or object that was begun.
pub(in crate::json) struct Compound<'w> {
    writer: &'w mut Writer,
    first: bool,
    end: &'static str,
    raw: bool,
}

impl<'w> Compound<'w> {
    /// Writes the opening bracket of a list or an object. Its closing bracket, `end`, is written when it is complete.
    #[inline]
    pub(super) fn begin(writer: &'w mut Writer, bracket: char, end: &'static str) -> Self {
        writer.text.push(bracket);
        Self { writer, first: true, end, raw: false }
    }

    /// Begins a struct: an object, or raw JSON text if its name is one of those of `serde_json`.
    pub(super) fn begin_struct(writer: &'w mut Writer, name: &'static str) -> Self {
        if RAW.contains(&name) {
            return Self { writer, first: true, end: "", raw: true };
        }
        Self::begin(writer, '{', "}")
    }

    /// Writes a comma, except before the first element.
    #[inline]
    fn separate(&mut self) {
        if !std::mem::take(&mut self.first) {
            self.writer.text.push(',');
        }
    }

    /// Writes an element of a list.
    #[inline]
    fn element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.separate();
        value.serialize(&mut *self.writer)
    }

    /// Writes a field of an object, or the text of a raw value.
    #[inline]
    fn field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<()> {
        if self.raw {
            return self.raw_text(value);
        }
        self.writer.name(name, std::mem::take(&mut self.first));
        value.serialize(&mut *self.writer)
    }

    /// Writes the text that a value serializes to as it is.
    #[cold]
    fn raw_text<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        match serde_json::to_value(value) {
            Ok(serde_json::Value::String(text)) => {
                self.writer.text.push_str(&text);
                Ok(())
            }
            Ok(_) => Err(WriteError::new("the text of a raw value must be a string")),
            Err(error) => Err(WriteError::new(&error.to_string())),
        }
    }

    /// Writes the closing brackets.
    #[inline]
    fn finish(self) -> Result<()> {
        self.writer.text.push_str(self.end);
        Ok(())
    }
}

macro_rules! lists {
    ($($trait:ident by $method:ident;)*) => {$(
        impl $trait for Compound<'_> {
            type Ok = ();
            type Error = WriteError;

            #[inline]
            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                self.element(value)
            }

            #[inline]
            fn end(self) -> Result<()> {
                self.finish()
            }
        }
    )*};
}

lists! {
    SerializeSeq by serialize_element;
    SerializeTuple by serialize_element;
    SerializeTupleStruct by serialize_field;
    SerializeTupleVariant by serialize_field;
}

macro_rules! structs {
    ($($trait:ident)*) => {$(
        impl $trait for Compound<'_> {
            type Ok = ();
            type Error = WriteError;

            #[inline]
            fn serialize_field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<()> {
                self.field(name, value)
            }

            #[inline]
            fn end(self) -> Result<()> {
                self.finish()
            }
        }
    )*};
}

structs! { SerializeStruct SerializeStructVariant }

impl SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = WriteError;

    #[inline]
    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        key.serialize(Key::new(self.writer, std::mem::take(&mut self.first)))
    }

    #[inline]
    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        value.serialize(&mut *self.writer)
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.finish()
    }
}

#[cfg(test)]
mod tests {
    use serde::ser::{Serialize, SerializeStruct, Serializer};

    use crate::json::to_string;

    /// Value that serializes as those of `serde_json` do.
    struct Raw<T>(&'static str, T);

    impl<T: Serialize> Serialize for Raw<T> {
        fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            let mut fields = s.serialize_struct(self.0, 1)?;
            fields.serialize_field(self.0, &self.1)?;
            fields.end()
        }
    }

    #[test]
    fn raw_values_are_written_as_they_are() {
        for name in super::RAW {
            let text = to_string(&[Raw(name, "1.10"), Raw(name, "{ }")]);
            assert_eq!(text.ok().as_deref(), Some("[1.10,{ }]"));
            let error = to_string(&Raw(name, 1)).err().map(|error| error.to_string());
            assert_eq!(error.as_deref(), Some("the text of a raw value must be a string"));
        }
    }
}
