//! Parsing and writing of text without allocation: a cursor and a buffer.

use crate::parse_error::{ParseError, ParseErrorKind};

/// Cursor that parses a text byte by byte.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    #[inline]
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), at: 0 }
    }

    /// Returns the number of bytes consumed.
    #[inline]
    pub(crate) const fn position(&self) -> usize {
        self.at
    }

    /// Returns the next byte without consuming it.
    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Consumes `byte` if it is next, and returns whether it was.
    #[inline]
    pub(crate) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Consumes `text` if it is next, and returns whether it was.
    pub(crate) fn eat_str(&mut self, text: &str) -> bool {
        let found = self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(text.as_bytes()));
        self.at += if found { text.len() } else { 0 };
        found
    }

    /// Consumes `byte`, which `what` describes in the error.
    #[inline]
    pub(crate) fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), ParseError> {
        if self.eat(byte) { Ok(()) } else { Err(self.error_here(ParseErrorKind::Expected(what))) }
    }

    /// Consumes a digit if one is next.
    #[inline]
    pub(crate) fn eat_digit(&mut self) -> Option<u8> {
        let digit = self.peek()?.wrapping_sub(b'0');
        if digit < 10 {
            self.at += 1;
            Some(digit)
        } else {
            None
        }
    }

    /// Parses exactly two digits, whose value must be in the range; `what` names the component.
    #[inline]
    pub(crate) fn two_digits(&mut self, min: u8, max: u8, what: &'static str) -> Result<u8, ParseError> {
        let start = self.at;
        let tens = self.eat_digit().ok_or_else(|| self.error_here(ParseErrorKind::Expected("a digit")))?;
        let ones = self.eat_digit().ok_or_else(|| self.error_here(ParseErrorKind::Expected("a digit")))?;
        let value = tens * 10 + ones;
        if (min..=max).contains(&value) {
            Ok(value)
        } else {
            Err(ParseError::new(ParseErrorKind::OutOfRange(what), start))
        }
    }

    /// Parses hours, minutes and seconds, `08:49:37`; second 60 may be a leap second.
    #[inline]
    pub(crate) fn time_of_day(&mut self) -> Result<[u8; 3], ParseError> {
        let hour = self.two_digits(0, 23, "hour")?;
        self.expect(b':', "`:`")?;
        let minute = self.two_digits(0, 59, "minute")?;
        self.expect(b':', "`:`")?;
        Ok([hour, minute, self.two_digits(0, 60, "second")?])
    }

    /// Parses a fraction of at least one and at most `max` digits (no more than 18), and returns it as a number
    /// with the count of its digits.
    #[inline]
    pub(crate) fn fraction(&mut self, max: u8) -> Result<(u64, u8), ParseError> {
        let start = self.at;
        let (mut value, mut count) = (0_u64, 0_u8);
        while let Some(digit) = self.eat_digit() {
            if count == max {
                return Err(ParseError::new(ParseErrorKind::TooManyDigits("fraction"), start));
            }
            value = value * 10 + u64::from(digit);
            count += 1;
        }
        if count == 0 { Err(self.error_here(ParseErrorKind::Expected("a digit"))) } else { Ok((value, count)) }
    }

    /// Checks that the whole text was consumed.
    #[inline]
    pub(crate) fn expect_end(&self) -> Result<(), ParseError> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(self.error_here(ParseErrorKind::Trailing)) }
    }

    /// Creates an error at the current position.
    #[cold]
    pub(crate) const fn error_here(&self, kind: ParseErrorKind) -> ParseError {
        ParseError::new(kind, self.at)
    }
}

/// Returns the two digits of a number below 100.
#[inline]
pub(crate) const fn two_ascii_digits(value: u8) -> [u8; 2] {
    [b'0' + value / 10 % 10, b'0' + value % 10]
}

/// Short text on the stack, so that writing needs no allocation. The longest is a date-time with 18 fraction digits and
/// an offset, 44 bytes.
pub(crate) struct TextBuffer {
    bytes: [u8; 48],
    len: usize,
}

impl TextBuffer {
    #[inline]
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; 48], len: 0 }
    }

    /// Appends an ASCII character.
    #[inline]
    pub(crate) fn push(&mut self, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(self.len) {
            *slot = byte;
            self.len += 1;
        }
    }

    /// Appends ASCII characters, with a single bounds check.
    #[inline]
    pub(crate) fn extend<const N: usize>(&mut self, text: [u8; N]) {
        let rest = self.bytes.get_mut(self.len..).unwrap_or_default();
        if let Some(slots) = rest.first_chunk_mut() {
            *slots = text;
            self.len += N;
        }
    }

    /// Appends a number with exactly this many digits, including leading zeros.
    #[inline]
    pub(crate) fn digits(&mut self, value: u64, count: u8) {
        let end = self.len + usize::from(count);
        let mut rest = value;
        for slot in self.bytes.get_mut(self.len..end).unwrap_or_default().iter_mut().rev() {
            // A remainder below ten fits.
            let digit = (rest % 10) as u8;
            *slot = b'0' + digit;
            rest /= 10;
        }
        self.len = end.min(self.bytes.len());
    }

    /// Appends a number without leading zeros.
    #[inline]
    pub(crate) fn number(&mut self, value: u64) {
        let count = value.checked_ilog10().map_or(1, |log| log + 1);
        self.digits(value, u8::try_from(count).unwrap_or(20));
    }

    /// Returns the text that was written so far.
    #[inline]
    pub(crate) fn as_str(&self) -> &str {
        // Always ASCII; the check is cheaper than a proof of it.
        self.bytes.get(..self.len).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }
}
