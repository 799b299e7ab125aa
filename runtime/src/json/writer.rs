//! [`Serializer`] of compact JSON text.
//!
//! It writes what `serde_json` writes; the tests compare both. It is faster because strings are scanned for characters
//! to escape by words.

mod compound;
mod error;
mod key;

use std::fmt::{self, Write as _};

use serde::ser::{Serialize, Serializer};

use super::scan::{end_of_plain, is_plain};
use crate::exact_number::NUMBER_NEWTYPE;
use compound::Compound;

pub(super) use error::WriteError;

/// Result of writing.
type Result<T> = std::result::Result<T, WriteError>;

/// Writer of compact JSON text.
pub(super) struct Writer {
    text: String,
    /// True while the content of a number of arbitrary precision is written.
    in_number: bool,
}

impl Writer {
    /// Creates a writer; `capacity` is in bytes.
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { text: String::with_capacity(capacity), in_number: false }
    }

    /// Returns the text that was written.
    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// Writes a string with its quotes.
    #[inline]
    fn string(&mut self, text: &str) {
        self.text.push('"');
        self.escaped(text);
        self.text.push('"');
    }

    /// Writes the name of a member, after a comma unless it is the first.
    #[inline]
    fn name(&mut self, text: &str, first: bool) {
        // Few and constant fragments: each of them checks the capacity.
        if first {
            self.text.push('"');
        } else {
            self.text.push_str(",\"");
        }
        self.escaped(text);
        self.text.push_str("\":");
    }

    /// Writes the content of a string.
    #[inline]
    fn escaped(&mut self, text: &str) {
        if is_plain(text.as_bytes()) {
            self.text.push_str(text);
        } else {
            self.escape_each(text);
        }
    }

    /// Writes the content of a string that has characters to escape.
    #[inline(never)]
    fn escape_each(&mut self, text: &str) {
        let (mut start, mut end) = (0, end_of_plain(text.as_bytes(), 0));
        while let Some(byte) = text.as_bytes().get(end) {
            self.text.push_str(text.get(start..end).unwrap_or_default());
            self.escape(*byte);
            start = end + 1;
            end = end_of_plain(text.as_bytes(), start);
        }
        self.text.push_str(text.get(start..).unwrap_or_default());
    }

    /// Writes the escape of a byte: a short one if JSON has it, else `\u00xx`.
    fn escape(&mut self, byte: u8) {
        let short = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            b'\x08' => "\\b",
            b'\x0c' => "\\f",
            _ => {
                // Writing to a string does not fail.
                let _ = write!(self.text, "\\u{byte:04x}");
                return;
            }
        };
        self.text.push_str(short);
    }

    /// Begins an object with one member, whose name is that of a variant.
    fn begin_variant(&mut self, name: &'static str) {
        self.text.push('{');
        self.name(name, true);
    }
}

/// Writes the fragments of a formatted value as content of a string.
impl fmt::Write for Writer {
    fn write_str(&mut self, fragment: &str) -> fmt::Result {
        self.escaped(fragment);
        Ok(())
    }
}

macro_rules! integers {
    ($($method:ident($ty:ty);)*) => {$(
        #[inline]
        fn $method(self, value: $ty) -> Result<()> {
            self.text.push_str(itoa::Buffer::new().format(value));
            Ok(())
        }
    )*};
}

macro_rules! floats {
    ($($method:ident($ty:ty);)*) => {$(
        /// Writes a number, or `null` if it is not finite.
        fn $method(self, value: $ty) -> Result<()> {
            let mut buffer = zmij::Buffer::new();
            self.text.push_str(if value.is_finite() { buffer.format_finite(value) } else { "null" });
            Ok(())
        }
    )*};
}

impl<'w> Serializer for &'w mut Writer {
    type Ok = ();
    type Error = WriteError;
    type SerializeSeq = Compound<'w>;
    type SerializeTuple = Compound<'w>;
    type SerializeTupleStruct = Compound<'w>;
    type SerializeTupleVariant = Compound<'w>;
    type SerializeMap = Compound<'w>;
    type SerializeStruct = Compound<'w>;
    type SerializeStructVariant = Compound<'w>;

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<()> {
        self.text.push_str(if value { "true" } else { "false" });
        Ok(())
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
        self.string(value.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<()> {
        self.string(value);
        Ok(())
    }

    /// Writes a list, or the text of a number of arbitrary precision.
    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        match str::from_utf8(value) {
            Ok(text) if self.in_number => self.text.push_str(text),
            _ => return self.collect_seq(value),
        }
        Ok(())
    }

    fn is_human_readable(&self) -> bool {
        !self.in_number
    }

    #[inline]
    fn serialize_none(self) -> Result<()> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_unit(self) -> Result<()> {
        self.text.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<()> {
        self.serialize_str(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Result<()> {
        if name != NUMBER_NEWTYPE {
            return value.serialize(self);
        }
        self.in_number = true;
        value.serialize(&mut *self)?;
        self.in_number = false;
        Ok(())
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.begin_variant(variant);
        value.serialize(&mut *self)?;
        self.text.push('}');
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, _len: Option<usize>) -> Result<Compound<'w>> {
        Ok(Compound::begin(self, '[', "]"))
    }

    fn serialize_tuple(self, len: usize) -> Result<Compound<'w>> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(self, _name: &'static str, len: usize) -> Result<Compound<'w>> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Compound<'w>> {
        self.begin_variant(variant);
        Ok(Compound::begin(self, '[', "]}"))
    }

    #[inline]
    fn serialize_map(self, _len: Option<usize>) -> Result<Compound<'w>> {
        Ok(Compound::begin(self, '{', "}"))
    }

    fn serialize_struct(self, name: &'static str, _len: usize) -> Result<Compound<'w>> {
        Ok(Compound::begin_struct(self, name))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Compound<'w>> {
        self.begin_variant(variant);
        Ok(Compound::begin(self, '{', "}}"))
    }

    fn collect_str<T: ?Sized + fmt::Display>(self, value: &T) -> Result<()> {
        self.text.push('"');
        write!(self, "{value}").map_err(|_| WriteError::new("a value cannot be formatted"))?;
        self.text.push('"');
        Ok(())
    }
}
