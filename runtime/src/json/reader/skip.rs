//! Skipping of values.

use super::super::syntax::Code;
use super::{Reader, Result};

impl Reader<'_> {
    /// Skips a value, however deeply it is nested: open brackets are kept in the buffer and not on the stack.
    pub(in crate::json) fn skip_value(&mut self) -> Result<()> {
        self.scratch.clear();
        loop {
            match self.peek_value()? {
                bracket @ (b'[' | b'{') => {
                    self.at += 1;
                    self.scratch.push(bracket);
                    if !self.close(bracket, false)? {
                        self.skip_name(bracket)?;
                        continue;
                    }
                }
                byte => self.skip_scalar(byte)?,
            }
            // A value has ended: so do all lists and objects that close here.
            loop {
                let Some(bracket) = self.scratch.last().copied() else { return Ok(()) };
                if !self.close(bracket, true)? {
                    self.skip_name(bracket)?;
                    break;
                }
            }
        }
    }

    /// Consumes the closing bracket of the innermost list or object and returns true; otherwise consumes the comma that
    /// follows an element.
    fn close(&mut self, bracket: u8, after_element: bool) -> Result<bool> {
        let is_list = bracket == b'[';
        match self.peek() {
            Some(b']') if is_list => {}
            Some(b'}') if !is_list => {}
            Some(b',') if after_element => {
                self.at += 1;
                return Ok(false);
            }
            Some(_) if !after_element => return Ok(false),
            Some(_) if is_list => return Err(self.error_at_next(Code::ExpectedListCommaOrEnd)),
            Some(_) => return Err(self.error_at_next(Code::ExpectedObjectCommaOrEnd)),
            None if is_list => return Err(self.error_at_next(Code::EofInList)),
            None => return Err(self.error_at_next(Code::EofInObject)),
        }
        self.at += 1;
        self.scratch.pop();
        Ok(true)
    }

    /// Skips the name of a member and its colon, if the bracket is that of an object.
    fn skip_name(&mut self, bracket: u8) -> Result<()> {
        if bracket == b'[' {
            return Ok(());
        }
        match self.peek() {
            Some(b'"') => self.at += 1,
            Some(_) => return Err(self.error_at_next(Code::KeyMustBeAString)),
            None => return Err(self.error_at_next(Code::EofInObject)),
        }
        self.skip_string()?;
        self.colon()
    }

    /// Skips a value without brackets that starts with this byte, and checks its syntax.
    fn skip_scalar(&mut self, first: u8) -> Result<()> {
        match first {
            b'n' => self.literal(b"ull"),
            b't' => self.literal(b"rue"),
            b'f' => self.literal(b"alse"),
            b'-' | b'0'..=b'9' => self.skip_number(),
            b'"' => {
                self.at += 1;
                self.skip_string()
            }
            _ => Err(self.error_at_next(Code::ExpectedValue)),
        }
    }
}
