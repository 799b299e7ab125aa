//! A bound on how deep a body is nested.

use wireform_validation::{At, Unread};

/// The deepest that the decoder reads. What it passes over, such as members that nobody knows, it reads however deep.
const DECODER_DEPTH: usize = 127;

/// The body, if lists and objects stand no deeper in one another than that; otherwise nothing, and the fault is told.
pub(super) fn bounded<'b>(body: &'b [u8], depth: usize, unread: &mut Unread) -> &'b [u8] {
    let depth = depth.min(DECODER_DEPTH);
    // Ordinary bodies have fewer brackets than would be too deep, and counting them takes next to no time.
    if opened(body) <= depth || deepest(body) <= depth {
        return body;
    }
    unread.refuse(At::BODY, "depth", "is nested too deep");
    // Anything that is no JSON will do: the parameters are looked at all the same.
    b"{}"
}

/// How many lists and objects are opened at the most: brackets, those in strings among them.
fn opened(body: &[u8]) -> usize {
    body.iter().filter(|byte| matches!(byte, b'{' | b'[')).count()
}

/// How deep brackets stand in one another, those in strings aside. What is no JSON has some depth, too.
fn deepest(body: &[u8]) -> usize {
    let (mut depth, mut most, mut quoted, mut escaped) = (0_usize, 0, false, false);
    for byte in body {
        match (quoted, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => quoted = !quoted,
            (false, b'{' | b'[') => {
                depth += 1;
                most = most.max(depth);
            }
            (false, b'}' | b']') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    most
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
        ] {
            assert_eq!(deepest(body.as_bytes()), depth, "{body}");
            assert!(opened(body.as_bytes()) >= depth, "{body}");
        }
    }
}
