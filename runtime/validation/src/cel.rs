//! What conditions written in CEL become calls of.

use std::fmt;

/// What a condition evaluates to.
pub type Evaluated<T = bool> = Result<T, Fault>;

/// Why a condition has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// An operand is missing.
    Absent,
    /// A number is out of its range.
    Overflow,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Absent => "an operand is missing",
            Self::Overflow => "a number is out of its range",
        })
    }
}

impl std::error::Error for Fault {}
