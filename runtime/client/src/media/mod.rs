//! Media: bytes that are uploaded together with a request or as its body, and bytes that are downloaded.
//!
//! | topic | see |
//! |---|---|
//! | sources of bytes | [`Media`], `source` |
//! | protocols of uploads | [`Protocol`], [`Progress`] |

mod body;
mod multipart;
mod reader;
mod source;

pub(crate) use body::MediaBody;
pub(crate) use multipart::{RelatedBody, related_body};
pub(crate) use reader::ChunkReader;
pub(crate) use source::ByteStream;
pub use source::Media;

use std::fmt;

use crate::text::one_line;
use crate::transport::BoxError;

/// Protocol by which media are uploaded: in one request or in several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Protocol {
    /// One request; the JSON body of the operation is the first part of a `multipart/related`.
    Simple,
    /// Chunks, of which those that have not arrived are sent again.
    Resumable,
}

impl Protocol {
    /// Returns what the protocol sends, for messages.
    fn description(self) -> &'static str {
        match self {
            Self::Simple => "a JSON body together with media",
            Self::Resumable => "resumable uploads",
        }
    }
}

/// Progress of an upload, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Number of bytes that have arrived.
    pub arrived: u64,
    /// Total number of bytes, if it is known.
    pub total: Option<u64>,
}

/// Error of media that cannot be uploaded.
#[derive(Debug)]
pub struct MediaError {
    kind: MediaErrorKind,
    cause: Option<BoxError>,
}

/// Kind of an error of media.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MediaErrorKind {
    /// The operation does not accept media of that type.
    UnsupportedType {
        /// Media type of the media.
        content_type: String,
        /// Media types and ranges that the operation accepts.
        accepted: &'static [&'static str],
    },
    /// The media exceed the operation's maximum size.
    TooLong {
        /// Maximum number of bytes.
        limit: u64,
    },
    /// The number of bytes differs from the declared length.
    LengthMismatch {
        /// Declared length in bytes.
        declared: u64,
    },
    /// The media cannot be read.
    Unreadable,
    /// The media would have to be read again, but can be read only once.
    ReadOnce,
    /// The operation does not support the protocol.
    UnsupportedProtocol(Protocol),
}

impl MediaError {
    pub(crate) fn new(kind: MediaErrorKind) -> Self {
        Self { kind, cause: None }
    }

    /// Creates the error of media that cannot be read.
    pub(crate) fn unreadable(cause: impl Into<BoxError>) -> Self {
        Self { kind: MediaErrorKind::Unreadable, cause: Some(cause.into()) }
    }

    /// Returns the kind.
    #[must_use]
    pub fn kind(&self) -> &MediaErrorKind {
        &self.kind
    }

    /// Returns the cause of a read error.
    #[must_use]
    pub fn cause(&self) -> Option<&(dyn std::error::Error + Send + Sync + 'static)> {
        self.cause.as_deref()
    }
}

impl fmt::Display for MediaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            MediaErrorKind::UnsupportedType { content_type, accepted } => {
                let content_type_text = one_line(content_type, 64);
                write!(f, "unsupported media type `{content_type_text}`: expected {}", accepted.join(", "))
            }
            MediaErrorKind::TooLong { limit } => {
                write!(f, "the media exceed the limit of {limit} bytes")
            }
            MediaErrorKind::LengthMismatch { declared } => {
                write!(f, "the length of the media differs from the declared {declared} bytes")
            }
            MediaErrorKind::Unreadable => {
                f.write_str("cannot read the media")?;
                match &self.cause {
                    Some(cause) => write!(f, ": {}", one_line(&cause.to_string(), 256)),
                    None => Ok(()),
                }
            }
            MediaErrorKind::ReadOnce => f.write_str(
                "the media must be sent again but cannot be reopened: use bytes, or a function that opens them",
            ),
            MediaErrorKind::UnsupportedProtocol(protocol) => {
                write!(f, "the operation does not support {}", protocol.description())
            }
        }
    }
}

impl std::error::Error for MediaError {}
