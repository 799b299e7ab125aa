//! Patterns of path variables, converted to segments: `projects/[^/]+/files/.*`.

use crate::diagnostics::{Code, Sink};
use crate::model::Piece;
use crate::patterns;
use crate::schema::Text;

/// Converts a pattern to pieces. A pattern without segments is rejected: paths are matched by segments, so no server
/// could separate such a variable from what is next to it.
pub fn of_pattern(pattern: &Text, sink: &mut Sink) -> Option<Vec<Piece>> {
    match read(&pattern.text) {
        Ok(pieces) => Some(pieces),
        Err(mistake) => {
            sink.report(Code::NamePattern, pattern.span, mistake).help(
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
pub fn read(pattern: &str) -> Result<Vec<Piece>, String> {
    let whole = pattern.strip_prefix('^').unwrap_or(pattern);
    let whole = whole.strip_suffix('$').unwrap_or(whole);
    let pieces = segments(whole).into_iter().map(piece).collect::<Result<Vec<_>, _>>()?;
    if pieces.iter().filter(|piece| **piece == Piece::Many).count() > 1 {
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
fn piece(segment: &str) -> Result<Piece, String> {
    match segment {
        "[^/]+" => return Ok(Piece::One),
        ".*" | ".+" => return Ok(Piece::Many),
        _ => {}
    }
    if let Some(literal) = fixed(segment) {
        return Ok(Piece::Literal(literal));
    }
    let has_form =
        segment.contains(['[', '(', '*', '+', '?', '{', '|']) || segment.contains(r"\d") || segment.contains(r"\w");
    match patterns::holds(segment, '/').ok().filter(|_| has_form) {
        Some(true) => Ok(Piece::Many),
        Some(false) => Ok(Piece::One),
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
        let word = |text: &str| Piece::Literal(text.to_owned());
        let projects = Ok(vec![word("projects"), Piece::One]);
        assert_eq!(read("^projects/[^/]+$"), projects);
        assert_eq!(read("projects/[^/]+"), projects);
        assert_eq!(read("^.*$"), Ok(vec![Piece::Many]));
        assert_eq!(read("^instances$"), Ok(vec![word("instances")]));
        assert_eq!(
            read(r"^a/[^/]+/b\.c-d_e/.*/f$"),
            Ok(vec![word("a"), Piece::One, word("b.c-d_e"), Piece::Many, word("f")])
        );
        // The pattern itself checks the digits.
        assert_eq!(read("^organizations/[0-9]{1,19}$"), Ok(vec![word("organizations"), Piece::One]));
        assert_eq!(read("a/([a-z]+|[0-9/])/b"), Ok(vec![word("a"), Piece::Many, word("b")]));
        for (one, piece) in [
            ("[^/]*", Piece::One),
            ("a[^/]+", Piece::One),
            ("[a-z]+|b", Piece::One),
            (r"\d{4}", Piece::One),
            ("(a/b)?", Piece::Many),
            ("(?:folders/)?[0-9]+", Piece::Many),
            ("[a-z/]+", Piece::Many),
            ("a/b|c", Piece::Many),
        ] {
            assert_eq!(read(one), Ok(vec![piece]), "{one}");
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
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
