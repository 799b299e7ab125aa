//! Errors of transports.

use std::error::Error;
use std::fmt;

use super::BoxError;
use crate::text::one_line;

/// Maximum number of bytes of a message.
const MAX_MESSAGE_BYTES: usize = 512;

/// Error of a transport that has no response, or an incomplete one.
///
/// `Display` writes one bounded line, with the causes. The message must hold no secret and no query of a URL.
#[derive(Debug)]
pub struct TransportError {
    kind: TransportErrorKind,
    cause: BoxError,
}

/// Cause of a transport error, by which the client decides about a retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TransportErrorKind {
    /// The connection was not established, so nothing was sent.
    Connect,
    /// The exchange timed out. The server may have executed the request.
    Timeout,
    /// The connection broke. The server may have executed the request.
    Broken,
    /// The transport does not send such a request, and a retry would not help.
    Refused,
    /// The response exceeds a limit of the transport. The server may have executed the request. It is not retried.
    Limit,
}

impl TransportError {
    /// Creates an error. If the cause is a `TransportError` already, it is returned unchanged.
    pub fn new(kind: TransportErrorKind, cause: impl Into<BoxError>) -> Self {
        match cause.into().downcast::<Self>() {
            Ok(error) => *error,
            Err(cause) => Self { kind, cause },
        }
    }

    /// Returns the kind.
    #[must_use]
    pub fn kind(&self) -> TransportErrorKind {
        self.kind
    }

    /// Returns the cause.
    #[must_use]
    pub fn cause(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.cause
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Of connection errors, the end of the chain has the actual cause.
        let mut text = self.cause.to_string();
        let mut next = self.cause.source();
        while let Some(cause) = next {
            let cause_text = cause.to_string();
            if !text.ends_with(&cause_text) {
                text.push_str(": ");
                text.push_str(&cause_text);
            }
            next = cause.source();
        }
        f.write_str(&one_line(&text, MAX_MESSAGE_BYTES))
    }
}

/// There is no source: the message includes those of the causes.
impl Error for TransportError {}
