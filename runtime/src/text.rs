//! What the types that are text on the wire share: a typed error, and the macros that connect them to serde.

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

/// Implements what a type that is text on the wire needs, given its `parse(&str)` and
/// `fn write_text(&self, &mut TextBuffer)`; the literal is what an error message calls it.
macro_rules! text_type {
    ($ty:ident, $name:literal) => {
        impl std::fmt::Display for $ty {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut text = $crate::scan::TextBuffer::new();
                self.write_text(&mut text);
                f.pad(text.as_str())
            }
        }

        impl std::fmt::Debug for $ty {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({self})", stringify!($ty))
            }
        }

        impl std::str::FromStr for $ty {
            type Err = $crate::text::ParseError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::parse(text)
            }
        }

        impl serde::Serialize for $ty {
            #[inline]
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                let mut text = $crate::scan::TextBuffer::new();
                self.write_text(&mut text);
                s.serialize_str(text.as_str())
            }
        }

        $crate::text::read_as_text!($ty, $name);
    };
}

/// The reading half of [`text_type!`], and what follows from reading and writing.
macro_rules! read_as_text {
    ($ty:ident, $name:literal) => {
        impl<'de> $crate::wire::FromWire<'de> for $ty {
            #[inline]
            fn from_wire<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                struct TextVisitor;

                impl serde::de::Visitor<'_> for TextVisitor {
                    type Value = $ty;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str(concat!("a ", $name))
                    }

                    #[inline]
                    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$ty, E> {
                        // The text itself stays out of the message: it may be long, and it may be private.
                        $ty::parse(text)
                            .map_err(|error| E::custom(format_args!(concat!("invalid ", $name, ": {}"), error)))
                    }
                }

                d.deserialize_str(TextVisitor)
            }
        }

        impl<'de> serde::Deserialize<'de> for $ty {
            #[inline]
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                $crate::wire::FromWire::from_wire(d)
            }
        }

        impl $crate::member::ToWire for $ty {
            #[inline]
            fn to_wire<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(self, s)
            }
        }

        $crate::merge_whole!($ty);
    };
}

/// Implements what a type that keeps its text needs, given its field `text: Box<str>`, its `parse(&str)` and its `zero()`;
/// the literal is what an error message calls it.
macro_rules! kept_text {
    ($ty:ident, $name:literal) => {
        impl std::ops::Deref for $ty {
            type Target = str;

            fn deref(&self) -> &str {
                &self.text
            }
        }

        impl Default for $ty {
            fn default() -> Self {
                Self::zero()
            }
        }

        impl std::fmt::Display for $ty {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&self.text)
            }
        }

        impl std::fmt::Debug for $ty {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({self})", stringify!($ty))
            }
        }

        impl std::str::FromStr for $ty {
            type Err = $crate::text::ParseError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::parse(text)
            }
        }

        impl serde::Serialize for $ty {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(&self.text)
            }
        }

        $crate::text::read_as_text!($ty, $name);
    };
}

pub(crate) use {kept_text, read_as_text, text_type};
