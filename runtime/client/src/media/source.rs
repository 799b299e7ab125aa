//! Sources of media.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use futures_core::Stream;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use crate::transport::BoxError;

/// Stream of bytes.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) type ByteStream = Pin<Box<dyn Stream<Item = Result<Bytes, BoxError>> + Send>>;

/// Stream of bytes.
#[cfg(target_arch = "wasm32")]
pub(crate) type ByteStream = Pin<Box<dyn Stream<Item = Result<Bytes, BoxError>>>>;

/// Opens the stream at an offset.
#[cfg(not(target_arch = "wasm32"))]
type OpenFn = Arc<dyn Fn(u64) -> ByteStream + Send + Sync>;

/// Opens the stream at an offset.
#[cfg(target_arch = "wasm32")]
type OpenFn = Arc<dyn Fn(u64) -> ByteStream>;

/// Bytes to be uploaded, with their media type.
///
/// Streams are not held in memory as a whole, unless the transport collects bodies
/// ([`send_body`](crate::Transport::send_body)). A stream that can be read only once is sent only once, unless it is
/// uploaded in chunks; so pass media that can be read again as bytes or with [`reopenable`](Self::reopenable).
///
/// ```
/// use wireform_client::Media;
///
/// let picture = Media::new("image/png", &b"\x89PNG"[..]);
/// assert_eq!(picture.length(), Some(4));
/// ```
pub struct Media {
    content_type: String,
    length: Option<u64>,
    source: Source,
}

/// Origin of media: bytes in memory, a stream that is taken once, or a function that opens a new stream.
pub(crate) enum Source {
    Bytes(Bytes),
    Once(Option<ByteStream>),
    Reopenable(OpenFn),
}

impl Media {
    /// Creates media from bytes.
    pub fn new(content_type: impl Into<String>, bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        Self { content_type: content_type.into(), length: Some(bytes.len() as u64), source: Source::Bytes(bytes) }
    }

    /// Creates media from a stream, which can be read once, with its length in bytes if it is known.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn stream<S, E>(content_type: impl Into<String>, length: Option<u64>, stream: S) -> Self
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: Into<BoxError> + 'static,
    {
        let source = Source::Once(Some(Box::pin(stream.map_err(Into::into))));
        Self { content_type: content_type.into(), length, source }
    }

    /// Creates media from a stream, which can be read once, with its length in bytes if it is known.
    #[cfg(target_arch = "wasm32")]
    pub fn stream<S, E>(content_type: impl Into<String>, length: Option<u64>, stream: S) -> Self
    where
        S: Stream<Item = Result<Bytes, E>> + 'static,
        E: Into<BoxError> + 'static,
    {
        let source = Source::Once(Some(Box::pin(stream.map_err(Into::into))));
        Self { content_type: content_type.into(), length, source }
    }

    /// Creates media from a function that opens a stream at an offset: first at 0, and again whenever bytes that were
    /// sent have not arrived. `length` is the total length in bytes, if it is known.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn reopenable<F, S, E>(content_type: impl Into<String>, length: Option<u64>, open: F) -> Self
    where
        F: Fn(u64) -> S + Send + Sync + 'static,
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: Into<BoxError> + 'static,
    {
        let source = Source::Reopenable(Arc::new(move |from| Box::pin(open(from).map_err(Into::into))));
        Self { content_type: content_type.into(), length, source }
    }

    /// Creates media from a function that opens a stream at an offset: first at 0, and again whenever bytes that were
    /// sent have not arrived. `length` is the total length in bytes, if it is known.
    #[cfg(target_arch = "wasm32")]
    pub fn reopenable<F, S, E>(content_type: impl Into<String>, length: Option<u64>, open: F) -> Self
    where
        F: Fn(u64) -> S + 'static,
        S: Stream<Item = Result<Bytes, E>> + 'static,
        E: Into<BoxError> + 'static,
    {
        let source = Source::Reopenable(Arc::new(move |from| Box::pin(open(from).map_err(Into::into))));
        Self { content_type: content_type.into(), length, source }
    }

    /// Returns the media type.
    #[must_use]
    pub fn content_type(&self) -> &str {
        &self.content_type
    }

    /// Returns the length in bytes, if it is known.
    #[must_use]
    pub fn length(&self) -> Option<u64> {
        self.length
    }

    /// Returns whether the media can be read more than once.
    pub(crate) fn is_repeatable(&self) -> bool {
        !matches!(self.source, Source::Once(_))
    }

    /// Returns the bytes from an offset on, or `None` if they cannot be read from there any more.
    pub(crate) fn open_at(&mut self, from: u64) -> Option<ByteStream> {
        match &mut self.source {
            Source::Bytes(bytes) => {
                let from = usize::try_from(from).ok().filter(|from| *from <= bytes.len())?;
                let rest = bytes.slice(from..);
                Some(stream::iter((!rest.is_empty()).then_some(Ok(rest))).boxed())
            }
            Source::Once(pieces) if from == 0 => pieces.take(),
            Source::Once(_) => None,
            Source::Reopenable(open) => Some(open(from)),
        }
    }
}

/// Omits the bytes.
impl fmt::Debug for Media {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Media")
            .field("content_type", &self.content_type)
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}
