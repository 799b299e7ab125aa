//! Implementation of [`Deserializer`] for the reader.

use serde::de::{Deserializer, Visitor};

use super::reader::{Precision, Reader, Result, Text};
use super::syntax::{Code, ReadError};
use super::variant::{NamedVariant, ObjectVariant};
use crate::exact_number::{EXACT_NEWTYPE, NUMBER_NEWTYPE};
use crate::unions::UNION_NEWTYPE;

/// Methods of the number types.
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
                self.visit_string(visitor)
            }
            b'{' => self.visit_object(visitor),
            b'[' => self.visit_list(visitor),
            b'-' | b'0'..=b'9' => self.number(Precision::Double)?.visit(visitor),
            b't' => self.literal(b"rue").and_then(|()| visitor.visit_bool(true)),
            b'f' => self.literal(b"alse").and_then(|()| visitor.visit_bool(false)),
            b'n' => self.literal(b"ull").and_then(|()| visitor.visit_unit()),
            _ => return Err(self.error_at_next(Code::ExpectedValue)),
        };
        self.located(value)
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let value = match self.peek_value()? {
            b't' => self.literal(b"rue").and_then(|()| visitor.visit_bool(true)),
            b'f' => self.literal(b"alse").and_then(|()| visitor.visit_bool(false)),
            _ => Err(self.invalid_type(&visitor)),
        };
        self.located(value)
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
                self.visit_string(visitor)
            }
            _ => Err(self.invalid_type(&visitor)),
        };
        self.located(value)
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
            _ => Err(self.invalid_type(&visitor)),
        };
        self.located(value)
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
            _ => Err(self.invalid_type(&visitor)),
        };
        self.located(value)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match name {
            NUMBER_NEWTYPE => self.visit_number_text(visitor),
            EXACT_NEWTYPE | UNION_NEWTYPE => match self.peek_value()? {
                b'-' | b'0'..=b'9' => self.visit_exact_number(visitor),
                _ => self.deserialize_any(visitor),
            },
            _ => visitor.visit_newtype_struct(self),
        }
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let value = match self.peek_value()? {
            b'[' => self.visit_list(visitor),
            _ => Err(self.invalid_type(&visitor)),
        };
        self.located(value)
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
            _ => Err(self.invalid_type(&visitor)),
        };
        self.located(value)
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
            _ => Err(self.invalid_type(&visitor)),
        };
        self.located(value)
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
