//! Why a text is not a value of its type.

use std::fmt;

/// Why a text is not a value of its type, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParseError {
    kind: ParseErrorKind,
    position: usize,
}

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// Something else must stand here, such as `a digit`.
    Expected(&'static str),
    /// The named part is beyond its range, such as `month`.
    OutOfRange(&'static str),
    /// The named part has more digits than are kept exactly.
    TooManyDigits(&'static str),
    /// The number starts with a zero that says nothing.
    LeadingZero,
    /// The text goes on after its end.
    Trailing,
    /// Second 60 stands elsewhere than in the minute 23:59 UTC (RFC 3339, section 5.7).
    LeapSecond,
    /// Characters of both base64 alphabets occur (RFC 4648, sections 4 and 5).
    MixedAlphabets,
    /// The base64 text has a length that no bytes encode to, or is padded wrongly.
    Padding,
    /// The unused last bits of the base64 text are not zero (RFC 4648, section 3.5).
    TrailingBits,
}

impl ParseError {
    #[inline]
    pub(crate) const fn new(kind: ParseErrorKind, position: usize) -> Self {
        Self { kind, position }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> ParseErrorKind {
        self.kind
    }

    /// Where: the number of bytes before the character, or the start of the part, that is wrong.
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
