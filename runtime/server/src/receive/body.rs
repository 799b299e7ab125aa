//! Limit on the nesting depth of a body.

/// Maximum depth that the decoder reads. Skipped values, such as unknown fields, are not limited by it.
pub(super) const DECODER_DEPTH: usize = 127;

/// Returns whether lists and objects are nested deeper than `depth`.
pub(super) fn is_too_deep(body: &[u8], depth: usize) -> bool {
    let depth = depth.min(DECODER_DEPTH);
    // Ordinary bodies have fewer brackets than the limit, and counting them costs next to nothing.
    count_open_brackets(body) > depth && nesting_depth(body) > depth
}

/// Returns the maximum number of lists and objects: brackets, including those in strings.
fn count_open_brackets(body: &[u8]) -> usize {
    body.iter().filter(|byte| matches!(byte, b'{' | b'[')).count()
}

/// Returns the nesting depth of brackets outside of strings. Invalid JSON has a depth too.
fn nesting_depth(body: &[u8]) -> usize {
    let (mut depth, mut most, mut rest) = (0_usize, 0, body);
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'"' => rest = after_string(rest),
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

/// Returns the text after the string that starts here.
fn after_string(mut rest: &[u8]) -> &[u8] {
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
            assert_eq!(nesting_depth(body.as_bytes()), depth, "{body}");
            assert!(count_open_brackets(body.as_bytes()) >= depth, "{body}");
        }
    }
}
