//! Media of a request.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use bytes::BytesMut;
use futures_util::{Stream, StreamExt as _, stream};
use http::{HeaderValue, StatusCode, header};
use wireform_runtime::media::is_accepted;
use wireform_runtime::operation;

use crate::error::{Error, ErrorLocation};
use crate::limits::{Limits, RequestBody, next_chunk, with_connection_close};

/// Stream of the chunks of uploaded media.
type ByteStream = Pin<Box<dyn Stream<Item = Result<Bytes, Error>> + Send>>;

/// Media of a request: a stream of bytes, which is read as fast as its handler takes it. The library does not hold it
/// in memory as a whole, except in [`MemorySessions`](super::MemorySessions). It ends with an error if it breaks off,
/// or exceeds the operation's maximum size.
pub struct MediaStream {
    content_type: String,
    length: Option<u64>,
    stream: ByteStream,
}

impl MediaStream {
    pub(crate) fn new(content_type: &str, length: Option<u64>, pieces: ByteStream) -> Self {
        // RFC 9110, section 8.3: the default of an undeclared type.
        let content_type = if content_type.is_empty() { "application/octet-stream" } else { content_type };
        Self { content_type: content_type.to_owned(), length, stream: pieces }
    }

    /// Creates media from a whole body.
    pub(crate) fn from_body(content_type: &str, length: Option<u64>, body: Body, limits: &Limits) -> Self {
        let limits = limits.clone();
        let pieces = stream::unfold(Some(RequestBody::from(body)), move |body| {
            let limits = limits.clone();
            async move {
                let mut body = body?;
                match next_chunk(&mut body, &limits).await {
                    Ok(piece) => Some((Ok(piece?), Some(body))),
                    Err(error) => Some((Err(error), None)),
                }
            }
        });
        Self::new(content_type, length, Box::pin(pieces))
    }

    /// Checks that the operation accepts the media.
    ///
    /// # Errors
    /// Returns a 415 for another type, and a 413 if they are known to be too large.
    pub(crate) fn limited(
        mut self,
        taken: &'static operation::UploadDescription,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let max_bytes = taken.max_bytes.map_or(limits.media_bytes, |max| max.min(limits.media_bytes));
        check_media(&self.content_type, self.length, taken, limits)?;
        let bounded = stream::unfold((Some(self.stream), 0), move |(pieces, seen)| async move {
            let mut pieces = pieces?;
            let piece = pieces.next().await?;
            let seen = seen + piece.as_ref().map_or(0, |piece| piece.len() as u64);
            match piece {
                Ok(_) if seen > max_bytes => Some((Err(too_long(max_bytes)), (None, seen))),
                Ok(piece) => Some((Ok(piece), (Some(pieces), seen))),
                Err(error) => Some((Err(error), (None, seen))),
            }
        });
        self.stream = Box::pin(bounded);
        Ok(self)
    }

    /// Returns the media type that the sender declares.
    #[must_use]
    pub fn content_type(&self) -> &str {
        &self.content_type
    }

    /// Returns the length in bytes, if it is known.
    #[must_use]
    pub const fn length(&self) -> Option<u64> {
        self.length
    }

    /// Reads all bytes, up to `limit`.
    ///
    /// # Errors
    /// Returns a 413 if there are more, or the error that ends the stream early.
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

/// Checks the type and the length of media.
pub(super) fn check_media(
    content_type: &str,
    length: Option<u64>,
    taken: &'static operation::UploadDescription,
    limits: &Limits,
) -> Result<(), Error> {
    if !is_accepted(content_type, taken.types) {
        let list = if taken.types.is_empty() { "a media type".to_owned() } else { taken.types.join(", ") };
        let error = Error::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("the media type must be {list}"));
        let error = error.with_location(ErrorLocation::Header("Content-Type".into()));
        return Err(match HeaderValue::from_str(&taken.types.join(", ")) {
            Ok(list) if !list.is_empty() => error.with_header(header::ACCEPT, list),
            _ => error,
        });
    }
    let max_bytes = taken.max_bytes.map_or(limits.media_bytes, |max| max.min(limits.media_bytes));
    if length.is_some_and(|length| length > max_bytes) { Err(too_long(max_bytes)) } else { Ok(()) }
}

/// Creates the error of media beyond the limit in bytes: a 413 that closes the connection.
#[cold]
pub(super) fn too_long(max_bytes: u64) -> Error {
    let message = format!("the media exceed the limit of {max_bytes} bytes");
    with_connection_close(Error::new(StatusCode::PAYLOAD_TOO_LARGE, message))
}

impl Stream for MediaStream {
    type Item = Result<Bytes, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.stream.as_mut().poll_next(context)
    }
}

impl fmt::Debug for MediaStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MediaStream")
            .field("content_type", &self.content_type)
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}
