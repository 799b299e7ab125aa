//! Literals of conditions: from number and string tokens to values.

use crate::model::condition::Literal;

/// Returns whether a token is a number.
pub fn is_number(word: &str) -> bool {
    word.strip_prefix('.').unwrap_or(word).starts_with(|first: char| first.is_ascii_digit())
}

/// Returns whether a token is a string or bytes.
pub fn is_text(word: &str) -> bool {
    word.ends_with(['"', '\''])
}

/// Returns the value of a number token, or the reason why it is invalid.
pub fn number(word: &str, negative: bool) -> Result<Literal, &'static str> {
    const INT: &str = "does not fit into a signed 64-bit integer";
    const UINT: &str = "does not fit into an unsigned 64-bit integer";
    let sign = if negative { "-" } else { "" };
    let (unsigned, radix, digits) = match (word.strip_suffix(['u', 'U']), word.strip_prefix("0x")) {
        (Some(word), None) => (true, 10, word),
        (Some(word), Some(_)) => (true, 16, &word[2..]),
        (None, Some(digits)) => (false, 16, digits),
        (None, None) => (false, 10, word),
    };
    if radix == 10 && digits.contains(['.', 'e', 'E']) {
        let value = format!("{sign}{digits}").parse::<f64>().ok().filter(|value| value.is_finite());
        return match (value, unsigned) {
            (_, true) => Err("is not an integer and cannot be unsigned"),
            (Some(value), false) => Ok(Literal::Double(value)),
            (None, false) => Err("is too large for a floating-point number"),
        };
    }
    if digits.is_empty() {
        return Err("has no digits");
    }
    match (unsigned, negative) {
        (true, true) => Err("is negative and cannot be unsigned"),
        (true, false) => u64::from_str_radix(digits, radix).map(Literal::Uint).map_err(|_| UINT),
        (false, _) => i64::from_str_radix(&format!("{sign}{digits}"), radix).map(Literal::Int).map_err(|_| INT),
    }
}

/// Returns the value of a string or bytes token whose escapes are valid.
pub fn text(word: &str) -> Literal {
    let (marks, quoted) = word.split_at(word.find(['"', '\'']).unwrap_or(0));
    let fence = if quoted.len() >= 6 && (quoted.starts_with("\"\"\"") || quoted.starts_with("'''")) { 3 } else { 1 };
    let body = quoted.get(fence..quoted.len() - fence).unwrap_or_default();
    let is_bytes = marks.contains(['b', 'B']);
    // Line breaks are normalized to `\n`, independent of the file.
    let body = body.replace("\r\n", "\n").replace('\r', "\n");
    let value = if marks.contains(['r', 'R']) { body.into_bytes() } else { unescape(&body, is_bytes) };
    if is_bytes {
        return Literal::Bytes(value);
    }
    Literal::String(String::from_utf8_lossy(&value).into_owned())
}

/// Replaces the escape sequences of a token; in bytes, a numeric escape is one byte.
fn unescape(body: &str, is_bytes: bool) -> Vec<u8> {
    let mut value = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = rest.find('\\') {
        value.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at + 1..];
        let (code, length) = escape(rest);
        match char::from_u32(code) {
            Some(code) if !is_bytes => value.extend_from_slice(code.encode_utf8(&mut [0; 4]).as_bytes()),
            // Escapes in bytes are single bytes.
            _ => value.extend(u8::try_from(code)),
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    value.extend_from_slice(rest.as_bytes());
    value
}

/// Decodes the escape after a backslash; returns its code point and its length in bytes.
fn escape(rest: &str) -> (u32, usize) {
    let digits = |from: usize, count: usize, radix: u32| {
        let code = rest.get(from..from + count).and_then(|digits| u32::from_str_radix(digits, radix).ok());
        (code.unwrap_or(0), from + count)
    };
    match rest.chars().next().unwrap_or('\\') {
        'a' => (0x07, 1),
        'b' => (0x08, 1),
        'f' => (0x0c, 1),
        'n' => (0x0a, 1),
        'r' => (0x0d, 1),
        't' => (0x09, 1),
        'v' => (0x0b, 1),
        'x' | 'X' => digits(1, 2, 16),
        'u' => digits(1, 4, 16),
        'U' => digits(1, 8, 16),
        '0'..='3' => digits(0, 3, 8),
        itself => (u32::from(itself), itself.len_utf8()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (word, negative, value) in [
            ("0", false, Literal::Int(0)),
            ("9223372036854775808", true, Literal::Int(i64::MIN)),
            ("0x1F", true, Literal::Int(-31)),
            ("0xFFFFFFFFFFFFFFFFu", false, Literal::Uint(u64::MAX)),
            ("7U", false, Literal::Uint(7)),
            (".5", false, Literal::Double(0.5)),
            ("1e3", true, Literal::Double(-1000.0)),
        ] {
            assert_eq!(number(word, negative), Ok(value), "{word}");
        }
        for (word, negative) in [
            ("9223372036854775808", false),
            ("18446744073709551616u", false),
            ("1e999", false),
            ("0x", false),
            ("1u", true),
        ] {
            assert!(number(word, negative).is_err(), "{word}");
        }
    }

    #[test]
    fn texts_and_bytes() {
        let string = |text: &str| Literal::String(text.to_owned());
        for (word, value) in [
            ("''", string("")),
            ("''''''", string("")),
            (r#""a\"b""#, string("a\"b")),
            (r"r'\n'", string(r"\n")),
            (r"'\x41\101\u00e4\U0001F4A5\?'", string("AAä💥?")),
            ("'''a\r\nb'c'''", string("a\nb'c")),
            (r"'\xff'", string("ÿ")),
            (r"b'\xff\377ä'", Literal::Bytes(vec![0xff, 0xff, 0xc3, 0xa4])),
            (r"bR'\x'", Literal::Bytes(b"\\x".to_vec())),
        ] {
            assert_eq!(text(word), value, "{word}");
        }
    }
}
