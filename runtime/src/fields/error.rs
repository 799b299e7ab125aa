//! Errors of parsing a selection.

use std::fmt;

/// Maximum length of an unknown name in a message, in characters.
const MAX_NAME_CHARS: usize = 60;

/// Error of parsing a selection, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectionError {
    position: usize,
    kind: SelectionErrorKind,
}

/// Kind of a [`SelectionError`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectionErrorKind {
    /// A name is missing.
    MissingName,
    /// Unexpected character.
    Unexpected(char),
    /// Unbalanced parenthesis.
    Unbalanced,
    /// More than 32 nested names.
    TooDeep,
    /// The text is longer than 8192 bytes.
    TooLong,
    /// More than 10000 fields are selected: nested `*` can stand for a great many.
    TooManyFields,
    /// The resource has no such field.
    UnknownField {
        /// Unknown name, truncated if it is long.
        member: String,
        /// Name of the resource.
        resource: &'static str,
        /// Field with a similar name.
        suggestion: Option<&'static str>,
    },
    /// The field is not an object.
    NoSubfields {
        /// Name below the field, truncated if it is long.
        member: String,
        /// Name of the field, truncated if it is long.
        leaf: String,
    },
}

impl SelectionError {
    pub(super) const fn new(position: usize, kind: SelectionErrorKind) -> Self {
        Self { position, kind }
    }

    /// Returns the position of the error in bytes.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// Returns the kind of the error.
    #[must_use]
    pub const fn kind(&self) -> &SelectionErrorKind {
        &self.kind
    }
}

/// Truncates a name for a message.
pub fn truncate(name: &str) -> String {
    match name.char_indices().nth(MAX_NAME_CHARS) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}

impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, kind } = self;
        match kind {
            SelectionErrorKind::MissingName => write!(f, "expected a field name at byte {position}"),
            SelectionErrorKind::Unexpected(found) => write!(f, "unexpected {found:?} at byte {position}"),
            SelectionErrorKind::Unbalanced => write!(f, "unbalanced parenthesis at byte {position}"),
            SelectionErrorKind::TooDeep => {
                write!(f, "more than {} nested names at byte {position}", super::MAX_DEPTH)
            }
            SelectionErrorKind::TooLong => write!(f, "longer than {} bytes", super::MAX_SELECTION_LENGTH),
            SelectionErrorKind::TooManyFields => {
                write!(f, "more than {} fields are selected at byte {position}", super::MAX_SELECTED_FIELDS)
            }
            SelectionErrorKind::UnknownField { member, resource, suggestion } => {
                write!(f, "`{resource}` has no field `{}` at byte {position}", member.escape_debug())?;
                suggestion.map_or(Ok(()), |name| write!(f, ": did you mean `{name}`?"))
            }
            SelectionErrorKind::NoSubfields { member, leaf } => {
                write!(f, "`{}` at byte {position}: ", member.escape_debug())?;
                write!(f, "`{}` has no fields", leaf.escape_debug())
            }
        }
    }
}

impl std::error::Error for SelectionError {}
