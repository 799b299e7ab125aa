//! Tokens and lists (RFC 9110, section 5.6).

/// Returns whether the byte can be part of a token (RFC 9110, section 5.6.2).
#[must_use]
pub const fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'!' | b'#' | b'$' | b'%' | b'&' | b'\'' | b'*' | b'+' | b'-' | b'.' | b'^' | b'_' | b'`' | b'|' | b'~'
        )
}

/// Returns whether the text is a token.
#[must_use]
pub fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(is_token_byte)
}

/// Splits a text at a character, except within quoted strings. A quoted string that does not end extends to the end of
/// the text.
pub fn split_unquoted(text: &str, at: char) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let (mut quoted, mut escaped) = (false, false);
        let end = text.find(|c: char| {
            let separates = !quoted && c == at;
            quoted ^= c == '"' && !escaped;
            escaped = quoted && c == '\\' && !escaped;
            separates
        });
        let (first, after) = match end {
            Some(end) => (text.get(..end), text.get(end + at.len_utf8()..)),
            None => (Some(text), None),
        };
        rest = after;
        first
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens() {
        assert!(is_token("a") && is_token("!#$%&'*+-.^_`|~09azAZ"));
        for wrong in ["", "a b", "a:b", "\"a\"", "é", "a\t", "a,b", "(a)", "a/b", "a=b", "{a}"] {
            assert!(!is_token(wrong), "{wrong}");
        }
    }

    #[test]
    fn quotes_keep_elements_together() {
        for (text, expected) in [
            ("", &[""][..]),
            ("a", &["a"]),
            ("a,b,", &["a", "b", ""]),
            ("a\",\"b,c", &["a\",\"b", "c"]),
            (r#""a\",",b"#, &[r#""a\",""#, "b"]),
            (r#""a\\",b"#, &[r#""a\\""#, "b"]),
            (r"a\,b", &[r"a\", "b"]),
            ("a,\"b,c", &["a", "\"b,c"]),
        ] {
            assert_eq!(split_unquoted(text, ',').collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
