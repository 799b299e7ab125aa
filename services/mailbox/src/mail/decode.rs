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
        let encoding = self.fields.text("content-transfer-encoding").unwrap_or_default();
        match encoding.trim().to_ascii_lowercase().as_str() {
            "base64" => Cow::Owned(base64(body)),
            "quoted-printable" => Cow::Owned(quoted_printable(body)),
            _ => Cow::Borrowed(body),
        }
    }
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
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
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
    data
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}
