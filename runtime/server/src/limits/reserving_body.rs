//! Bodies that reserve memory while they arrive.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use http::request::Parts;
use http_body::{Body as _, Frame, SizeHint};

use super::Limits;
use super::body::{RequestBody, read_body};
use super::cost::Format;
use super::reservation::{BodyRejection, BodyReservation, BodyShare, DecodedData};
use super::slots::Caller;
use super::streaming_base64::StreamingBase64;
use crate::auth::Principal;
use crate::error::Error;
use crate::memory::{MemoryBudget, MemoryShare, UNRESERVED_BYTES};
use crate::settings::Settings;
use crate::work_budget::WorkBudget;

impl Settings {
    /// Wraps the body of an authenticated request, so that it reserves memory while it is read. A short one is returned
    /// unchanged. Only `binary` fields are decoded while they arrive.
    pub(crate) fn limit_body(&self, body: Body, caller: &Caller, binary: &[&str], parts: &mut Parts) -> RequestBody {
        let format = body_format(&parts.headers);
        let mut arrival = match self.reserving_body(body, caller, format) {
            Ok(arrival) => arrival,
            Err(body) => return body.into(),
        };
        parts.extensions.insert(arrival.share());
        let announced = arrival.body.size_hint().exact();
        let is_data = |(member, _): &(&str, usize)| format == Format::Json && binary.contains(member);
        arrival.detach = self.streamed_field.filter(is_data).map(|(member, most)| {
            let decoded = DecodedData::default();
            parts.extensions.insert(decoded.clone());
            let length = announced.unwrap_or(self.limits.body_bytes as u64);
            (StreamingBase64::new(member, length, decoded), most as u64)
        });
        match &arrival.detach {
            None => arrival.intake.announce(announced, 0),
            Some((_, most)) => {
                let data = announced.map(|bytes| bytes / 4 * 3);
                arrival.intake.announce(announced.map(|bytes| bytes.min(*most)), data.unwrap_or_default());
            }
        }
        RequestBody::paced(Body::new(arrival))
    }

    /// Like `limit_body`, for a body whose text is not decoded.
    pub(crate) fn limit_text_body(&self, body: Body, caller: &Caller, parts: &mut Parts) -> RequestBody {
        match self.reserving_body(body, caller, body_format(&parts.headers)) {
            Ok(arrival) => {
                parts.extensions.insert(arrival.share());
                arrival.intake.announce(arrival.body.size_hint().exact(), 0);
                RequestBody::paced(Body::new(arrival))
            }
            Err(body) => body.into(),
        }
    }

    /// Wraps the body of a batch, and returns its memory share. The memory of its parts is counted for each of them.
    pub(crate) fn limit_batch_body(&self, body: Body, caller: &Caller) -> (RequestBody, Option<Arc<MemoryShare>>) {
        match self.reserving_body(body, caller, Format::Batch) {
            Ok(arrival) => {
                arrival.intake.announce(arrival.body.size_hint().exact(), 0);
                let share = Arc::clone(arrival.intake.share());
                (RequestBody::paced(Body::new(arrival)), Some(share))
            }
            Err(body) => (body.into(), None),
        }
    }

    /// Wraps a body, or returns it unchanged if there is no budget or it is short.
    fn reserving_body(&self, body: Body, caller: &Caller, format: Format) -> Result<ReservingBody, Body> {
        if body.size_hint().upper().is_some_and(|bytes| bytes <= UNRESERVED_BYTES) {
            return Err(body);
        }
        let Some(intake) = BodyReservation::new(self, caller, format) else { return Err(body) };
        Ok(ReservingBody {
            body,
            detach: None,
            intake,
            max_bytes: self.limits.body_bytes as u64,
            arrived: 0,
            arrived_bytes: Arc::default(),
            pending: None,
            work_budget: WorkBudget::default(),
        })
    }
}

impl MemoryBudget {
    /// Reads the body of a request outside of the generated server. It counts for the IP address of the peer, like the
    /// body of a request without a credential, and its share is released with `parts`.
    ///
    /// # Errors
    /// Returns a 413 if it is too large, a 503 if no memory is available in time, a 408 if it makes no progress in time, and
    /// a 400 if it breaks off.
    pub async fn read_body(&self, parts: &mut Parts, body: Body, limits: &Limits) -> Result<Bytes, Error> {
        let settings = Settings { memory: Some(self.clone()), limits: limits.clone(), ..Settings::default() };
        let caller = Caller::of(&Principal::anonymous(), parts);
        let body = settings.limit_text_body(body, &caller, parts);
        read_body(body, limits).await
    }
}

/// Returns the format of a body, which defaults to JSON.
fn body_format(headers: &HeaderMap) -> Format {
    let media_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let is_json = media_type.is_none_or(|value| value.to_ascii_lowercase().contains("json"));
    if is_json { Format::Json } else { Format::Other }
}

/// Future that waits until memory is reserved; an error if that takes too long.
type ReservationFuture = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

/// Body whose memory is counted.
struct ReservingBody {
    body: Body,
    /// Decoder of binary data in the text, and the maximum size of the remaining text.
    detach: Option<(StreamingBase64, u64)>,
    intake: BodyReservation,
    max_bytes: u64,
    arrived: u64,
    /// Number of bytes that have arrived, for the reader of the body.
    arrived_bytes: Arc<AtomicU64>,
    /// Chunk that waits for memory.
    pending: Option<(Bytes, ReservationFuture)>,
    work_budget: WorkBudget,
}

impl ReservingBody {
    /// Returns the share of the body, for the extensions of its request.
    fn share(&self) -> BodyShare {
        BodyShare { share: Arc::clone(self.intake.share()), arrived: Arc::clone(&self.arrived_bytes) }
    }

    /// Counts a chunk. Returns the remaining text, which may have to wait.
    fn accept_chunk(&mut self, piece: Bytes) -> Result<Bytes, BodyRejection> {
        self.intake.progress_timeout.note_chunk();
        self.work_budget.spend_lightly(piece.len());
        self.arrived += piece.len() as u64;
        self.arrived_bytes.store(self.arrived, Ordering::Relaxed);
        if self.arrived > self.max_bytes {
            return Err(BodyRejection::TooLong);
        }
        let (piece, data, most) = match &mut self.detach {
            None => (piece, 0, u64::MAX),
            Some((detach, most)) => (detach.push(&piece), detach.bytes(), *most),
        };
        let reserved = self.intake.push(&piece, self.arrived, data)?;
        if self.intake.text() > most {
            return Err(BodyRejection::TooLong);
        }
        let Some(bytes) = reserved else { return Ok(piece) };
        let share = Arc::clone(self.intake.share());
        self.pending = Some((piece, Box::pin(async move { share.reserve(bytes).await })));
        Ok(Bytes::new())
    }

    /// Returns the waiting chunk once there is memory for it.
    fn poll_pending(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, BodyRejection>>> {
        let Some((_, reserved)) = &mut self.pending else { return Poll::Ready(None) };
        let reserved = ready!(reserved.as_mut().poll(cx));
        let piece = self.pending.take().map(|(piece, _)| piece).unwrap_or_default();
        self.intake.progress_timeout.restart();
        Poll::Ready(Some(reserved.map(|()| piece).map_err(|_| BodyRejection::Busy)))
    }
}

impl http_body::Body for ReservingBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        loop {
            let piece = match ready!(self.poll_pending(cx)) {
                Some(piece) => piece,
                None if self.work_budget.poll_yield(cx).is_pending() => return Poll::Pending,
                None => match Pin::new(&mut self.body).poll_frame(cx) {
                    Poll::Pending => {
                        let arrived = self.arrived;
                        return self.intake.poll_stall(arrived, cx).map(|refusal| Some(Err(axum::Error::new(refusal))));
                    }
                    Poll::Ready(None) => match self.detach.as_mut().map(|(detach, _)| detach.finish()) {
                        Some(rest) if !rest.is_empty() => Ok(rest),
                        _ => return Poll::Ready(None),
                    },
                    Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                        Ok(piece) => self.accept_chunk(piece),
                        Err(_) => continue,
                    },
                    Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Err(error))),
                },
            };
            // A chunk without remaining text shows that the body progresses; a waiting one does not.
            if self.pending.is_none() {
                return Poll::Ready(Some(piece.map(Frame::data).map_err(axum::Error::new)));
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.pending.is_none() && self.detach.is_none() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        // The size hint limits the body; it need not match the text that is passed on.
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests;
