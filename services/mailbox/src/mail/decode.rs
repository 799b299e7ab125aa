//! What parts hold, without the encoding for their way (RFC 2045, section 6).

use std::borrow::Cow;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::charsets::map::charset_decoder;

use super::structure::Part;

impl<'m> Part<'m> {
    /// What the part holds. What is not encoded as it says is read as far as it can be.
    pub(super) fn data(&self) -> Cow<'m, [u8]> {
        self.decoded(self.body)
    }

    /// About the first `most` bytes of a text.
    pub(super) fn beginning(&self, most: usize) -> String {
        // Encoded text is longer than what it stands for, by three times at the most.
        let data = self.decoded(self.body.get(..most * 3).unwrap_or(self.body));
        let data = data.get(..most).unwrap_or(&data);
        match self.charset.as_deref().filter(|name| !name.is_empty()).and_then(|name| charset_decoder(name.as_bytes()))
        {
            Some(decode) => decode(data),
            None => String::from_utf8_lossy(data).into_owned(),
        }
    }

    fn decoded(&self, body: &'m [u8]) -> Cow<'m, [u8]> {
        match self.encoding() {
            Encoding::Base64 => Cow::Owned(base64(body)),
            Encoding::QuotedPrintable => Cow::Owned(quoted_printable(body)),
            Encoding::None => Cow::Borrowed(body),
        }
    }

    fn encoding(&self) -> Encoding {
        let encoding = self.fields.text("content-transfer-encoding").unwrap_or_default();
        match encoding.trim().to_ascii_lowercase().as_str() {
            "base64" => Encoding::Base64,
            "quoted-printable" => Encoding::QuotedPrintable,
            _ => Encoding::None,
        }
    }

    /// What decodes what the part holds while it is read, to the same bytes as [`data`](Self::data).
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

/// How a part is encoded for its way.
enum Encoding {
    Base64,
    QuotedPrintable,
    None,
}

/// Decodes a part that is read in pieces.
#[derive(Debug, Clone)]
pub(crate) enum Decoder {
    /// It is as it is.
    None,
    /// What is not of the alphabet is passed over. A sign of padding ends a group, unless there is more in the text that
    /// should not be there: then it is nothing, too.
    Base64 { padded: bool, bits: u32, count: u8 },
    /// A sign and what it may belong to wait for what follows.
    QuotedPrintable { rest: Vec<u8> },
}

impl Decoder {
    /// Decodes a piece; the last one ends what is not complete.
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

/// The bits that a character of the alphabet stands for (RFC 4648, section 4).
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

/// The bytes of a group that is not complete.
fn end_group(bits: u32, count: &mut u8, data: &mut Vec<u8>) {
    match count {
        2 => data.extend(u8::try_from(bits >> 4 & 0xff)),
        3 => data.extend([bits >> 10, bits >> 2].into_iter().flat_map(|byte| u8::try_from(byte & 0xff))),
        _ => {}
    }
    *count = 0;
}

/// Characters that are not of the alphabet are passed over (RFC 2045, section 6.8).
fn base64(text: &[u8]) -> Vec<u8> {
    if let Some(data) = base64_decode(text) {
        return data;
    }
    let alphabet = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let kept: Vec<u8> = text.iter().copied().filter(alphabet).collect();
    base64_decode(&kept).unwrap_or_default()
}

/// An equals sign that begins nothing stands for itself (RFC 2045, section 6.7).
fn quoted_printable(text: &[u8]) -> Vec<u8> {
    let mut data = Vec::with_capacity(text.len());
    unquote(text, true, &mut data);
    data
}

/// Decodes a text, and returns what waits for more of it unless this is the last.
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
            [high, low, after @ ..] if hex(*high).is_some() && hex(*low).is_some() => {
                data.push(hex(*high).unwrap_or(0) << 4 | hex(*low).unwrap_or(0));
                rest = after;
            }
            [b'\r', b'\n', after @ ..] | [b'\n', after @ ..] => rest = after,
            _ => data.push(byte),
        }
    }
    rest
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn in_pieces(text: &[u8], pieces: usize) -> Vec<u8> {
        let mut decoder = Part::of_message(text).decoder();
        let body = Part::of_message(text).body;
        let mut data: Vec<u8> = body.chunks(pieces).flat_map(|piece| decoder.push(piece, false)).collect();
        data.extend(decoder.push(&[], true));
        data
    }

    proptest! {
        #[test]
        fn pieces_are_decoded_to_the_same(
            encoding in prop_oneof!["base64", "quoted-printable", "8bit"],
            body in prop_oneof!["[A-Za-z0-9+/]{0,40}={0,2}", "[A-Z=\\r\\n ]{0,40}", "[AB=*-]{0,20}", "[0-9A-F=x\\r\\n]{0,40}"],
            pieces in 1..9_usize,
        ) {
            let text = format!("Content-Transfer-Encoding: {encoding}\r\n\r\n{body}");
            prop_assert_eq!(in_pieces(text.as_bytes(), pieces), Part::of_message(text.as_bytes()).data().into_owned());
        }
    }
}
