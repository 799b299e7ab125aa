//! Reader of JSON text: white space, literals, strings, numbers and skipped values.
//!
//! It accepts what `serde_json` accepts, and reports the same errors at the same positions; the tests compare both.
//! It is faster because the text is checked to be UTF-8 once and not string by string, strings are scanned by
//! words, and what does not depend on the decoded type is compiled once, in this crate.

mod numbers;
mod skip;
mod strings;

use super::syntax::{Code, ReadError};

pub(super) use numbers::Precision;
pub(super) use strings::Text;

/// Result with an error that has a position, but no path yet.
pub(super) type Result<T> = std::result::Result<T, ReadError>;

/// Number of levels that a value may be nested.
const MAX_DEPTH: u8 = 127;

/// Reader of JSON text.
pub(super) struct Reader<'de> {
    bytes: &'de [u8],
    /// The same bytes, if all of them are UTF-8. Otherwise each string is checked, since skipped strings may be anything.
    text: Option<&'de str>,
    /// Index of the next byte.
    at: usize,
    /// Remaining levels of nesting.
    depth: u8,
    /// Unescaped string, or the brackets that are open while a value is skipped.
    scratch: Vec<u8>,
}

impl<'de> Reader<'de> {
    /// Creates a reader of bytes, whose strings are checked for UTF-8 if they are not UTF-8 as a whole.
    pub(super) fn from_slice(bytes: &'de [u8]) -> Self {
        Self { bytes, text: std::str::from_utf8(bytes).ok(), at: 0, depth: MAX_DEPTH, scratch: Vec::new() }
    }

    /// Creates a reader of a text, whose strings need no check for UTF-8.
    pub(super) fn from_str(text: &'de str) -> Self {
        Self { bytes: text.as_bytes(), text: Some(text), at: 0, depth: MAX_DEPTH, scratch: Vec::new() }
    }

    /// Returns the next byte without consuming it.
    #[inline]
    pub(super) fn peek_byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips white space and returns the next byte without consuming it.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                next => return next.copied(),
            }
        }
    }

    /// Skips white space and returns the first byte of a value without consuming it.
    #[inline]
    pub(super) fn peek_value(&mut self) -> Result<u8> {
        match self.peek() {
            Some(byte) => Ok(byte),
            None => Err(self.error_at_next(Code::EofInValue)),
        }
    }

    /// Consumes the byte that was peeked.
    #[inline]
    pub(super) fn consume(&mut self) {
        self.at += 1;
    }

    /// Consumes the next byte and returns it.
    #[inline]
    pub(super) fn next_byte(&mut self) -> Option<u8> {
        let byte = self.peek_byte()?;
        self.at += 1;
        Some(byte)
    }

    /// Consumes the first byte of a literal, which was peeked, and the rest of it.
    #[inline]
    pub(super) fn literal(&mut self, rest: &'static [u8]) -> Result<()> {
        self.at += 1;
        self.expect(rest)
    }

    /// Consumes the expected bytes.
    #[inline]
    pub(super) fn expect(&mut self, expected: &'static [u8]) -> Result<()> {
        if self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(expected)) {
            self.at += expected.len();
            return Ok(());
        }
        Err(self.unexpected_literal(expected))
    }

    /// Creates the error at the first byte that differs from the rest of a literal.
    #[cold]
    fn unexpected_literal(&mut self, expected: &[u8]) -> ReadError {
        for byte in expected {
            match self.next_byte() {
                None => return self.error(Code::EofInValue),
                Some(next) if next != *byte => break,
                Some(_) => {}
            }
        }
        self.error(Code::ExpectedIdent)
    }

    /// Enters a list or an object and consumes its bracket.
    #[inline]
    pub(super) fn enter(&mut self) -> Result<()> {
        let Some(depth) = self.depth.checked_sub(1) else { return Err(self.error_at_next(Code::TooDeep)) };
        self.depth = depth;
        self.at += 1;
        Ok(())
    }

    /// Leaves a list or an object.
    #[inline]
    pub(super) fn leave(&mut self) {
        self.depth += 1;
    }

    /// Consumes the colon after a name.
    #[inline]
    pub(super) fn colon(&mut self) -> Result<()> {
        match self.peek() {
            Some(b':') => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(self.error_at_next(Code::ExpectedColon)),
            None => Err(self.error_at_next(Code::EofInObject)),
        }
    }

    /// Consumes the end of a list after its last element.
    #[inline]
    pub(super) fn end_list(&mut self) -> Result<()> {
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        Err(self.unended_list())
    }

    /// Creates the error of a list with more elements than the caller reads, or without its end.
    #[cold]
    fn unended_list(&mut self) -> ReadError {
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                let trailing = self.peek() == Some(b']');
                self.error_at_next(if trailing { Code::TrailingComma } else { Code::TrailingCharacters })
            }
            Some(_) => self.error_at_next(Code::TrailingCharacters),
            None => self.error_at_next(Code::EofInList),
        }
    }

    /// Consumes the end of an object after its last member.
    #[inline]
    pub(super) fn end_object(&mut self) -> Result<()> {
        match self.peek() {
            Some(b'}') => {
                self.at += 1;
                Ok(())
            }
            Some(b',') => Err(self.error_at_next(Code::TrailingComma)),
            Some(_) => Err(self.error_at_next(Code::TrailingCharacters)),
            None => Err(self.error_at_next(Code::EofInObject)),
        }
    }

    /// Checks that only white space follows the value.
    pub(super) fn end(&mut self) -> Result<()> {
        match self.peek() {
            Some(_) => Err(self.error_at_next(Code::TrailingCharacters)),
            None => Ok(()),
        }
    }

    /// Returns an error at the byte that was consumed last.
    #[cold]
    pub(super) fn error(&self, code: Code) -> ReadError {
        ReadError::new(code, self.position(self.at))
    }

    /// Returns an error at the byte that was peeked.
    #[cold]
    pub(super) fn error_at_next(&self, code: Code) -> ReadError {
        ReadError::new(code, self.position((self.at + 1).min(self.bytes.len())))
    }

    /// Locates an error of a visitor, which knows no position.
    #[cold]
    pub(super) fn locate(&self, error: &mut ReadError) {
        error.set_position(|| self.position(self.at));
    }

    /// Locates the error of a result. A value is not taken out of it: it may be large, and would be copied.
    #[inline]
    pub(super) fn located<T>(&self, mut value: Result<T>) -> Result<T> {
        if let Err(error) = &mut value {
            self.locate(error);
        }
        value
    }

    /// Returns the line, from 1, and the column of the byte before an index.
    fn position(&self, at: usize) -> (usize, usize) {
        let before = self.bytes.get(..at).unwrap_or(self.bytes);
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let lines = before.get(..start).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count();
        (1 + lines, before.len() - start)
    }
}
