//! Errors that a server answered.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use wireform_runtime::error_body::ErrorDetail;
use wireform_runtime::json::DecodeError;
use wireform_runtime::{Answer, AnswerHeaders};

use super::one_line;
use crate::call::read_headers;

/// The most bytes of a message or a reason that are shown.
const MOST_SHOWN: usize = 512;

/// An error that a server answered.
#[derive(Clone)]
#[non_exhaustive]
pub struct StatusError<B> {
    /// The status.
    pub status: u16,
    /// What went wrong in words.
    pub message: Option<String>,
    /// The kind of mistake as a word.
    pub reason: Option<String>,
    /// The parameter or header at fault.
    pub location: Option<String>,
    /// The violations one by one, as far as the body says them.
    pub details: Vec<ErrorDetail>,
    /// The body, if it is what the schema says of errors.
    pub body: Option<B>,
    /// The body as text, of which 64 KiB are kept.
    pub raw: String,
    /// How long the server asks to wait before the next attempt.
    pub retry_after: Option<Duration>,
    /// By what the server finds the request in its logs.
    pub request_id: Option<String>,
    /// Where the server redirects to, without path and query, if it does.
    pub redirect: Option<String>,
    /// The headers and the body as they came.
    pub(crate) received: Box<Received>,
}

/// An answer as it came, without secrets of the request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Received {
    pub(crate) headers: HeaderMap,
    /// The body, of which 64 KiB are kept.
    pub(crate) body: Bytes,
    /// Whether the API says with it that there were too many requests.
    pub(crate) is_rate_limit: bool,
}

impl<B> StatusError<B> {
    /// A status that nothing more is known of.
    pub(crate) fn bare(status: u16) -> Self {
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
            received: Box::default(),
        }
    }

    /// Returns the body as the server sent it, without secrets of the request. 64 KiB of it are kept.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        &self.received.body
    }

    /// Returns the headers, without those that repeat a secret of the request.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        &self.received.headers
    }

    /// Returns the media type that the server says the body has.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        self.headers().get(CONTENT_TYPE)?.to_str().ok()
    }

    /// Decodes the body as another type, whatever the status is.
    ///
    /// # Errors
    /// When the body is not of the type.
    pub fn body_as<T: Answer>(&self) -> Result<T, DecodeError> {
        T::decode_as(self.bytes(), self.content_type())
    }

    /// Reads the headers that the errors of an operation declare: `NotesGetErrorHeaders`. One that is not there, or is
    /// no value of its type, is absent.
    #[must_use]
    pub fn read_headers<H: AnswerHeaders>(&self) -> H {
        read_headers(self.headers())
    }

    pub(super) fn map_body<C>(self, map: impl FnOnce(B) -> Option<C>) -> StatusError<C> {
        let Self { status, message, reason, location, details, body, raw, .. } = self;
        let Self { retry_after, request_id, redirect, received, .. } = self;
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
            received,
        }
    }
}

impl<B> fmt::Display for StatusError<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.status)?;
        if let Some(reason) = &self.reason {
            write!(f, " {}", one_line(reason, MOST_SHOWN))?;
        }
        let standard = || http::StatusCode::from_u16(self.status).ok()?.canonical_reason();
        match &self.message {
            Some(message) => write!(f, ": {}", one_line(message, MOST_SHOWN))?,
            None if self.reason.is_none() => {
                if let Some(reason) = standard() {
                    write!(f, " {reason}")?;
                }
            }
            None => {}
        }
        match &self.redirect {
            Some(origin) => write!(f, "; the redirect to {} is not followed", one_line(origin, MOST_SHOWN)),
            None => Ok(()),
        }
    }
}

/// Without the text of the body and the values of the headers, which may hold anything.
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
