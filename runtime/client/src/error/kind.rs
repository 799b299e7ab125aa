//! Kinds of errors.

use std::fmt;
use std::time::Duration;

use wireform_runtime::RequestError;
use wireform_runtime::http::media_type::is_json;
use wireform_runtime::json::DecodeError;

use super::StatusError;
use crate::credentials::CredentialsError;
use crate::media::MediaError;
use crate::text::one_line;
use crate::transport::{TransportError, TransportErrorKind};

/// Maximum number of bytes of a content type in a message.
const MAX_CONTENT_TYPE: usize = 64;

/// Cause of a failed call.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind<B> {
    /// The server was not reached, or the connection broke.
    Connection(TransportError),
    /// No response arrived in time.
    Timeout {
        /// Timeout of an attempt, or of the body of a download.
        after: Duration,
    },
    /// The server responded with an error.
    Status(StatusError<B>),
    /// The body of a successful response does not match the schema.
    Decode {
        /// Error of decoding the body.
        error: DecodeError,
        /// HTTP status.
        status: u16,
        /// Content type of the response.
        content_type: Option<String>,
    },
    /// The request violates rules of the schema. It was not sent.
    #[cfg(feature = "validation")]
    Invalid(Box<wireform_validation::Violations>),
    /// The request cannot be encoded: a parameter or the body is invalid. It was not sent.
    Request(RequestError),
    /// An option of the call is invalid. The request was not sent.
    Option(OptionError),
    /// There are no usable credentials for the operation, or the token provider failed. The last attempt was not sent.
    Credentials(CredentialsError),
    /// The body of the response exceeds the limit.
    BodyTooLong {
        /// Maximum number of bytes that are read.
        limit: usize,
    },
    /// The responses to the calls of a batch exceed their common limit.
    BatchTooLong {
        /// Maximum number of bytes that are read for the whole batch.
        limit: usize,
        /// True if the call was sent. Then the server may have executed it.
        sent: bool,
    },
    /// The media to be uploaded are invalid.
    Media(MediaError),
    /// Client and server disagree about the protocol.
    Protocol(String),
}

/// Error of an option of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError {
    /// Name of the parameter or header.
    pub name: String,
    /// Violation.
    pub kind: OptionErrorKind,
}

/// Kind of an error of an option of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OptionErrorKind {
    /// The API has no such parameter.
    Unknown,
    /// The client itself sets the parameter.
    Reserved,
    /// The value holds a character that is not allowed in a header.
    ForbiddenCharacter,
}

impl<B> ErrorKind<B> {
    /// Converts the body of an error response; other kinds stay the same.
    pub(super) fn map_body<C>(self, map: impl FnOnce(B) -> Option<C>) -> ErrorKind<C> {
        match self {
            Self::Connection(error) => ErrorKind::Connection(error),
            Self::Timeout { after } => ErrorKind::Timeout { after },
            Self::Status(response) => ErrorKind::Status(response.map_body(map)),
            Self::Decode { error, status, content_type } => ErrorKind::Decode { error, status, content_type },
            #[cfg(feature = "validation")]
            Self::Invalid(violations) => ErrorKind::Invalid(violations),
            Self::Request(error) => ErrorKind::Request(error),
            Self::Option(error) => ErrorKind::Option(error),
            Self::Credentials(error) => ErrorKind::Credentials(error),
            Self::BodyTooLong { limit } => ErrorKind::BodyTooLong { limit },
            Self::BatchTooLong { limit, sent } => ErrorKind::BatchTooLong { limit, sent },
            Self::Media(error) => ErrorKind::Media(error),
            Self::Protocol(text) => ErrorKind::Protocol(text),
        }
    }

    /// Returns whether a retry may succeed, whatever the status of the response.
    pub(crate) fn is_temporary(&self) -> bool {
        match self {
            Self::Connection(error) => !matches!(error.kind(), TransportErrorKind::Refused | TransportErrorKind::Limit),
            Self::Timeout { .. } => true,
            Self::Credentials(error) => error.is_retryable(),
            _ => false,
        }
    }
}

impl<B> fmt::Display for ErrorKind<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connection(error) => error.fmt(f),
            Self::Timeout { after } => write!(f, "no response within {} s", after.as_secs_f64()),
            Self::Status(response) => response.fmt(f),
            Self::Decode { error, status, content_type } => {
                write!(f, "cannot decode the response ({status}): {error}")?;
                match content_type {
                    Some(text) if !is_json(text) => {
                        write!(f, "; its content type is `{}`", one_line(text, MAX_CONTENT_TYPE))
                    }
                    _ => Ok(()),
                }
            }
            #[cfg(feature = "validation")]
            Self::Invalid(violations) => write!(f, "the request was not sent: {}", violations.summary()),
            Self::Request(error) => error.fmt(f),
            Self::Option(error) => error.fmt(f),
            Self::Credentials(error) => error.fmt(f),
            Self::BodyTooLong { limit } => write!(f, "the response is longer than {limit} bytes"),
            Self::BatchTooLong { limit, sent } => {
                let call = if *sent { "the response to this call was not read" } else { "this call was not sent" };
                write!(f, "the responses of the batch exceed {limit} bytes: {call}")?;
                f.write_str("; help: send fewer calls in a batch, or set `max_batch_bytes`")
            }
            Self::Media(error) => error.fmt(f),
            Self::Protocol(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match self.kind {
            OptionErrorKind::Unknown => write!(f, "unknown parameter `{name}`"),
            OptionErrorKind::Reserved => write!(f, "the parameter `{name}` can be set only by the client itself"),
            OptionErrorKind::ForbiddenCharacter => {
                write!(f, "invalid character in the value of the header `{name}`")
            }
        }
    }
}

impl std::error::Error for OptionError {}
