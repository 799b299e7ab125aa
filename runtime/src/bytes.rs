//! Binary data, base64 on the wire.

mod data;
mod decoder;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use base64::DecodeError;
use base64::Engine as _;
use base64::display::Base64Display;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use serde::ser::{Serialize, Serializer};

use self::data::Data;
pub use self::decoder::Base64Decoder;
use crate::parse_error::{ParseError, ParseErrorKind};
use crate::placeholders::{self, Placeholder};
use crate::text::read_as_text;

/// Binary data, base64 text on the wire.
///
/// Both alphabets are accepted, the standard and the URL-safe one (RFC 4648, sections 4 and 5), with or without
/// padding; parsed data is written back in the same form. Mixed alphabets, other characters (line breaks too),
/// incomplete padding, and unused last bits that are not zero (section 3.5) are rejected, so that each text stands for
/// one value. Data that was not parsed, such as `Bytes::from(vec)`, is written URL-safe and padded, as the public APIs
/// do; so is data whose text does not show its alphabet or padding.
///
/// Equality and hash are those of the text, so the same data in two encodings is two values; to compare content alone,
/// compare with a slice or a `Vec<u8>`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bytes {
    data: Data,
    variant: Variant,
}

/// Base64 variant of a text. Where the text does not show a choice, the default is recorded, so that equal texts have
/// equal variants.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Variant {
    Url,
    UrlUnpadded,
    Standard,
    StandardUnpadded,
}

impl Variant {
    /// Returns the base64 engine with the alphabet and the padding of this variant.
    const fn engine(self) -> &'static GeneralPurpose {
        match self {
            Self::Url => &URL_SAFE,
            Self::UrlUnpadded => &URL_SAFE_NO_PAD,
            Self::Standard => &STANDARD,
            Self::StandardUnpadded => &STANDARD_NO_PAD,
        }
    }
}

read_as_text!(Bytes, "base64 text");

impl Bytes {
    /// Creates data that is written padded with the standard alphabet (RFC 4648, section 4), for fields whose schema
    /// requires it.
    #[must_use]
    pub fn standard(data: impl Into<Vec<u8>>) -> Self {
        let data = data.into();
        let text = STANDARD.encode(&data);
        let shows = text.contains(['+', '/']);
        Self { data: Data::Owned(data), variant: if shows { Variant::Standard } else { Variant::Url } }
    }

    /// Creates data that is written URL-safe without padding, for fields whose schema requires it.
    #[must_use]
    pub fn url_unpadded(data: impl Into<Vec<u8>>) -> Self {
        let data = data.into();
        let padded = data.len().is_multiple_of(3);
        Self { data: Data::Owned(data), variant: if padded { Variant::Url } else { Variant::UrlUnpadded } }
    }

    /// Creates data that is written with the standard alphabet without padding, for fields whose schema requires it.
    #[must_use]
    pub fn standard_unpadded(data: impl Into<Vec<u8>>) -> Self {
        let standard = Self::standard(data);
        // A text that consists of whole groups has no padding.
        let variant = match (standard.variant, standard.len().is_multiple_of(3)) {
            (variant, true) => variant,
            (Variant::Standard, false) => Variant::StandardUnpadded,
            (_, false) => Variant::UrlUnpadded,
        };
        Self { variant, ..standard }
    }

    /// Creates a value without data that is written as a mark. A server replaces the mark with the encoded data while
    /// it sends the response.
    #[must_use]
    pub const fn from_placeholder(mark: Placeholder) -> Self {
        Self { data: Data::Placeholder(mark), variant: Variant::Url }
    }

    /// Parses base64 text.
    ///
    /// # Errors
    /// Returns an error if the text is not base64 in a format that [`Bytes`] accepts.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        if let Some(bytes) = placeholders::resolve(text) {
            return Ok(bytes);
        }
        let variant = detect_variant(text)?;
        let data = variant.engine().decode(text).map_err(|error| locate_error(error, text))?;
        Ok(Self { data: Data::Owned(data), variant })
    }

    /// Returns the data as a slice.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        self.data.as_slice()
    }

    /// Returns the data by value. It is copied only if a clone shares it.
    #[inline]
    #[must_use]
    pub fn into_vec(self) -> Vec<u8> {
        self.data.into_vec()
    }

    /// Converts the value into one whose clones share the data.
    pub(crate) fn into_shared(self) -> Self {
        Self { data: self.data.into_shared(), variant: self.variant }
    }

    /// Returns the base64 text as a displayable value, without allocating it.
    fn display(&self) -> Base64Display<'_, 'static, GeneralPurpose> {
        Base64Display::new(self.as_slice(), self.variant.engine())
    }
}

/// Returns the variant of a text: the alphabet by characters that only one has, the padding by the length.
fn detect_variant(text: &str) -> Result<Variant, ParseError> {
    let standard = text.bytes().position(|byte| matches!(byte, b'+' | b'/'));
    let url = text.bytes().position(|byte| matches!(byte, b'-' | b'_'));
    if let (Some(standard), Some(url)) = (standard, url) {
        return Err(ParseError::new(ParseErrorKind::MixedAlphabets, standard.max(url)));
    }
    let padded = text.len().is_multiple_of(4);
    Ok(match (standard.is_some(), padded) {
        (false, true) => Variant::Url,
        (false, false) => Variant::UrlUnpadded,
        (true, true) => Variant::Standard,
        (true, false) => Variant::StandardUnpadded,
    })
}

/// Converts an error of decoding base64; its position is in the text.
#[cold]
fn locate_error(error: DecodeError, text: &str) -> ParseError {
    match error {
        DecodeError::InvalidByte(at, b'=') => ParseError::new(ParseErrorKind::Padding, at),
        DecodeError::InvalidByte(at, _) => ParseError::new(ParseErrorKind::Expected("a base64 character"), at),
        DecodeError::InvalidLastSymbol { .. } => {
            let at = text.trim_end_matches('=').len().saturating_sub(1);
            ParseError::new(ParseErrorKind::TrailingBits, at)
        }
        DecodeError::InvalidLength(_) | DecodeError::InvalidPadding => {
            ParseError::new(ParseErrorKind::Padding, text.trim_end_matches('=').len())
        }
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        // Encodes into the output in chunks, so that an attachment is not copied as a whole.
        match self.data.placeholder() {
            Some(mark) => s.collect_str(&mark),
            None => s.collect_str(&self.display()),
        }
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.data.placeholder() {
            Some(mark) => mark.fmt(f),
            None => self.display().fmt(f),
        }
    }
}

/// Formats the first bytes as base64 and the number of bytes, since data may be megabytes.
impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 24;
        match self.get(..SHOWN) {
            Some(start) if self.len() > SHOWN => {
                let start = Base64Display::new(start, self.variant.engine());
                write!(f, "Bytes({start}…, {} bytes)", self.len())
            }
            _ => match self.data.placeholder() {
                Some(mark) => write!(f, "Bytes({mark:?})"),
                None => write!(f, "Bytes({self})"),
            },
        }
    }
}

impl FromStr for Bytes {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

impl Default for Bytes {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(data: Vec<u8>) -> Self {
        Self { data: Data::Owned(data), variant: Variant::Url }
    }
}

impl From<&[u8]> for Bytes {
    fn from(data: &[u8]) -> Self {
        Self::from(data.to_vec())
    }
}

impl From<Bytes> for Vec<u8> {
    fn from(bytes: Bytes) -> Self {
        bytes.into_vec()
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl PartialEq<[u8]> for Bytes {
    fn eq(&self, other: &[u8]) -> bool {
        self.as_slice() == other
    }
}

impl PartialEq<Vec<u8>> for Bytes {
    fn eq(&self, other: &Vec<u8>) -> bool {
        self.as_slice() == other.as_slice()
    }
}
