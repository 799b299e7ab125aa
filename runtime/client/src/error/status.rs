//! Error responses.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use wireform_runtime::error_body::ErrorDetail;
use wireform_runtime::json::DecodeError;
use wireform_runtime::{ResponseHeaders, WireBody};

use crate::reply::read_headers;
use crate::text::one_line;

/// Maximum number of bytes of a message or a reason that are displayed.
const MAX_MESSAGE: usize = 512;

/// Error response of a server.
#[derive(Clone)]
#[non_exhaustive]
pub struct StatusError<B> {
    /// HTTP status.
    pub status: u16,
    /// Message for developers or users.
    pub message: Option<String>,
    /// Reason for programs.
    pub reason: Option<String>,
    /// Location of the error: the name of a parameter or header, or the path of a field.
    pub location: Option<String>,
    /// Violations, if the body lists them.
    pub details: Vec<ErrorDetail>,
    /// Body, if it matches the schema of errors.
    pub body: Option<B>,
    /// Body as text, cut off at 64 KiB.
    pub raw: String,
    /// Delay before the next attempt that the server requests.
    pub retry_after: Option<Duration>,
    /// Identifier of the request in the server's logs.
    pub request_id: Option<String>,
    /// Target of a redirect that was not followed, without path and query.
    pub redirect: Option<String>,
    /// Headers and body as received.
    pub(crate) raw_response: Box<RawResponse>,
}

/// Response as received, without secrets of the request.
#[derive(Clone, Debug, Default)]
pub(crate) struct RawResponse {
    pub(crate) headers: HeaderMap,
    /// Body, cut off at 64 KiB.
    pub(crate) body: Bytes,
    /// True if the API reports by it that there were too many requests.
    pub(crate) is_rate_limit: bool,
}

impl<B> StatusError<B> {
    /// Creates an error of which only the status is known.
    pub(crate) fn from_status(status: u16) -> Self {
        Self {
            status,
            message: None,
            reason: None,
            location: None,
            details: Vec::new(),
            body: None,
            raw: String::new(),
            retry_after: None,
            request_id: None,
            redirect: None,
            raw_response: Box::default(),
        }
    }

    /// Returns the body as the server sent it, without secrets of the request, cut off at 64 KiB.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        &self.raw_response.body
    }

    /// Returns the headers, without those that repeat a secret of the request.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        &self.raw_response.headers
    }

    /// Returns the content type of the body.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        self.headers().get(CONTENT_TYPE)?.to_str().ok()
    }

    /// Decodes the body as another type, whatever the status is.
    ///
    /// # Errors
    /// Returns an error if the body does not match the type.
    pub fn body_as<T: WireBody>(&self) -> Result<T, DecodeError> {
        T::decode_with_type(self.bytes(), self.content_type())
    }

    /// Parses the headers that the errors of an operation declare: `NotesGetErrorHeaders`. A header that is missing or
    /// invalid is `None`.
    #[must_use]
    pub fn read_headers<H: ResponseHeaders>(&self) -> H {
        read_headers(self.headers())
    }

    /// Converts the decoded body, which is dropped if `map` returns `None`.
    pub(super) fn map_body<C>(self, map: impl FnOnce(B) -> Option<C>) -> StatusError<C> {
        let Self { status, message, reason, location, details, body, raw, .. } = self;
        let Self { retry_after, request_id, redirect, raw_response: received, .. } = self;
        let body = body.and_then(map);
        StatusError {
            status,
            message,
            reason,
            location,
            details,
            body,
            raw,
            retry_after,
            request_id,
            redirect,
            raw_response: received,
        }
    }
}

impl<B> fmt::Display for StatusError<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.status)?;
        if let Some(reason) = &self.reason {
            write!(f, " {}", one_line(reason, MAX_MESSAGE))?;
        }
        let standard = || http::StatusCode::from_u16(self.status).ok()?.canonical_reason();
        match &self.message {
            Some(message) => write!(f, ": {}", one_line(message, MAX_MESSAGE))?,
            None if self.reason.is_none() => {
                if let Some(reason) = standard() {
                    write!(f, " {reason}")?;
                }
            }
            None => {}
        }
        match &self.redirect {
            Some(origin) => write!(f, "; the redirect to `{}` is not followed", one_line(origin, MAX_MESSAGE)),
            None => Ok(()),
        }
    }
}

/// Omits the text of the body and the values of the headers, which may hold secrets.
impl<B: fmt::Debug> fmt::Debug for StatusError<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StatusError")
            .field("status", &self.status)
            .field("message", &self.message)
            .field("reason", &self.reason)
            .field("location", &self.location)
            .field("details", &self.details)
            .field("body", &self.body)
            .field("raw", &format_args!("{} bytes", self.raw.len()))
            .field("headers", &self.headers().len())
            .field("retry_after", &self.retry_after)
            .field("request_id", &self.request_id)
            .field("redirect", &self.redirect)
            .finish()
    }
}
