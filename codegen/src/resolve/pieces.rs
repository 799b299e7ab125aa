//! What the pattern of a variable says of the segments that it fills: `projects/[^/]+/files/.*`.

use crate::diagnostics::{Code, Sink};
use crate::model::Piece;
use crate::schema::Text;

/// The pieces of a pattern. Another pattern is refused: a path is found by its segments, so that no server could tell
/// what such a variable takes from what stands beside it.
pub fn of_pattern(pattern: &Text, sink: &mut Sink) -> Option<Vec<Piece>> {
    match read(&pattern.text) {
        Ok(pieces) => Some(pieces),
        Err(mistake) => {
            sink.report(Code::NamePattern, pattern.span, mistake)
                .help("write fixed words, `[^/]+` for one segment and `.*` for the others, such as `^projects/[^/]+/files/.*$`");
            None
        }
    }
}

/// What stands for `[^/]+` while slashes are looked for; no segment has it.
const ONE: &str = "\0";

fn read(pattern: &str) -> Result<Vec<Piece>, String> {
    let whole = pattern.strip_prefix('^').unwrap_or(pattern);
    let whole = whole.strip_suffix('$').unwrap_or(whole);
    // The slash in a class is not one between segments.
    let marked = whole.replace("[^/]+", ONE);
    let mut pieces = Vec::new();
    for segment in marked.split('/') {
        pieces.push(match segment {
            ONE => Piece::One,
            ".*" | ".+" => Piece::Many,
            literal => Piece::Literal(fixed(literal).ok_or_else(|| {
                format!("`{}` is no segment that a path can be told by", literal.replace(ONE, "[^/]+").escape_debug())
            })?),
        });
    }
    if pieces.iter().filter(|piece| **piece == Piece::Many).count() > 1 {
        return Err("only one part of a name can be of any length".to_owned());
    }
    Ok(pieces)
}

/// Fixed text that a segment of a path can be; a mark that means something in a pattern has a backslash in front.
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
        for wrong in [
            "", "^$", "a//b", "/a", "a/", "a.b", "[a-z]+", "[^/]*", "a[^/]+", "a|b", "(a/b)?", ".*/a/.*", r"a/\.\.",
            r"\d", "a b", "ä", r"a\", "a:b", "[^]+",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
