//! Decoding of encoded words in headers (RFC 2047).

use mail_parser::decoders::charsets::map::charset_decoder;

use super::decode::{base64, quoted_printable};

/// Maximum length of an encoded word in bytes; RFC 2047 allows 75.
const MAX_WORD: usize = 1_000;

/// Headers with addresses, in whose names some characters have a meaning.
const ADDRESS_FIELDS: [&str; 12] = [
    "from",
    "sender",
    "reply-to",
    "to",
    "cc",
    "bcc",
    "resent-from",
    "resent-sender",
    "resent-to",
    "resent-cc",
    "resent-bcc",
    "delivered-to",
];

/// Encoded word, decoded up to its character encoding.
struct Word<'t> {
    charset: &'t str,
    data: Vec<u8>,
    rest: &'t str,
}

/// Decodes the encoded words of the header with a name.
pub(super) fn decode_header(name: &str, text: &str) -> String {
    decode_words(text, ADDRESS_FIELDS.iter().any(|field| field.eq_ignore_ascii_case(name)))
}

/// Decodes the encoded words of a header. Those that cannot be decoded stay as they are, and blanks between two decoded
/// ones are removed. In a header with addresses, a name whose characters would separate addresses is quoted.
fn decode_words(text: &str, has_addresses: bool) -> String {
    let mut decoded = String::with_capacity(text.len());
    let (mut rest, mut is_quoted) = (text, false);
    while let Some(at) = rest.find("=?") {
        let (before, found) = rest.split_at(at);
        decoded.push_str(before);
        is_quoted ^= has_odd_quotes(before);
        let Some((words, after)) = read_words(found) else {
            decoded.push_str("=?");
            rest = found.get(2..).unwrap_or_default();
            continue;
        };
        push_words(&mut decoded, &words, is_quoted, has_addresses);
        rest = after;
    }
    decoded.push_str(rest);
    decoded
}

/// Returns whether a text has an odd number of quotation marks that are not escaped.
fn has_odd_quotes(text: &str) -> bool {
    let (mut is_odd, mut is_escaped) = (false, false);
    for byte in text.bytes() {
        is_odd ^= byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
    }
    is_odd
}

/// Reads consecutive encoded words, between which a character can be divided if they have the same character encoding.
/// Returns their text, and what follows them.
fn read_words(text: &str) -> Option<(String, &str)> {
    let Word { mut charset, mut data, mut rest } = read_word(text)?;
    let mut all = String::new();
    while let Some(next) = read_word(rest.trim_start_matches([' ', '\t'])) {
        if next.charset.eq_ignore_ascii_case(charset) {
            data.extend_from_slice(&next.data);
        } else {
            all += &decode_charset(charset, &data);
            (charset, data) = (next.charset, next.data);
        }
        rest = next.rest;
    }
    all += &decode_charset(charset, &data);
    Some((all, rest))
}

/// Reads an encoded word at the beginning of a text: `=?utf-8?q?caf=C3=A9?=`.
fn read_word(text: &str) -> Option<Word<'_>> {
    let (charset, after) = text.strip_prefix("=?")?.split_once('?')?;
    let (encoding, after) = after.split_once('?')?;
    let (content, rest) = after.split_once('?')?;
    let rest = rest.strip_prefix('=')?;
    let is_word = |part: &str| !part.contains(|one: char| one.is_whitespace() || one.is_control());
    let length = text.len() - rest.len();
    if length > MAX_WORD || !is_word(charset) || (encoding.eq_ignore_ascii_case("b") && !is_word(content)) {
        return None;
    }
    let data = match encoding {
        "b" | "B" => base64(content.as_bytes()),
        "q" | "Q" => quoted_printable(content.replace('_', " ").as_bytes()),
        _ => return None,
    };
    // A language can follow the character encoding (RFC 2231, section 5).
    let charset = charset.split('*').next().unwrap_or_default();
    if !is_utf8(charset) && charset_decoder(charset.as_bytes()).is_none() {
        return None;
    }
    Some(Word { charset, data, rest })
}

/// Returns whether a character encoding is UTF-8 or a part of it.
fn is_utf8(charset: &str) -> bool {
    charset.eq_ignore_ascii_case("utf-8") || charset.eq_ignore_ascii_case("us-ascii")
}

/// Decodes data, without control characters, so that the header stays one line.
fn decode_charset(charset: &str, data: &[u8]) -> String {
    let decode = charset_decoder(charset.as_bytes()).filter(|_| !is_utf8(charset));
    let text = decode.map_or_else(|| String::from_utf8_lossy(data).into_owned(), |decode| decode(data));
    text.replace(|one: char| one.is_control(), " ")
}

/// Adds decoded words.
fn push_words(decoded: &mut String, words: &str, is_quoted: bool, has_addresses: bool) {
    let separates = |one: char| "()<>[]:;@\\,\"".contains(one);
    if is_quoted {
        decoded.push_str(&escape(words));
    } else if has_addresses && words.contains(separates) {
        decoded.extend(["\"", &escape(words), "\""]);
    } else {
        decoded.push_str(words);
    }
}

/// Escapes a text within quotation marks (RFC 5322, section 3.2.4).
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_words_are_decoded() {
        for (text, expected) in [
            ("plain", "plain"),
            ("=?utf-8?q?caf=C3=A9_au_lait?=", "café au lait"),
            ("=?UTF-8?B?R3LDvMOfZQ==?= HIER", "Grüße HIER"),
            ("=?iso-8859-1*de?Q?Gr=FC=DFe?=", "Grüße"),
            // Blanks between two words do not count, and a character can be divided between them.
            ("a =?utf-8?q?b?=  =?utf-8?q?c?= d", "a bc d"),
            ("=?utf-8?q?=C3?= =?utf-8?q?=BC?=", "ü"),
            ("=?utf-8?q?a?= =?iso-8859-1?q?=FC?=", "aü"),
            // What is no encoded word stays.
            ("=?nothing?q?a?= b", "=?nothing?q?a?= b"),
            ("=?utf-8?x?a?=", "=?utf-8?x?a?="),
            ("=?utf-8?q?a", "=?utf-8?q?a"),
            ("=?=?=?", "=?=?=?"),
            // A line end cannot be inserted.
            ("=?utf-8?q?a=0D=0ABcc:_b?=", "a  Bcc: b"),
        ] {
            assert_eq!(decode_words(text, false), expected, "{text}");
        }
    }

    #[test]
    fn names_with_separators_are_quoted() {
        for (text, expected) in [
            ("=?utf-8?q?J=C3=BCrgen?= <j@x>", "Jürgen <j@x>"),
            ("=?utf-8?q?Doe=2C_J=C3=BCrgen?= <j@x>, b@x", "\"Doe, Jürgen\" <j@x>, b@x"),
            ("=?utf-8?q?The_=22A=22_=3Cevil=40x=3E?= <j@x>", "\"The \\\"A\\\" <evil@x>\" <j@x>"),
            ("\"=?utf-8?q?a=22b?=\" <j@x>", "\"a\\\"b\" <j@x>"),
        ] {
            assert_eq!(decode_words(text, true), expected, "{text}");
        }
    }
}
