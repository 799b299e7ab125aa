//! Search syntax.
//!
//! `docs/mailbox.md` documents the syntax; a test compares it with this implementation.
//!
//! `OR` binds tighter than juxtaposition. There are no syntax errors: an unknown operator is searched as a word, and an
//! unclosed bracket ends with the text. Searches that are too long, have too many words, or are nested too deeply are
//! refused, and so are known operators with a value that has no meaning, and those of the public service that are not
//! here.

mod lex;
mod parse;
mod search;
mod terms;

pub use self::parse::parse;
pub use self::search::{Search, SearchConditions};

/// Maximum length of a search, in characters.
pub const MAX_LENGTH: usize = 2048;
/// Maximum number of words and conditions of a search.
pub const MAX_TERMS: usize = 100;
/// Maximum depth of a search, including its innermost words: brackets, negations and operators before them each add a
/// level.
pub const MAX_DEPTH: usize = 20;

/// Reason for refusing a search.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// More than [`MAX_LENGTH`] characters.
    #[error("a search can have at most {MAX_LENGTH} characters, found {0}")]
    TooLong(usize),
    /// More than [`MAX_TERMS`] words and conditions.
    #[error("a search can have at most {MAX_TERMS} words and conditions")]
    TooManyTerms,
    /// A condition of the public service that this one does not have, or a value without a meaning: a search for it as
    /// a word would find nothing, without saying why.
    #[error("unsupported condition `{0}`: see the conditions of searches in the documentation")]
    Unsupported(String),
    /// Nested beyond [`MAX_DEPTH`].
    #[error("a search can have at most {MAX_DEPTH} nested brackets and negations")]
    TooDeep,
}

/// Parsed search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query(pub(crate) Expression);

/// Expression of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression {
    /// Conjunction; everything if empty.
    All(Vec<Self>),
    /// Disjunction; nothing if empty.
    Any(Vec<Self>),
    /// Negation.
    Not(Box<Self>),
    /// Word or condition.
    Term(Term),
}

/// Word or condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Term {
    /// Operator before the colon.
    pub(crate) operator: Option<NamedOperator>,
    /// Word or words.
    pub(crate) text: String,
}

/// Operator and its name in the search: several names can mean the same, and a condition without meaning is searched as
/// it was written.
pub(crate) type NamedOperator = (Operator, &'static str);

/// Operator before a colon.
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
    /// Operator of the public service that is not supported.
    Unsupported,
}

/// Operators of the public service that are not supported.
const UNSUPPORTED: [&str; 2] = ["filename", "list"];

/// Operators by name. A test compares the documentation with these.
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
    /// Returns the operator with a name, without regard to case, and its canonical name.
    pub(crate) fn from_name(word: &str) -> Option<NamedOperator> {
        let unsupported = UNSUPPORTED.into_iter().map(|name| (name, Self::Unsupported));
        let mut all = OPERATORS.into_iter().chain(unsupported);
        all.find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(known, one)| (one, known))
    }
}

/// Returns the names of the operators.
pub fn operators() -> impl Iterator<Item = &'static str> {
    OPERATORS.into_iter().map(|(word, _)| word)
}
