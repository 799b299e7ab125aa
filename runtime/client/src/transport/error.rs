//! Why there is no answer.

use std::error::Error;
use std::fmt;

use super::BoxError;
use crate::error::one_line;

/// The most bytes of a message.
const MOST_BYTES: usize = 512;

/// Why a transport has no answer, or not all of it.
///
/// It displays as one bounded line, with the errors that caused it. The message must hold no secret, and of an
/// address no query.
#[derive(Debug)]
pub struct TransportError {
    kind: TransportErrorKind,
    cause: BoxError,
}

/// What kept a transport from getting an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TransportErrorKind {
    /// There is no connection, so nothing was sent.
    Connect,
    /// It took too long. The server may have done what it was asked.
    Timeout,
    /// The connection broke. The server may have done what it was asked.
    Broken,
    /// The transport does not send such a request, and will not.
    Refused,
    /// The response exceeds a limit of the transport. The server may have done what it was asked, and is not asked
    /// again.
    Limit,
}

impl TransportError {
    /// An error of that kind. An error that is one of a transport already is taken as it is.
    pub fn new(kind: TransportErrorKind, cause: impl Into<BoxError>) -> Self {
        match cause.into().downcast::<Self>() {
            Ok(error) => *error,
            Err(cause) => Self { kind, cause },
        }
    }

    /// What kept the transport from getting an answer.
    #[must_use]
    pub fn kind(&self) -> TransportErrorKind {
        self.kind
    }

    /// The error that caused it.
    #[must_use]
    pub fn cause(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.cause
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Errors of connections say what happened only at the end of the chain.
        let mut text = self.cause.to_string();
        let mut next = self.cause.source();
        while let Some(cause) = next {
            let said = cause.to_string();
            if !text.ends_with(&said) {
                text.push_str(": ");
                text.push_str(&said);
            }
            next = cause.source();
        }
        f.write_str(&one_line(&text, MOST_BYTES))
    }
}

/// There is no source: what is displayed says all of it already.
impl Error for TransportError {}
