//! Media while they are read.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use bytes::BytesMut;
use futures_util::{Stream, StreamExt as _, stream};
use http::{HeaderValue, StatusCode, header};
use wireform_runtime::media::is_taken;
use wireform_runtime::operation;

use crate::error::{At, Error};
use crate::limits::{Limits, RequestBody, closing, next};

type Pieces = Pin<Box<dyn Stream<Item = Result<Bytes, Error>> + Send>>;

/// Media that come with a request: a stream of bytes, which is read as fast as its handler takes it, and never held in
/// memory as a whole. It ends in an error when it breaks off, or has more bytes than the operation takes.
pub struct Media {
    content_type: String,
    length: Option<u64>,
    pieces: Pieces,
}

impl Media {
    pub(crate) fn new(content_type: &str, length: Option<u64>, pieces: Pieces) -> Self {
        // RFC 9110, section 8.3: what nobody says anything of may be anything.
        let content_type = if content_type.is_empty() { "application/octet-stream" } else { content_type };
        Self { content_type: content_type.to_owned(), length, pieces }
    }

    /// The whole of a body.
    pub(crate) fn of_body(content_type: &str, length: Option<u64>, body: Body, limits: &Limits) -> Self {
        let limits = limits.clone();
        let pieces = stream::unfold(Some(RequestBody::from(body)), move |body| {
            let limits = limits.clone();
            async move {
                let mut body = body?;
                match next(&mut body, &limits).await {
                    Ok(piece) => Some((Ok(piece?), Some(body))),
                    Err(error) => Some((Err(error), None)),
                }
            }
        });
        Self::new(content_type, length, Box::pin(pieces))
    }

    /// The same, unless it is not what an operation takes.
    ///
    /// # Errors
    /// 415 for another type, 413 for too many bytes where that is known.
    pub(crate) fn admitted(mut self, taken: &'static operation::Media, limits: &Limits) -> Result<Self, Error> {
        let most = taken.max_bytes.map_or(limits.media_bytes, |most| most.min(limits.media_bytes));
        check(&self.content_type, self.length, taken, limits)?;
        let bounded = stream::unfold((Some(self.pieces), 0), move |(pieces, seen)| async move {
            let mut pieces = pieces?;
            let piece = pieces.next().await?;
            let seen = seen + piece.as_ref().map_or(0, |piece| piece.len() as u64);
            match piece {
                Ok(_) if seen > most => Some((Err(too_long(most)), (None, seen))),
                Ok(piece) => Some((Ok(piece), (Some(pieces), seen))),
                Err(error) => Some((Err(error), (None, seen))),
            }
        });
        self.pieces = Box::pin(bounded);
        Ok(self)
    }

    /// What the sender says they are.
    #[must_use]
    pub fn content_type(&self) -> &str {
        &self.content_type
    }

    /// How many bytes there are, where it is known.
    #[must_use]
    pub const fn length(&self) -> Option<u64> {
        self.length
    }

    /// All of them, up to so many bytes.
    ///
    /// # Errors
    /// 413 when there are more; what ends the stream early.
    pub async fn bytes(mut self, limit: usize) -> Result<Bytes, Error> {
        let mut whole = BytesMut::new();
        while let Some(piece) = self.next().await {
            let piece = piece?;
            if piece.len() > limit - whole.len() {
                return Err(too_long(limit as u64));
            }
            whole.extend_from_slice(&piece);
        }
        Ok(whole.freeze())
    }
}

/// Whether media of that type and length are taken.
pub(super) fn check(
    content_type: &str,
    length: Option<u64>,
    taken: &'static operation::Media,
    limits: &Limits,
) -> Result<(), Error> {
    if !is_taken(content_type, taken.types) {
        let list = if taken.types.is_empty() { "a media type".to_owned() } else { taken.types.join(", ") };
        let error = Error::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("the type of the media must be {list}"));
        let error = error.at(At::Header("Content-Type".into()));
        return Err(match HeaderValue::from_str(&taken.types.join(", ")) {
            Ok(list) if !list.is_empty() => error.with_header(header::ACCEPT, list),
            _ => error,
        });
    }
    let most = taken.max_bytes.map_or(limits.media_bytes, |most| most.min(limits.media_bytes));
    if length.is_some_and(|length| length > most) { Err(too_long(most)) } else { Ok(()) }
}

#[cold]
pub(super) fn too_long(most: u64) -> Error {
    let message = format!("the media are longer than the {most} bytes that are taken");
    closing(Error::new(StatusCode::PAYLOAD_TOO_LARGE, message))
}

impl Stream for Media {
    type Item = Result<Bytes, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.pieces.as_mut().poll_next(context)
    }
}

impl fmt::Debug for Media {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Media")
            .field("content_type", &self.content_type)
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}
