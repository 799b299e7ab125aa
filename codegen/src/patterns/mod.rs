//! Patterns: from a regular expression to the tables that generated code carries, so that no expression is read at
//! run time and matching takes a table look-up a byte.
//!
//! The dialect is that of RE2, which CEL names: no look-around, no back-references, and `\d`, `\w`, `\s` and `\b`
//! know ASCII alone. A pattern becomes a table by byte where it asks the same of each character, and a minimal
//! deterministic automaton otherwise. One that would become too large is refused here, once and for all.

mod automaton;
mod class;
mod dialect;
mod ecma;
mod graph;
mod minimize;
mod table;
mod tokens;

#[cfg(test)]
mod tests;

use std::fmt;

use class::Class;
use table::Table;

/// What a pattern becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matcher {
    /// The same is asked of each byte.
    Class(Class),
    /// An automaton.
    Automaton(Table),
}

/// Why a pattern cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It is not a regular expression of this dialect; what the parser says.
    Unreadable(String),
    /// It unfolds to more states than generated code should carry.
    TooLarge,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(why) => write!(f, "the pattern cannot be read: {why}"),
            Self::TooLarge => f.write_str("the pattern unfolds to too many states"),
        }
    }
}

impl Reason {
    /// What the author can do.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "look-around and back-references are left out, so that matching takes linear time",
            Self::TooLarge => "make its repetitions smaller, or use `length`",
        }
    }
}

/// Returns the pattern as one that a whole text has to match: `pattern:` in a schema.
///
/// # Errors
/// When the pattern cannot be read, or becomes too large.
pub fn anchored(pattern: &str) -> Result<Matcher, Reason> {
    let hir = dialect::parse(pattern)?;
    if let Some(class) = Class::of(&class::without_anchors(&hir).0) {
        return Ok(Matcher::Class(class));
    }
    automaton::anchored(hir).map(Matcher::Automaton)
}

/// Returns the pattern as one that a text has to hold somewhere: `matches()` in CEL.
///
/// # Errors
/// Those of [`anchored`].
pub fn search(pattern: &str) -> Result<Matcher, Reason> {
    let hir = dialect::parse(pattern)?;
    // With an anchor at either end this is the same as matching the whole text.
    if let (inner, true, true) = class::without_anchors(&hir)
        && let Some(class) = Class::of(&inner)
    {
        return Ok(Matcher::Class(class));
    }
    automaton::search(&hir).map(Matcher::Automaton)
}

/// Returns the pattern as one that a whole text has to match, in the dialect of JSON Schema (ECMA-262 with its flag `u`); none
/// where it cannot be read.
#[must_use]
pub fn ecma(pattern: &str) -> Option<String> {
    dialect::parse(pattern).ok().map(|hir| ecma::anchored(&hir))
}

/// Returns whether a text that matches can hold a character.
///
/// # Errors
/// When the pattern cannot be read.
pub fn holds(pattern: &str, c: char) -> Result<bool, Reason> {
    Ok(class::holds(&dialect::parse(pattern)?, c))
}

impl Matcher {
    /// Returns whether a text matches, as the generated code will judge it.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        match self {
            Self::Class(class) => class.is_match(text),
            Self::Automaton(table) => table.is_match(text),
        }
    }
}
