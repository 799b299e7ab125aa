//! Matching of an operation's path with the segments of a request.

use std::cmp::{Ordering, Reverse};

use wireform_runtime::operation::{LiteralEncoding, Operation, Segment, SegmentPart, SegmentPattern};

use wireform_runtime::http::percent::decode;

/// Encoding of the colon before a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColonEncoding {
    /// Plain colon.
    Plain,
    /// Encoded colon, as some clients encode every colon in a path.
    Encoded,
}

/// Matches the segments, and returns the length of the verb in bytes.
pub(super) fn match_path(operation: &Operation, segments: &[&str], verbs: ColonEncoding) -> Option<usize> {
    let pieces = operation.segment_patterns();
    // Number of further segments that the piece of any length matches.
    let further = segments.len().checked_sub(pieces.clone().count())?;
    if further > 0 && !pieces.clone().any(|piece| piece == SegmentPattern::DoubleWildcard) {
        return None;
    }
    let (last, before) = match segments.split_last() {
        Some((last, before)) => (*last, before),
        // The path is the base path itself.
        None => return (operation.verb.is_none() && verbs == ColonEncoding::Plain).then_some(0),
    };
    let (last, verb) = match operation.verb {
        Some(verb) => strip_verb(last, verb, verbs)?,
        None if verbs == ColonEncoding::Plain => (last, 0),
        None => return None,
    };
    let mut at = 0;
    for piece in pieces {
        let text = if at == before.len() { &last } else { before.get(at)? };
        match piece {
            SegmentPattern::Literal(literal) if !is_literal(text, literal) => return None,
            SegmentPattern::Parts(parts) if match_parts(parts, text).is_none() => return None,
            SegmentPattern::Literal(_) | SegmentPattern::Parts(_) | SegmentPattern::Wildcard => at += 1,
            SegmentPattern::DoubleWildcard => at += 1 + further,
        }
    }
    Some(verb)
}

/// Returns whether a segment is a literal, plain or encoded.
fn is_literal(segment: &str, literal: &str) -> bool {
    // A text of another length cannot match, and is not decoded: every route calls this.
    let may_be = (literal.len()..=3 * literal.len()).contains(&segment.len()) && segment.contains('%');
    segment == literal || (may_be && decode(segment).is_ok_and(|decoded| decoded == literal))
}

/// Matches the parts of a segment with its variables, first undecoded.
fn match_parts<'s>(parts: &[SegmentPart], segment: &'s str) -> Option<Vec<(&'static str, &'s str)>> {
    let spelled = |spelled| SegmentPart::match_variables(parts, segment, spelled);
    spelled(LiteralEncoding::Plain)
        .or_else(|| if segment.contains('%') { spelled(LiteralEncoding::MaybeEncoded) } else { None })
}

/// Strips a verb from the end of a path, whose rest must not be empty.
fn strip_verb<'s>(segment: &'s str, verb: &str, verbs: ColonEncoding) -> Option<(&'s str, usize)> {
    let before = match verbs {
        ColonEncoding::Plain => segment.strip_suffix(verb)?.strip_suffix(':')?,
        ColonEncoding::Encoded => {
            let colon = segment.rfind(':').max(segment.rfind("%3A")).max(segment.rfind("%3a"))?;
            let (before, end) = segment.split_at_checked(colon)?;
            let name = end.strip_prefix(':').or_else(|| end.get(3..))?;
            is_literal(name, verb).then_some(before)?
        }
    };
    (!before.is_empty()).then(|| (before, segment.len() - before.len()))
}

/// Returns the text of a variable in a matching path, without its verb.
pub(super) fn variable_text<'p>(path: &[Segment], text: &'p str, name: &str) -> Option<&'p str> {
    let place = path.iter().position(|segment| segment.has_parameter(name))?;
    let text = segment_text(path, text, place)?;
    match path.get(place)? {
        Segment::Parts(parts) => {
            match_parts(parts, text)?.into_iter().find(|(own, _)| *own == name).map(|(_, text)| text)
        }
        _ => Some(text),
    }
}

/// Returns the text of a segment of the path.
fn segment_text<'p>(path: &[Segment], text: &'p str, place: usize) -> Option<&'p str> {
    let many = path.iter().position(|segment| segment.pieces().any(|piece| piece == SegmentPattern::DoubleWildcard));
    let width = |segments: &[Segment]| segments.iter().map(|segment| segment.pieces().count()).sum::<usize>();
    let (before, end_width) = (width(path.get(..place)?), width(path.get(place + 1..)?));
    let last_of_own = path.get(place)?.pieces().count().checked_sub(1)?;
    // Segments are counted from the end that has no piece of any length before this variable.
    let from_start = |text: &'p str, skip: usize| (0..skip).try_fold(text, |text, _| Some(text.split_once('/')?.1));
    let from_end = |text: &'p str, skip: usize| (0..skip).try_fold(text, |text, _| Some(text.rsplit_once('/')?.0));
    match many {
        Some(many) if many == place => from_end(from_start(text, before)?, end_width),
        Some(many) if many < place => {
            let text = from_end(text, end_width)?;
            text.rmatch_indices('/').nth(last_of_own).map_or(Some(text), |(slash, _)| text.get(slash + 1..))
        }
        _ => {
            let text = from_start(text, before)?;
            text.match_indices('/').nth(last_of_own).map_or(Some(text), |(slash, _)| text.get(..slash))
        }
    }
}

/// Compares the specificity of two operations, from the first segment on. Of two segments with literal text next to
/// variables, the one with more text is more specific; the generator refuses ambiguous paths.
pub(super) fn compare(a: &Operation, b: &Operation) -> Ordering {
    let ranks = |operation: &Operation| {
        let (verb, last) = (operation.verb.is_some(), operation.segment_patterns().count().saturating_sub(1));
        operation.segment_patterns().enumerate().map(move |(at, piece)| match (piece, verb && at == last) {
            (SegmentPattern::Literal(_), _) => (0, Reverse(0)),
            (SegmentPattern::Parts(parts), true) => (1, Reverse(SegmentPart::literal_len(parts))),
            (SegmentPattern::Wildcard, true) => (2, Reverse(0)),
            (SegmentPattern::Parts(parts), false) => (3, Reverse(SegmentPart::literal_len(parts))),
            (SegmentPattern::Wildcard, false) => (4, Reverse(0)),
            (SegmentPattern::DoubleWildcard, true) => (5, Reverse(0)),
            (SegmentPattern::DoubleWildcard, false) => (6, Reverse(0)),
        })
    };
    let by_pieces = ranks(a).cmp(ranks(b));
    // Of a path and a prefix of it, the longer one is more specific, and so is one with a verb.
    let longer = b.segment_patterns().count().cmp(&a.segment_patterns().count());
    by_pieces.then(longer).then(b.verb.is_some().cmp(&a.verb.is_some()))
}
