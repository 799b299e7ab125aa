//! From a place in a condition to the place in the file: YAML quotes, escapes and folds what it holds.

use std::ops::Range;

use crate::diagnostics::{Source, Span};

/// Where each byte of a text stands in its file.
pub struct Places {
    whole: Span,
    /// The bytes of the file for each byte of the text; empty when they cannot be matched.
    bytes: Vec<(u32, u32)>,
}

impl Places {
    /// Matches a text with what is written at a span.
    pub fn of(text: &str, span: Span, sources: &[Source]) -> Self {
        let source = sources.get(span.file as usize).map_or("", |source| &source.text);
        let written = source.get(span.start as usize..span.end as usize).unwrap_or_default();
        let bytes = align(written, text).unwrap_or_default();
        let place = |at: usize| span.start.saturating_add(u32::try_from(at).unwrap_or(0));
        let bytes = bytes.into_iter().map(|at| (place(at.start), place(at.end))).collect();
        Self { whole: span, bytes }
    }

    /// The place of a part of the text; of the whole text when no better one is known.
    pub fn span(&self, at: &Range<usize>) -> Span {
        let place = |at: usize| self.bytes.get(at).copied();
        // A part ends after its last byte; a part without bytes stands between two.
        match (place(at.start), at.end.checked_sub(1).and_then(place)) {
            (Some((start, _)), _) if at.is_empty() => Span { start, end: start, ..self.whole },
            (Some((start, _)), Some((_, end))) if start <= end => Span { start, end, ..self.whole },
            (None, Some((_, end))) if at.is_empty() => Span { start: end, end, ..self.whole },
            _ => self.whole,
        }
    }
}

/// The byte of what is written for each byte of the text that it means.
fn align(written: &str, text: &str) -> Option<Vec<Range<usize>>> {
    let quote = written.chars().next().filter(|first| matches!(first, '\'' | '"'));
    let block = written.starts_with(['|', '>']);
    let mut at = match (quote, block) {
        (Some(_), _) => 1,
        (None, true) => written.find('\n')?,
        (None, false) => 0,
    };
    let mut found = Vec::with_capacity(text.len());
    let mut rest = text;
    // Indentation before the first word of a block.
    if !rest.starts_with(char::is_whitespace) {
        at += space(&written[at..]);
    }
    while let Some(first) = rest.chars().next() {
        let here = written.get(at..)?;
        let (meant, length) = match (quote, here.chars().next()?) {
            (Some('\''), '\'') if here.starts_with("''") => (1, 2),
            (Some('"'), '\\') => (first.len_utf8(), escape(here)?),
            (_, found) if found == first && !found.is_whitespace() => (first.len_utf8(), first.len_utf8()),
            // A fold: line breaks and indentation stand for white space of another length.
            (_, found) if found.is_whitespace() && first.is_whitespace() => (space(rest), space(here)),
            _ => return None,
        };
        let last = at + length;
        found.extend(
            (0..meant).map(|byte| (at + byte).min(last - 1)..if byte + 1 == meant { last } else { at + byte + 1 }),
        );
        at += length;
        rest = rest.get(meant..)?;
    }
    Some(found)
}

/// How many bytes of white space a text starts with.
fn space(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// The length of an escape between double quotes.
fn escape(text: &str) -> Option<usize> {
    let length = match text.as_bytes().get(1)? {
        b'x' => 4,
        b'u' => 6,
        b'U' => 10,
        // The line goes on: nothing is meant by it, which is not followed up here.
        b'\n' | b'\r' => return None,
        _ => 2,
    };
    text.is_char_boundary(length).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The part of what is written that a part of the text is found at.
    fn found<'w>(written: &'w str, text: &str, part: &str) -> &'w str {
        let source = [Source::new("a.yaml", written)];
        let span = Span { file: 0, start: 0, end: u32::try_from(written.len()).unwrap() };
        let at = text.find(part).unwrap();
        let place = Places::of(text, span, &source).span(&(at..at + part.len()));
        &written[place.start as usize..place.end as usize]
    }

    #[test]
    fn plain_quoted_and_folded() {
        assert_eq!(found("a == b", "a == b", "b"), "b");
        assert_eq!(found("'a == ''x'' || c'", "a == 'x' || c", "c"), "c");
        assert_eq!(found("'a == ''x'' || c'", "a == 'x' || c", "'x'"), "''x''");
        assert_eq!(found(r#""a == \"ä\" || c""#, "a == \"ä\" || c", "c"), "c");
        assert_eq!(found(">-\n   a\n   || ü == d\n", "a || ü == d", "d"), "d");
        assert_eq!(found("|\n   a\n     || bc\n", "a\n  || bc\n", "bc"), "bc");
        assert_eq!(found("a\n   && bc", "a && bc", "bc"), "bc");
        // What cannot be matched is told at the whole text.
        assert_eq!(found("\"a \\\n b\"", "a b", "b"), "\"a \\\n b\"");
    }
}
