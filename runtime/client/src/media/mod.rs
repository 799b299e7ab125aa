//! Media: what goes up beside a request or in its place, and what comes down as it is.
//!
//! | topic | what to read |
//! |---|---|
//! | where bytes come from | [`Media`], `source` |
//! | a call with media | [`UploadCall`], [`Protocol`], [`Progress`] |
//! | bytes that come down | [`DownloadCall`], [`Download`] |

mod download;
mod multipart;
mod reader;
mod sent;
mod source;
mod upload;

pub use download::{Download, DownloadCall, SendingDownload};
pub(crate) use multipart::{Related, related};
pub(crate) use reader::Reader;
pub(crate) use sent::Sent;
pub use source::Media;
pub(crate) use source::Pieces;
pub use upload::{Progress, Protocol, UploadCall};

use std::fmt;

use crate::transport::BoxError;

/// Why media cannot go up.
#[derive(Debug)]
pub struct MediaError {
    kind: MediaErrorKind,
    cause: Option<BoxError>,
}

/// What is wrong with media.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MediaErrorKind {
    /// The operation does not take media of that type.
    Type {
        /// Their type.
        content_type: String,
        /// What it takes.
        taken: &'static [&'static str],
    },
    /// There are more bytes than the operation takes.
    TooLong {
        /// The most bytes.
        limit: u64,
    },
    /// There are fewer or more bytes than was said.
    OtherLength {
        /// How many were said.
        said: u64,
    },
    /// They cannot be read.
    Unreadable,
    /// They would have to be read once more, and can be read once.
    ReadOnce,
    /// The operation has no path for that protocol.
    NoProtocol(Protocol),
}

impl MediaError {
    pub(crate) fn new(kind: MediaErrorKind) -> Self {
        Self { kind, cause: None }
    }

    pub(crate) fn unreadable(cause: impl Into<BoxError>) -> Self {
        Self { kind: MediaErrorKind::Unreadable, cause: Some(cause.into()) }
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> &MediaErrorKind {
        &self.kind
    }

    /// Why they cannot be read.
    #[must_use]
    pub fn cause(&self) -> Option<&(dyn std::error::Error + Send + Sync + 'static)> {
        self.cause.as_deref()
    }
}

impl fmt::Display for MediaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            MediaErrorKind::Type { content_type, taken } => {
                let shown = crate::error::one_line(content_type, 64);
                write!(f, "the operation takes no media of type `{shown}`: it takes {}", taken.join(", "))
            }
            MediaErrorKind::TooLong { limit } => {
                write!(f, "the media are longer than the {limit} bytes that are taken")
            }
            MediaErrorKind::OtherLength { said } => write!(f, "the media are not of the {said} bytes that were said"),
            MediaErrorKind::Unreadable => {
                f.write_str("the media cannot be read")?;
                match &self.cause {
                    Some(cause) => write!(f, ": {}", crate::error::one_line(&cause.to_string(), 256)),
                    None => Ok(()),
                }
            }
            MediaErrorKind::ReadOnce => f.write_str(
                "the media would have to be read once more: give them as bytes, or with a function that opens them again",
            ),
            MediaErrorKind::NoProtocol(protocol) => {
                write!(f, "the operation has no path for {}", protocol.in_words())
            }
        }
    }
}

impl std::error::Error for MediaError {}
