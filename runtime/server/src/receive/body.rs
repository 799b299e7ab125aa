//! A bound on how deep a body is nested.

use wireform_runtime::FromWire;
use wireform_validation::{At, Unread, Validates, Violations, Warnings};

/// The deepest that the decoder reads. What it passes over, such as members that nobody knows, it reads however deep.
pub(super) const DECODER_DEPTH: usize = 127;

/// Whether lists and objects stand deeper in one another than that.
fn is_too_deep(body: &[u8], depth: usize) -> bool {
    let depth = depth.min(DECODER_DEPTH);
    // Ordinary bodies have fewer brackets than would be too deep, and counting them takes next to no time.
    opened(body) > depth && deepest(body) > depth
}

/// Reads a body, unless it is nested too deep: then that is what is wrong with it, and nothing more is said of it.
pub(super) fn read<B, R, V>(
    mut unread: Unread,
    (rules, body, depth): (&V, &[u8], usize),
    make: impl FnOnce(&mut Unread, B) -> R,
) -> Result<(R, Warnings), Violations>
where
    B: for<'de> FromWire<'de>,
    V: Validates<R>,
{
    if is_too_deep(body, depth) {
        unread.refuse(At::BODY, "depth", "is nested too deep");
        return Err(unread.lost(rules, make));
    }
    unread.read(rules, body, make)
}

/// How many lists and objects are opened at the most: brackets, those in strings among them.
fn opened(body: &[u8]) -> usize {
    body.iter().filter(|byte| matches!(byte, b'{' | b'[')).count()
}

/// How deep brackets stand in one another, those in strings aside. What is no JSON has some depth, too.
fn deepest(body: &[u8]) -> usize {
    let (mut depth, mut most, mut rest) = (0_usize, 0, body);
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'"' => rest = behind_string(rest),
            b'{' | b'[' => {
                depth += 1;
                most = most.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    most
}

/// What is behind the string whose first character a text begins with.
fn behind_string(mut rest: &[u8]) -> &[u8] {
    loop {
        let Some(end) = memchr::memchr2(b'"', b'\\', rest) else { return &[] };
        let (escaped, skipped) = if rest.get(end) == Some(&b'\\') { (true, 2) } else { (false, 1) };
        rest = rest.get(end + skipped..).unwrap_or_default();
        if !escaped {
            return rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths() {
        for (body, depth) in [
            ("", 0),
            ("1", 0),
            ("{}", 1),
            (r#"{"a":[{}]}"#, 3),
            (r#"["[[[[", "\"[[", {}]"#, 2),
            ("]]]][", 1),
            (r#""\\"[[]]"#, 2),
            (r#"["\\\"[[[", [[]]]"#, 3),
            (r#"["[[["#, 1),
            (r#"["[[[\"#, 1),
            (r#"["[[[\""#, 1),
            (r#"[\"[[""#, 1),
        ] {
            assert_eq!(deepest(body.as_bytes()), depth, "{body}");
            assert!(opened(body.as_bytes()) >= depth, "{body}");
        }
    }
}
