//! Reading of bodies, with limits on time and size.

use std::error::Error as StdError;

use axum::body::{Body, Bytes};
use bytes::BytesMut;
use http::StatusCode;
use http_body::Body as _;
use http_body_util::BodyExt;
use tokio::time::timeout;

use super::Limits;
use super::head::with_connection_close;
use super::reservation::BodyRejection;
use crate::error::Error;
use crate::memory::{BUSY, BUSY_RETRY_SECONDS};

/// Initial capacity for a body in several chunks, whatever its announced length.
const MAX_INITIAL_CAPACITY: usize = 64 << 10;

/// Body of a request.
pub(crate) struct RequestBody {
    body: Body,
    /// True if the body itself enforces its progress.
    is_paced: bool,
}

impl RequestBody {
    /// Creates a body that enforces its progress itself.
    pub(super) const fn paced(body: Body) -> Self {
        Self { body, is_paced: true }
    }

    /// Returns whether the body has no more data.
    pub(crate) fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}

impl From<Body> for RequestBody {
    fn from(body: Body) -> Self {
        Self { body, is_paced: false }
    }
}

/// Reads the whole body. A body of one chunk is not copied.
///
/// # Errors
/// Returns a 413 if it is too large, before it is read if its length is announced, or if it needs more memory than one
/// caller may use; a 503 if no memory is available in time; a 408 if the body makes no progress in time; a 400 if it
/// breaks off or is malformed. The rest of such a body is not read, and the connection is closed.
pub(crate) async fn read_body(body: impl Into<RequestBody>, limits: &Limits) -> Result<Bytes, Error> {
    let mut body = body.into();
    if body.is_end_stream() {
        return Ok(Bytes::new());
    }
    let announced = body.body.size_hint().lower();
    if announced > limits.body_bytes as u64 {
        return Err(too_long());
    }
    let mut whole = BodyBuffer::Empty;
    while let Some(piece) = next_chunk(&mut body, limits).await? {
        if piece.len() > limits.body_bytes - whole.len() {
            return Err(too_long());
        }
        whole.append(piece, announced);
    }
    Ok(whole.into_bytes())
}

/// Reads the first chunk that is not empty, or an empty one at the end. The rest is not read.
///
/// # Errors
/// Returns the same errors as [`read_body`], except that the length is not checked.
pub(crate) async fn first_chunk(mut body: RequestBody, limits: &Limits) -> Result<Bytes, Error> {
    Ok(next_chunk(&mut body, limits).await?.unwrap_or_default())
}

/// Reads the next chunk that is not empty; trailers are ignored.
pub(crate) async fn next_chunk(body: &mut RequestBody, limits: &Limits) -> Result<Option<Bytes>, Error> {
    loop {
        let frame = body.body.frame();
        let frame = if body.is_paced {
            frame.await
        } else {
            timeout(limits.body_pause, frame).await.map_err(|_| too_slow())?
        };
        match frame {
            None => return Ok(None),
            Some(Ok(frame)) => match frame.into_data() {
                Ok(piece) if !piece.is_empty() => return Ok(Some(piece)),
                _ => {}
            },
            Some(Err(error)) => return Err(unreadable(error)),
        }
    }
}

/// Creates the error of a body that makes no progress: a 408, after which the connection is closed.
pub(crate) fn too_slow() -> Error {
    with_connection_close(Error::new(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time"))
}

/// Creates the error of a body that needs more memory than one caller may use: a 413 that closes the connection.
fn too_large() -> Error {
    let message = "the body exceeds the memory limit of a caller: send a smaller body";
    with_connection_close(Error::new(StatusCode::PAYLOAD_TOO_LARGE, message))
}

/// Creates the error of a body beyond the limit on its length: a 413 that closes the connection.
fn too_long() -> Error {
    with_connection_close(Error::new(StatusCode::PAYLOAD_TOO_LARGE, "the body is too long"))
}

impl From<BodyRejection> for Error {
    fn from(refusal: BodyRejection) -> Self {
        match refusal {
            BodyRejection::TooLong => too_long(),
            BodyRejection::TooLarge => too_large(),
            BodyRejection::Stalled => too_slow(),
            BodyRejection::Busy => with_connection_close(Self::unavailable(BUSY, BUSY_RETRY_SECONDS)),
        }
    }
}

/// Creates the error of a body that broke off, or that exceeds the limit of a layer in front.
fn unreadable(error: axum::Error) -> Error {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(&error);
    while let Some(inner) = cause {
        if inner.is::<http_body_util::LengthLimitError>() {
            return too_long();
        }
        if let Some(refusal) = inner.downcast_ref::<BodyRejection>() {
            return (*refusal).into();
        }
        cause = inner.source();
    }
    with_connection_close(Error::bad_request("cannot read the body").with_cause(error))
}

/// Body that has been read so far.
enum BodyBuffer {
    Empty,
    Chunk(Bytes),
    Buffer(BytesMut),
}

impl BodyBuffer {
    /// Returns the number of bytes so far.
    fn len(&self) -> usize {
        match self {
            Self::Empty => 0,
            Self::Chunk(piece) => piece.len(),
            Self::Buffer(bytes) => bytes.len(),
        }
    }

    /// Copies small chunks together: each would otherwise keep the buffer that it arrived in.
    fn append(&mut self, piece: Bytes, announced: u64) {
        *self = match std::mem::replace(self, Self::Empty) {
            Self::Empty => Self::Chunk(piece),
            Self::Chunk(first) => {
                let room = usize::try_from(announced).unwrap_or(MAX_INITIAL_CAPACITY).min(MAX_INITIAL_CAPACITY);
                let mut bytes = BytesMut::with_capacity(room.max(first.len() + piece.len()));
                bytes.extend_from_slice(&first);
                bytes.extend_from_slice(&piece);
                Self::Buffer(bytes)
            }
            Self::Buffer(mut bytes) => {
                bytes.extend_from_slice(&piece);
                Self::Buffer(bytes)
            }
        };
    }

    /// Returns the whole body, without copying it.
    fn into_bytes(self) -> Bytes {
        match self {
            Self::Empty => Bytes::new(),
            Self::Chunk(piece) => piece,
            Self::Buffer(bytes) => bytes.freeze(),
        }
    }
}
