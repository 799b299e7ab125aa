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

use super::body::RequestBody;
use super::cost::Format;
use super::detach::Detach;
use super::intake::{BodyShare, Decoded, FREE, Intake, Refusal};
use super::slots::Caller;
use crate::error::Error;
use crate::memory::MemoryShare;
use crate::settings::Settings;
use crate::work_budget::WorkBudget;

impl Settings {
    /// Wraps the body of an authenticated request, so that it reserves memory while it is read. A short one is returned
    /// unchanged. Only `binary` fields are decoded while they arrive.
    pub(crate) fn limit_body(&self, body: Body, caller: &Caller, binary: &[&str], parts: &mut Parts) -> RequestBody {
        let format = format(&parts.headers);
        let mut arrival = match self.arrival(body, caller, format) {
            Ok(arrival) => arrival,
            Err(body) => return body.into(),
        };
        parts.extensions.insert(arrival.share());
        let announced = arrival.body.size_hint().exact();
        let is_data = |(member, _): &(&str, usize)| format == Format::Json && binary.contains(member);
        arrival.detach = self.detached.filter(is_data).map(|(member, most)| {
            let decoded = Decoded::default();
            parts.extensions.insert(decoded.clone());
            let length = announced.unwrap_or(self.limits.body_bytes as u64);
            (Detach::new(member, length, decoded), most as u64)
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
        match self.arrival(body, caller, format(&parts.headers)) {
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
        match self.arrival(body, caller, Format::Batch) {
            Ok(arrival) => {
                arrival.intake.announce(arrival.body.size_hint().exact(), 0);
                let share = Arc::clone(arrival.intake.share());
                (RequestBody::paced(Body::new(arrival)), Some(share))
            }
            Err(body) => (body.into(), None),
        }
    }

    /// Wraps a body, or returns it unchanged if there is no budget or it is short.
    fn arrival(&self, body: Body, caller: &Caller, format: Format) -> Result<Arrival, Body> {
        if body.size_hint().upper().is_some_and(|bytes| bytes <= FREE) {
            return Err(body);
        }
        let Some(intake) = Intake::new(self, caller, format) else { return Err(body) };
        Ok(Arrival {
            body,
            detach: None,
            intake,
            most: self.limits.body_bytes as u64,
            arrived: 0,
            reported: Arc::default(),
            waiting: None,
            turn: WorkBudget::default(),
        })
    }
}

/// Returns the format of a body, which defaults to JSON.
fn format(headers: &HeaderMap) -> Format {
    let media_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let is_json = media_type.is_none_or(|value| value.to_ascii_lowercase().contains("json"));
    if is_json { Format::Json } else { Format::Other }
}

type Reservation = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

/// Body whose memory is counted.
struct Arrival {
    body: Body,
    /// Decoder of binary data in the text, and the maximum size of the remaining text.
    detach: Option<(Detach, u64)>,
    intake: Intake,
    most: u64,
    arrived: u64,
    /// Number of bytes that have arrived, for the reader of the body.
    reported: Arc<AtomicU64>,
    /// Chunk that waits for memory.
    waiting: Option<(Bytes, Reservation)>,
    turn: WorkBudget,
}

impl Arrival {
    fn share(&self) -> BodyShare {
        BodyShare { share: Arc::clone(self.intake.share()), arrived: Arc::clone(&self.reported) }
    }

    /// Counts a chunk. Returns the remaining text, which may have to wait.
    fn count(&mut self, piece: Bytes) -> Result<Bytes, Refusal> {
        self.intake.pace.note_piece();
        self.turn.spend_lightly(piece.len());
        self.arrived += piece.len() as u64;
        self.reported.store(self.arrived, Ordering::Relaxed);
        if self.arrived > self.most {
            return Err(Refusal::TooLong);
        }
        let (piece, data, most) = match &mut self.detach {
            None => (piece, 0, u64::MAX),
            Some((detach, most)) => (detach.push(&piece), detach.bytes(), *most),
        };
        let reserved = self.intake.push(&piece, self.arrived, data)?;
        if self.intake.text() > most {
            return Err(Refusal::TooLong);
        }
        let Some(bytes) = reserved else { return Ok(piece) };
        let share = Arc::clone(self.intake.share());
        self.waiting = Some((piece, Box::pin(async move { share.reserve(bytes).await })));
        Ok(Bytes::new())
    }

    /// Returns the waiting chunk once there is memory for it.
    fn poll_waiting(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Refusal>>> {
        let Some((_, reserved)) = &mut self.waiting else { return Poll::Ready(None) };
        let reserved = ready!(reserved.as_mut().poll(cx));
        let piece = self.waiting.take().map(|(piece, _)| piece).unwrap_or_default();
        self.intake.pace.restart();
        Poll::Ready(Some(reserved.map(|()| piece).map_err(|_| Refusal::Busy)))
    }
}

impl http_body::Body for Arrival {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        loop {
            let piece = match ready!(self.poll_waiting(cx)) {
                Some(piece) => piece,
                None if self.turn.poll(cx).is_pending() => return Poll::Pending,
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
                        Ok(piece) => self.count(piece),
                        Err(_) => continue,
                    },
                    Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Err(error))),
                },
            };
            // A chunk without remaining text shows that the body progresses; a waiting one does not.
            if self.waiting.is_none() {
                return Poll::Ready(Some(piece.map(Frame::data).map_err(axum::Error::new)));
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.waiting.is_none() && self.detach.is_none() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        // The size hint limits the body; it need not match the text that is passed on.
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests;
