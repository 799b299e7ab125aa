//! Why a text selects nothing, in one bounded line.

use std::fmt;

/// What of a name that is not known is kept, in characters.
const SHOWN: usize = 60;

/// Why a text is no selection, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectionError {
    position: usize,
    kind: SelectionErrorKind,
}

/// What is wrong with a selection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectionErrorKind {
    /// A name must stand here, and there is none.
    Empty,
    /// The character cannot stand here.
    Unexpected(char),
    /// A parenthesis has no partner.
    Unbalanced,
    /// Names stand below names more often than 32 times.
    TooDeep,
    /// The text is longer than 8192 bytes.
    TooLong,
    /// More than 10000 members are selected: `*` below `*` can stand for a great many.
    TooManyMembers,
    /// The resource has no such member.
    UnknownMember {
        /// The name; the end of a long one is left out.
        member: String,
        /// The resource.
        resource: &'static str,
        /// A member with a name like it.
        suggestion: Option<&'static str>,
    },
    /// The member has no members.
    BelowLeaf {
        /// The name that stands below it; the end of a long one is left out.
        member: String,
        /// The name of the member; the end of a long one is left out.
        leaf: String,
    },
}

impl SelectionError {
    pub(super) const fn new(position: usize, kind: SelectionErrorKind) -> Self {
        Self { position, kind }
    }

    /// Where: the number of bytes before what is wrong.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> &SelectionErrorKind {
        &self.kind
    }
}

/// Returns a name as an error shows it.
pub fn shown(name: &str) -> String {
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}

impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, kind } = self;
        match kind {
            SelectionErrorKind::Empty => write!(f, "expected the name of a member at byte {position}"),
            SelectionErrorKind::Unexpected(found) => write!(f, "unexpected {found:?} at byte {position}"),
            SelectionErrorKind::Unbalanced => write!(f, "parenthesis without its partner at byte {position}"),
            SelectionErrorKind::TooDeep => {
                write!(f, "more than {} names below each other at byte {position}", super::MAX_DEPTH)
            }
            SelectionErrorKind::TooLong => write!(f, "longer than {} bytes", super::MAX_LENGTH),
            SelectionErrorKind::TooManyMembers => {
                write!(f, "more than {} members are selected at byte {position}", super::MAX_MEMBERS)
            }
            SelectionErrorKind::UnknownMember { member, resource, suggestion } => {
                write!(f, "`{resource}` has no member `{}` at byte {position}", member.escape_debug())?;
                suggestion.map_or(Ok(()), |name| write!(f, ": did you mean `{name}`?"))
            }
            SelectionErrorKind::BelowLeaf { member, leaf } => {
                write!(f, "`{}` at byte {position}: ", member.escape_debug())?;
                write!(f, "there is nothing below `{}`", leaf.escape_debug())
            }
        }
    }
}

impl std::error::Error for SelectionError {}
