//! Percent-encoded text (RFC 3986, section 2.1).

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Everything except unreserved characters (RFC 3986, section 2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Appends a text with everything percent-encoded except unreserved characters. This is the simple expansion of a URI
/// template (RFC 6570, section 3.2.2).
pub fn encode(text: &str, out: &mut String) {
    out.extend(utf8_percent_encode(text, RESERVED));
}

/// Decoded text, or the violation.
pub type DecodedText<'t> = Result<Cow<'t, str>, &'static str>;

/// Violation of an invalid encoding.
pub const NOT_ENCODED: &str = "must be percent-encoded (RFC 3986)";
/// Violation of invalid UTF-8.
pub const NOT_UTF8: &str = "must be UTF-8 after decoding";

/// Decodes a text. Allocates only if something is encoded.
///
/// # Errors
/// Returns a violation if a `%` is not followed by two hexadecimal digits, or the decoded bytes are not UTF-8. The
/// crate `percent-encoding` keeps an invalid escape as it is, which would give a value two spellings.
pub fn decode(text: &str) -> DecodedText<'_> {
    if text.contains('%') { decoded(text, false) } else { Ok(Cow::Borrowed(text)) }
}

/// Decodes a text of a form, in which a `+` is a space (`application/x-www-form-urlencoded`).
///
/// # Errors
/// Returns the violations of [`decode`].
pub fn decode_form(text: &str) -> DecodedText<'_> {
    if text.contains(['%', '+']) { decoded(text, true) } else { Ok(Cow::Borrowed(text)) }
}

/// Decodes percent-encoded text; with `plus` a plus sign is a space.
fn decoded(text: &str, plus: bool) -> DecodedText<'_> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => match (rest.next().and_then(digit), rest.next().and_then(digit)) {
                (Some(high), Some(low)) => high << 4 | low,
                _ => return Err(NOT_ENCODED),
            },
            b'+' if plus => b' ',
            byte => byte,
        });
    }
    String::from_utf8(bytes).map(Cow::Owned).map_err(|_| NOT_UTF8)
}

/// Returns the value of a hexadecimal digit.
fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unreserved_characters_stay() {
        let mut out = String::new();
        encode("a/b?c#d%e f\u{e9}\n:@~-_.é+&=", &mut out);
        assert_eq!(out, "a%2Fb%3Fc%23d%25e%20f%C3%A9%0A%3A%40~-_.%C3%A9%2B%26%3D");
    }

    #[test]
    fn texts() {
        assert!(matches!(decode("a+b"), Ok(Cow::Borrowed("a+b"))));
        assert_eq!(decode_form("a+b%2B%C3%A9%e2%82%ac").as_deref(), Ok("a b+é€"));
        assert_eq!(decode("%2525").as_deref(), Ok("%25"), "once");
        for broken in ["%", "%4", "%zz", "a%", "%+1", "%é1"] {
            assert_eq!(decode(broken), Err(NOT_ENCODED), "{broken}");
        }
        for broken in ["%ff", "%C3", "%ED%A0%80", "%C0%AF"] {
            assert_eq!(decode(broken), Err(NOT_UTF8), "{broken}");
        }
    }
}
