//! Email addresses.

use super::{ByteSet, byte_set, contains_byte};

/// Characters of an atom (RFC 5322, section 3.2.3).
static ATEXT: ByteSet = byte_set(true, b"!#$%&'*+-/=?^_`{|}~");

/// Returns whether the text is an `addr-spec` of RFC 5322, section 3.4.1: `local@domain`, with a dot-atom or a quoted
/// string before the `@`, and a dot-atom or a literal in brackets after it.
///
/// Constructs of mail headers are intentionally rejected: comments, folded lines, and the obsolete forms of section 4.
/// Spaces are allowed within quotes only. Lengths are a matter of `length:`; those of RFC 5321 apply to the transport.
#[must_use]
pub fn is_addr_spec(text: &str) -> bool {
    match skip_local_part(text.as_bytes()) {
        Some([b'@', domain @ ..]) => skip_dot_atom(domain).is_some_and(<[u8]>::is_empty) || is_literal(domain),
        _ => false,
    }
}

/// Returns the rest of the text after its local part.
fn skip_local_part(bytes: &[u8]) -> Option<&[u8]> {
    match bytes {
        [b'"', ..] => bytes.get(quoted_string(bytes)?..),
        _ => skip_dot_atom(bytes),
    }
}

/// Returns the length of the quoted string at the start of the text.
fn quoted_string(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => {
                // A quoted pair: a visible character, a space or a tab.
                if !matches!(bytes.get(at + 1)?, b'\t' | b' '..=b'~') {
                    return None;
                }
                at += 2;
            }
            b'\t' | b' '..=b'~' => at += 1,
            _ => return None,
        }
    }
}

/// Returns the rest of the text after its dot-atom.
#[inline]
fn skip_dot_atom(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes;
    loop {
        let atom = rest;
        while let [byte, after @ ..] = rest
            && contains_byte(&ATEXT, *byte)
        {
            rest = after;
        }
        match rest {
            _ if rest.len() == atom.len() => return None,
            [b'.', after @ ..] => rest = after,
            _ => return Some(rest),
        }
    }
}

/// Returns whether the bytes are a literal: visible characters except brackets and backslashes, in brackets.
fn is_literal(bytes: &[u8]) -> bool {
    match bytes {
        [b'[', inner @ .., b']'] => inner.iter().all(|byte| matches!(byte, b'\t' | b' '..=b'Z' | b'^'..=b'~')),
        _ => false,
    }
}

/// Characters before the `@` in the HTML definition of a valid email address.
static HTML_LOCAL: ByteSet = byte_set(true, b".!#$%&'*+/=?^_`{|}~-");

/// Returns whether the text is an email address by the definition of HTML, as `isEmail` of protovalidate requires: no
/// quotes, dots anywhere before the `@`, and after it labels of letters, digits and inner hyphens.
#[must_use]
pub fn is_html_email(text: &str) -> bool {
    let Some((local, domain)) = text.as_bytes().iter().position(|byte| *byte == b'@').map(|at| text.split_at(at))
    else {
        return false;
    };
    let labels = domain.strip_prefix('@').unwrap_or_default();
    !local.is_empty()
        && local.bytes().all(|byte| contains_byte(&HTML_LOCAL, byte))
        && labels.as_bytes().split(|byte| *byte == b'.').all(super::host::is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for valid in [
            "a@b",
            "joe.bloggs@example.com",
            "te~st!#$%&'*+-/=?^_`{|}@example.com",
            r#""joe bloggs"@example.com"#,
            r#""joe\"@\\bloggs"@example.com"#,
            r#"""@example.com"#,
            "a@[127.0.0.1]",
            "a@[IPv6:::1]",
        ] {
            assert!(is_addr_spec(valid), "{valid}");
        }
        for wrong in [
            "",
            "@",
            "a",
            "a@",
            "@b",
            ".a@b",
            "a.@b",
            "a..b@c",
            "a@.b",
            "a@b.",
            "a@b..c",
            "a b@c",
            "a@b c",
            "a@b@c",
            "a@b\n",
            "(x)a@b",
            "\"a@b",
            "\"a\"b@c",
            "\"a\\\"@b",
            "ü@b",
            "a@ü",
            "a@[",
            "a@[a[b]",
            "a@[a\\b]",
            "a@[]x",
            "\"a\u{7f}\"@b",
        ] {
            assert!(!is_addr_spec(wrong), "{wrong}");
        }
    }

    #[test]
    fn html_addresses() {
        for valid in ["a@b", ".a..b.@c-d.e", "a@1"] {
            assert!(is_html_email(valid), "{valid}");
        }
        for wrong in ["", "a", "@b", "a@", "a@b.", "a@-b", "a@b-", "\"a\"@b", "a@b@c", "a@b_c", "ü@b", "a@b.c\n"] {
            assert!(!is_html_email(wrong), "{wrong}");
        }
        let label = "y".repeat(64);
        assert!(!is_html_email(&format!("a@{label}")) && is_html_email(&format!("a@{}", &label[1..])));
    }
}
