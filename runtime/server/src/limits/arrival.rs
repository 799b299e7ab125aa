//! A body that takes its share of the memory while it arrives.

use std::fmt;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes};
use http::header::CONTENT_TYPE;
use http::request::Parts;
use http_body::{Body as _, Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep};

use super::detach::Detach;
use crate::auth::Principal;
use crate::error::Error;
use crate::memory::MemoryShare;
use crate::server::Settings;

/// What a body may have before it takes a share: the number of requests bounds that.
const FREE: u64 = 16 << 10;

/// What a share grows by, so that not every piece of a body asks for one.
const STEP: u64 = 256 << 10;

/// How many bytes a byte of JSON text is counted as: as it came, grown, and as a value.
const OF_TEXT: u64 = 16;

/// How many bytes a byte of a batch is counted as: as it came, and grown.
const OF_BATCH: u64 = 2;

/// The least that must arrive within the pause that the budget allows.
const PROGRESS: u64 = 16 << 10;

/// The share that the body of a request has taken. It is among the extensions of the request, and is given back with
/// them.
#[derive(Clone)]
pub(crate) struct BodyShare {
    pub(crate) share: Arc<MemoryShare>,
    /// How many bytes have arrived, data that was taken out of the text among them.
    arrived: Arc<AtomicU64>,
}

/// Returns how many bytes the body of a request had, of which so many are left as text.
pub(crate) fn received(parts: &Parts, text: &[u8]) -> u64 {
    let counted = parts.extensions.get::<BodyShare>().map(|body| body.arrived.load(Ordering::Relaxed));
    counted.unwrap_or_default().max(text.len() as u64)
}

/// The data that was taken out of a body while it arrived.
#[derive(Clone, Default)]
pub(crate) struct Decoded(Arc<Mutex<Vec<wireform_runtime::Bytes>>>);

impl Decoded {
    pub(super) fn push(&self, bytes: wireform_runtime::Bytes) -> usize {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(bytes);
        all.len() - 1
    }

    /// Takes the data out.
    pub(crate) fn take(&self) -> Vec<wireform_runtime::Bytes> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Why a body is not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// There was no room for it for too long.
    Busy,
    /// It stood still while it held a share.
    Stalled,
    /// It is longer than the limit, or has more text than data.
    TooLong,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Busy => "there is no memory for the body",
            Self::Stalled => "the body stood still",
            Self::TooLong => "the body is too long",
        })
    }
}

impl std::error::Error for Refusal {}

impl Settings {
    /// Returns the body of a request whose sender is known, which takes a share of the memory while it is read. A short
    /// one is handed on as it is. Only `binary` members are decoded while they arrive.
    pub(crate) fn counted(&self, body: Body, principal: &Principal, binary: &[&str], parts: &mut Parts) -> Body {
        let mut arrival = match self.arrival(body, principal, OF_TEXT) {
            Ok(arrival) => arrival,
            Err(body) => return body,
        };
        let (share, arrived) = (Arc::clone(&arrival.share), Arc::clone(&arrival.reported));
        parts.extensions.insert(BodyShare { share, arrived });
        let is_json = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let is_json = is_json.is_none_or(|value| value.to_ascii_lowercase().contains("json"));
        let is_data = |(member, _): &(&str, usize)| is_json && binary.contains(member);
        arrival.detach = self.detached.filter(is_data).map(|(member, most)| {
            let decoded = Decoded::default();
            parts.extensions.insert(decoded.clone());
            let length = arrival.body.size_hint().exact().unwrap_or(self.limits.body_bytes as u64);
            (Detach::new(member, length, decoded), most as u64)
        });
        Body::new(arrival)
    }

    /// Returns the body of a batch, and the share that it takes. What its parts become is counted for each of them.
    pub(crate) fn counted_batch(&self, body: Body, principal: &Principal) -> (Body, Option<Arc<MemoryShare>>) {
        match self.arrival(body, principal, OF_BATCH) {
            Ok(arrival) => {
                let share = Arc::clone(&arrival.share);
                (Body::new(arrival), Some(share))
            }
            Err(body) => (body, None),
        }
    }

    /// Returns a body that is counted, or the body itself where there is no budget or it is short.
    fn arrival(&self, body: Body, principal: &Principal, of_text: u64) -> Result<Arrival, Body> {
        let Some(budget) = &self.memory else { return Err(body) };
        if body.size_hint().upper().is_some_and(|bytes| bytes <= FREE) {
            return Err(body);
        }
        Ok(Arrival {
            body,
            share: Arc::new(budget.share(principal.subject())),
            detach: None,
            of_text,
            pause: budget.pause(),
            most: self.limits.body_bytes as u64,
            arrived: 0,
            reported: Arc::default(),
            text: 0,
            granted: 0,
            waiting: None,
            window: None,
        })
    }
}

type Waiting = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

/// A body that is counted.
struct Arrival {
    body: Body,
    share: Arc<MemoryShare>,
    /// What takes data out of the text, and how much text there may be then.
    detach: Option<(Detach, u64)>,
    /// How many bytes a byte of its text is counted as.
    of_text: u64,
    pause: Duration,
    most: u64,
    arrived: u64,
    /// The same, for who reads the body.
    reported: Arc<AtomicU64>,
    /// How much of it is text.
    text: u64,
    /// What was reserved.
    granted: u64,
    /// A piece that there is no room for yet.
    waiting: Option<(Bytes, Waiting)>,
    /// Until when some more must arrive, and how much had at its begin.
    window: Option<(Pin<Box<Sleep>>, u64)>,
}

impl Arrival {
    /// Counts a piece. Returns what is left of it as text, which may have to wait.
    fn count(&mut self, piece: Bytes) -> Result<Bytes, Refusal> {
        self.arrived += piece.len() as u64;
        self.reported.store(self.arrived, Ordering::Relaxed);
        if self.arrived > self.most {
            return Err(Refusal::TooLong);
        }
        let (piece, data, most) = match &mut self.detach {
            None => (piece, 0, u64::MAX),
            Some((detach, most)) => (detach.push(&piece), detach.bytes(), *most),
        };
        self.text += piece.len() as u64;
        if self.text > most {
            return Err(Refusal::TooLong);
        }
        let needed = self.text * self.of_text + data;
        if self.arrived > FREE && needed > self.granted {
            self.granted = needed.next_multiple_of(STEP);
            let (share, bytes) = (Arc::clone(&self.share), self.granted);
            self.waiting = Some((piece, Box::pin(async move { share.reserve(bytes).await })));
            return Ok(Bytes::new());
        }
        Ok(piece)
    }

    /// The piece that waits, once there is room for it.
    fn poll_waiting(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Refusal>>> {
        let Some((_, reserved)) = &mut self.waiting else { return Poll::Ready(None) };
        let reserved = ready!(reserved.as_mut().poll(cx));
        let piece = self.waiting.take().map(|(piece, _)| piece).unwrap_or_default();
        // What could not arrive meanwhile is nobody's fault.
        self.window = None;
        Poll::Ready(Some(reserved.map(|()| piece).map_err(|_| Refusal::Busy)))
    }

    /// Whether too little has arrived for too long, while a share is held.
    fn poll_stall(&mut self, cx: &mut Context<'_>) -> Poll<Refusal> {
        if self.granted == 0 {
            return Poll::Pending;
        }
        let (pause, arrived) = (self.pause, self.arrived);
        let (sleep, before) = self.window.get_or_insert_with(|| (Box::pin(sleep(pause)), arrived));
        if arrived - *before >= PROGRESS {
            *before = arrived;
            sleep.as_mut().reset(Instant::now() + pause);
        }
        sleep.as_mut().poll(cx).map(|()| Refusal::Stalled)
    }
}

impl http_body::Body for Arrival {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        loop {
            let piece = match ready!(self.poll_waiting(cx)) {
                Some(piece) => piece,
                None => match Pin::new(&mut self.body).poll_frame(cx) {
                    Poll::Pending => return self.poll_stall(cx).map(|refusal| Some(Err(axum::Error::new(refusal)))),
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
            // A piece of which no text is left shows that the body goes on; one that waits shows nothing yet.
            if self.waiting.is_none() {
                return Poll::Ready(Some(piece.map(Frame::data).map_err(axum::Error::new)));
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.waiting.is_none() && self.detach.is_none() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        // It says whether the body is too long, and not how much of it is handed on.
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures_util::{StreamExt as _, stream};
    use wireform_runtime::Names;

    use super::super::{Limits, read_body};
    use super::*;
    use crate::memory::MemoryBudget;
    use crate::sample;

    fn settings(budget: &MemoryBudget) -> Settings {
        let mut settings = Arc::into_inner(sample::settings(Names::Specification)).unwrap();
        (settings.memory, settings.detached) = (Some(budget.clone()), Some(("raw", 1000)));
        settings
    }

    /// A body in pieces, each of which comes some seconds after the one before.
    fn slow(pieces: usize, length: usize, seconds: u64) -> Body {
        let begin = stream::once(async { Ok(Bytes::from_static(b"{\"raw\":\"")) });
        let data = stream::unfold(0, move |number| async move {
            sleep(Duration::from_secs(seconds)).await;
            (number < pieces).then(|| (Ok(Bytes::from("AQID".repeat(length / 4))), number + 1))
        });
        let end = stream::once(async { Ok::<_, Infallible>(Bytes::from_static(b"\"}")) });
        Body::from_stream(begin.chain(data).chain(end))
    }

    async fn read(body: Body, budget: &MemoryBudget) -> Result<(usize, usize), u16> {
        let settings = settings(budget);
        let mut parts = http::Request::new(()).into_parts().0;
        let body = settings.counted(body, &Principal::new("ana"), &["raw"], &mut parts);
        let text = read_body(body, &Limits::DEFAULT).await.map_err(|error| error.status().as_u16())?;
        let data = parts.extensions.get::<Decoded>().unwrap().take();
        assert_eq!(received(&parts, &text), data.iter().map(|data| data.len() as u64 / 3 * 4 + 10).sum::<u64>());
        Ok((text.len(), data.iter().map(|data| data.len()).sum()))
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_goes_on_takes_its_time() {
        let budget = MemoryBudget::new(8 << 20);
        // A minute in all, and never ten seconds without anything.
        assert_eq!(read(slow(30, 32 << 10, 2), &budget).await, Ok((50, 30 * (24 << 10))));
        assert_eq!(budget.held(), 0);
        assert_eq!(budget.peak(), 768 << 10);
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_hardly_goes_on_ends() {
        let budget = MemoryBudget::new(8 << 20);
        assert_eq!(read(slow(1000, 4 << 10, 2), &budget).await, Err(408));
        assert_eq!(budget.held(), 0);
        // One that holds nothing has the time that any has.
        assert_eq!(read(slow(3, 400, 9), &budget).await, Ok((50, 900)));
    }
}
