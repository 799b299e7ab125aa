//! One path of an operation against the segments of a request.

use std::cmp::Ordering;

use wireform_runtime::operation::{Operation, Segment};

use crate::percent::decode;

/// How the colon before a verb is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verbs {
    /// As a colon.
    Plain,
    /// Encoded, as some clients write every colon in a path.
    Encoded,
}

/// Whether the segments are such a path. Gives how many bytes at its end are the verb.
pub(super) fn matches(operation: &Operation, segments: &[&str], verbs: Verbs) -> Option<usize> {
    let path = operation.path;
    let rests = path.iter().any(|segment| matches!(segment, Segment::Rest(_)));
    if segments.len() < path.len() || (segments.len() > path.len() && !rests) {
        return None;
    }
    let (last, before) = match segments.split_last() {
        Some((last, before)) => (*last, before),
        // A path that is the base path.
        None => return (operation.verb.is_none() && verbs == Verbs::Plain).then_some(0),
    };
    let (last, verb) = match operation.verb {
        Some(verb) => strip_verb(last, verb, verbs)?,
        None if verbs == Verbs::Plain => (last, 0),
        None => return None,
    };
    // What the variable that holds slashes takes beyond one segment.
    let further = segments.len() - path.len();
    let mut at = 0;
    for segment in path {
        let text = if at == before.len() { &last } else { before.get(at)? };
        match segment {
            Segment::Literal(literal) if !is_literal(text, literal) => return None,
            Segment::Literal(_) | Segment::Variable(_) => at += 1,
            Segment::Rest(_) => at += 1 + further,
        }
    }
    Some(verb)
}

/// Whether a segment is fixed text, as it is or encoded.
fn is_literal(segment: &str, literal: &str) -> bool {
    // A text of another length is not decoded at all: every route asks.
    let may_be = (literal.len()..=3 * literal.len()).contains(&segment.len()) && segment.contains('%');
    segment == literal || (may_be && decode(segment).is_ok_and(|decoded| decoded == literal))
}

/// Takes a verb off the end of a path; what is before it must be something.
fn strip_verb<'s>(segment: &'s str, verb: &str, verbs: Verbs) -> Option<(&'s str, usize)> {
    let before = match verbs {
        Verbs::Plain => segment.strip_suffix(verb)?.strip_suffix(':')?,
        Verbs::Encoded => {
            let colon = segment.rfind(':').max(segment.rfind("%3A")).max(segment.rfind("%3a"))?;
            let (before, end) = segment.split_at_checked(colon)?;
            let name = end.strip_prefix(':').or_else(|| end.get(3..))?;
            is_literal(name, verb).then_some(before)?
        }
    };
    (!before.is_empty()).then(|| (before, segment.len() - before.len()))
}

/// The text of a variable in a path that is known to match, without its verb.
pub(super) fn variable<'p>(path: &[Segment], text: &'p str, index: usize) -> Option<&'p str> {
    let place =
        path.iter().position(|segment| matches!(segment, Segment::Variable(at) | Segment::Rest(at) if *at == index))?;
    let rest = path.iter().position(|segment| matches!(segment, Segment::Rest(_)));
    // Segments are counted from the end that has no variable with slashes before this one.
    let from_start = |text: &'p str, skip: usize| (0..skip).try_fold(text, |text, _| Some(text.split_once('/')?.1));
    let from_end = |text: &'p str, skip: usize| (0..skip).try_fold(text, |text, _| Some(text.rsplit_once('/')?.0));
    let behind = path.len().checked_sub(place + 1)?;
    match rest {
        Some(rest) if rest == place => from_end(from_start(text, place)?, behind),
        Some(rest) if rest < place => from_end(text, behind)?.rsplit('/').next(),
        _ => from_start(text, place)?.split('/').next(),
    }
}

/// Which of two operations is tried first: the one that fixes more, from the first segment on.
pub(super) fn compare(a: &Operation, b: &Operation) -> Ordering {
    let ranks = |operation: &'static [Segment], verb: bool| {
        let last = operation.len().saturating_sub(1);
        operation.iter().enumerate().map(move |(at, segment)| match (segment, verb && at == last) {
            (Segment::Literal(_), _) => 0,
            (Segment::Variable(_), true) => 1,
            (Segment::Variable(_), false) => 2,
            (Segment::Rest(_), true) => 3,
            (Segment::Rest(_), false) => 4,
        })
    };
    let by_segments = ranks(a.path, a.verb.is_some()).cmp(ranks(b.path, b.verb.is_some()));
    // Where one is the start of the other, the longer one fixes more, and so does one with a verb.
    by_segments.then(b.path.len().cmp(&a.path.len())).then(b.verb.is_some().cmp(&a.verb.is_some()))
}
