//! What can go wrong with a call.

mod build;
mod kind;
mod status;
mod text;

use std::fmt;

use wireform_runtime::operation::Operation;
use wireform_runtime::{OperationError, Request};

pub use build::BuildError;
pub use kind::{ErrorKind, OptionError, OptionErrorKind};
pub(crate) use status::Received;
pub use status::StatusError;
pub(crate) use text::one_line;

use crate::transport::TransportErrorKind;

/// The statuses that say: try again.
pub(crate) const STATUSES: &[u16] = &[408, 429, 500, 502, 503, 504];

/// Why a call has no value to give. `B` is what the API's errors answer.
///
/// It displays as one line that names the operation, and shows no address with its query and no secret.
pub struct Error<B> {
    // Results stay small, and so do the futures that hold them.
    inner: Box<Inner<B>>,
}

struct Inner<B> {
    operation: &'static str,
    attempts: u32,
    allowed: u32,
    kind: ErrorKind<B>,
}

impl<B> Error<B> {
    /// An error of an operation, before anything was sent.
    pub(crate) fn new(operation: &'static Operation, kind: ErrorKind<B>) -> Self {
        Self { inner: Box::new(Inner { operation: operation.name, attempts: 0, allowed: 0, kind }) }
    }

    /// With how often the request was sent, and how often it could have been.
    pub(crate) fn after(mut self, attempts: u32, allowed: u32) -> Self {
        self.inner.attempts = attempts;
        self.inner.allowed = allowed;
        self
    }

    /// With the body of the answer as another type.
    pub(crate) fn map_body<C>(self, map: impl FnOnce(B) -> Option<C>) -> Error<C> {
        let Inner { operation, attempts, allowed, kind } = *self.inner;
        Error { inner: Box::new(Inner { operation, attempts, allowed, kind: kind.map_body(map) }) }
    }

    /// The operation: `events.insert`.
    #[must_use]
    pub fn operation(&self) -> &'static str {
        self.inner.operation
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind<B> {
        &self.inner.kind
    }

    /// What went wrong, taken out.
    #[must_use]
    pub fn into_kind(self) -> ErrorKind<B> {
        self.inner.kind
    }

    /// How often the request was sent.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.inner.attempts
    }

    /// What the server answered, if it answered an error.
    #[must_use]
    pub fn answer(&self) -> Option<&StatusError<B>> {
        match self.kind() {
            ErrorKind::Status(answer) => Some(answer),
            _ => None,
        }
    }

    /// Decodes what the server answered as one of the errors that the operation declares, with its body: `NotesGetError`.
    ///
    /// The body is decoded by the status: as the error of that status, else of its class, else of all others. Returns
    /// `None` where the operation declares no such error, where the body is of another type, and for errors of other
    /// operations; [`answer`](Self::answer) has the status, the headers and the whole body then as well.
    #[must_use]
    pub fn decode<E: OperationError>(&self) -> Option<E> {
        let answer = self.answer().filter(|_| self.operation() == <E::Request as Request>::OPERATION.name)?;
        E::decode(answer.status, answer.bytes(), answer.content_type())
    }

    /// The status of the answer, if there is one.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        match self.kind() {
            ErrorKind::Status(answer) => Some(answer.status),
            ErrorKind::Decode { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// The kind of mistake as the server's word.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.answer()?.reason.as_deref()
    }

    /// Whether the same request may succeed later. Whether sending it again is harmless is another question.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self.kind() {
            ErrorKind::Status(answer) => STATUSES.contains(&answer.status) || self.is_rate_limited(),
            kind => kind.is_temporary(),
        }
    }

    /// Whether the server has no such thing: 404.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        self.is_status(404)
    }

    /// Whether the request does not fit what the server has, such as an identifier that is taken: 409.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        self.is_status(409)
    }

    /// Whether what was asked for is not there any more: 410.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.is_status(410)
    }

    /// Whether a condition of the request does not hold: 412.
    #[must_use]
    pub fn is_precondition_failed(&self) -> bool {
        self.is_status(412)
    }

    /// Whether the server does not know who asks: 401.
    #[must_use]
    pub fn is_unauthorized(&self) -> bool {
        self.is_status(401)
    }

    /// Whether who asks may not: 403. That includes a 403 for which [`is_rate_limited`](Self::is_rate_limited)
    /// holds.
    #[must_use]
    pub fn is_forbidden(&self) -> bool {
        self.is_status(403)
    }

    /// Whether there were too many requests: 429, or another status with a reason that the schema names for it.
    #[must_use]
    pub fn is_rate_limited(&self) -> bool {
        self.answer().is_some_and(|answer| answer.received.is_rate_limit)
    }

    /// Whether there was no answer in time.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        match self.kind() {
            ErrorKind::Timeout { .. } => true,
            ErrorKind::Connection(error) => error.kind() == TransportErrorKind::Timeout,
            _ => false,
        }
    }

    /// Whether the server was not reached, so that it has done nothing.
    #[must_use]
    pub fn is_connect(&self) -> bool {
        matches!(self.kind(), ErrorKind::Connection(error) if error.kind() == TransportErrorKind::Connect)
    }

    /// Whether the answer is not what the schema says.
    #[must_use]
    pub fn is_decode(&self) -> bool {
        matches!(self.kind(), ErrorKind::Decode { .. })
    }

    /// What the request breaks, if it was not sent for that.
    #[cfg(feature = "validation")]
    #[must_use]
    pub fn violations(&self) -> Option<&wireform_validation::Violations> {
        match self.kind() {
            ErrorKind::Invalid(violations) => Some(violations),
            _ => None,
        }
    }

    fn is_status(&self, status: u16) -> bool {
        self.answer().is_some_and(|answer| answer.status == status)
    }
}

impl<B> fmt::Display for Error<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { operation, attempts, allowed, kind } = &*self.inner;
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

/// There is no source: what is displayed says all of it already. The causes are in [`kind`](Error::kind).
impl<B: fmt::Debug> std::error::Error for Error<B> {}
