//! Mail addresses.

use super::{Set, is_in, set};

/// RFC 5322, section 3.2.3: what an atom is made of.
static ATEXT: Set = set(true, b"!#$%&'*+-/=?^_`{|}~");

/// Returns whether the text is an `addr-spec` of RFC 5322, section 3.4.1: `local@domain`, the former a dot-atom or a
/// quoted string, the latter a dot-atom or a literal in brackets.
///
/// What belongs to the header of a mail and not to an address in a member is left out on purpose: comments, folded
/// lines, and the obsolete forms of section 4. Spaces count within quotes only. Lengths are for `length:` to say;
/// those of RFC 5321 are about the transport.
#[must_use]
pub fn email(text: &str) -> bool {
    match behind_local_part(text.as_bytes()) {
        Some([b'@', domain @ ..]) => behind_dot_atom(domain).is_some_and(<[u8]>::is_empty) || is_literal(domain),
        _ => false,
    }
}

/// Returns the text behind the local part that it starts with.
fn behind_local_part(bytes: &[u8]) -> Option<&[u8]> {
    match bytes {
        [b'"', ..] => bytes.get(quoted_string(bytes)?..),
        _ => behind_dot_atom(bytes),
    }
}

/// Returns how many bytes the quoted string has that the text starts with.
fn quoted_string(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => {
                // A quoted pair: what is visible, a space or a tab.
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

/// Returns the text behind the atoms with dots between them that it starts with.
#[inline]
fn behind_dot_atom(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes;
    loop {
        let atom = rest;
        while let [byte, after @ ..] = rest
            && is_in(&ATEXT, *byte)
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

/// Anything visible but brackets and backslashes, in brackets.
fn is_literal(bytes: &[u8]) -> bool {
    match bytes {
        [b'[', inner @ .., b']'] => inner.iter().all(|byte| matches!(byte, b'\t' | b' '..=b'Z' | b'^'..=b'~')),
        _ => false,
    }
}

/// HTML, "valid e-mail address": what is not a letter or a digit before the `@`.
static HTML_LOCAL: Set = set(true, b".!#$%&'*+/=?^_`{|}~-");

/// Returns whether the text is a mail address as HTML has it, which is what `isEmail` of protovalidate asks: no quotes,
/// dots anywhere before the `@`, and behind it labels of letters, digits and inner hyphens.
#[must_use]
pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.as_bytes().iter().position(|byte| *byte == b'@').map(|at| text.split_at(at))
    else {
        return false;
    };
    let labels = domain.strip_prefix('@').unwrap_or_default();
    !local.is_empty()
        && local.bytes().all(|byte| is_in(&HTML_LOCAL, byte))
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
            assert!(email(valid), "{valid}");
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
            assert!(!email(wrong), "{wrong}");
        }
    }

    #[test]
    fn addresses_of_html() {
        for valid in ["a@b", ".a..b.@c-d.e", "a@1"] {
            assert!(is_email(valid), "{valid}");
        }
        for wrong in ["", "a", "@b", "a@", "a@b.", "a@-b", "a@b-", "\"a\"@b", "a@b@c", "a@b_c", "ü@b", "a@b.c\n"] {
            assert!(!is_email(wrong), "{wrong}");
        }
        let label = "y".repeat(64);
        assert!(!is_email(&format!("a@{label}")) && is_email(&format!("a@{}", &label[1..])));
    }
}
