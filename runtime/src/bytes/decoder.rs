//! Incremental base64 decoder.

use base64::Engine as _;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::{Bytes, Data, Variant};

/// Incremental base64 decoder. It accepts the same base64 texts as [`Bytes::parse`].
#[derive(Debug, Default)]
pub struct Base64Decoder {
    data: Vec<u8>,
    /// Last characters, at most four, which are not decoded yet: they are a complete group only if more text follows.
    tail: Vec<u8>,
    characters: usize,
    alphabet: Alphabet,
}

/// Alphabet of a text, as far as its characters show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Alphabet {
    #[default]
    Either,
    Standard,
    Url,
}

impl Alphabet {
    /// Returns the alphabet after `text` is appended, or `None` if the two alphabets are mixed.
    fn merge_text(self, text: &[u8]) -> Option<Self> {
        let standard = self == Self::Standard || text.iter().any(|byte| matches!(byte, b'+' | b'/'));
        let url = self == Self::Url || text.iter().any(|byte| matches!(byte, b'-' | b'_'));
        match (standard, url) {
            (true, true) => None,
            (true, false) => Some(Self::Standard),
            (false, true) => Some(Self::Url),
            (false, false) => Some(Self::Either),
        }
    }

    /// Returns the engine that decodes a text of this alphabet without padding.
    const fn unpadded_engine(self) -> &'static GeneralPurpose {
        if matches!(self, Self::Standard) { &STANDARD_NO_PAD } else { &URL_SAFE_NO_PAD }
    }

    /// Returns the format of a text of this alphabet.
    const fn variant(self, padded: bool) -> Variant {
        match (self, padded) {
            (Self::Standard, true) => Variant::Standard,
            (Self::Standard, false) => Variant::StandardUnpadded,
            (_, true) => Variant::Url,
            (_, false) => Variant::UrlUnpadded,
        }
    }
}

impl Base64Decoder {
    /// Decodes the next chunk of a text. Returns false, and changes nothing, if the text is found not to be base64; its
    /// last characters are checked by [`finish`](Self::finish).
    #[must_use]
    pub fn push(&mut self, piece: &[u8]) -> bool {
        let Some(alphabet) = self.alphabet.merge_text(piece) else { return false };
        // A group of four is decoded only once it is known not to be the last one.
        let fill = piece.len().min(4 - self.tail.len());
        let (first, rest) = piece.split_at(fill);
        let mut tail = self.tail.clone();
        tail.extend_from_slice(first);
        let before = self.data.len();
        if !rest.is_empty() {
            let (groups, last) = rest.split_at((rest.len() - 1) / 4 * 4);
            let engine = alphabet.unpadded_engine();
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

    /// Reserves exactly `bytes` more bytes.
    pub fn reserve_exact(&mut self, bytes: usize) {
        self.data.reserve_exact(bytes);
    }

    /// Returns the number of decoded bytes, and the capacity of their buffer.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.data.len(), self.data.capacity())
    }

    /// Completes the text and returns the decoded bytes.
    ///
    /// # Errors
    /// Returns the decoder unchanged if the text is not base64 in a format that [`Bytes`] accepts.
    pub fn finish(mut self) -> Result<Bytes, Self> {
        let before = self.data.len();
        let variant = self.alphabet.variant(self.characters.is_multiple_of(4));
        if variant.engine().decode_vec(&self.tail, &mut self.data).is_err() {
            self.data.truncate(before);
            return Err(self);
        }
        Ok(Bytes { data: Data::Owned(self.data), variant })
    }

    /// Returns the base64 text of all accepted chunks.
    #[must_use]
    pub fn into_text(self) -> Vec<u8> {
        let mut text = self.alphabet.unpadded_engine().encode(&self.data).into_bytes();
        text.extend_from_slice(&self.tail);
        text
    }
}
