//! A body is read, but not forever, and not whatever its size.

use std::error::Error as StdError;

use axum::body::{Body, Bytes};
use bytes::BytesMut;
use http::StatusCode;
use http_body::Body as _;
use http_body_util::BodyExt;
use tokio::time::timeout;

use super::Limits;
use super::head::closing;
use super::intake::Refusal;
use crate::error::Error;
use crate::memory::{BUSY, RETRY_AFTER};

/// How much room a body in several pieces is given at first, whatever length it announces.
const FIRST_BYTES: usize = 64 << 10;

/// The body of a request.
pub(crate) struct RequestBody {
    body: Body,
    /// Whether the body itself ends when it does not go on.
    is_paced: bool,
}

impl RequestBody {
    /// Creates a body that ends by itself when it does not go on.
    pub(super) const fn paced(body: Body) -> Self {
        Self { body, is_paced: true }
    }

    pub(crate) fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}

impl From<Body> for RequestBody {
    fn from(body: Body) -> Self {
        Self { body, is_paced: false }
    }
}

/// The whole body. One that came as one piece is not copied.
///
/// # Errors
/// 413 for one that is too long, before it is read, where it says so itself; 408 when the next piece does not come in
/// time; 400 when it breaks off or is framed badly. What is left of such a body is not read, and the connection ends.
pub(crate) async fn read_body(body: impl Into<RequestBody>, limits: &Limits) -> Result<Bytes, Error> {
    let mut body = body.into();
    if body.is_end_stream() {
        return Ok(Bytes::new());
    }
    let announced = body.body.size_hint().lower();
    if announced > limits.body_bytes as u64 {
        return Err(too_long());
    }
    let mut whole = Whole::Nothing;
    while let Some(piece) = next(&mut body, limits).await? {
        if piece.len() > limits.body_bytes - whole.len() {
            return Err(too_long());
        }
        whole.append(piece, announced);
    }
    Ok(whole.into_bytes())
}

/// The first piece of a body that holds anything, or nothing where there is none. What follows is not read.
///
/// # Errors
/// 408 when it does not come in time; 400 when the body breaks off or is framed badly.
pub(crate) async fn first_piece(mut body: RequestBody, limits: &Limits) -> Result<Bytes, Error> {
    Ok(next(&mut body, limits).await?.unwrap_or_default())
}

/// The next piece that holds anything; trailers do not matter.
pub(crate) async fn next(body: &mut RequestBody, limits: &Limits) -> Result<Option<Bytes>, Error> {
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

pub(crate) fn too_slow() -> Error {
    closing(Error::new(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time"))
}

fn too_large() -> Error {
    let message = "the body takes more memory than there is for one caller: send less at once";
    closing(Error::new(StatusCode::PAYLOAD_TOO_LARGE, message))
}

fn too_long() -> Error {
    closing(Error::new(StatusCode::PAYLOAD_TOO_LARGE, "the body is too long"))
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::TooLong => too_long(),
            Refusal::TooLarge => too_large(),
            Refusal::Stalled => too_slow(),
            Refusal::Busy => closing(Self::unavailable(BUSY, RETRY_AFTER)),
        }
    }
}

/// The body broke off, or a layer in front had its own limit.
fn unreadable(error: axum::Error) -> Error {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(&error);
    while let Some(inner) = cause {
        if inner.is::<http_body_util::LengthLimitError>() {
            return too_long();
        }
        if let Some(refusal) = inner.downcast_ref::<Refusal>() {
            return (*refusal).into();
        }
        cause = inner.source();
    }
    closing(Error::bad_request("the body cannot be read").with_cause(error))
}

/// What there is of a body.
enum Whole {
    Nothing,
    Piece(Bytes),
    Pieces(BytesMut),
}

impl Whole {
    fn len(&self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Piece(piece) => piece.len(),
            Self::Pieces(bytes) => bytes.len(),
        }
    }

    /// Many small pieces are copied together: kept apart, each would hold on to the buffer that it came in.
    fn append(&mut self, piece: Bytes, announced: u64) {
        *self = match std::mem::replace(self, Self::Nothing) {
            Self::Nothing => Self::Piece(piece),
            Self::Piece(first) => {
                let room = usize::try_from(announced).unwrap_or(FIRST_BYTES).min(FIRST_BYTES);
                let mut bytes = BytesMut::with_capacity(room.max(first.len() + piece.len()));
                bytes.extend_from_slice(&first);
                bytes.extend_from_slice(&piece);
                Self::Pieces(bytes)
            }
            Self::Pieces(mut bytes) => {
                bytes.extend_from_slice(&piece);
                Self::Pieces(bytes)
            }
        };
    }

    fn into_bytes(self) -> Bytes {
        match self {
            Self::Nothing => Bytes::new(),
            Self::Piece(piece) => piece,
            Self::Pieces(bytes) => bytes.freeze(),
        }
    }
}
