//! Mapping from positions in a condition to positions in the file, through YAML quotes, escapes and folding.

use std::ops::Range;

use crate::diagnostics::{Source, Span};

/// Positions in the file of each byte of a text.
pub struct SourceMap {
    whole: Span,
    /// Range in the file for each byte of the text; empty if the text cannot be aligned.
    bytes: Vec<(u32, u32)>,
}

impl SourceMap {
    /// Aligns a text with the source at a span.
    pub fn align_with_source(text: &str, span: Span, sources: &[Source]) -> Self {
        let source = sources.get(span.file as usize).map_or("", |source| &source.text);
        let written = source.get(span.start as usize..span.end as usize).unwrap_or_default();
        let bytes = align(written, text).unwrap_or_default();
        let place = |at: usize| span.start.saturating_add(u32::try_from(at).unwrap_or(0));
        let bytes = bytes.into_iter().map(|at| (place(at.start), place(at.end))).collect();
        Self { whole: span, bytes }
    }

    /// Returns the span of a part of the text, or of the whole text if it is not aligned.
    pub fn span(&self, at: &Range<usize>) -> Span {
        let place = |at: usize| self.bytes.get(at).copied();
        // A part ends after its last byte; an empty part is between two bytes.
        match (place(at.start), at.end.checked_sub(1).and_then(place)) {
            (Some((start, _)), _) if at.is_empty() => Span { start, end: start, ..self.whole },
            (Some((start, _)), Some((_, end))) if start <= end => Span { start, end, ..self.whole },
            (None, Some((_, end))) if at.is_empty() => Span { start: end, end, ..self.whole },
            _ => self.whole,
        }
    }
}

/// Returns, for each byte of the text, its range in the source.
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
    // Indentation before the first word of a block scalar.
    if !rest.starts_with(char::is_whitespace) {
        at += space(&written[at..]);
    }
    while let Some(first) = rest.chars().next() {
        let here = written.get(at..)?;
        let (meant, length) = match (quote, here.chars().next()?) {
            (Some('\''), '\'') if here.starts_with("''") => (1, 2),
            (Some('"'), '\\') => (first.len_utf8(), escape(here)?),
            (_, found) if found == first && !found.is_whitespace() => (first.len_utf8(), first.len_utf8()),
            // Folding: line breaks and indentation represent white space of another length.
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

/// Returns the length of leading white space.
fn space(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// Returns the length of an escape in a double-quoted scalar.
fn escape(text: &str) -> Option<usize> {
    let length = match text.as_bytes().get(1)? {
        b'x' => 4,
        b'u' => 6,
        b'U' => 10,
        // An escaped line break has no value; such scalars are not aligned.
        b'\n' | b'\r' => return None,
        _ => 2,
    };
    text.is_char_boundary(length).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the source in which a part of the text is found.
    fn found<'w>(written: &'w str, text: &str, part: &str) -> &'w str {
        let source = [Source::new("a.yaml", written)];
        let span = Span { file: 0, start: 0, end: u32::try_from(written.len()).unwrap() };
        let at = text.find(part).unwrap();
        let place = SourceMap::align_with_source(text, span, &source).span(&(at..at + part.len()));
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
        // A text that cannot be aligned is reported as a whole.
        assert_eq!(found("\"a \\\n b\"", "a b", "b"), "\"a \\\n b\"");
    }
}
