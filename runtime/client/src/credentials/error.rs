//! Errors of credentials.

use std::fmt;

use crate::text::one_line;

/// Maximum number of bytes of a message, which may include text of a server.
const MAX_MESSAGE_BYTES: usize = 512;

/// Error of credentials: one bounded line without secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CredentialsError {
    kind: CredentialsErrorKind,
    message: String,
}

/// Kind of an error of credentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CredentialsErrorKind {
    /// No credentials were found.
    Missing,
    /// The credentials are invalid: a file is damaged, or a token holds a line break.
    Invalid,
    /// The token server cannot be reached, or is temporarily unavailable.
    Unavailable,
    /// The token server refused the request.
    Refused,
}

impl CredentialsError {
    /// Creates an error. The message is cut off after one line of some hundred bytes; it must hold no secret.
    #[must_use]
    pub fn new(kind: CredentialsErrorKind, message: impl AsRef<str>) -> Self {
        Self { kind, message: one_line(message.as_ref(), MAX_MESSAGE_BYTES) }
    }

    /// Returns the kind.
    #[must_use]
    pub fn kind(&self) -> CredentialsErrorKind {
        self.kind
    }

    /// Returns true if a retry may succeed.
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
