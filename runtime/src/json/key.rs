//! [`Deserializer`] of the names of members.

use serde::de::{Deserializer, Error as _, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::reader::{Precision, Reader, Result, Text};
use super::syntax::{Code, ReadError};

/// Name of a member, whose quote was peeked: a string, in which types such as integers are read as text.
pub(super) struct Key<'r, 'de> {
    reader: &'r mut Reader<'de>,
}

impl<'r, 'de> Key<'r, 'de> {
    #[inline]
    pub(super) fn new(reader: &'r mut Reader<'de>) -> Self {
        Self { reader }
    }

    /// Reads a number between quotes.
    fn quoted<V>(self, read: impl FnOnce(&mut Reader<'de>) -> Result<V>) -> Result<V> {
        self.reader.consume();
        let Some(b'0'..=b'9' | b'-') = self.reader.peek_byte() else {
            return Err(self.reader.error(Code::ExpectedNumericKey));
        };
        let value = read(self.reader)?;
        if self.reader.peek_byte() != Some(b'"') {
            return Err(self.reader.error_at_next(Code::ExpectedDoubleQuote));
        }
        self.reader.consume();
        Ok(value)
    }
}

macro_rules! quoted_numbers {
    ($($method:ident: $precision:ident;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.quoted(|reader| reader.visit_number(Precision::$precision, visitor))
        }
    )*};
}

impl<'de> Deserializer<'de> for Key<'_, 'de> {
    type Error = ReadError;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.reader.consume();
        self.reader.visit_string(visitor)
    }

    quoted_numbers! {
        deserialize_i8: Double;
        deserialize_i16: Double;
        deserialize_i32: Double;
        deserialize_i64: Double;
        deserialize_u8: Double;
        deserialize_u16: Double;
        deserialize_u32: Double;
        deserialize_u64: Double;
        deserialize_f32: Single;
        deserialize_f64: Double;
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.quoted(|reader| reader.visit_wide(true, |value| visitor.visit_i128(value)))
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.quoted(|reader| reader.visit_wide(false, |value| visitor.visit_u128(value)))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let reader = self.reader;
        reader.consume();
        let value = match reader.next_byte() {
            Some(b't') => reader.expect(b"rue\"").and_then(|()| visitor.visit_bool(true)),
            Some(b'f') => reader.expect(b"alse\"").and_then(|()| visitor.visit_bool(false)),
            // The first byte is not repeated in the message, as in that of serde_json.
            Some(_) => match reader.string()? {
                Text::Borrowed(text) => Err(ReadError::invalid_type(Unexpected::Str(text), &visitor)),
                Text::Unescaped(text) => Err(ReadError::invalid_type(Unexpected::Str(text), &visitor)),
            },
            None => return Err(reader.error_at_next(Code::EofInValue)),
        };
        reader.located(value)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        // A name is never null.
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.reader.deserialize_enum(name, variants, visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.reader.deserialize_bytes(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.reader.deserialize_bytes(visitor)
    }

    forward_to_deserialize_any! {
        char str string unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
