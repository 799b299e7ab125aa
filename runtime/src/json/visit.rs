//! Parts of the text as values for visitors.

use serde::de::{Error as _, Expected, Unexpected, Visitor};

use super::access::{ListAccess, ObjectAccess};
use super::reader::{Precision, Reader, Result, Text};
use super::syntax::{Code, ReadError};

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
    pub(super) fn visit_list<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.enter()?;
        let value = visitor.visit_seq(ListAccess::new(self));
        self.leave();
        // The end is read in any case: an error of the visitor is located after it.
        let end = self.end_list();
        unless_failed(value, end)
    }

    /// Passes an object, whose bracket was peeked, to the visitor.
    #[inline]
    pub(super) fn visit_object<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.enter()?;
        let value = visitor.visit_map(ObjectAccess::new(self));
        self.leave();
        let end = self.end_object();
        unless_failed(value, end)
    }

    /// Passes a number to the visitor.
    #[inline]
    pub(super) fn visit_number<V: Visitor<'de>>(&mut self, precision: Precision, visitor: V) -> Result<V::Value> {
        let value = match self.peek_value()? {
            b'-' | b'0'..=b'9' => self.number(precision)?.visit(visitor),
            _ => Err(self.invalid_type(&visitor)),
        };
        self.located(value)
    }

    /// Passes an integer of up to 128 bits to a function.
    pub(super) fn visit_wide<T: std::str::FromStr, V>(
        &mut self,
        signed: bool,
        visit: impl FnOnce(T) -> Result<V>,
    ) -> Result<V> {
        let value = visit(self.wide_integer(signed)?);
        self.located(value)
    }

    /// Returns the error of a value of another type than expected. The value is read, since the message repeats it.
    #[cold]
    pub(super) fn invalid_type(&mut self, expected: &dyn Expected) -> ReadError {
        match self.describe_unexpected(expected) {
            Ok(mut error) => {
                self.locate(&mut error);
                error
            }
            Err(error) => error,
        }
    }

    /// Reads a value of the wrong type and returns the error that names it; `Err` if the value itself is malformed.
    fn describe_unexpected(&mut self, expected: &dyn Expected) -> Result<ReadError> {
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

/// Returns the value, unless what follows it is an error. The value is not taken out of its result: it may be large, and
/// would be copied.
#[inline]
fn unless_failed<T>(mut value: Result<T>, end: Result<()>) -> Result<T> {
    if let (Ok(_), Err(error)) = (&value, end) {
        value = Err(error);
    }
    value
}
