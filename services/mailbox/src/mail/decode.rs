//! Decoding of the content transfer encoding (RFC 2045, section 6).

use std::borrow::Cow;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::charsets::map::charset_decoder;

use super::structure::Part;

/// Maximum size of a text that is converted to UTF-8, in bytes before it is decoded.
const MAX_CONVERTED_BYTES: usize = 4 << 20;

impl<'m> Part<'m> {
    /// Returns the decoded content. Invalid encodings are decoded as far as possible.
    pub(super) fn data(&self) -> Cow<'m, [u8]> {
        self.decode(self.body)
    }

    /// Returns the decoded content; a text that declares another character encoding is converted to UTF-8.
    pub(super) fn text(&self) -> Cow<'m, [u8]> {
        match self.charset_decoder().filter(|_| self.has_other_charset()) {
            Some(decode) => Cow::Owned(decode(&self.data()).into_bytes()),
            None => self.data(),
        }
    }

    /// Returns whether the part is a text to convert to UTF-8: one with a known character encoding other than UTF-8,
    /// which is not an attachment and not longer than a response may hold.
    pub(super) fn has_other_charset(&self) -> bool {
        let is_text = self.media_type.starts_with("text/") && self.filename.is_none();
        let unchanged = ["utf-8", "utf8", "us-ascii", "ascii"];
        let name = self.charset.as_deref().unwrap_or_default().trim();
        is_text
            && self.parts.is_empty()
            && self.body.len() <= MAX_CONVERTED_BYTES
            && !unchanged.iter().any(|known| name.eq_ignore_ascii_case(known))
            && self.charset_decoder().is_some()
    }

    /// Returns the function that decodes the declared character encoding, if it is known.
    fn charset_decoder(&self) -> Option<fn(&[u8]) -> String> {
        self.charset.as_deref().filter(|name| !name.is_empty()).and_then(|name| charset_decoder(name.as_bytes()))
    }

    /// Returns about the first `max` bytes of a text.
    pub(super) fn text_prefix(&self, max: usize) -> String {
        // Encoded text is at most three times as long as the decoded text.
        let data = self.decode(self.body.get(..max * 3).unwrap_or(self.body));
        let data = data.get(..max).unwrap_or(&data);
        match self.charset_decoder() {
            Some(decode) => decode(data),
            None => String::from_utf8_lossy(data).into_owned(),
        }
    }

    /// Decodes encoded content, or the beginning of it.
    fn decode(&self, body: &'m [u8]) -> Cow<'m, [u8]> {
        match self.encoding() {
            Encoding::Base64 => Cow::Owned(base64(body)),
            Encoding::QuotedPrintable => Cow::Owned(quoted_printable(body)),
            Encoding::None => Cow::Borrowed(body),
        }
    }

    /// Returns the transfer encoding; an unknown one counts as none.
    fn encoding(&self) -> Encoding {
        let encoding = self.fields.text("content-transfer-encoding").unwrap_or_default();
        match encoding.trim().to_ascii_lowercase().as_str() {
            "base64" => Encoding::Base64,
            "quoted-printable" => Encoding::QuotedPrintable,
            _ => Encoding::None,
        }
    }

    /// Returns a streaming decoder with the same result as [`data`](Self::data).
    pub(super) fn decoder(&self) -> Decoder {
        match self.encoding() {
            Encoding::Base64 => {
                let known = |byte: &u8| sextet(*byte).is_some() || matches!(byte, b'=' | b' ' | b'\t' | b'\r' | b'\n');
                Decoder::Base64 { padded: self.body.iter().all(known), bits: 0, count: 0 }
            }
            Encoding::QuotedPrintable => Decoder::QuotedPrintable { rest: Vec::new() },
            Encoding::None => Decoder::None,
        }
    }
}

/// Content transfer encoding of a part.
enum Encoding {
    Base64,
    QuotedPrintable,
    None,
}

/// Streaming decoder of a part.
#[derive(Debug, Clone)]
pub(crate) enum Decoder {
    /// Identity.
    None,
    /// Base64. Characters outside of the alphabet are ignored. A padding character ends a group, unless more data
    /// follows that should not be there: then it is ignored, too.
    Base64 { padded: bool, bits: u32, count: u8 },
    /// Quoted-printable. An equals sign and the characters that may belong to it are kept for the next chunk.
    QuotedPrintable { rest: Vec<u8> },
}

impl Decoder {
    /// Decodes a chunk; the last one flushes incomplete groups.
    pub(crate) fn push(&mut self, piece: &[u8], is_last: bool) -> Vec<u8> {
        match self {
            Self::None => piece.to_vec(),
            Self::Base64 { padded, bits, count } => {
                let mut data = Vec::with_capacity(piece.len() / 4 * 3 + 3);
                for byte in piece {
                    match sextet(*byte) {
                        Some(value) => {
                            *bits = *bits << 6 | u32::from(value);
                            *count = (*count + 1) % 4;
                            if *count == 0 {
                                data.extend_from_slice(bits.to_be_bytes().get(1..).unwrap_or_default());
                            }
                        }
                        None if *padded && *byte == b'=' => end_group(*bits, count, &mut data),
                        None => {}
                    }
                }
                if is_last {
                    end_group(*bits, count, &mut data);
                }
                data
            }
            Self::QuotedPrintable { rest } => {
                rest.extend_from_slice(piece);
                let mut data = Vec::with_capacity(rest.len());
                let left = unquote(rest, is_last, &mut data).len();
                rest.drain(..rest.len() - left);
                data
            }
        }
    }
}

/// Returns the six bits of a character of the base64 alphabet (RFC 4648, section 4).
const fn sextet(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

/// Decodes the bytes of an incomplete group.
fn end_group(bits: u32, count: &mut u8, data: &mut Vec<u8>) {
    match count {
        2 => data.extend(u8::try_from(bits >> 4 & 0xff)),
        3 => data.extend([bits >> 10, bits >> 2].into_iter().flat_map(|byte| u8::try_from(byte & 0xff))),
        _ => {}
    }
    *count = 0;
}

/// Decodes base64. Characters outside of the alphabet are ignored (RFC 2045, section 6.8).
pub(super) fn base64(text: &[u8]) -> Vec<u8> {
    if let Some(data) = base64_decode(text) {
        return data;
    }
    let alphabet = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let kept: Vec<u8> = text.iter().copied().filter(alphabet).collect();
    base64_decode(&kept).unwrap_or_default()
}

/// Decodes quoted-printable. An equals sign that begins no valid sequence is kept (RFC 2045, section 6.7).
pub(super) fn quoted_printable(text: &[u8]) -> Vec<u8> {
    let mut data = Vec::with_capacity(text.len());
    unquote(text, true, &mut data);
    data
}

/// Decodes a text, and returns the rest that needs more input unless this is the last chunk.
fn unquote<'t>(text: &'t [u8], is_last: bool, data: &mut Vec<u8>) -> &'t [u8] {
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'=' && after.len() < 2 && !is_last {
            return rest;
        }
        rest = after;
        if byte != b'=' {
            data.push(byte);
            continue;
        }
        match after {
            [high, low, after @ ..] if hex_digit(*high).is_some() && hex_digit(*low).is_some() => {
                data.push(hex_digit(*high).unwrap_or(0) << 4 | hex_digit(*low).unwrap_or(0));
                rest = after;
            }
            [b'\r', b'\n', after @ ..] | [b'\n', after @ ..] => rest = after,
            _ => data.push(byte),
        }
    }
    rest
}

/// Returns the value of a hexadecimal digit.
fn hex_digit(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decode_in_chunks(text: &[u8], pieces: usize) -> Vec<u8> {
        let mut decoder = Part::of_message(text).decoder();
        let body = Part::of_message(text).body;
        let mut data: Vec<u8> = body.chunks(pieces).flat_map(|piece| decoder.push(piece, false)).collect();
        data.extend(decoder.push(&[], true));
        data
    }

    proptest! {
        #[test]
        fn chunked_decoding_has_the_same_result(
            encoding in prop_oneof!["base64", "quoted-printable", "8bit"],
            body in prop_oneof!["[A-Za-z0-9+/]{0,40}={0,2}", "[A-Z=\\r\\n ]{0,40}", "[AB=*-]{0,20}", "[0-9A-F=x\\r\\n]{0,40}"],
            pieces in 1..9_usize,
        ) {
            let text = format!("Content-Transfer-Encoding: {encoding}\r\n\r\n{body}");
            prop_assert_eq!(decode_in_chunks(text.as_bytes(), pieces), Part::of_message(text.as_bytes()).data().into_owned());
        }
    }
}
