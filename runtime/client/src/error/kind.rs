//! The kinds of errors.

use std::fmt;
use std::time::Duration;

use wireform_runtime::RequestError;
use wireform_runtime::json::DecodeError;

use super::{StatusError, one_line};
use crate::credentials::CredentialsError;
use crate::media::MediaError;
use crate::transport::{TransportError, TransportErrorKind};

/// The most bytes of a content type that are shown.
const MOST_TYPE: usize = 64;

/// What went wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind<B> {
    /// The server was not reached, or the connection broke.
    Connection(TransportError),
    /// There was no answer in time.
    Timeout {
        /// How long an attempt could take.
        after: Duration,
    },
    /// The server answered an error.
    Status(StatusError<B>),
    /// The server answered a success whose body is not what the schema says.
    Decode {
        /// What is wrong.
        error: DecodeError,
        /// The status.
        status: u16,
        /// What the server says the body is.
        content_type: Option<String>,
    },
    /// The request breaks rules of the schema. Nothing was sent.
    #[cfg(feature = "validation")]
    Invalid(Box<wireform_validation::Violations>),
    /// The request cannot be written: a parameter or the body is at fault. Nothing was sent.
    Request(RequestError),
    /// An option of the call cannot be sent. Nothing was sent.
    Option(OptionError),
    /// There are no credentials that the operation takes. Nothing was sent in the last attempt.
    Credentials(CredentialsError),
    /// The body of the answer is too long.
    BodyTooLong {
        /// The most bytes that are read.
        limit: usize,
    },
    /// The responses to the calls of a batch are too long together.
    BatchTooLong {
        /// Maximum number of bytes that are read for the whole batch.
        limit: usize,
        /// Whether the call was sent. The server has done then what it was asked, or tried to.
        sent: bool,
    },
    /// The media that were to go up are at fault.
    Media(MediaError),
    /// Client and server do not understand each other.
    Protocol(String),
}

/// Why an option of a call cannot be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError {
    /// The parameter or header.
    pub name: String,
    /// What is wrong.
    pub kind: OptionErrorKind,
}

/// What is wrong with an option of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OptionErrorKind {
    /// The operations of the API take no such parameter.
    Unknown,
    /// The client itself decides on it.
    Reserved,
    /// No header can hold one of its characters.
    ForbiddenCharacter,
}

impl<B> ErrorKind<B> {
    pub(super) fn map_body<C>(self, map: impl FnOnce(B) -> Option<C>) -> ErrorKind<C> {
        match self {
            Self::Connection(error) => ErrorKind::Connection(error),
            Self::Timeout { after } => ErrorKind::Timeout { after },
            Self::Status(answer) => ErrorKind::Status(answer.map_body(map)),
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

    /// Whether it may go right another time, whatever the server answered.
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
            Self::Timeout { after } => write!(f, "no answer within {} s", after.as_secs_f64()),
            Self::Status(answer) => answer.fmt(f),
            Self::Decode { error, status, content_type } => {
                write!(f, "the answer ({status}) cannot be decoded: {error}")?;
                match content_type {
                    Some(text) if !is_json(text) => write!(f, "; its content type is {}", one_line(text, MOST_TYPE)),
                    _ => Ok(()),
                }
            }
            #[cfg(feature = "validation")]
            Self::Invalid(violations) => write!(f, "the request is not sent: {}", violations.summary()),
            Self::Request(error) => error.fmt(f),
            Self::Option(error) => error.fmt(f),
            Self::Credentials(error) => error.fmt(f),
            Self::BodyTooLong { limit } => write!(f, "the answer is longer than {limit} bytes"),
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

/// Whether a content type names JSON, or a format written in it (RFC 6839, section 3.1).
fn is_json(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim_ascii().to_ascii_lowercase();
    essence == "application/json" || essence == "text/json" || essence.ends_with("+json")
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match self.kind {
            OptionErrorKind::Unknown => write!(f, "the API has no parameter `{name}`"),
            OptionErrorKind::Reserved => write!(f, "the parameter `{name}` is for the client itself to set"),
            OptionErrorKind::ForbiddenCharacter => {
                write!(f, "`{name}` holds a character that a header cannot hold")
            }
        }
    }
}

impl std::error::Error for OptionError {}
