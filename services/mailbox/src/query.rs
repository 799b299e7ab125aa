//! What people type into the search box.
//!
//! | written | finds |
//! |---|---|
//! | `word`, `"some words"` | messages whose senders, recipients, subject or beginning hold it |
//! | `from:`, `to:`, `cc:`, `bcc:`, `subject:` | those that hold it there; `to:` looks at copies as well |
//! | `is:unread`, `is:read`, `is:starred`, `is:important` | those that are |
//! | `in:inbox`, `in:trash`, `in:spam`, `in:sent`, `in:draft`, `in:anywhere`, `in:` and a label | those that lie there |
//! | `label:`, `category:` | those with the label; spaces and slashes in its name are written as `-` |
//! | `has:attachment`, `has:userlabels`, `has:nouserlabels` | those that have it |
//! | `after:`, `newer:`, `before:`, `older:` | by date, `2026/01/31` or `2026-01-31` in UTC, or by seconds since 1970 |
//! | `newer_than:`, `older_than:` | by age: `2d`, `3m` of 30 days, `1y` of 365 days |
//! | `larger:`, `size:`, `smaller:` | by bytes, `K` and `M` for 1024 of each |
//! | `rfc822msgid:` | the one with that `Message-ID` |
//! | `a b`, `a OR b`, `{a b}`, `-a`, `(a b)`, `subject:(a b)` | both; one of them; not; together |
//!
//! `OR` binds closer than standing side by side. Nothing of this is an error: what has no meaning is a word that is
//! looked for, and a bracket that is not closed ends with the text. Only what is too long, or nested too deep, is
//! refused.

mod lex;
mod parse;
mod search;
mod terms;

pub use self::parse::parse;
pub use self::search::{Matches, Search};

/// The most characters of a search.
pub const MAX_LENGTH: usize = 2048;
/// The most words and conditions of a search.
pub const MAX_TERMS: usize = 100;
/// How deep brackets and negations may stand in one another.
pub const MAX_DEPTH: usize = 20;

/// Why a search is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// More than [`MAX_LENGTH`] characters.
    #[error("a search has at most {MAX_LENGTH} characters, and this one has {0}")]
    TooLong(usize),
    /// More than [`MAX_TERMS`] words and conditions.
    #[error("a search has at most {MAX_TERMS} words and conditions")]
    TooManyTerms,
    /// Deeper than [`MAX_DEPTH`].
    #[error("brackets and negations of a search stand at most {MAX_DEPTH} deep in one another")]
    TooDeep,
}

/// A search that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query(pub(crate) Expression);

/// What a search demands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression {
    /// All of these; everything, where there are none.
    All(Vec<Self>),
    /// One of these; nothing, where there are none.
    Any(Vec<Self>),
    /// The opposite.
    Not(Box<Self>),
    /// A word or a condition.
    Term(Term),
}

/// A word, or a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Term {
    /// What stands before the colon.
    pub(crate) operator: Option<Operator>,
    /// The word or the words.
    pub(crate) text: String,
}

/// What can stand before a colon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    From,
    To,
    Subject,
    Is,
    In,
    Label,
    Category,
    Has,
    After,
    Before,
    NewerThan,
    OlderThan,
    Larger,
    Smaller,
    MessageId,
}

impl Operator {
    /// What a word before a colon means, whatever the case of its letters.
    pub(crate) fn named(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "from" => Self::From,
            "to" | "cc" | "bcc" | "deliveredto" => Self::To,
            "subject" => Self::Subject,
            "is" => Self::Is,
            "in" => Self::In,
            "label" => Self::Label,
            "category" => Self::Category,
            "has" => Self::Has,
            "after" | "newer" => Self::After,
            "before" | "older" => Self::Before,
            "newer_than" => Self::NewerThan,
            "older_than" => Self::OlderThan,
            "larger" | "size" => Self::Larger,
            "smaller" => Self::Smaller,
            "rfc822msgid" => Self::MessageId,
            _ => return None,
        })
    }

    /// How the operator is written, for what turns out to be a word.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::From => "from",
            Self::To => "to",
            Self::Subject => "subject",
            Self::Is => "is",
            Self::In => "in",
            Self::Label => "label",
            Self::Category => "category",
            Self::Has => "has",
            Self::After => "after",
            Self::Before => "before",
            Self::NewerThan => "newer_than",
            Self::OlderThan => "older_than",
            Self::Larger => "larger",
            Self::Smaller => "smaller",
            Self::MessageId => "rfc822msgid",
        }
    }
}
