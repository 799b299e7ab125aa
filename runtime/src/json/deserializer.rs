//! [`Deserializer`] of the reader.

use serde::de::{Deserializer, Expected, Unexpected, Visitor};

use super::access::{ListAccess, ObjectAccess};
use super::reader::{Precision, Reader, Result, Text};
use super::syntax::{Code, ReadError};
use super::variant::{NamedVariant, ObjectVariant};

impl<'de> Reader<'de> {
    /// Passes a string, whose opening quote was consumed, to the visitor.
    #[inline]
    pub(super) fn visit_string<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        match self.string()? {
            Text::Borrowed(text) => visitor.visit_borrowed_str(text),
            Text::Unescaped(text) => visitor.visit_str(text),
        }
    }

    /// Passes a list, whose bracket was peeked, to the visitor.
    #[inline]
    fn visit_list<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.enter()?;
        let value = visitor.visit_seq(ListAccess::new(self));
        self.leave();
        // The end is read in any case: an error of the visitor is located after it.
        let end = self.end_list();
        value.and_then(|value| end.map(|()| value))
    }

    /// Passes an object, whose bracket was peeked, to the visitor.
    #[inline]
    fn visit_object<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.enter()?;
        let value = visitor.visit_map(ObjectAccess::new(self));
        self.leave();
        let end = self.end_object();
        value.and_then(|value| end.map(|()| value))
    }

    /// Passes a number to the visitor.
    #[inline]
    pub(super) fn visit_number<V: Visitor<'de>>(&mut self, precision: Precision, visitor: V) -> Result<V::Value> {
        let value = match self.peek_value()? {
            b'-' | b'0'..=b'9' => self.number(precision)?.visit(visitor),
            _ => return Err(self.invalid_type(&visitor)),
        };
        value.map_err(|error| self.locate(error))
    }

    /// Passes an integer of up to 128 bits to a function.
    pub(super) fn visit_wide<T: std::str::FromStr, V>(
        &mut self,
        signed: bool,
        visit: impl FnOnce(T) -> Result<V>,
    ) -> Result<V> {
        let value = visit(self.wide_integer(signed)?);
        value.map_err(|error| self.locate(error))
    }

    /// Returns the error of a value of another type than expected. The value is read, since the message repeats it.
    #[cold]
    fn invalid_type(&mut self, expected: &dyn Expected) -> ReadError {
        match self.describe_unexpected(expected) {
            Ok(error) => self.locate(error),
            Err(error) => error,
        }
    }

    fn describe_unexpected(&mut self, expected: &dyn Expected) -> Result<ReadError> {
        use serde::de::Error as _;

        let unexpected = match self.peek_value()? {
            b'n' => self.literal(b"ull").map(|()| Unexpected::Unit)?,
            b't' => self.literal(b"rue").map(|()| Unexpected::Bool(true))?,
            b'f' => self.literal(b"alse").map(|()| Unexpected::Bool(false))?,
            b'-' | b'0'..=b'9' => return Ok(self.number(Precision::Double)?.invalid_type(expected)),
            b'"' => {
                self.consume();
                let text = match self.string()? {
                    Text::Borrowed(text) => text,
                    Text::Unescaped(text) => text,
                };
                Unexpected::Str(text)
            }
            b'[' => Unexpected::Seq,
            b'{' => Unexpected::Map,
            _ => return Err(self.error_at_next(Code::ExpectedValue)),
        };
        Ok(ReadError::invalid_type(unexpected, expected))
    }
}

/// Methods for numbers.
macro_rules! numbers {
    ($($method:ident: $precision:ident;)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.visit_number(Precision::$precision, visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = ReadError;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let value = match self.peek_value()? {
            b'"' => {
                self.consume();
                match self.string()? {
                    Text::Borrowed(text) => visitor.visit_borrowed_str(text),
                    Text::Unescaped(text) => visitor.visit_str(text),
                }
            }
            b'{' => self.visit_object(visitor),
            b'[' => self.visit_list(visitor),
            b'-' | b'0'..=b'9' => self.number(Precision::Double)?.visit(visitor),
            b't' => self.literal(b"rue").and_then(|()| visitor.visit_bool(true)),
            b'f' => self.literal(b"alse").and_then(|()| visitor.visit_bool(false)),
            b'n' => self.literal(b"ull").and_then(|()| visitor.visit_unit()),
            _ => return Err(self.error_at_next(Code::ExpectedValue)),
        };
        value.map_err(|error| self.locate(error))
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let value = match self.peek_value()? {
            b't' => self.literal(b"rue").and_then(|()| visitor.visit_bool(true)),
            b'f' => self.literal(b"alse").and_then(|()| visitor.visit_bool(false)),
            _ => return Err(self.invalid_type(&visitor)),
        };
        value.map_err(|error| self.locate(error))
    }

    numbers! {
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
        self.visit_wide(true, |value| visitor.visit_i128(value))
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.visit_wide(false, |value| visitor.visit_u128(value))
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let value = match self.peek_value()? {
            b'"' => {
                self.consume();
                match self.string()? {
                    Text::Borrowed(text) => visitor.visit_borrowed_str(text),
                    Text::Unescaped(text) => visitor.visit_str(text),
                }
            }
            _ => return Err(self.invalid_type(&visitor)),
        };
        value.map_err(|error| self.locate(error))
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    /// Passes the UTF-8 of a string to the visitor, or a list of bytes.
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let value = match self.peek_value()? {
            b'"' => {
                self.consume();
                match self.string()? {
                    Text::Borrowed(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
                    Text::Unescaped(text) => visitor.visit_bytes(text.as_bytes()),
                }
            }
            b'[' => self.visit_list(visitor),
            _ => return Err(self.invalid_type(&visitor)),
        };
        value.map_err(|error| self.locate(error))
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.peek() == Some(b'n') {
            self.literal(b"ull")?;
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let value = match self.peek_value()? {
            b'n' => self.literal(b"ull").and_then(|()| visitor.visit_unit()),
            _ => return Err(self.invalid_type(&visitor)),
        };
        value.map_err(|error| self.locate(error))
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let value = match self.peek_value()? {
            b'[' => self.visit_list(visitor),
            _ => return Err(self.invalid_type(&visitor)),
        };
        value.map_err(|error| self.locate(error))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let value = match self.peek_value()? {
            b'{' => self.visit_object(visitor),
            _ => return Err(self.invalid_type(&visitor)),
        };
        value.map_err(|error| self.locate(error))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let value = match self.peek_value()? {
            b'[' => self.visit_list(visitor),
            b'{' => self.visit_object(visitor),
            _ => return Err(self.invalid_type(&visitor)),
        };
        value.map_err(|error| self.locate(error))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.peek_value()? {
            b'{' => {
                self.enter()?;
                let value = visitor.visit_enum(ObjectVariant::new(self));
                self.leave();
                let value = value?;
                match self.peek() {
                    Some(b'}') => {
                        self.consume();
                        Ok(value)
                    }
                    Some(_) => Err(self.error(Code::ExpectedValue)),
                    None => Err(self.error(Code::EofInObject)),
                }
            }
            b'"' => visitor.visit_enum(NamedVariant::new(self)),
            _ => Err(self.error_at_next(Code::ExpectedValue)),
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.skip_value()?;
        visitor.visit_unit()
    }
}
