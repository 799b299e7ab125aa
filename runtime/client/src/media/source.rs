//! Where the bytes of media come from.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use futures_core::Stream;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use crate::transport::BoxError;

/// Bytes, piece by piece.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) type Pieces = Pin<Box<dyn Stream<Item = Result<Bytes, BoxError>> + Send>>;

/// Bytes, piece by piece.
#[cfg(target_arch = "wasm32")]
pub(crate) type Pieces = Pin<Box<dyn Stream<Item = Result<Bytes, BoxError>>>>;

/// Makes the pieces from a byte on.
#[cfg(not(target_arch = "wasm32"))]
type Open = Arc<dyn Fn(u64) -> Pieces + Send + Sync>;

/// Makes the pieces from a byte on.
#[cfg(target_arch = "wasm32")]
type Open = Arc<dyn Fn(u64) -> Pieces>;

/// What goes up: bytes of a media type, such as those of a picture.
///
/// Streams are never held in memory as a whole. One that can be read only once is sent only once, unless it goes up in
/// pieces; so give whatever can be read again as such: as bytes, or by [`opened`](Self::opened).
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

pub(crate) enum Source {
    Bytes(Bytes),
    Once(Option<Pieces>),
    Opened(Open),
}

impl Media {
    /// These bytes.
    pub fn new(content_type: impl Into<String>, bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        Self { content_type: content_type.into(), length: Some(bytes.len() as u64), source: Source::Bytes(bytes) }
    }

    /// What a stream yields, which can be read once; with its length in bytes, where it is known.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn stream<S, E>(content_type: impl Into<String>, length: Option<u64>, stream: S) -> Self
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: Into<BoxError> + 'static,
    {
        let source = Source::Once(Some(Box::pin(stream.map_err(Into::into))));
        Self { content_type: content_type.into(), length, source }
    }

    /// What a stream yields, which can be read once; with its length in bytes, where it is known.
    #[cfg(target_arch = "wasm32")]
    pub fn stream<S, E>(content_type: impl Into<String>, length: Option<u64>, stream: S) -> Self
    where
        S: Stream<Item = Result<Bytes, E>> + 'static,
        E: Into<BoxError> + 'static,
    {
        let source = Source::Once(Some(Box::pin(stream.map_err(Into::into))));
        Self { content_type: content_type.into(), length, source }
    }

    /// What `open` yields, which is asked for the bytes from a place on, first from 0, again whenever bytes that were
    /// sent have not arrived; with the length in bytes of all of it, where it is known.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn opened<F, S, E>(content_type: impl Into<String>, length: Option<u64>, open: F) -> Self
    where
        F: Fn(u64) -> S + Send + Sync + 'static,
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: Into<BoxError> + 'static,
    {
        let source = Source::Opened(Arc::new(move |from| Box::pin(open(from).map_err(Into::into))));
        Self { content_type: content_type.into(), length, source }
    }

    /// What `open` yields, which is asked for the bytes from a place on, first from 0, again whenever bytes that were
    /// sent have not arrived; with the length in bytes of all of it, where it is known.
    #[cfg(target_arch = "wasm32")]
    pub fn opened<F, S, E>(content_type: impl Into<String>, length: Option<u64>, open: F) -> Self
    where
        F: Fn(u64) -> S + 'static,
        S: Stream<Item = Result<Bytes, E>> + 'static,
        E: Into<BoxError> + 'static,
    {
        let source = Source::Opened(Arc::new(move |from| Box::pin(open(from).map_err(Into::into))));
        Self { content_type: content_type.into(), length, source }
    }

    /// Their media type.
    #[must_use]
    pub fn content_type(&self) -> &str {
        &self.content_type
    }

    /// How many bytes there are, where it is known.
    #[must_use]
    pub fn length(&self) -> Option<u64> {
        self.length
    }

    /// Whether it can be read more than once.
    pub(crate) fn is_repeatable(&self) -> bool {
        !matches!(self.source, Source::Once(_))
    }

    /// The bytes from that place on; nothing where they cannot be read from there any more.
    pub(crate) fn pieces(&mut self, from: u64) -> Option<Pieces> {
        match &mut self.source {
            Source::Bytes(bytes) => {
                let from = usize::try_from(from).ok().filter(|from| *from <= bytes.len())?;
                let rest = bytes.slice(from..);
                Some(stream::iter((!rest.is_empty()).then_some(Ok(rest))).boxed())
            }
            Source::Once(pieces) if from == 0 => pieces.take(),
            Source::Once(_) => None,
            Source::Opened(open) => Some(open(from)),
        }
    }
}

/// What the bytes are is not shown.
impl fmt::Debug for Media {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Media")
            .field("content_type", &self.content_type)
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}
