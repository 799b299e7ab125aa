//! Strings and their escapes.

use std::str;

use super::super::scan::end_of_plain;
use super::super::syntax::{Code, ReadError};
use super::{Reader, Result};

/// String: a part of the text, or unescaped in the buffer of the reader.
pub(in crate::json) enum Text<'de, 'r> {
    Borrowed(&'de str),
    Unescaped(&'r str),
}

impl<'de> Reader<'de> {
    /// Reads a string whose opening quote was consumed.
    #[inline]
    pub(in crate::json) fn string(&mut self) -> Result<Text<'de, '_>> {
        let end = end_of_plain(self.bytes, self.at);
        if let (Some(b'"'), Some(text)) = (self.bytes.get(end), self.text)
            && let Some(string) = text.get(self.at..end)
        {
            self.at = end + 1;
            return Ok(Text::Borrowed(string));
        }
        self.string_from(end)
    }

    /// Reads a string that is not a part of a valid text. It is plain up to `end`.
    #[inline(never)]
    fn string_from(&mut self, mut end: usize) -> Result<Text<'de, '_>> {
        let mut start = self.at;
        self.scratch.clear();
        loop {
            let run = self.bytes.get(start..end).unwrap_or_default();
            self.at = end;
            match self.next_byte() {
                Some(b'"') if self.scratch.is_empty() => {
                    return match str::from_utf8(run) {
                        Ok(text) => Ok(Text::Borrowed(text)),
                        Err(error) => Err(self.invalid_unicode(run.len(), error)),
                    };
                }
                Some(b'"') => {
                    self.scratch.extend_from_slice(run);
                    return match str::from_utf8(&self.scratch) {
                        Ok(text) => Ok(Text::Unescaped(text)),
                        Err(error) => Err(self.invalid_unicode(self.scratch.len(), error)),
                    };
                }
                Some(b'\\') => {
                    self.scratch.extend_from_slice(run);
                    self.escape()?;
                    start = self.at;
                    end = end_of_plain(self.bytes, start);
                }
                Some(_) => return Err(self.error(Code::ControlCharacter)),
                None => return Err(self.error(Code::EofInString)),
            }
        }
    }

    /// Returns the error of a string that is not UTF-8. If the string has escapes, the column is approximate.
    #[cold]
    fn invalid_unicode(&self, length: usize, error: str::Utf8Error) -> ReadError {
        let (line, column) = self.position(self.at);
        ReadError::new(Code::InvalidUnicode, (line, column.saturating_sub(length - error.valid_up_to())))
    }

    /// Reads an escape whose backslash was consumed.
    fn escape(&mut self) -> Result<()> {
        let unescaped = match self.next_byte() {
            Some(byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b'b') => b'\x08',
            Some(b'f') => b'\x0c',
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                let character = self.unicode_escape()?;
                let mut buffer = [0; 4];
                self.scratch.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
                return Ok(());
            }
            Some(_) => return Err(self.error(Code::InvalidEscape)),
            None => return Err(self.error(Code::EofInString)),
        };
        self.scratch.push(unescaped);
        Ok(())
    }

    /// Reads the digits after `\u`, and the second escape of a surrogate pair.
    fn unicode_escape(&mut self) -> Result<char> {
        let first = self.hex_digits()?;
        let code = match first {
            0xDC00..=0xDFFF => return Err(self.error(Code::UnpairedSurrogate)),
            0xD800..=0xDBFF => {
                for expected in [b'\\', b'u'] {
                    match self.next_byte() {
                        Some(byte) if byte == expected => {}
                        Some(_) => return Err(self.error(Code::UnexpectedEndOfEscape)),
                        None => return Err(self.error(Code::EofInString)),
                    }
                }
                match self.hex_digits()? {
                    second @ 0xDC00..=0xDFFF => 0x1_0000 + ((first - 0xD800) << 10 | (second - 0xDC00)),
                    _ => return Err(self.error(Code::UnpairedSurrogate)),
                }
            }
            code => code,
        };
        // The surrogates were excluded, so this does not fail.
        char::from_u32(code).ok_or_else(|| self.error(Code::UnpairedSurrogate))
    }

    /// Reads four hexadecimal digits.
    fn hex_digits(&mut self) -> Result<u32> {
        let Some(digits) = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<4>()) else {
            self.at = self.bytes.len();
            return Err(self.error(Code::EofInString));
        };
        self.at += 4;
        let mut code = 0;
        for digit in digits {
            let Some(digit) = char::from(*digit).to_digit(16) else { return Err(self.error(Code::InvalidEscape)) };
            code = code << 4 | digit;
        }
        Ok(code)
    }

    /// Skips a string whose opening quote was consumed. Its escapes may be lone surrogates, and it may not be UTF-8.
    pub(super) fn skip_string(&mut self) -> Result<()> {
        loop {
            self.at = end_of_plain(self.bytes, self.at);
            match self.peek_byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    self.at += 1;
                    self.skip_escape()?;
                }
                Some(_) => return Err(self.error(Code::ControlCharacter)),
                None => return Err(self.error(Code::EofInString)),
            }
        }
    }

    /// Skips an escape after its backslash, and checks its syntax.
    fn skip_escape(&mut self) -> Result<()> {
        match self.next_byte() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(()),
            Some(b'u') => self.hex_digits().map(drop),
            Some(_) => Err(self.error(Code::InvalidEscape)),
            None => Err(self.error(Code::EofInString)),
        }
    }
}
