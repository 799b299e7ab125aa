//! What people type into the search box.
//!
//! `docs/mailbox.md` has the table of what can be written, and a test holds it against what is understood here.
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
    pub(crate) operator: Option<Written>,
    /// The word or the words.
    pub(crate) text: String,
}

/// An operator and the word for it that was written: several words can mean the same, and what turns out to mean nothing
/// is looked for as it was written.
pub(crate) type Written = (Operator, &'static str);

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

/// What a word before a colon means. The page that tells of searches is held against these by a test.
const OPERATORS: [(&str, Operator); 21] = [
    ("from", Operator::From),
    ("to", Operator::To),
    ("cc", Operator::To),
    ("bcc", Operator::To),
    ("deliveredto", Operator::To),
    ("subject", Operator::Subject),
    ("is", Operator::Is),
    ("in", Operator::In),
    ("label", Operator::Label),
    ("category", Operator::Category),
    ("has", Operator::Has),
    ("after", Operator::After),
    ("newer", Operator::After),
    ("before", Operator::Before),
    ("older", Operator::Before),
    ("newer_than", Operator::NewerThan),
    ("older_than", Operator::OlderThan),
    ("larger", Operator::Larger),
    ("size", Operator::Larger),
    ("smaller", Operator::Smaller),
    ("rfc822msgid", Operator::MessageId),
];

impl Operator {
    /// What a word before a colon means, whatever the case of its letters, and how it is written.
    pub(crate) fn named(word: &str) -> Option<Written> {
        OPERATORS.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(known, one)| (one, known))
    }
}

/// The words that mean something before a colon.
pub fn operators() -> impl Iterator<Item = &'static str> {
    OPERATORS.into_iter().map(|(word, _)| word)
}
