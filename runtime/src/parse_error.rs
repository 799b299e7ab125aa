//! Error of parsing the text of a value.

use std::fmt;

/// Error of parsing the text of a value, with its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParseError {
    kind: ParseErrorKind,
    position: usize,
}

/// Kind of a [`ParseError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// Something else is expected, such as `a digit`.
    Expected(&'static str),
    /// The named component is out of range, such as `month`.
    OutOfRange(&'static str),
    /// The named component has more digits than can be represented exactly.
    TooManyDigits(&'static str),
    /// The number has a leading zero.
    LeadingZero,
    /// The text continues after the end of the value.
    Trailing,
    /// Second 60 is outside of the minute 23:59 UTC (RFC 3339, section 5.7).
    LeapSecond,
    /// The text mixes characters of both base64 alphabets (RFC 4648, sections 4 and 5).
    MixedAlphabets,
    /// The base64 text has an impossible length or invalid padding.
    Padding,
    /// The unused last bits of the base64 text are not zero (RFC 4648, section 3.5).
    TrailingBits,
}

impl ParseError {
    #[inline]
    pub(crate) const fn new(kind: ParseErrorKind, position: usize) -> Self {
        Self { kind, position }
    }

    /// Returns the kind of the error.
    #[must_use]
    pub const fn kind(&self) -> ParseErrorKind {
        self.kind
    }

    /// Returns the position of the error: the number of bytes before the invalid character or component.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ParseErrorKind::Expected(what) => write!(f, "expected {what}"),
            ParseErrorKind::OutOfRange(what) => write!(f, "{what} out of range"),
            ParseErrorKind::TooManyDigits(what) => write!(f, "too many digits in the {what}"),
            ParseErrorKind::LeadingZero => f.write_str("leading zero"),
            ParseErrorKind::Trailing => f.write_str("text after the end"),
            ParseErrorKind::LeapSecond => f.write_str("leap second outside the minute 23:59 UTC"),
            ParseErrorKind::MixedAlphabets => f.write_str("characters of both base64 alphabets"),
            ParseErrorKind::Padding => f.write_str("wrong base64 length or padding"),
            ParseErrorKind::TrailingBits => f.write_str("base64 bits after the last byte"),
        }?;
        write!(f, " at byte {}", self.position)
    }
}

impl std::error::Error for ParseError {}
