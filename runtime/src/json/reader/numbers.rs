//! Numbers: integers of 64 bits as such, all others as the nearest float.

use serde::de::{Error as _, Expected, Unexpected, Visitor};

use super::super::syntax::{Code, ReadError};
use super::{Reader, Result};

/// Number in the type that represents it.
#[derive(Clone, Copy)]
pub(in crate::json) enum Number {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
}

/// Precision of numbers that are not integers.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::json) enum Precision {
    Single,
    Double,
}

impl Number {
    /// Passes the number to the visitor.
    #[inline]
    pub(in crate::json) fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            Self::Unsigned(value) => visitor.visit_u64(value),
            Self::Signed(value) => visitor.visit_i64(value),
            Self::Float(value) => visitor.visit_f64(value),
        }
    }

    /// Creates the error of a number where something else is expected.
    #[cold]
    pub(in crate::json) fn invalid_type(self, expected: &dyn Expected) -> ReadError {
        let unexpected = match self {
            Self::Unsigned(value) => Unexpected::Unsigned(value),
            Self::Signed(value) => Unexpected::Signed(value),
            Self::Float(value) => Unexpected::Float(value),
        };
        ReadError::invalid_type(unexpected, expected)
    }
}

impl<'de> Reader<'de> {
    /// Reads a number whose first byte, a digit or `-`, was peeked.
    pub(in crate::json) fn number(&mut self, precision: Precision) -> Result<Number> {
        let start = self.at;
        let negative = self.peek_byte() == Some(b'-');
        self.at += usize::from(negative);
        let integer = self.integer()?;
        match (self.peek_byte(), integer) {
            (Some(b'.' | b'e' | b'E'), _) | (_, None) => self.float(start, precision).map(Number::Float),
            (_, Some(integer)) if !negative => Ok(Number::Unsigned(integer)),
            (_, Some(integer)) => Ok(match 0_i64.checked_sub_unsigned(integer) {
                // A zero with a sign is a float.
                Some(value) if value != 0 => Number::Signed(value),
                _ => Number::Float(-(integer as f64)),
            }),
        }
    }

    /// Reads the digits of an integer; `None` if it does not fit.
    #[inline]
    fn integer(&mut self) -> Result<Option<u64>> {
        let mut value = match self.next_byte() {
            Some(b'0') => {
                // There is only one leading zero.
                return match self.peek_byte() {
                    Some(b'0'..=b'9') => Err(self.error_at_next(Code::InvalidNumber)),
                    _ => Ok(Some(0)),
                };
            }
            Some(digit @ b'1'..=b'9') => Some(u64::from(digit - b'0')),
            Some(_) => return Err(self.error(Code::InvalidNumber)),
            None => return Err(self.error(Code::EofInValue)),
        };
        while let Some(digit @ b'0'..=b'9') = self.peek_byte() {
            let digit = u64::from(digit - b'0');
            value = value.and_then(|value| value.checked_mul(10)?.checked_add(digit));
            self.at += 1;
        }
        Ok(value)
    }

    /// Reads the fraction and the exponent of a number that starts at `start`.
    fn float(&mut self, start: usize, precision: Precision) -> Result<f64> {
        if self.peek_byte() == Some(b'.') {
            self.at += 1;
            if self.digits() == 0 {
                let eof = self.peek_byte().is_none();
                return Err(self.error_at_next(if eof { Code::EofInValue } else { Code::InvalidNumber }));
            }
        }
        if let Some(b'e' | b'E') = self.peek_byte() {
            self.exponent(start)?;
        }
        // The text has digits and ASCII signs only, and is a number in the grammar of Rust, too.
        let text = self.text_from(start);
        let value = match precision {
            Precision::Single => text.parse::<f32>().map(f64::from),
            Precision::Double => text.parse::<f64>(),
        };
        match value {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(self.error(Code::NumberOutOfRange)),
        }
    }

    /// Consumes digits and returns their number.
    #[inline]
    fn digits(&mut self) -> usize {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek_byte() {
            self.at += 1;
        }
        self.at - start
    }

    /// Reads the exponent of a number that starts at `start`.
    fn exponent(&mut self, start: usize) -> Result<()> {
        let significand = start..self.at;
        self.at += 1;
        let sign = self.peek_byte().filter(|byte| matches!(byte, b'+' | b'-'));
        self.at += usize::from(sign.is_some());
        let mut exponent = match self.next_byte() {
            Some(digit @ b'0'..=b'9') => i32::from(digit - b'0'),
            Some(_) => return Err(self.error(Code::InvalidNumber)),
            None => return Err(self.error(Code::EofInValue)),
        };
        while let Some(digit @ b'0'..=b'9') = self.peek_byte() {
            self.at += 1;
            let more = exponent.checked_mul(10).and_then(|value| value.checked_add(i32::from(digit - b'0')));
            let Some(more) = more else {
                let zero = |digits: &[u8]| digits.iter().all(|byte| !matches!(byte, b'1'..=b'9'));
                // The number is infinite, or else zero whatever follows.
                if sign != Some(b'-') && !self.bytes.get(significand).is_none_or(zero) {
                    return Err(self.error(Code::NumberOutOfRange));
                }
                self.digits();
                return Ok(());
            };
            exponent = more;
        }
        Ok(())
    }

    /// Skips the digits of an integer.
    fn skip_integer(&mut self) -> Result<()> {
        match self.next_byte() {
            Some(b'0') => match self.peek_byte() {
                Some(b'0'..=b'9') => Err(self.error_at_next(Code::InvalidNumber)),
                _ => Ok(()),
            },
            Some(b'1'..=b'9') => {
                self.digits();
                Ok(())
            }
            _ => Err(self.error(Code::InvalidNumber)),
        }
    }

    /// Skips a number whose first byte, a digit or `-`, was peeked.
    pub(super) fn skip_number(&mut self) -> Result<()> {
        self.at += usize::from(self.peek_byte() == Some(b'-'));
        self.skip_integer()?;
        self.skip_fraction()
    }

    /// Skips the fraction and the exponent of a number, if it has them.
    fn skip_fraction(&mut self) -> Result<()> {
        if self.peek_byte() == Some(b'.') {
            self.at += 1;
            if self.digits() == 0 {
                return Err(self.error_at_next(Code::InvalidNumber));
            }
        }
        if let Some(b'e' | b'E') = self.peek_byte() {
            self.at += 1;
            self.at += usize::from(matches!(self.peek_byte(), Some(b'+' | b'-')));
            let Some(b'0'..=b'9') = self.next_byte() else { return Err(self.error(Code::InvalidNumber)) };
            self.digits();
        }
        Ok(())
    }

    /// Reads a number without converting it.
    fn number_text(&mut self) -> Result<&'de str> {
        let start = self.at;
        self.skip_number()?;
        Ok(self.text_from(start))
    }

    /// Passes the text of a number to the visitor.
    pub(in crate::json) fn visit_number_text<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let value = match self.peek_value()? {
            b'-' | b'0'..=b'9' => self.number_text().and_then(|text| visitor.visit_borrowed_str(text)),
            _ => Err(self.invalid_type(&visitor)),
        };
        self.located(value)
    }

    /// Passes a number whose first byte was peeked to the visitor: an integer of 64 bits, or the bytes of its text if
    /// the integer would be written differently.
    pub(in crate::json) fn visit_exact_number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.at;
        let negative = self.peek_byte() == Some(b'-');
        self.at += usize::from(negative);
        let integer = self.integer()?.filter(|_| !matches!(self.peek_byte(), Some(b'.' | b'e' | b'E')));
        let value = match (integer, integer.and_then(|value| 0_i64.checked_sub_unsigned(value))) {
            (Some(value), _) if !negative => visitor.visit_u64(value),
            // A zero with a sign is written with it.
            (_, Some(value)) if value != 0 => visitor.visit_i64(value),
            _ => {
                self.skip_fraction()?;
                visitor.visit_borrowed_bytes(self.text_from(start).as_bytes())
            }
        };
        self.located(value)
    }

    /// Returns the ASCII text from `start` to the position.
    fn text_from(&self, start: usize) -> &'de str {
        self.bytes.get(start..self.at).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default()
    }

    /// Reads an integer of up to 128 bits with its sign, for types that are wider than the numbers of this format.
    pub(in crate::json) fn wide_integer<T: std::str::FromStr>(&mut self, signed: bool) -> Result<T> {
        let negative = self.peek_value()? == b'-';
        if negative && !signed {
            return Err(self.error_at_next(Code::NumberOutOfRange));
        }
        let start = self.at;
        self.at += usize::from(negative);
        self.skip_integer()?;
        self.text_from(start).parse().map_err(|_| self.error(Code::NumberOutOfRange))
    }
}
