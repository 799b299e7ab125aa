//! Base64 text that arrives in pieces.

use base64::Engine as _;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::{Bytes, Data, Spelling};

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
    /// Returns the alphabet of a text that goes on so; none where the two are mixed.
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

    /// Returns how many bytes are decoded, and how many there is room for.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.data.len(), self.data.capacity())
    }

    /// Returns the value of the whole text.
    ///
    /// # Errors
    /// Returns the decoder as it was, where the text is not base64 by the rules of [`Bytes`].
    pub fn finish(mut self) -> Result<Bytes, Self> {
        let before = self.data.len();
        let spelling = self.alphabet.spelling(self.characters.is_multiple_of(4));
        if spelling.engine().decode_vec(&self.tail, &mut self.data).is_err() {
            self.data.truncate(before);
            return Err(self);
        }
        Ok(Bytes { data: Data::Owned(self.data), spelling })
    }

    /// Returns the text that was decoded.
    #[must_use]
    pub fn into_text(self) -> Vec<u8> {
        let mut text = self.alphabet.unpadded().encode(&self.data).into_bytes();
        text.extend_from_slice(&self.tail);
        text
    }
}
