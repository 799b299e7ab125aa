//! Body of a response, as a stream.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Buf, Bytes};
use http_body::{Body, Frame, SizeHint};
use http_body_util::{BodyExt as _, Empty, Full};

use super::{BoxError, TransportError, TransportErrorKind, yield_now};

/// Boxed body of a response. In browsers it is not `Send`.
#[cfg(not(target_arch = "wasm32"))]
type Inner = Pin<Box<dyn Body<Data = Bytes, Error = TransportError> + Send>>;
#[cfg(target_arch = "wasm32")]
type Inner = Pin<Box<dyn Body<Data = Bytes, Error = TransportError>>>;

/// Maximum number of frames before the task yields. Some bodies always have a frame ready, even an empty one, and a
/// loop that reads them would keep even its own timer from firing.
const MAX_READY_FRAMES: u8 = 64;

/// Body of a response: a stream of bytes.
pub struct ResponseBody {
    inner: Inner,
    /// Number of frames since the task last yielded.
    ready_frames: u8,
    /// Exchange that the body belongs to.
    #[cfg(all(feature = "sockets", not(target_arch = "wasm32")))]
    _exchange: Option<super::sockets::ExchangeGuard>,
}

impl ResponseBody {
    /// Wraps another body. Its errors count as broken connections, unless they are a [`TransportError`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn new<B>(body: B) -> Self
    where
        B: Body<Data: Buf, Error: Into<BoxError>> + Send + 'static,
    {
        Self::with_errors(body, |error| TransportError::new(TransportErrorKind::Broken, error))
    }

    /// Wraps another body. Its errors count as broken connections, unless they are a [`TransportError`].
    #[cfg(target_arch = "wasm32")]
    pub fn new<B>(body: B) -> Self
    where
        B: Body<Data: Buf, Error: Into<BoxError>> + 'static,
    {
        Self::with_errors(body, |error| TransportError::new(TransportErrorKind::Broken, error))
    }

    /// Wraps a body; its frames become contiguous, and `error` converts its errors.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn with_errors<B>(body: B, error: fn(B::Error) -> TransportError) -> Self
    where
        B: Body<Data: Buf> + Send + 'static,
    {
        Self::from_inner(Box::pin(body.map_frame(to_contiguous).map_err(error)))
    }

    /// Wraps a body; its frames become contiguous, and `error` converts its errors.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn with_errors<B>(body: B, error: fn(B::Error) -> TransportError) -> Self
    where
        B: Body<Data: Buf> + 'static,
    {
        Self::from_inner(Box::pin(body.map_frame(to_contiguous).map_err(error)))
    }

    /// Creates a body that no frame was read from.
    fn from_inner(inner: Inner) -> Self {
        Self {
            inner,
            ready_frames: 0,
            #[cfg(all(feature = "sockets", not(target_arch = "wasm32")))]
            _exchange: None,
        }
    }

    /// Keeps the exchange alive for as long as the body.
    #[cfg(all(feature = "sockets", not(target_arch = "wasm32")))]
    pub(super) fn with_exchange(self, ongoing: Option<super::sockets::ExchangeGuard>) -> Self {
        Self { _exchange: ongoing, ..self }
    }

    /// Creates an empty body.
    #[must_use]
    pub fn empty() -> Self {
        Self::new(Empty::<Bytes>::new())
    }
}

/// Converts the data of a frame to contiguous bytes, without a copy if they are contiguous already.
fn to_contiguous<D: Buf>(frame: Frame<D>) -> Frame<Bytes> {
    frame.map_data(|mut data| data.copy_to_bytes(data.remaining()))
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = TransportError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, TransportError>>> {
        if self.ready_frames >= MAX_READY_FRAMES {
            self.ready_frames = 0;
            return yield_now(context);
        }
        let frame = self.inner.as_mut().poll_frame(context);
        self.ready_frames = if frame.is_pending() { 0 } else { self.ready_frames + 1 };
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

impl From<Bytes> for ResponseBody {
    fn from(bytes: Bytes) -> Self {
        Self::new(Full::new(bytes))
    }
}

impl From<Vec<u8>> for ResponseBody {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}

impl From<String> for ResponseBody {
    fn from(text: String) -> Self {
        Bytes::from(text).into()
    }
}

impl From<&'static str> for ResponseBody {
    fn from(text: &'static str) -> Self {
        Bytes::from_static(text.as_bytes()).into()
    }
}

impl fmt::Debug for ResponseBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ResponseBody(…)")
    }
}
