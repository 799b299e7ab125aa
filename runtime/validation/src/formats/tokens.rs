//! Small formats: media types, entity tags, UUIDs.

use super::{ByteSet, byte_set, contains_byte, split_once};

/// Characters of a type or a subtype (RFC 6838, section 4.2).
static RESTRICTED: ByteSet = byte_set(true, b"!#$&-^_.+");
/// Characters of a token (RFC 9110, section 5.6.2).
static TOKEN: ByteSet = byte_set(true, b"!#$%&'*+-.^_`|~");

/// Returns whether the text is a media type, `type/subtype` by RFC 6838, section 4.2, optionally with parameters (RFC
/// 9110, section 8.3.1).
#[must_use]
pub fn media_type(text: &str) -> bool {
    let (essence, parameters) = split_once(text, b';').map_or((text, None), |(essence, rest)| (essence, Some(rest)));
    // Spaces are allowed before the semicolon of a parameter, but not at the end otherwise.
    let essence = if parameters.is_some() { essence.trim_end_matches([' ', '\t']) } else { essence };
    let Some((main, sub)) = split_once(essence, b'/') else { return false };
    is_name(main) && is_name(sub) && parameters.is_none_or(|rest| are_parameters(rest.as_bytes()))
}

/// Returns whether a text is a restricted name of a type or subtype (RFC 6838, section 4.2).
fn is_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    bytes.len() <= 127
        && bytes.first().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.iter().all(|byte| contains_byte(&RESTRICTED, *byte))
}

/// Returns whether the bytes after the first semicolon are parameters, any of which may be empty.
fn are_parameters(mut rest: &[u8]) -> bool {
    loop {
        rest = trim_start(rest);
        let name = rest.iter().take_while(|byte| contains_byte(&TOKEN, **byte)).count();
        if name > 0 {
            let Some((b'=', value)) = rest.get(name..).and_then(|rest| rest.split_first().map(|(b, r)| (*b, r))) else {
                return false;
            };
            let Some(length) = value_length(value) else { return false };
            rest = trim_start(value.get(length..).unwrap_or_default());
        }
        match rest.split_first() {
            None => return true,
            Some((b';', after)) => rest = after,
            Some(_) => return false,
        }
    }
}

/// Returns the length of the value at the start of the text: a token, or a quoted string.
fn value_length(text: &[u8]) -> Option<usize> {
    if text.first() != Some(&b'"') {
        let length = text.iter().take_while(|byte| contains_byte(&TOKEN, **byte)).count();
        return (length > 0).then_some(length);
    }
    let mut at = 1;
    loop {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => {
                matches!(text.get(at + 1)?, b'\t' | b' '..=b'~' | 0x80..).then_some(())?;
                at += 2;
            }
            b'\t' | b' '..=b'~' | 0x80.. => at += 1,
            _ => return None,
        }
    }
}

/// Returns the text without leading spaces and tabs.
fn trim_start(text: &[u8]) -> &[u8] {
    let blank = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    text.get(blank..).unwrap_or_default()
}

/// Returns whether the text is an entity tag (RFC 9110, section 8.8.3): an opaque text in quotes, after `W/` if it is
/// weak.
#[must_use]
pub fn is_etag(text: &str) -> bool {
    let quoted = text.strip_prefix("W/").unwrap_or(text);
    match quoted.as_bytes() {
        [b'"', opaque @ .., b'"'] => opaque.iter().all(|byte| matches!(byte, b'!' | b'#'..=b'~' | 0x80..)),
        _ => false,
    }
}

/// Returns whether the text is a UUID (RFC 9562, section 4): 32 hexadecimal digits in five groups.
#[must_use]
pub fn is_uuid(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 36
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Returns whether the text is a field mask: paths separated by commas, of names separated by dots, or `*` for all
/// fields, as in the JSON format of protobuf. An empty text is valid.
#[must_use]
pub fn is_field_mask(text: &str) -> bool {
    let is_name = |name: &str| {
        let word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        word && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
    };
    let is_path = |path: &str| path == "*" || path.split('.').all(is_name);
    text.is_empty() || text.split(',').all(is_path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types() {
        for valid in [
            "text/html",
            "application/vnd.google-apps.document",
            "image/svg+xml",
            "text/plain; charset=utf-8",
            "text/plain ;charset=\"a\\\"; b\"; x=y",
            "text/plain;",
            "a/b;;c=d",
        ] {
            assert!(media_type(valid), "{valid}");
        }
        for wrong in [
            "",
            "text",
            "text/",
            "/html",
            "text/html/x",
            "text /html",
            "text/ html",
            "*/*",
            "text/html ",
            "a/b;c",
            "a/b;c=",
            "a/b;c=\"d",
            "a/b;c=d e",
            "a/b; =d",
            "a/b\n",
            "ü/b",
            "-a/b",
            "a/b;c =d",
            "a/b;c=\"\u{7}\"",
        ] {
            assert!(!media_type(wrong), "{wrong}");
        }
        let long = "x".repeat(127);
        assert!(media_type(&format!("{long}/{long}")) && !media_type(&format!("{long}x/y")));
    }

    #[test]
    fn entity_tags() {
        for valid in [r#""""#, r#""3181""#, r#"W/"a!~""#, "\"\u{fc}\""] {
            assert!(is_etag(valid), "{valid}");
        }
        for wrong in ["", "\"", "a", "W/", "w/\"a\"", "\"a", "\"a\"b\"", "\"a b\"", "\"a\"\n", "\"\u{7f}\""] {
            assert!(!is_etag(wrong), "{wrong}");
        }
    }

    #[test]
    fn uuids() {
        assert!(is_uuid("2EB8AA08-aa98-11ea-b4aa-73b441d16380"));
        for wrong in [
            "",
            "2eb8aa08-aa98-11ea-b4aa-73b441d1638",
            "2eb8aa08-aa98-11ea-b4aa-73b441d1638g",
            "2eb8aa08aa98-11ea-b4aa-73b441d16380-",
            "{2eb8aa08-aa98-11ea-b4aa-73b441d1638}",
            "2eb8aa08-aa98-11ea-b4aa-73b441d16380\n",
        ] {
            assert!(!is_uuid(wrong), "{wrong}");
        }
    }

    #[test]
    fn field_masks() {
        for valid in ["", "title", "title,owner.email", "*", "_a.b_2,c", "update_time"] {
            assert!(is_field_mask(valid), "{valid}");
        }
        for wrong in [",", "a,", ".a", "a.", "a..b", "a b", "a, b", "a.*", "1a", "a/b", "ä", "a\n", "a(b)"] {
            assert!(!is_field_mask(wrong), "{wrong}");
        }
    }
}
