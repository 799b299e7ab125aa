//! Decoding of encoded words in headers (RFC 2047).

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use encoding_rs::Encoding;

/// Decodes a header. Invalid encoded words stay as they are.
pub(super) fn decode(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    // White space between two encoded words is ignored.
    let mut follows_word = false;
    while let Some(at) = rest.find("=?") {
        let (before, from) = rest.split_at(at);
        if !(follows_word && before.chars().all(char::is_whitespace)) {
            text.push_str(before);
        }
        match decode_word(from) {
            Some((decoded, length)) => {
                text.push_str(&decoded);
                rest = from.get(length..).unwrap_or_default();
                follows_word = true;
            }
            None => {
                text.push_str("=?");
                rest = from.get(2..).unwrap_or_default();
                follows_word = false;
            }
        }
    }
    text.push_str(rest);
    text
}

/// Decodes the word at the beginning of a text; returns also its length there: `=?charset?Q?text?=`.
fn decode_word(text: &str) -> Option<(String, usize)> {
    let mut parts = text.strip_prefix("=?")?.splitn(4, '?');
    let (charset, encoding_name, data, rest) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let rest = rest.strip_prefix('=')?;
    if data.chars().any(char::is_whitespace) {
        return None;
    }
    // A language may follow the charset (RFC 2231, section 5).
    let encoding = Encoding::for_label(charset.split('*').next()?.as_bytes())?;
    let bytes = match encoding_name {
        "B" | "b" => BASE64_STANDARD.decode(data).ok()?,
        "Q" | "q" => decode_quoted(data)?,
        _ => return None,
    };
    Some((encoding.decode_without_bom_handling(&bytes).0.into_owned(), text.len() - rest.len()))
}

/// Decodes the `Q` encoding (RFC 2047, section 4.2); `None` if it is invalid.
fn decode_quoted(data: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(data.len());
    let mut rest = data.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'_' => b' ',
            b'=' => {
                let digits = [rest.next()?, rest.next()?];
                // `from_str_radix` alone would accept a sign.
                let digits = std::str::from_utf8(&digits).ok().filter(|digits| !digits.starts_with('+'))?;
                u8::from_str_radix(digits, 16).ok()?
            }
            other => other,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn encoded_words_are_text() {
        for (value, text) in [
            ("Plain = text?", "Plain = text?"),
            ("=?UTF-8?Q?Soci=C3=A9t=C3=A9_des?= =?utf-8?b?IE1hY2hpbmVz?= <a@b>", "Société des Machines <a@b>"),
            ("Re: =?iso-8859-1*fr?q?caf=E9?=", "Re: café"),
            ("=?UTF-8?Q?a?= and =?UTF-8?Q?b?=", "a and b"),
            (
                "=?UTF-8?Q?=4?= =?no-one?Q?a?= =?UTF-8?X?a?= =?UTF-8?Q?",
                "=?UTF-8?Q?=4?= =?no-one?Q?a?= =?UTF-8?X?a?= =?UTF-8?Q?",
            ),
            ("=?UTF-8?Q?=C3=C3é?=", "\u{fffd}\u{fffd}é"),
            ("é=?é?é?é?=", "é=?é?é?é?="),
            ("=?UTF-8?Q?=+1?=", "=?UTF-8?Q?=+1?="),
        ] {
            assert_eq!(decode(value), text);
        }
    }
}
