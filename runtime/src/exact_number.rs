//! JSON numbers of any size and precision, kept as they were written.

mod convert;
mod wire;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use crate::decimal_digits::{check, compare, integer, write_normalized};
use crate::parse_error::ParseError;

pub use wire::{EXACT_NEWTYPE, NUMBER_NEWTYPE, with_normalized_numbers};

/// JSON number of any size and precision, `number` in a schema: `5`, `5.0`, `0.10`, `12345678901234567890`, `1e400`.
///
/// A number that was decoded is encoded as it was written. Equality, order and hash are those of the value: `5`, `5.0`
/// and `5e0` are equal, whatever the number of digits. Numbers whose exponents exceed 10^30 are regarded as equally
/// large. A number of up to 22 bytes is stored without an allocation.
///
/// A comparison with an `f64` compares the nearest double, so that `number == 0.1` holds for `0.1`.
///
/// ```
/// use wireform_runtime::Number;
///
/// let price = Number::parse("0.10")?;
/// assert_eq!(price.as_str(), "0.10");
/// assert_eq!(price, Number::parse("1e-1")?);
/// assert_eq!(price, 0.1);
/// assert_eq!(Number::from(5).as_f64(), 5.0);
/// assert_eq!(Number::parse("1e3")?.as_i64(), Some(1000));
/// assert!(Number::try_from(f64::NAN).is_err());
/// # Ok::<(), wireform_runtime::ParseError>(())
/// ```
#[derive(Clone)]
pub struct Number {
    text: NumberText,
}

/// Greatest length of a text that is stored without an allocation.
const MAX_INLINE: usize = 22;

/// Text of a number.
#[derive(Clone)]
enum NumberText {
    /// Length and bytes.
    Inline(u8, [u8; MAX_INLINE]),
    /// Longer text.
    Heap(Box<str>),
}

impl Number {
    /// Parses a number in the grammar of JSON (RFC 8259, section 6).
    ///
    /// # Errors
    /// Returns an error if the text is not a number.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        check(text)?;
        Ok(Self::of_text(text))
    }

    /// Returns zero, written `0`.
    #[must_use]
    pub fn zero() -> Self {
        Self::of_text("0")
    }

    /// Creates a number from its text, which is valid.
    pub(crate) fn of_text(text: &str) -> Self {
        let mut bytes = [0; MAX_INLINE];
        let text = match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(start), Ok(length)) => {
                start.copy_from_slice(text.as_bytes());
                NumberText::Inline(length, bytes)
            }
            _ => NumberText::Heap(text.into()),
        };
        Self { text }
    }

    /// Returns the number as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.text {
            NumberText::Inline(length, bytes) => {
                let bytes = bytes.get(..usize::from(*length)).unwrap_or_default();
                // It is a text: only texts are stored.
                str::from_utf8(bytes).unwrap_or_default()
            }
            NumberText::Heap(text) => text,
        }
    }

    /// Returns the nearest double; infinity if the number is beyond all doubles.
    #[must_use]
    pub fn as_f64(&self) -> f64 {
        // The grammar of JSON is part of that of Rust.
        self.as_str().parse().unwrap_or(f64::NAN)
    }

    /// Returns the integer that the number is, whatever its notation; `None` if it has a fraction or is out of range.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.integer().and_then(|value| value.try_into().ok())
    }

    /// Returns the integer that the number is, whatever its notation; `None` if it is negative, has a fraction or is out
    /// of range.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        self.integer().and_then(|value| value.try_into().ok())
    }

    fn integer(&self) -> Option<i128> {
        integer(self.as_str())
    }

    /// Compares the number exactly with a number in text form. Falls back to the order of the texts where `other` is not
    /// a number.
    #[must_use]
    pub fn cmp_text(&self, other: &str) -> Ordering {
        if check(other).is_ok() { compare(self.as_str(), other) } else { self.as_str().cmp(other) }
    }
}

impl Default for Number {
    fn default() -> Self {
        Self::zero()
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Number({self})")
    }
}

impl FromStr for Number {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

impl AsRef<str> for Number {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str() || self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(self.as_str(), other.as_str())
    }
}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut output = HashedText(state);
        // Writing to a hasher does not fail.
        let _ = write_normalized(self.as_str(), &mut output);
        // The end of the text.
        output.0.write_u8(0xff);
    }
}

/// Text that is hashed as it is written.
struct HashedText<'h, H>(&'h mut H);

impl<H: Hasher> fmt::Write for HashedText<'_, H> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests;
