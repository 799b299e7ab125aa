//! Look-around, as conditions on the whole text.
//!
//! `^(?=.*[0-9])(?!.*--).{8,}$` holds if the text matches `.{8,}`, and `.*[0-9]` with anything after it, and not `.*--` with
//! anything after it. This is exact because the text before a lookahead has a fixed length, so that it has only one
//! place; the same applies to the text after a lookbehind.

use regex_syntax::hir::Hir;

use super::{PatternError, dialect};

/// Maximum number of expressions of a pattern.
const MAX_LEAVES: usize = 24;

/// Maximum depth of groups and conditions within each other.
const MAX_DEPTH: usize = 50;

/// Any text.
const ANY: &str = "(?s:.*)";

/// Condition on a whole text.
#[derive(Clone, Debug)]
pub enum Condition {
    /// The text matches.
    Match(Hir),
    /// All conditions hold.
    All(Vec<Condition>),
    /// A condition holds.
    Any(Vec<Condition>),
    /// The condition does not hold.
    Not(Box<Condition>),
}

impl Condition {
    /// Returns a conjunction, without conjunctions in it.
    fn all(conditions: impl IntoIterator<Item = Self>) -> Self {
        let flat = conditions.into_iter().flat_map(|one| match one {
            Self::All(all) => all,
            one => vec![one],
        });
        Self::All(flat.collect())
    }

    /// Returns a disjunction, or its only condition.
    fn any(mut conditions: Vec<Self>) -> Self {
        if conditions.len() == 1 { conditions.remove(0) } else { Self::Any(conditions) }
    }
}

/// Parses a pattern of a whole text.
pub fn parse(pattern: &str) -> Result<Condition, PatternError> {
    Parser { leaves: 0, depth: 0 }.parse(pattern)
}

/// Part of a pattern at its top level.
#[derive(Clone, Copy, Debug)]
struct Part<'p> {
    /// Text with its quantifier.
    text: &'p str,
    /// Quantifier.
    quantifier: &'p str,
    /// Its kind.
    kind: Kind<'p>,
}

#[derive(Clone, Copy, Debug)]
enum Kind<'p> {
    /// Lookahead or lookbehind: whether it looks ahead, whether it is negative, and its expression.
    Look(bool, bool, &'p str),
    /// Group with its expression.
    Group(&'p str),
    Other,
}

struct Parser {
    leaves: usize,
    depth: usize,
}

impl Parser {
    fn parse(&mut self, pattern: &str) -> Result<Condition, PatternError> {
        if self.depth >= MAX_DEPTH {
            return Err(PatternError::TooLarge);
        }
        self.depth += 1;
        let condition = self.parse_level(pattern);
        self.depth -= 1;
        condition
    }

    fn parse_level(&mut self, pattern: &str) -> Result<Condition, PatternError> {
        if !has_look(pattern) {
            self.leaves += 1;
            if self.leaves > MAX_LEAVES {
                return Err(PatternError::TooLarge);
            }
            return dialect::parse(pattern).map(Condition::Match);
        }
        if alternatives(pattern).count() > 1 {
            return alternatives(pattern).map(|one| self.parse(one)).collect::<Result<_, _>>().map(Condition::any);
        }
        let parts = parts(pattern)?;
        let is = |ahead: bool| move |part: &Part<'_>| matches!(part.kind, Kind::Look(found, ..) if found == ahead);
        if let Some(at) = parts.iter().position(is(true)) {
            return self.look(&parts, at);
        }
        if let Some(at) = parts.iter().rposition(is(false)) {
            return self.look(&parts, at);
        }
        let at = parts.iter().position(|part| has_look(part.text)).unwrap_or(0);
        let (before, after) = (join(&parts[..at]), join(&parts[at + 1..]));
        match parts.get(at).map(|part| (part.kind, part.quantifier)) {
            // `a(?:b|c)d` is `abd|acd`.
            Some((Kind::Group(inner), "")) => {
                let all = alternatives(inner).map(|inner| self.parse(&format!("{before}{inner}{after}")));
                all.collect::<Result<_, _>>().map(Condition::any)
            }
            Some((Kind::Group(inner), quantifier)) => self.repeated(&before, inner, quantifier, &after),
            _ => Err(unsupported()),
        }
    }

    /// Converts the look-around at a position.
    fn look(&mut self, parts: &[Part<'_>], at: usize) -> Result<Condition, PatternError> {
        let Some(Part { kind: Kind::Look(is_ahead, is_negative, inner), quantifier: "", .. }) = parts.get(at) else {
            return Err(unsupported());
        };
        let (before, after) = (join(&parts[..at]), join(&parts[at + 1..]));
        let fixed = if *is_ahead { &before } else { &after };
        if has_look(fixed) || fixed_length(&dialect::parse(fixed)?).is_none() {
            return Err(unsupported());
        }
        // The automaton of `.{8,64}$` is far smaller than that of `.{8,64}$.*` on the way to its minimum.
        let looked = match inner.strip_suffix('$').filter(|whole| *is_ahead && is_single(whole)) {
            Some(whole) => format!("{before}(?:{whole})"),
            None if *is_ahead => format!("{before}(?:{inner}){ANY}"),
            None => format!("{ANY}(?:{inner}){after}"),
        };
        let looked = self.parse(&looked)?;
        let looked = if *is_negative { Condition::Not(Box::new(looked)) } else { looked };
        Ok(Condition::all([self.parse(&format!("{before}{after}"))?, looked]))
    }

    /// Converts `(?:(?!ab).)*` at the end of a pattern: no `ab` starts at any of its characters.
    fn repeated(
        &mut self,
        before: &str,
        inner: &str,
        quantifier: &str,
        after: &str,
    ) -> Result<Condition, PatternError> {
        let parts = parts(inner)?;
        let [Part { kind: Kind::Look(true, true, looked), quantifier: "", .. }, one] = parts.as_slice() else {
            return Err(unsupported());
        };
        let length = |text: &str| -> Result<Option<usize>, PatternError> {
            if has_look(text) { Err(unsupported()) } else { Ok(fixed_length(&dialect::parse(text)?)) }
        };
        let is_single = alternatives(inner).count() == 1 && length(one.text)? == Some(1) && matches!(after, "" | "$");
        // An expression that matches the empty text would also match at the end.
        let is_empty = dialect::parse(looked).map_err(|_| unsupported())?.properties().minimum_len() == Some(0);
        if !is_single || is_empty || length(before)?.is_none() {
            return Err(unsupported());
        }
        let all = self.parse(&format!("{before}(?:{}){quantifier}", one.text))?;
        let found = self.parse(&format!("{before}(?:{})*(?:{looked}){ANY}", one.text))?;
        Ok(Condition::all([all, Condition::Not(Box::new(found))]))
    }
}

fn unsupported() -> PatternError {
    PatternError::Syntax("look-around next to text of variable length, or in a repetition".to_owned())
}

fn join(parts: &[Part<'_>]) -> String {
    parts.iter().map(|part| part.text).collect()
}

/// Returns the number of occurrences of look-around in a pattern.
#[must_use]
pub fn count_look_around(pattern: &str) -> usize {
    let mut scan = Scan::default();
    let is_look = |(at, c): &(usize, char)| {
        let is_open = scan.is_open_parenthesis(*c);
        scan.step(*c);
        is_open && pattern.get(*at..).is_some_and(|rest| look_prefix(rest).is_some())
    };
    pattern.char_indices().filter(is_look).count()
}

fn has_look(pattern: &str) -> bool {
    count_look_around(pattern) > 0
}

/// Returns the length of the beginning of look-around, whether it looks ahead, and whether it is negative.
fn look_prefix(text: &str) -> Option<(usize, bool, bool)> {
    let all = [("(?=", true, false), ("(?!", true, true), ("(?<=", false, false), ("(?<!", false, true)];
    all.into_iter().find(|(prefix, ..)| text.starts_with(prefix)).map(|(prefix, ahead, no)| (prefix.len(), ahead, no))
}

/// State of reading a pattern.
#[derive(Clone, Copy, Default)]
struct Scan {
    /// Number of open groups.
    depth: usize,
    /// Number of open classes.
    classes: usize,
    is_escaped: bool,
    /// True at the start of a class, where a bracket is a character.
    is_class_start: bool,
}

impl Scan {
    const fn is_open_parenthesis(self, c: char) -> bool {
        c == '(' && self.classes == 0 && !self.is_escaped
    }

    /// Returns whether a character has a meaning of its own at the top level.
    const fn is_top(self) -> bool {
        self.depth == 0 && self.classes == 0 && !self.is_escaped
    }

    const fn step(&mut self, c: char) {
        let is_start = self.is_class_start && !self.is_escaped;
        self.is_class_start = is_start && c == '^';
        match c {
            _ if self.is_escaped => self.is_escaped = false,
            '\\' => self.is_escaped = true,
            '[' => {
                self.classes += 1;
                self.is_class_start = true;
            }
            ']' if is_start => {}
            ']' => self.classes = self.classes.saturating_sub(1),
            _ if self.classes > 0 => {}
            '(' => self.depth += 1,
            ')' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
}

/// Returns the alternatives of a pattern.
pub fn alternatives(pattern: &str) -> impl Iterator<Item = &str> {
    let mut scan = Scan::default();
    pattern.split(move |c| {
        let is_end = c == '|' && scan.is_top();
        scan.step(c);
        is_end
    })
}

/// Returns whether a text is a whole alternative, whose last character does not escape what follows.
fn is_single(text: &str) -> bool {
    let mut scan = Scan::default();
    text.chars().for_each(|c| scan.step(c));
    scan.is_top() && alternatives(text).count() == 1
}

/// Divides an alternative into its parts.
fn parts(pattern: &str) -> Result<Vec<Part<'_>>, PatternError> {
    let (mut found, mut rest) = (Vec::new(), pattern);
    while let Some(length) = atom_length(rest) {
        let (atom, after) = rest.split_at_checked(length).ok_or_else(unsupported)?;
        let end = quantifier_length(after);
        let (text, quantifier) = (&rest[..length + end], &after[..end]);
        rest = &after[end..];
        let inner = |start: usize| atom.get(start..atom.len().saturating_sub(1)).ok_or_else(unsupported);
        let kind = if let Some((start, is_ahead, is_negative)) = look_prefix(atom) {
            Kind::Look(is_ahead, is_negative, inner(start)?)
        } else if atom.starts_with("(?:") {
            Kind::Group(inner(3)?)
        } else if atom.starts_with("(?") && has_look(atom) {
            // Flags and names apply to the whole group.
            let name = atom.strip_prefix("(?<").or_else(|| atom.strip_prefix("(?P<")).and_then(|name| name.find('>'));
            let start = name.ok_or_else(unsupported)? + if atom.starts_with("(?P") { 5 } else { 4 };
            Kind::Group(inner(start)?)
        } else if is_flags(atom) {
            // They apply to what follows, also to other alternatives, which are read on their own here.
            return Err(PatternError::Syntax("flags next to look-around".to_owned()));
        } else if atom.starts_with('(') && !atom.starts_with("(?") {
            Kind::Group(inner(1)?)
        } else {
            Kind::Other
        };
        found.push(Part { text, quantifier, kind });
    }
    Ok(found)
}

/// Returns whether an atom sets flags, such as `(?i)`.
fn is_flags(atom: &str) -> bool {
    let flags = atom.strip_prefix("(?").and_then(|rest| rest.strip_suffix(')'));
    flags.is_some_and(|flags| flags.chars().all(|c| c.is_ascii_alphabetic() || c == '-'))
}

/// Returns the length of the first atom; `None` at the end.
fn atom_length(text: &str) -> Option<usize> {
    let mut scan = Scan::default();
    let first = text.chars().next()?;
    // `\p{L}` and `\x{41}` are single atoms.
    if let Some(escaped) = text.strip_prefix('\\') {
        let c = escaped.chars().next().map_or(0, char::len_utf8);
        let braced = escaped.get(c..).filter(|rest| escaped.starts_with(['p', 'P', 'x', 'u']) && rest.starts_with('{'));
        let digits = match escaped.chars().next() {
            Some('u') => 4,
            Some('x') => 2,
            _ => 0,
        };
        return Some(1 + c + braced.map_or(digits, |rest| rest.find('}').map_or(rest.len(), |end| end + 1)));
    }
    for (at, c) in text.char_indices() {
        scan.step(c);
        if scan.is_top() {
            return Some(at + c.len_utf8());
        }
    }
    // An unclosed group or class; the parser of the whole pattern reports it.
    Some(text.len().max(first.len_utf8()))
}

/// Returns the length of a quantifier at the beginning of a text.
fn quantifier_length(text: &str) -> usize {
    let length = match text.chars().next() {
        Some('*' | '+' | '?') => 1,
        Some('{') => text.find('}').map_or(0, |end| end + 1),
        _ => 0,
    };
    if length > 0 && text.get(length..).is_some_and(|rest| rest.starts_with('?')) { length + 1 } else { length }
}

/// Returns the number of characters that every match has, if it is always the same.
fn fixed_length(hir: &Hir) -> Option<usize> {
    use regex_syntax::hir::HirKind;
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(0),
        HirKind::Literal(literal) => std::str::from_utf8(&literal.0).ok().map(|text| text.chars().count()),
        HirKind::Class(_) => Some(1),
        HirKind::Repetition(repetition) => {
            let count = usize::try_from(repetition.min).ok().filter(|_| repetition.max == Some(repetition.min))?;
            fixed_length(&repetition.sub)?.checked_mul(count)
        }
        HirKind::Capture(capture) => fixed_length(&capture.sub),
        HirKind::Concat(parts) => parts.iter().try_fold(0_usize, |sum, part| sum.checked_add(fixed_length(part)?)),
        HirKind::Alternation(parts) => {
            let first = fixed_length(parts.first()?)?;
            parts.iter().all(|part| fixed_length(part) == Some(first)).then_some(first)
        }
    }
}
