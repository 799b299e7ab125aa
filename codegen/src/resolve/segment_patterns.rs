//! Patterns of path variables, converted to segments: `projects/[^/]+/files/.*`.

use crate::diagnostics::{Code, Sink};
use crate::model::SegmentPattern;
use crate::patterns;
use crate::schema::Text;

/// Converts a pattern to pieces. A pattern without segments is rejected: paths are matched by segments, so no server
/// could separate such a variable from what is next to it.
pub fn parse_pattern(pattern: &Text, sink: &mut Sink) -> Option<Vec<SegmentPattern>> {
    match parse(&pattern.text) {
        Ok(pieces) => Some(pieces),
        Err(message) => {
            sink.report(Code::NamePattern, pattern.span, message).help(
                "use literal segments, `[^/]+` for one segment and `.*` for several, such as \
                    `^projects/[^/]+/files/.*$`",
            );
            None
        }
    }
}

/// Converts a pattern to pieces.
///
/// # Errors
/// Returns an error if paths cannot be matched by the pattern.
pub fn parse(pattern: &str) -> Result<Vec<SegmentPattern>, String> {
    let whole = pattern.strip_prefix('^').unwrap_or(pattern);
    let whole = whole.strip_suffix('$').unwrap_or(whole);
    let pieces = segments(whole).into_iter().map(piece).collect::<Result<Vec<_>, _>>()?;
    if pieces.iter().filter(|piece| **piece == SegmentPattern::Multiple).count() > 1 {
        return Err("only one part of a resource name can match several segments".to_owned());
    }
    Ok(pieces)
}

/// Splits a pattern at the slashes outside of classes and groups; a pattern with alternatives is not split.
fn segments(pattern: &str) -> Vec<&str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    let (mut depth, mut in_class, mut escaped) = (0_u32, false, false);
    for (at, c) in pattern.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ']' => in_class = false,
            _ if in_class => {}
            '[' => in_class = true,
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => return vec![pattern],
            '/' if depth == 0 => {
                parts.extend(pattern.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(pattern.get(start..));
    parts
}

/// Converts a segment. One with a pattern of its own becomes any one segment, or several if it can contain slashes;
/// the whole value is validated against the pattern as well.
fn piece(segment: &str) -> Result<SegmentPattern, String> {
    match segment {
        "[^/]+" => return Ok(SegmentPattern::Single),
        ".*" | ".+" => return Ok(SegmentPattern::Multiple),
        _ => {}
    }
    if let Some(literal) = fixed(segment) {
        return Ok(SegmentPattern::Literal(literal));
    }
    let has_form =
        segment.contains(['[', '(', '*', '+', '?', '{', '|']) || segment.contains(r"\d") || segment.contains(r"\w");
    match patterns::can_contain(segment, '/').ok().filter(|_| has_form) {
        Some(true) => Ok(SegmentPattern::Multiple),
        Some(false) => Ok(SegmentPattern::Single),
        None => Err(format!("unsupported segment `{}` in the pattern of a path", segment.escape_debug())),
    }
}

/// Returns the literal text of a segment, if it has only that; special characters must be escaped with a backslash.
fn fixed(text: &str) -> Option<String> {
    let mut fixed = String::new();
    let mut rest = text.chars();
    while let Some(next) = rest.next() {
        let escaped = next == '\\';
        let next = if escaped { rest.next()? } else { next };
        let plain = if escaped { matches!(next, '.' | '$' | '+') } else { next.is_ascii_alphanumeric() };
        if !plain && !matches!(next, '-' | '_' | '~' | '@') {
            return None;
        }
        fixed.push(next);
    }
    (!matches!(fixed.as_str(), "" | "." | "..")).then_some(fixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_segments_are_read_and_others_are_not() {
        let word = |text: &str| SegmentPattern::Literal(text.to_owned());
        let projects = Ok(vec![word("projects"), SegmentPattern::Single]);
        assert_eq!(parse("^projects/[^/]+$"), projects);
        assert_eq!(parse("projects/[^/]+"), projects);
        assert_eq!(parse("^.*$"), Ok(vec![SegmentPattern::Multiple]));
        assert_eq!(parse("^instances$"), Ok(vec![word("instances")]));
        assert_eq!(
            parse(r"^a/[^/]+/b\.c-d_e/.*/f$"),
            Ok(vec![word("a"), SegmentPattern::Single, word("b.c-d_e"), SegmentPattern::Multiple, word("f")])
        );
        // The pattern itself checks the digits.
        assert_eq!(parse("^organizations/[0-9]{1,19}$"), Ok(vec![word("organizations"), SegmentPattern::Single]));
        assert_eq!(parse("a/([a-z]+|[0-9/])/b"), Ok(vec![word("a"), SegmentPattern::Multiple, word("b")]));
        for (one, piece) in [
            ("[^/]*", SegmentPattern::Single),
            ("a[^/]+", SegmentPattern::Single),
            ("[a-z]+|b", SegmentPattern::Single),
            (r"\d{4}", SegmentPattern::Single),
            ("(a/b)?", SegmentPattern::Multiple),
            ("(?:folders/)?[0-9]+", SegmentPattern::Multiple),
            ("[a-z/]+", SegmentPattern::Multiple),
            ("a/b|c", SegmentPattern::Multiple),
        ] {
            assert_eq!(parse(one), Ok(vec![piece]), "{one}");
        }
        for wrong in [
            "",
            "^$",
            "a//b",
            "/a",
            "a/",
            "a.b",
            ".*/a/.*",
            "[a-z/]/(b/c)",
            r"a/\.\.",
            "a b",
            "ä",
            r"a\",
            "a:b",
            "[^]+",
            "(?=a)",
            "[a",
            "(a",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
