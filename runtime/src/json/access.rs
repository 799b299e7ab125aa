//! Access to the elements of lists and the members of objects.

use serde::de::{DeserializeSeed, MapAccess, SeqAccess};

use super::key::Key;
use super::reader::{Reader, Result};
use super::syntax::{Code, ReadError};

/// Elements of a list.
pub(super) struct ListAccess<'r, 'de> {
    reader: &'r mut Reader<'de>,
    first: bool,
}

impl<'r, 'de> ListAccess<'r, 'de> {
    #[inline]
    pub(super) fn new(reader: &'r mut Reader<'de>) -> Self {
        Self { reader, first: true }
    }

    /// Moves to the next element; false at the end of the list.
    #[inline]
    fn next(&mut self) -> Result<bool> {
        match self.reader.peek() {
            Some(b']') => Ok(false),
            Some(b',') if !self.first => {
                self.reader.consume();
                match self.reader.peek_value()? {
                    b']' => Err(self.reader.error_at_next(Code::TrailingComma)),
                    _ => Ok(true),
                }
            }
            Some(_) if self.first => {
                self.first = false;
                Ok(true)
            }
            Some(_) => Err(self.reader.error_at_next(Code::ExpectedListCommaOrEnd)),
            None => Err(self.reader.error_at_next(Code::EofInList)),
        }
    }
}

impl<'de> SeqAccess<'de> for ListAccess<'_, 'de> {
    type Error = ReadError;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.next()? { seed.deserialize(&mut *self.reader).map(Some) } else { Ok(None) }
    }
}

/// Members of an object.
pub(super) struct ObjectAccess<'r, 'de> {
    reader: &'r mut Reader<'de>,
    first: bool,
}

impl<'r, 'de> ObjectAccess<'r, 'de> {
    #[inline]
    pub(super) fn new(reader: &'r mut Reader<'de>) -> Self {
        Self { reader, first: true }
    }

    /// Moves to the quote of the next name; false at the end of the object.
    fn next(&mut self) -> Result<bool> {
        let first = std::mem::take(&mut self.first);
        let next = match self.reader.peek() {
            Some(b'}') => return Ok(false),
            Some(b',') if !first => {
                self.reader.consume();
                let next = self.reader.peek_value()?;
                if next == b'}' {
                    return Err(self.reader.error_at_next(Code::TrailingComma));
                }
                next
            }
            Some(next) if first => next,
            Some(_) => return Err(self.reader.error_at_next(Code::ExpectedObjectCommaOrEnd)),
            None => return Err(self.reader.error_at_next(Code::EofInObject)),
        };
        match next {
            b'"' => Ok(true),
            _ => Err(self.reader.error_at_next(Code::KeyMustBeAString)),
        }
    }
}

impl<'de> MapAccess<'de> for ObjectAccess<'_, 'de> {
    type Error = ReadError;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.next()? { seed.deserialize(Key::new(self.reader)).map(Some) } else { Ok(None) }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        self.reader.colon()?;
        seed.deserialize(&mut *self.reader)
    }
}
