//! Patterns: compilation of regular expressions to tables for generated code, so that no expression is parsed at run
//! time and matching takes one table look-up per byte.
//!
//! The dialect is RE2, as CEL requires: no back-references, and `\d`, `\w`, `\s` and `\b` are ASCII only. A pattern of a whole
//! text may have look-around that is a condition on the whole text, such as `(?=.*[0-9]).{8,}`. A pattern becomes a byte class if it applies the same condition to each character, and a minimal
//! deterministic automaton otherwise. Patterns whose automaton is too large are rejected here.

mod automaton;
mod class;
mod common;
mod dialect;
mod ecma;
mod from_ecma;
mod graph;
mod lookaround;
mod minimize;
mod product;
mod table;
mod tokens;
mod utf8;

#[cfg(test)]
mod tests;

use std::fmt;

pub use automaton::{MAX_TABLE as MAX_SIZE, Part};
pub use common::{Language, common_text};
pub use from_ecma::from_ecma;
pub use lookaround::{alternatives, count_look_around};
pub use table::Table;

use class::Class;
use lookaround::Condition;

/// Compiled pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matcher {
    /// Byte class: the same condition for each byte.
    Class(Class),
    /// Automaton.
    Automaton(Table),
    /// Several automata, whose product would be too large.
    All(Vec<Part>),
}

/// Reason why a pattern cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternError {
    /// Syntax error in this dialect, with the message of the parser.
    Syntax(String),
    /// The automaton has too many states for generated code.
    TooLarge,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(why) => write!(f, "invalid pattern: {why}"),
            Self::TooLarge => f.write_str("the pattern compiles to too many states"),
        }
    }
}

impl PatternError {
    /// Returns advice for the author of a pattern of a whole text.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        match self {
            Self::Syntax(_) => {
                "back-references are not supported, and look-around only next to text of a fixed length, because matching takes linear time"
            }
            Self::TooLarge => "use smaller repetitions, or use `length`",
        }
    }

    /// Returns advice for the author of a pattern that is searched in a text.
    #[must_use]
    pub const fn search_help(&self) -> &'static str {
        match self {
            Self::Syntax(_) => {
                "back-references and look-around are not supported in conditions, because matching takes linear time"
            }
            Self::TooLarge => "use smaller repetitions, or use `size()`",
        }
    }
}

/// Compiles a pattern that must match a whole text: `pattern:` in a schema.
///
/// # Errors
/// Returns an error if the pattern cannot be parsed, or becomes too large.
pub fn compile_anchored(pattern: &str) -> Result<Matcher, PatternError> {
    let hir = match lookaround::parse(pattern)? {
        Condition::Match(hir) => hir,
        condition => {
            let mut parts = automaton::parts(condition)?;
            return Ok(match parts.as_slice() {
                [Part { is_match: true, .. }] => Matcher::Automaton(parts.remove(0).table),
                _ => Matcher::All(parts),
            });
        }
    };
    if let Some(class) = Class::of(&class::strip_anchors(&hir).0) {
        return Ok(Matcher::Class(class));
    }
    automaton::anchored(hir).map(Matcher::Automaton)
}

/// Compiles a pattern that must match somewhere in a text: `matches()` in CEL.
///
/// # Errors
/// Returns the errors of [`compile_anchored`].
pub fn compile_search(pattern: &str) -> Result<Matcher, PatternError> {
    let hir = dialect::parse(pattern)?;
    // With both anchors this is equivalent to matching the whole text.
    if let (inner, true, true) = class::strip_anchors(&hir)
        && let Some(class) = Class::of(&inner)
    {
        return Ok(Matcher::Class(class));
    }
    automaton::search(&hir).map(Matcher::Automaton)
}

/// Converts a pattern of a whole text to the dialect of JSON Schema (ECMA-262 with the flag `u`); returns `None` if
/// it cannot be parsed.
#[must_use]
pub fn to_ecma(pattern: &str) -> Option<String> {
    lookaround::parse(pattern).ok().map(|condition| ecma::anchored(&condition))
}

/// Returns whether a text that matches a pattern without look-around can contain a character.
///
/// # Errors
/// Returns an error if the pattern cannot be parsed.
pub fn can_contain(pattern: &str, c: char) -> Result<bool, PatternError> {
    Ok(class::can_contain(&dialect::parse(pattern)?, c))
}

impl Matcher {
    /// Returns the size of its table in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Class(class) => class.ranges.len() * 2,
            Self::Automaton(table) => table.size(),
            Self::All(parts) => parts.iter().map(|part| part.table.size()).sum(),
        }
    }

    /// Returns whether a text matches, exactly as in the generated code.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        match self {
            Self::Class(class) => class.is_match(text),
            Self::Automaton(table) => table.is_match(text),
            Self::All(parts) => parts.iter().all(|part| part.table.is_match(text) == part.is_match),
        }
    }
}
