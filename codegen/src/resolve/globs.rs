//! Glob patterns of paths: their intersection and containment, segment by segment.

use std::collections::HashSet;

use crate::model::{Http, Segment, SegmentPattern};

/// Text that no path contains literally.
const FRESH: &str = "\u{fffd}";

/// Element of a path pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Glob {
    /// Any number of segments, including none.
    Any,
    /// Segment: literal texts, and non-empty variables between them.
    Segment(Vec<Option<String>>),
}

impl Glob {
    /// Creates a literal segment.
    pub fn of_text(text: &str) -> Self {
        Self::Segment(vec![Some(text.to_owned())])
    }

    /// Returns the text of a literal segment.
    pub fn fixed(&self) -> Option<&str> {
        match self {
            Self::Segment(parts) => match parts.as_slice() {
                [Some(text)] => Some(text),
                _ => None,
            },
            Self::Any => None,
        }
    }

    /// Returns whether a segment is a single variable.
    pub fn is_wildcard(&self) -> bool {
        matches!(self, Self::Segment(parts) if matches!(parts.as_slice(), [None]))
    }

    /// Returns whether a segment matches a text.
    pub fn matches(&self, text: &str) -> bool {
        match self {
            Self::Segment(parts) => fits(parts, text),
            Self::Any => false,
        }
    }

    /// Returns a text that two segments both match.
    pub fn meet(&self, other: &Self) -> Option<String> {
        let (Self::Segment(a), Self::Segment(b)) = (self, other) else { return None };
        match (self.fixed(), other.fixed()) {
            (Some(text), _) => fits(b, text).then(|| text.to_owned()),
            (_, Some(text)) => fits(a, text).then(|| text.to_owned()),
            _ if self.is_wildcard() => Some(example(b, "x")),
            _ if other.is_wildcard() => Some(example(a, "x")),
            _ => between(a, b),
        }
    }
}

/// Returns a text that two segments with variables both match. A variable can match whatever the other segment has
/// between the ends.
fn between(a: &[Option<String>], b: &[Option<String>]) -> Option<String> {
    let start = longer((start(a), start(b)), |long, short| long.starts_with(short))?;
    let end = longer((end(a), end(b)), |long, short| long.ends_with(short))?;
    let inner = |parts: &[Option<String>]| example(parts, "x");
    let text = format!("{start}{}{}{end}", inner(middle(a)), inner(middle(b)));
    // One variable may be left without any text.
    [text, format!("{start}x{}x{}x{end}", inner(middle(a)), inner(middle(b)))]
        .into_iter()
        .find(|text| fits(a, text) && fits(b, text))
}

/// Returns the longer text if it fits the shorter one; otherwise `None`.
fn longer<'t>((a, b): (&'t str, &'t str), fits: impl Fn(&str, &str) -> bool) -> Option<&'t str> {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    fits(long, short).then_some(long)
}

/// Returns the text before the first variable of a segment; empty if it starts with one.
fn start(parts: &[Option<String>]) -> &str {
    parts.first().and_then(Option::as_deref).unwrap_or_default()
}

/// Returns the text after the last variable of a segment; empty if it ends with one.
fn end(parts: &[Option<String>]) -> &str {
    parts.last().and_then(Option::as_deref).unwrap_or_default()
}

/// Returns the parts between the leading and trailing text.
fn middle(parts: &[Option<String>]) -> &[Option<String>] {
    let parts = match parts.split_first() {
        Some((Some(_), gate)) => gate,
        _ => parts,
    };
    match parts.split_last() {
        Some((Some(_), before)) => before,
        _ => parts,
    }
}

/// Returns a segment with a text for each variable.
fn example(parts: &[Option<String>], variable: &str) -> String {
    parts.iter().map(|part| part.as_deref().unwrap_or(variable)).collect()
}

/// Returns whether a text consists of the parts.
fn fits(parts: &[Option<String>], text: &str) -> bool {
    match parts.split_first() {
        None => text.is_empty(),
        Some((Some(fixed), rest)) => text.strip_prefix(fixed.as_str()).is_some_and(|text| fits(rest, text)),
        Some((None, [])) => !text.is_empty(),
        Some((None, rest)) => text.char_indices().skip(1).any(|(at, _)| fits(rest, text.get(at..).unwrap_or_default())),
    }
}

/// Returns the pattern of a path. A variable that spans segments is any number of segments, then one.
pub fn globs(http: &Http) -> Vec<Glob> {
    let mut globs = Vec::new();
    for piece in http.segments.iter().flat_map(Segment::patterns) {
        match piece {
            SegmentPattern::Literal(text) => globs.push(Glob::Segment(vec![Some(text)])),
            SegmentPattern::Parts(parts) => globs.push(Glob::Segment(parts)),
            SegmentPattern::Single => globs.push(Glob::Segment(vec![None])),
            SegmentPattern::Multiple => globs.extend([Glob::Any, Glob::Segment(vec![None])]),
        }
    }
    if let (Some(verb), Some(Glob::Segment(parts))) = (&http.verb, globs.last_mut()) {
        match parts.last_mut() {
            Some(Some(text)) => text.push_str(&format!(":{verb}")),
            _ => parts.push(Some(format!(":{verb}"))),
        }
    }
    globs
}

/// Returns a path that both patterns match.
pub fn meet(a: &[Glob], b: &[Glob]) -> Option<String> {
    let mut tried = HashSet::new();
    let segments = common_path(a, b, &mut tried)?;
    Some(segments.iter().rev().flat_map(|segment| ["/", segment]).collect())
}

/// Returns the segments of such a path in reverse order. Pairs of remaining lengths that failed are not tried again.
fn common_path(a: &[Glob], b: &[Glob], tried: &mut HashSet<(usize, usize)>) -> Option<Vec<String>> {
    if !tried.insert((a.len(), b.len())) {
        return None;
    }
    match (a.split_first(), b.split_first()) {
        (None, None) => Some(Vec::new()),
        (Some((Glob::Any, rest)), other) => common_path(rest, b, tried).or_else(|| {
            let (segment, b) = other?;
            prepend(segment, common_path(a, b, tried))
        }),
        (other, Some((Glob::Any, rest))) => common_path(a, rest, tried).or_else(|| {
            let (segment, a) = other?;
            prepend(segment, common_path(a, b, tried))
        }),
        (Some((first, a)), Some((second, b))) => {
            let segment = Glob::of_text(&first.meet(second)?);
            prepend(&segment, common_path(a, b, tried))
        }
        _ => None,
    }
}

/// Appends a segment that a glob matches.
fn prepend(glob: &Glob, rest: Option<Vec<String>>) -> Option<Vec<String>> {
    let mut rest = rest?;
    if let Glob::Segment(parts) = glob {
        rest.push(example(parts, "x"));
    }
    Some(rest)
}

/// Returns whether every path of one pattern matches another. It is enough to test paths with a fresh text for each
/// variable, with the minimum number of segments, and with more segments than the other pattern can distinguish.
pub fn contains(outer: &[Glob], inner: &[Glob]) -> bool {
    let instance = |any: usize| -> Vec<String> {
        let segments = inner.iter().flat_map(|glob| match glob {
            Glob::Any => vec![FRESH.to_owned(); any],
            Glob::Segment(parts) => vec![example(parts, FRESH)],
        });
        segments.collect()
    };
    let lengths: &[usize] = if inner.contains(&Glob::Any) { &[0, 1, outer.len() + 1] } else { &[0] };
    lengths.iter().all(|any| is_of(outer, &instance(*any)))
}

/// Returns whether a path matches a pattern.
fn is_of(globs: &[Glob], path: &[String]) -> bool {
    match globs.split_first() {
        None => path.is_empty(),
        Some((Glob::Any, rest)) => (0..=path.len()).any(|at| is_of(rest, path.get(at..).unwrap_or_default())),
        Some((glob, rest)) => path.split_first().is_some_and(|(first, path)| glob.matches(first) && is_of(rest, path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str) -> Vec<Glob> {
        let glob = |segment: &str| match segment {
            "**" => vec![Glob::Any, Glob::Segment(vec![None])],
            _ => {
                let mut parts = Vec::new();
                for (index, text) in segment.split('*').enumerate() {
                    parts.extend((index > 0).then_some(None));
                    parts.extend((!text.is_empty()).then(|| Some(text.to_owned())));
                }
                vec![Glob::Segment(parts)]
            }
        };
        path.split('/').skip(1).flat_map(glob).collect()
    }

    #[test]
    fn paths_that_two_patterns_share() {
        for (a, b, expected) in [
            ("/x/*", "/*/x", Some("/x/x")),
            ("/x/*", "/y/*", None),
            ("/x/*", "/*", None),
            ("/a/**", "/*/b", Some("/a/b")),
            ("/**/b", "/a/**", Some("/a/b")),
            ("/**", "/**", Some("/x")),
            ("/*:run", "/a*", Some("/axx:run")),
            ("/a*", "/*a", Some("/axxa")),
            ("/*-*", "/*_*", Some("/x-xx_x")),
            ("/*-*", "/*-", Some("/x-xx-")),
            ("/a*b", "/*c", None),
        ] {
            assert_eq!(meet(&of(a), &of(b)).as_deref(), expected, "{a} {b}");
            assert_eq!(meet(&of(b), &of(a)).is_some(), expected.is_some(), "{b} {a}");
        }
    }

    #[test]
    fn patterns_that_hold_others() {
        for (outer, inner, expected) in [
            ("/*", "/x", true),
            ("/*/*", "/x/*", true),
            ("/x/*", "/*/x", false),
            ("/**", "/x/*/y", true),
            ("/**", "/**/b", true),
            ("/**/b", "/**", false),
            ("/*/*/*", "/**", false),
            ("/*", "/*.json", true),
            ("/*.json", "/a*", false),
            ("/*", "/*:run", true),
        ] {
            assert_eq!(contains(&of(outer), &of(inner)), expected, "{outer} {inner}");
        }
    }
}
