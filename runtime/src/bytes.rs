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
use crate::detached::{self, Mark};
use crate::parse_error::{ParseError, ParseErrorKind};
use crate::text::read_as_text;

/// Binary data, base64 text on the wire.
///
/// Both alphabets are read, the standard one and the one for URLs (RFC 4648, sections 4 and 5), with padding or
/// without; what was read is written back as it was. Refused are a mixture of the alphabets, characters of
/// neither (line breaks too), incomplete padding, and unused last bits that are not zero (section 3.5): each
/// text stands for one value. Data that was not read, `Bytes::from(vec)`, is written for URLs and padded, as the
/// public APIs do; so is data whose text does not show which alphabet or padding it was written with.
///
/// Equality and hash are those of the text, so data that is spelled in two ways makes two values; to compare
/// content alone, compare with a slice or a `Vec<u8>`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bytes {
    data: Data,
    spelling: Spelling,
}

/// How data is spelled. Where the text does not show a choice, it is recorded as the default one, so that equal
/// texts have equal spellings.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Spelling {
    Url,
    UrlUnpadded,
    Standard,
    StandardUnpadded,
}

impl Spelling {
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
    /// Data that is written with the standard alphabet (RFC 4648, section 4) and padded, for the members whose
    /// schema says so.
    #[must_use]
    pub fn standard(data: impl Into<Vec<u8>>) -> Self {
        let data = data.into();
        let text = STANDARD.encode(&data);
        let shows = text.contains(['+', '/']);
        Self { data: Data::Owned(data), spelling: if shows { Spelling::Standard } else { Spelling::Url } }
    }

    /// Data that is written for URLs without padding, for the members whose schema says so.
    #[must_use]
    pub fn url_unpadded(data: impl Into<Vec<u8>>) -> Self {
        let data = data.into();
        let padded = data.len().is_multiple_of(3);
        Self { data: Data::Owned(data), spelling: if padded { Spelling::Url } else { Spelling::UrlUnpadded } }
    }

    /// Data that is written with the standard alphabet without padding, for the members whose schema says so.
    #[must_use]
    pub fn standard_unpadded(data: impl Into<Vec<u8>>) -> Self {
        let standard = Self::standard(data);
        // A text whose length is that of whole groups has no padding.
        let spelling = match (standard.spelling, standard.len().is_multiple_of(3)) {
            (spelling, true) => spelling,
            (Spelling::Standard, false) => Spelling::StandardUnpadded,
            (_, false) => Spelling::UrlUnpadded,
        };
        Self { spelling, ..standard }
    }

    /// Creates a value without data, which is written as a mark: a server writes the text of the data in its place while
    /// it sends the response.
    #[must_use]
    pub const fn detached(mark: Mark) -> Self {
        Self { data: Data::Detached(mark), spelling: Spelling::Url }
    }

    /// Reads base64 text.
    ///
    /// # Errors
    /// Returns an error if the text is not base64 by the rules that the type documents.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        if let Some(bytes) = detached::find(text) {
            return Ok(bytes);
        }
        let spelling = spelling_of(text)?;
        let data = spelling.engine().decode(text).map_err(|error| located(error, text))?;
        Ok(Self { data: Data::Owned(data), spelling })
    }

    /// Returns the data.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        self.data.as_slice()
    }

    /// Returns the data, by value. It is copied only where a clone shares it.
    #[inline]
    #[must_use]
    pub fn into_vec(self) -> Vec<u8> {
        self.data.into_vec()
    }

    /// Returns a value whose clones share its data.
    pub(crate) fn into_shared(self) -> Self {
        Self { data: self.data.into_shared(), spelling: self.spelling }
    }

    fn display(&self) -> Base64Display<'_, 'static, GeneralPurpose> {
        Base64Display::new(self.as_slice(), self.spelling.engine())
    }
}

/// Which engine reads the text: the alphabet by the characters that only one has, the padding by the length.
fn spelling_of(text: &str) -> Result<Spelling, ParseError> {
    let standard = text.bytes().position(|byte| matches!(byte, b'+' | b'/'));
    let url = text.bytes().position(|byte| matches!(byte, b'-' | b'_'));
    if let (Some(standard), Some(url)) = (standard, url) {
        return Err(ParseError::new(ParseErrorKind::MixedAlphabets, standard.max(url)));
    }
    let padded = text.len().is_multiple_of(4);
    Ok(match (standard.is_some(), padded) {
        (false, true) => Spelling::Url,
        (false, false) => Spelling::UrlUnpadded,
        (true, true) => Spelling::Standard,
        (true, false) => Spelling::StandardUnpadded,
    })
}

#[cold]
fn located(error: DecodeError, text: &str) -> ParseError {
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
        // Encoded piece by piece into the output: an attachment is not copied as a whole.
        match self.data.mark() {
            Some(mark) => s.collect_str(&mark),
            None => s.collect_str(&self.display()),
        }
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.data.mark() {
            Some(mark) => mark.fmt(f),
            None => self.display().fmt(f),
        }
    }
}

/// Shows the text of the first bytes and how many bytes there are: data may be megabytes.
impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 24;
        match self.get(..SHOWN) {
            Some(start) if self.len() > SHOWN => {
                let start = Base64Display::new(start, self.spelling.engine());
                write!(f, "Bytes({start}…, {} bytes)", self.len())
            }
            _ => match self.data.mark() {
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
        Self { data: Data::Owned(data), spelling: Spelling::Url }
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
