//! Binary data, base64 on the wire.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use base64::DecodeError;
use base64::Engine as _;
use base64::display::Base64Display;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use serde::ser::{Serialize, Serializer};

use crate::detached::{self, Mark};
use crate::text::{ParseError, ParseErrorKind, read_as_text};

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
    data: Vec<u8>,
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
    /// The text is written by somebody else, in the place of this mark.
    Detached(Mark),
}

impl Spelling {
    const fn engine(self) -> &'static GeneralPurpose {
        match self {
            Self::Url | Self::Detached(_) => &URL_SAFE,
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
        Self { data, spelling: if shows { Spelling::Standard } else { Spelling::Url } }
    }

    /// Creates a value without data, which is written as a mark: a server writes the text of the data in its place while
    /// it sends the response.
    #[must_use]
    pub const fn detached(mark: Mark) -> Self {
        Self { data: Vec::new(), spelling: Spelling::Detached(mark) }
    }

    /// Reads base64 text.
    ///
    /// # Errors
    /// When the text is not base64 by the rules that the type documents.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        if let Some(bytes) = detached::take(text) {
            return Ok(bytes);
        }
        let spelling = spelling_of(text)?;
        let data = spelling.engine().decode(text).map_err(|error| located(error, text))?;
        Ok(Self { data, spelling })
    }

    /// The data.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.data
    }

    /// The data, by value.
    #[inline]
    #[must_use]
    pub fn into_vec(self) -> Vec<u8> {
        self.data
    }

    fn display(&self) -> Base64Display<'_, 'static, GeneralPurpose> {
        Base64Display::new(&self.data, self.spelling.engine())
    }
}

/// Decodes base64 text that arrives in pieces, by the rules of [`Bytes`].
#[derive(Debug, Default)]
pub struct Base64Decoder {
    data: Vec<u8>,
    /// The last characters, at most four: they may be followed by padding, or be what is before it.
    tail: Vec<u8>,
    characters: usize,
    alphabet: Alphabet,
}

/// The alphabet of a text, as far as its characters show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Alphabet {
    #[default]
    Either,
    Standard,
    Url,
}

impl Alphabet {
    /// The alphabet of a text that goes on so; none where the two are mixed.
    fn and(self, text: &[u8]) -> Option<Self> {
        let standard = self == Self::Standard || text.iter().any(|byte| matches!(byte, b'+' | b'/'));
        let url = self == Self::Url || text.iter().any(|byte| matches!(byte, b'-' | b'_'));
        match (standard, url) {
            (true, true) => None,
            (true, false) => Some(Self::Standard),
            (false, true) => Some(Self::Url),
            (false, false) => Some(Self::Either),
        }
    }

    const fn unpadded(self) -> &'static GeneralPurpose {
        if matches!(self, Self::Standard) { &STANDARD_NO_PAD } else { &URL_SAFE_NO_PAD }
    }

    const fn spelling(self, padded: bool) -> Spelling {
        match (self, padded) {
            (Self::Standard, true) => Spelling::Standard,
            (Self::Standard, false) => Spelling::StandardUnpadded,
            (_, true) => Spelling::Url,
            (_, false) => Spelling::UrlUnpadded,
        }
    }
}

impl Base64Decoder {
    /// Decodes a piece. Returns false, and has decoded nothing of it, where the text cannot be base64.
    #[must_use]
    pub fn push(&mut self, piece: &[u8]) -> bool {
        let Some(alphabet) = self.alphabet.and(piece) else { return false };
        // A group of four is decoded when it is sure that it is not the last one.
        let fill = piece.len().min(4 - self.tail.len());
        let (first, rest) = piece.split_at(fill);
        let mut tail = self.tail.clone();
        tail.extend_from_slice(first);
        let before = self.data.len();
        if !rest.is_empty() {
            let (groups, last) = rest.split_at((rest.len() - 1) / 4 * 4);
            let engine = alphabet.unpadded();
            let decoded =
                engine.decode_vec(&tail, &mut self.data).and_then(|()| engine.decode_vec(groups, &mut self.data));
            if decoded.is_err() {
                self.data.truncate(before);
                return false;
            }
            last.clone_into(&mut tail);
        }
        self.tail = tail;
        self.characters += piece.len();
        self.alphabet = alphabet;
        true
    }

    /// Makes room for so many more bytes, and for no others.
    pub fn reserve_exact(&mut self, bytes: usize) {
        self.data.reserve_exact(bytes);
    }

    /// How many bytes are decoded, and how many there is room for.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.data.len(), self.data.capacity())
    }

    /// Returns the value of the whole text.
    ///
    /// # Errors
    /// The decoder as it was, where the text is not base64 by the rules of [`Bytes`].
    pub fn finish(mut self) -> Result<Bytes, Self> {
        let before = self.data.len();
        let spelling = self.alphabet.spelling(self.characters.is_multiple_of(4));
        if spelling.engine().decode_vec(&self.tail, &mut self.data).is_err() {
            self.data.truncate(before);
            return Err(self);
        }
        Ok(Bytes { data: self.data, spelling })
    }

    /// Returns the text that was decoded.
    #[must_use]
    pub fn into_text(self) -> Vec<u8> {
        let mut text = self.alphabet.unpadded().encode(&self.data).into_bytes();
        text.extend_from_slice(&self.tail);
        text
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
        match self.spelling {
            Spelling::Detached(mark) => s.collect_str(&mark),
            _ => s.collect_str(&self.display()),
        }
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.spelling {
            Spelling::Detached(mark) => mark.fmt(f),
            _ => self.display().fmt(f),
        }
    }
}

/// Shows the text of the first bytes and how many bytes there are: data may be megabytes.
impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 24;
        match self.data.get(..SHOWN) {
            Some(start) if self.data.len() > SHOWN => {
                let start = Base64Display::new(start, self.spelling.engine());
                write!(f, "Bytes({start}…, {} bytes)", self.data.len())
            }
            _ => write!(f, "Bytes({self})"),
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
        Self { data, spelling: Spelling::Url }
    }
}

impl From<&[u8]> for Bytes {
    fn from(data: &[u8]) -> Self {
        Self::from(data.to_vec())
    }
}

impl From<Bytes> for Vec<u8> {
    fn from(bytes: Bytes) -> Self {
        bytes.data
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.data
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        &self.data
    }
}

impl PartialEq<[u8]> for Bytes {
    fn eq(&self, other: &[u8]) -> bool {
        self.data == other
    }
}

impl PartialEq<Vec<u8>> for Bytes {
    fn eq(&self, other: &Vec<u8>) -> bool {
        self.data == *other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_read_is_written() {
        for (text, data) in [
            ("", &[][..]),
            ("AQI=", &[1, 2]),
            ("AQI", &[1, 2]),
            ("AQID", &[1, 2, 3]),
            ("-w==", &[0xfb]),
            ("-w", &[0xfb]),
            ("+w==", &[0xfb]),
            ("+w", &[0xfb]),
            ("__-_", &[0xff, 0xff, 0xbf]),
            ("//+/", &[0xff, 0xff, 0xbf]),
        ] {
            let bytes = Bytes::parse(text);
            assert_eq!(bytes.as_ref().map(ToString::to_string).as_deref(), Ok(text));
            assert_eq!(bytes.as_ref().map(Bytes::as_slice), Ok(data), "{text}");
        }
        assert_eq!(Bytes::from(vec![0xfb]).to_string(), "-w==");
        assert_eq!(Bytes::parse("AQI="), Ok(Bytes::from(vec![1, 2])));
        assert_ne!(Bytes::parse("AQI"), Ok(Bytes::from(vec![1, 2])));
        assert!(Bytes::parse("AQI").is_ok_and(|bytes| bytes == vec![1, 2]));
    }

    #[test]
    fn invalid_and_where() {
        let bits = ParseErrorKind::TrailingBits;
        let character = ParseErrorKind::Expected("a base64 character");
        for (text, kind, position) in [
            ("-+AA", ParseErrorKind::MixedAlphabets, 1),
            ("-AAA/AA", ParseErrorKind::MixedAlphabets, 4),
            ("AR", bits, 1),
            ("AR==", bits, 1),
            ("-_", bits, 1),
            ("AQI\n", character, 3),
            ("A QI", character, 1),
            ("\u{e9}QI", character, 0),
            ("AQ=", ParseErrorKind::Padding, 2),
            ("A===", ParseErrorKind::Padding, 1),
            ("====", ParseErrorKind::Padding, 0),
            ("AQI==", ParseErrorKind::Padding, 3),
            ("AQ==AQ==", ParseErrorKind::Padding, 2),
            ("A", ParseErrorKind::Padding, 1),
            ("AAAAA", ParseErrorKind::Padding, 5),
        ] {
            let error = Bytes::parse(text).map_err(|error| (error.kind(), error.position()));
            assert_eq!(error, Err((kind, position)), "{text}");
        }
    }

    #[test]
    fn debug_is_short() {
        assert_eq!(format!("{:?}", Bytes::from(vec![1, 2])), "Bytes(AQI=)");
        let long = format!("{:?}", Bytes::from(vec![0; 1_000_000]));
        assert_eq!(long, format!("Bytes({}…, 1000000 bytes)", "A".repeat(32)));
    }

    proptest! {
        #[test]
        fn data_survives(data: Vec<u8>) {
            let bytes = Bytes::from(data.clone());
            prop_assert_eq!(&bytes, &data);
            prop_assert_eq!(Bytes::parse(&bytes.to_string()), Ok(bytes));
        }

        #[test]
        fn text_in_pieces_is_text(text in "[AQgw+/=_-]{0,12}|[A-Za-z0-9_-]{0,40}={0,2}|.{0,9}", cuts in prop::collection::vec(0..41_usize, 0..4)) {
            let mut decoder = Base64Decoder::default();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.push(text.len());
            cuts.sort_unstable();
            let mut at = 0;
            for cut in cuts {
                if !decoder.push(&text.as_bytes()[at..cut]) {
                    prop_assert!(Bytes::parse(&text).is_err());
                    prop_assert_eq!(&decoder.into_text(), &text.as_bytes()[..at]);
                    return Ok(());
                }
                at = cut;
            }
            match decoder.finish() {
                Ok(bytes) => prop_assert_eq!(Bytes::parse(&text), Ok(bytes)),
                Err(decoder) => {
                    prop_assert!(Bytes::parse(&text).is_err());
                    prop_assert_eq!(decoder.into_text(), text.into_bytes());
                }
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[AQgw+/=_-]{0,9}|.{0,9}") {
            if let Ok(bytes) = Bytes::parse(&text) {
                prop_assert_eq!(bytes.to_string(), text);
            }
        }
    }
}
