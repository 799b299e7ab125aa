//! Patterns that apply the same condition to each character.

use regex_syntax::hir::{self, Hir, HirKind, Look};

/// From `least` to `most` bytes, each within one of the ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Inclusive ranges, in order.
    pub ranges: Vec<(u8, u8)>,
    /// Minimum number of bytes.
    pub min_length: usize,
    /// Maximum number of bytes, if there is one.
    pub max_length: Option<usize>,
}

impl Class {
    /// Returns the class that is equivalent to a pattern of a whole text, if there is one.
    pub fn of(hir: &Hir) -> Option<Self> {
        let (set, least, most) = match strip_groups(hir).kind() {
            HirKind::Repetition(repetition) => (&*repetition.sub, repetition.min, repetition.max),
            _ => (hir, 1, Some(1)),
        };
        let (ranges, ascii) = ranges(strip_groups(set))?;
        // Beyond ASCII a character has several bytes, so only the minimums 0 and 1 without a maximum can be checked.
        if !ascii && (least > 1 || most.is_some()) {
            return None;
        }
        Some(Self {
            ranges,
            min_length: usize::try_from(least).ok()?,
            max_length: most.and_then(|most| usize::try_from(most).ok()),
        })
    }

    /// Returns whether a text matches.
    pub fn is_match(&self, text: &str) -> bool {
        let within = |byte: u8| self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&byte));
        text.len() >= self.min_length
            && self.max_length.is_none_or(|most| text.len() <= most)
            && text.bytes().all(within)
    }
}

fn strip_groups(hir: &Hir) -> &Hir {
    match hir.kind() {
        HirKind::Capture(capture) => strip_groups(&capture.sub),
        _ => hir,
    }
}

/// Returns the ranges of bytes, and whether they are all ASCII. Otherwise all other bytes are included, which
/// requires every character beyond ASCII; a set with only some of them cannot be expressed in bytes.
fn ranges(hir: &Hir) -> Option<(Vec<(u8, u8)>, bool)> {
    match hir.kind() {
        HirKind::Literal(literal) => match *literal.0 {
            [byte] if byte.is_ascii() => Some((vec![(byte, byte)], true)),
            _ => None,
        },
        HirKind::Class(hir::Class::Unicode(class)) => {
            let mut ranges = Vec::new();
            for range in class.ranges() {
                match (u8::try_from(range.start()), range.end()) {
                    (Ok(first @ 0..=0x80), char::MAX) => {
                        ranges.push((first, u8::MAX));
                        return Some((ranges, false));
                    }
                    (Ok(first), last) if last.is_ascii() => ranges.push((first, u8::try_from(last).ok()?)),
                    _ => return None,
                }
            }
            Some((ranges, true))
        }
        _ => None,
    }
}

/// Returns the pattern without `^` at its start and `$` at its end, and whether each was present.
pub fn strip_anchors(hir: &Hir) -> (Hir, bool, bool) {
    let HirKind::Concat(parts) = hir.kind() else { return (hir.clone(), false, false) };
    let is = |part: Option<&Hir>, look: Look| {
        part.is_some_and(|part| matches!(part.kind(), HirKind::Look(found) if *found == look))
    };
    let (start, end) = (is(parts.first(), Look::Start), is(parts.last(), Look::End));
    let inner = parts.get(usize::from(start)..parts.len() - usize::from(end)).unwrap_or_default();
    (Hir::concat(inner.to_vec()), start, end)
}

/// Returns whether a match of an expression can contain a character.
pub fn can_contain(hir: &Hir, c: char) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(literal) => std::str::from_utf8(&literal.0).map_or(true, |text| text.contains(c)),
        HirKind::Class(hir::Class::Unicode(class)) => {
            class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&c))
        }
        HirKind::Class(hir::Class::Bytes(_)) => true,
        HirKind::Repetition(repetition) => repetition.max != Some(0) && can_contain(&repetition.sub, c),
        HirKind::Capture(capture) => can_contain(&capture.sub, c),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(|part| can_contain(part, c)),
    }
}
