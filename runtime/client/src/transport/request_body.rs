//! Streamed request body.

use std::fmt;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;
use http_body::{Body, Frame, SizeHint};

use super::BoxError;

/// Boxed stream of the chunks of a body. In browsers it is not `Send`.
#[cfg(not(target_arch = "wasm32"))]
type ByteStream = Pin<Box<dyn Stream<Item = Result<Bytes, BoxError>> + Send>>;
#[cfg(target_arch = "wasm32")]
type ByteStream = Pin<Box<dyn Stream<Item = Result<Bytes, BoxError>>>>;

/// Request body that is produced while it is sent.
pub struct RequestBody {
    /// A stream need not be `Sync`. The lock is never contended: it is only accessed through `&mut`.
    stream: Mutex<ByteStream>,
    length: Option<u64>,
}

impl RequestBody {
    /// Creates a body from a stream, with its length in bytes if it is known.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn new(pieces: impl Stream<Item = Result<Bytes, BoxError>> + Send + 'static, length: Option<u64>) -> Self {
        Self { stream: Mutex::new(Box::pin(pieces)), length }
    }

    /// Creates a body from a stream, with its length in bytes if it is known.
    #[cfg(target_arch = "wasm32")]
    pub fn new(pieces: impl Stream<Item = Result<Bytes, BoxError>> + 'static, length: Option<u64>) -> Self {
        Self { stream: Mutex::new(Box::pin(pieces)), length }
    }

    /// Returns the length in bytes, if it is known.
    #[must_use]
    pub fn length(&self) -> Option<u64> {
        self.length
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let pieces = self.stream.get_mut().unwrap_or_else(PoisonError::into_inner);
        let piece = ready!(pieces.as_mut().poll_next(context));
        Poll::Ready(piece.map(|piece| piece.map(Frame::data)))
    }

    fn size_hint(&self) -> SizeHint {
        self.length.map_or_else(SizeHint::new, SizeHint::with_exact)
    }
}

impl fmt::Debug for RequestBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestBody").field("length", &self.length).finish_non_exhaustive()
    }
}
