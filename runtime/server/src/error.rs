//! Errors of handlers and of the library.

mod location;
mod reason;
mod render;

use std::borrow::Cow;
use std::fmt;

use axum::body::Body;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use wireform_runtime::operation::ReasonCase;
use wireform_runtime::{OperationError, ResponseHeaders};
use wireform_validation::Violations;

pub use location::ErrorLocation;
pub(crate) use reason::Reason;
pub(crate) use render::{encode_long_error, render};

/// Error response. It is rendered with its status in the API's error format. The cause is logged, for a status below
/// 500 at the level `debug`, and never sent.
pub struct Error(Box<Inner>);

/// Content of an error, boxed to keep results small.
pub(crate) struct Inner {
    pub(crate) status: StatusCode,
    pub(crate) reason: Option<Reason>,
    pub(crate) message: Cow<'static, str>,
    pub(crate) location: Option<ErrorLocation>,
    pub(crate) violations: Option<Violations>,
    pub(crate) headers: HeaderMap,
    /// Custom body, which replaces the generated one.
    pub(crate) body: Option<serde_json::Value>,
    /// Encoded body of an error that the operation declares, with its media type.
    pub(crate) encoded: Option<(HeaderValue, Vec<u8>)>,
    pub(crate) cause: Option<Box<dyn std::error::Error + Send + Sync>>,
    /// Wrapper of the response, which holds the memory of a long encoded body until it has been sent.
    pub(crate) wrapper: Option<ResponseWrapper>,
}

/// Function that wraps a response.
type ResponseWrapper = Box<dyn FnOnce(Response<Body>) -> Response<Body> + Send + Sync>;

impl Error {
    /// Creates an error with a status and a message for the client.
    #[must_use]
    pub fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner {
            status,
            reason: None,
            message: message.into(),
            location: None,
            violations: None,
            headers: HeaderMap::new(),
            body: None,
            encoded: None,
            cause: None,
            wrapper: None,
        }))
    }

    /// Creates an error that the operation declares, with its body: `NotesGetError`. If it cannot be encoded, it
    /// becomes a 500.
    #[must_use]
    pub fn from_error(error: &impl OperationError) -> Self {
        let parts = error.parts();
        let found = StatusCode::from_u16(parts.status).ok().zip(HeaderValue::from_str(parts.content_type).ok());
        let Some((status, content_type)) = found.filter(|(status, _)| status.as_u16() >= 400) else {
            return Self::internal(format!("`{}` is not an error status", parts.status));
        };
        let body = match parts.encode() {
            Ok(body) => body,
            Err(error) => return Self::internal(error),
        };
        let mut error = Self::new(status, status.canonical_reason().unwrap_or("the operation has failed"));
        error.0.encoded = Some((content_type, body));
        error
    }

    /// Bad request (400).
    #[must_use]
    pub fn bad_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// Authentication required (401).
    #[must_use]
    pub fn unauthorized(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, message)
    }

    /// Permission denied (403).
    #[must_use]
    pub fn forbidden(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }

    /// Not found, or not visible to the caller (404).
    #[must_use]
    pub fn not_found(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// Conflict with the stored state (409).
    #[must_use]
    pub fn conflict(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::CONFLICT, message)
    }

    /// Gone (410).
    #[must_use]
    pub fn gone(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::GONE, message)
    }

    /// Precondition failed (412).
    #[must_use]
    pub fn precondition_failed(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::PRECONDITION_FAILED, message)
    }

    /// Too many requests (429), with the delay in seconds before the next one.
    #[must_use]
    pub fn too_many_requests(message: impl Into<Cow<'static, str>>, seconds: u32) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, message).with_retry_after(seconds)
    }

    /// Internal error (500). The cause is logged.
    #[must_use]
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "the request could not be processed").with_cause(cause)
    }

    /// Not implemented (501), as default handlers return it.
    #[must_use]
    pub fn not_implemented(operation: &str) -> Self {
        Self::new(StatusCode::NOT_IMPLEMENTED, format!("the operation `{operation}` is not implemented"))
    }

    /// Service unavailable (503), with the delay in seconds before the next attempt.
    #[must_use]
    pub fn unavailable(message: impl Into<Cow<'static, str>>, seconds: u32) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message).with_retry_after(seconds)
    }

    /// Sets the reason, such as `fullSyncRequired`. The default depends on the status, and is omitted if the schema
    /// does not list it.
    #[must_use]
    pub fn with_reason(mut self, reason: impl Into<Cow<'static, str>>) -> Self {
        self.0.reason = Some(Reason::Custom(reason.into()));
        self
    }

    /// Sets the case, whose reason the schema may define.
    pub(crate) fn with_case(mut self, case: ReasonCase) -> Self {
        self.0.reason = Some(Reason::Case(case));
        self
    }

    /// Sets the location of the error within the request.
    #[must_use]
    pub fn with_location(mut self, at: ErrorLocation) -> Self {
        self.0.location = Some(at);
        self
    }

    /// Sets the delay in seconds before the next attempt (`Retry-After`).
    #[must_use]
    pub fn with_retry_after(self, seconds: u32) -> Self {
        self.with_header(http::header::RETRY_AFTER, HeaderValue::from(seconds))
    }

    /// Sets a header.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.headers.insert(name, value);
        self
    }

    /// Sets the headers that the errors of the operation declare: `NotesGetErrorHeaders`. The error becomes a 500 if a
    /// value holds characters that are not allowed in a header, such as a line break.
    #[must_use]
    pub fn with_headers(mut self, headers: &impl ResponseHeaders) -> Self {
        let mut refused = None;
        headers.write(&mut |name, text| {
            let value = text.and_then(|text| HeaderValue::from_str(&text).ok());
            match HeaderName::from_bytes(name.as_bytes()).ok().zip(value) {
                Some((name, value)) => crate::declared_headers::set(&mut self.0.headers, name, value),
                None => refused = Some(name),
            }
        });
        match refused {
            Some(name) => Self::internal(format!("invalid value of the header `{name}`")),
            None => self,
        }
    }

    /// Sets a custom body, such as a resource that an error of the contract declares.
    #[must_use]
    pub fn with_body(mut self, body: serde_json::Value) -> Self {
        self.0.body = Some(body);
        self
    }

    /// Sets the cause, for the log.
    #[must_use]
    pub fn with_cause(mut self, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.0.cause = Some(cause.into());
        self
    }

    /// Returns the status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// Returns the message for the client.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the violations of the request, if it was validated.
    #[must_use]
    pub fn violations(&self) -> Option<&Violations> {
        self.0.violations.as_ref()
    }

    /// Returns a mutable reference to the location of the error within the request.
    pub(crate) fn location_mut(&mut self) -> Option<&mut ErrorLocation> {
        self.0.location.as_mut()
    }

    /// Returns a mutable reference to the violations of the request, if it was validated.
    pub(crate) fn violations_mut(&mut self) -> Option<&mut Violations> {
        self.0.violations.as_mut()
    }

    /// Updates the message from the violations.
    pub(crate) fn summarize(&mut self) {
        if let Some(violations) = &self.0.violations {
            self.0.message = violations.summary().into();
        }
    }

    #[cfg(test)]
    pub(crate) fn inner(&self) -> &Inner {
        &self.0
    }

    pub(crate) fn inner_mut(&mut self) -> &mut Inner {
        &mut self.0
    }

    /// Moves the content of the error out of its box.
    pub(crate) fn into_inner(self) -> Inner {
        *self.0
    }
}

/// Converts all violations of a request to one 400.
impl From<Violations> for Error {
    fn from(violations: Violations) -> Self {
        let mut error = Self::bad_request(violations.summary());
        error.0.violations = Some(violations);
        error
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { status, reason, message, location: at, .. } = &*self.0;
        f.debug_struct("Error")
            .field("status", status)
            .field("reason", reason)
            .field("message", message)
            .field("at", at)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.status.as_u16(), self.0.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.cause.as_deref().map(|cause| cause as _)
    }
}
