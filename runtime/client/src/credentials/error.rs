//! Why there is no token.

use std::fmt;

use crate::error::one_line;

/// The most bytes of a message that are kept; what a server says may be long.
const MOST_BYTES: usize = 512;

/// Why there is no token: one bounded line without secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CredentialsError {
    kind: CredentialsErrorKind,
    message: String,
}

/// Whose fault it is that there is no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CredentialsErrorKind {
    /// There are no credentials where they were looked for.
    Missing,
    /// The credentials cannot be used: a file is damaged, a token holds a line break.
    Invalid,
    /// The server of tokens was not reached, or cannot answer now. Later it may.
    Unavailable,
    /// The server of tokens said no.
    Refused,
}

impl CredentialsError {
    /// An error of that kind. Of the message one line of some hundred bytes is kept; it must hold no secret.
    #[must_use]
    pub fn new(kind: CredentialsErrorKind, message: impl AsRef<str>) -> Self {
        Self { kind, message: one_line(message.as_ref(), MOST_BYTES) }
    }

    /// Whose fault it is.
    #[must_use]
    pub fn kind(&self) -> CredentialsErrorKind {
        self.kind
    }

    /// Whether asking once more may help.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.kind == CredentialsErrorKind::Unavailable
    }
}

impl fmt::Display for CredentialsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CredentialsError {}
