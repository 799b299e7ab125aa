//! Errors of calls.

mod build;
mod kind;
mod status;

use std::fmt;

use wireform_runtime::operation::Operation;
use wireform_runtime::{OperationError, Request};

pub use build::BuildError;
pub use kind::{ErrorKind, OptionError, OptionErrorKind};
pub(crate) use status::RawResponse;
pub use status::StatusError;

use crate::transport::TransportErrorKind;

/// Statuses that are retried by default.
pub(crate) const RETRYABLE_STATUSES: &[u16] = &[408, 429, 500, 502, 503, 504];

/// Error of a call. `B` is the type of the API's error bodies.
///
/// `Display` writes one line that names the operation, without secrets and without the query of a URL.
pub struct Error<B> {
    // Boxed, so that results and the futures that hold them stay small.
    inner: Box<Inner<B>>,
}

/// Content of an error, boxed to keep results small.
struct Inner<B> {
    operation: &'static str,
    attempts: u32,
    max_attempts: u32,
    kind: ErrorKind<B>,
}

impl<B> Error<B> {
    /// Creates an error without attempts: the request was not sent, or the error was found after the call.
    pub(crate) fn new(operation: &'static Operation, kind: ErrorKind<B>) -> Self {
        Self { inner: Box::new(Inner { operation: operation.name, attempts: 0, max_attempts: 0, kind }) }
    }

    /// Sets the number of attempts, and how many were allowed.
    pub(crate) fn with_attempts(mut self, attempts: u32, allowed: u32) -> Self {
        self.inner.attempts = attempts;
        self.inner.max_attempts = allowed;
        self
    }

    /// Converts the body of the response to another type.
    pub(crate) fn map_body<C>(self, map: impl FnOnce(B) -> Option<C>) -> Error<C> {
        let Inner { operation, attempts, max_attempts: allowed, kind } = *self.inner;
        Error { inner: Box::new(Inner { operation, attempts, max_attempts: allowed, kind: kind.map_body(map) }) }
    }

    /// Returns the name of the operation, such as `events.insert`.
    #[must_use]
    pub fn operation(&self) -> &'static str {
        self.inner.operation
    }

    /// Returns the cause of the error.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind<B> {
        &self.inner.kind
    }

    /// Converts the error into its cause.
    #[must_use]
    pub fn into_kind(self) -> ErrorKind<B> {
        self.inner.kind
    }

    /// Returns how often the request was sent. 0 also if the error was found after the call (pages, polls, updates).
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.inner.attempts
    }

    /// Returns the error response of the server, if there was one.
    #[must_use]
    pub fn response(&self) -> Option<&StatusError<B>> {
        match self.kind() {
            ErrorKind::Status(response) => Some(response),
            _ => None,
        }
    }

    /// Decodes the error response as one of the errors that the operation declares, with its body: `NotesGetError`.
    ///
    /// The body is decoded by the status: as the error of that status, else of its class, else of the default. Returns
    /// `None` if the operation declares no such error, if the body is of another type, and for errors of other
    /// operations; [`response`](Self::response) still has the status, the headers and the whole body.
    #[must_use]
    pub fn decode<E: OperationError>(&self) -> Option<E> {
        let response = self.response().filter(|_| self.operation() == <E::Request as Request>::OPERATION.name)?;
        E::decode(response.status, response.bytes(), response.content_type())
    }

    /// Returns the status of the response, if there was one.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        match self.kind() {
            ErrorKind::Status(response) => Some(response.status),
            ErrorKind::Decode { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// Returns the reason, as the server names it.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.response()?.reason.as_deref()
    }

    /// Returns true if the same request may succeed later. It does not say whether a retry is harmless.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self.kind() {
            ErrorKind::Status(response) => RETRYABLE_STATUSES.contains(&response.status) || self.is_rate_limited(),
            kind => kind.is_temporary(),
        }
    }

    /// Returns true if the resource was not found (404).
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        self.is_status(404)
    }

    /// Returns true if the request conflicts with the server's state, for example an identifier that is taken (409).
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        self.is_status(409)
    }

    /// Returns true if the resource is gone (410).
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.is_status(410)
    }

    /// Returns true if a precondition of the request failed (412).
    #[must_use]
    pub fn is_precondition_failed(&self) -> bool {
        self.is_status(412)
    }

    /// Returns true if the request was not authenticated (401).
    #[must_use]
    pub fn is_unauthorized(&self) -> bool {
        self.is_status(401)
    }

    /// Returns true if permission was denied (403). That includes a 403 for which
    /// [`is_rate_limited`](Self::is_rate_limited) returns true.
    #[must_use]
    pub fn is_forbidden(&self) -> bool {
        self.is_status(403)
    }

    /// Returns true if there were too many requests: 429, or another status with a reason that the schema names for it.
    #[must_use]
    pub fn is_rate_limited(&self) -> bool {
        self.response().is_some_and(|response| response.raw_response.is_rate_limit)
    }

    /// Returns true if no response arrived in time.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        match self.kind() {
            ErrorKind::Timeout { .. } => true,
            ErrorKind::Connection(error) => error.kind() == TransportErrorKind::Timeout,
            _ => false,
        }
    }

    /// Returns true if the server was not reached, so that it has not executed the request.
    #[must_use]
    pub fn is_connect(&self) -> bool {
        matches!(self.kind(), ErrorKind::Connection(error) if error.kind() == TransportErrorKind::Connect)
    }

    /// Returns true if the response does not match the schema.
    #[must_use]
    pub fn is_decode(&self) -> bool {
        matches!(self.kind(), ErrorKind::Decode { .. })
    }

    /// Returns the violations because of which the request was not sent.
    #[cfg(feature = "validation")]
    #[must_use]
    pub fn violations(&self) -> Option<&wireform_validation::Violations> {
        match self.kind() {
            ErrorKind::Invalid(violations) => Some(violations),
            _ => None,
        }
    }

    /// Returns whether the error is a response with this status.
    fn is_status(&self, status: u16) -> bool {
        self.response().is_some_and(|response| response.status == status)
    }
}

impl<B> fmt::Display for Error<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { operation, attempts, max_attempts: allowed, kind } = &*self.inner;
        write!(f, "{operation}: {kind}")?;
        if *attempts > 1 {
            write!(f, " (attempt {attempts} of {allowed})")?;
        }
        Ok(())
    }
}

impl<B: fmt::Debug> fmt::Debug for Error<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("operation", &self.inner.operation)
            .field("attempts", &self.inner.attempts)
            .field("kind", &self.inner.kind)
            .finish()
    }
}

/// There is no source: the message includes that of the cause. The causes are in [`kind`](Error::kind).
impl<B: fmt::Debug> std::error::Error for Error<B> {}
