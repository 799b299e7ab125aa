//! What the body of a request takes of the memory, and what is taken out of its text.

use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use http::request::Parts;

use super::cost::{Format, TextCost};
use super::pace::Pace;
use super::slots::Caller;
use crate::error::Error;
use crate::memory::MemoryShare;
use crate::settings::Settings;

/// What a body may have before it takes a share: the number of requests bounds that.
pub(super) const FREE: u64 = 16 << 10;

/// What a share grows by, so that not every piece of a body asks for one.
const STEP: u64 = 256 << 10;

/// The share that the body of a request has taken. It is among the extensions of the request, and is given back with
/// them.
#[derive(Clone)]
pub(crate) struct BodyShare {
    pub(crate) share: Arc<MemoryShare>,
    /// How many bytes have arrived, data that was taken out of the text among them.
    pub(super) arrived: Arc<AtomicU64>,
}

/// Returns how many bytes the body of a request had, of which so many are left as text.
pub(crate) fn body_length(parts: &Parts, text: &[u8]) -> u64 {
    let arrived = parts.extensions.get::<BodyShare>().map(|body| body.arrived.load(Ordering::Relaxed));
    arrived.unwrap_or_default().max(text.len() as u64)
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
    /// It stood still.
    Stalled,
    /// It is longer than the limit, or has more text than data.
    TooLong,
    /// It takes more memory than one caller can hold.
    TooLarge,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Busy => "there is no memory for the body",
            Self::Stalled => "the body stood still",
            Self::TooLong => "the body is too long",
            Self::TooLarge => "the body takes too much memory",
        })
    }
}

impl std::error::Error for Refusal {}

impl Settings {
    /// Returns the share of a text that arrives within the body of a request, which keeps the share; none where there is
    /// no budget. The text has so many bytes at the most, as far as that is known.
    pub(crate) fn text_intake(&self, caller: &Caller, parts: &mut Parts, length: Option<u64>) -> Option<Intake> {
        let intake = Intake::new(self, caller, Format::Json)?;
        intake.announce(length, 0);
        let (share, arrived) = (Arc::clone(&intake.share), Arc::default());
        parts.extensions.insert(BodyShare { share, arrived });
        Some(intake)
    }
}

/// The share of a body that arrives.
pub(crate) struct Intake {
    share: Arc<MemoryShare>,
    cost: TextCost,
    /// How many bytes of text have arrived.
    text: u64,
    /// The most bytes that the caller can hold.
    part: u64,
    /// How many bytes were reserved.
    granted: u64,
    pub(super) pace: Pace,
}

impl Intake {
    /// Creates the share of a body, which holds nothing yet; none where there is no budget.
    pub(super) fn new(settings: &Settings, caller: &Caller, format: Format) -> Option<Self> {
        let budget = settings.memory.as_ref()?;
        let share = Arc::new(budget.share_of(caller.clone()));
        let pace = Pace::new(settings.limits.body_pause, budget.pause());
        Some(Self { share, cost: TextCost::new(format), text: 0, part: budget.part(), granted: 0, pace })
    }

    pub(super) const fn share(&self) -> &Arc<MemoryShare> {
        &self.share
    }

    /// How many bytes of text have arrived.
    pub(super) const fn text(&self) -> u64 {
        self.text
    }

    /// Whether a body ends of which so much has arrived, as it does not go on. The task is woken when it does.
    pub(super) fn poll_stall(&mut self, arrived: u64, cx: &mut Context<'_>) -> Poll<Refusal> {
        self.pace.poll_expired(arrived, self.granted > 0, cx).map(|()| Refusal::Stalled)
    }

    /// Announces a body of so many bytes of text, and so many of data. One that does not say how long it is may have half
    /// of what its caller can: so several of them go on together, and one does not wait for what others may never need.
    pub(super) fn announce(&self, text: Option<u64>, data: u64) {
        let expected = text.map(|text| self.cost.estimate(text).saturating_add(data).saturating_add(STEP));
        self.share.claim(expected.unwrap_or(self.part / 2));
    }

    /// Counts a piece of text, beside so many bytes of data in all. Returns what must be reserved before more is read.
    pub(super) fn push(&mut self, text: &[u8], arrived: u64, data: u64) -> Result<Option<u64>, Refusal> {
        self.cost.push(text);
        self.text += text.len() as u64;
        let needed = self.cost.bytes().saturating_add(data);
        if arrived <= FREE || needed <= self.granted {
            return Ok(None);
        }
        if needed > self.part {
            return Err(Refusal::TooLarge);
        }
        self.granted = needed.next_multiple_of(STEP).min(self.part);
        Ok(Some(self.granted))
    }

    /// Counts a piece of text, and waits until there is room for it.
    ///
    /// # Errors
    /// 503 when there is none for too long; 413 when it takes more memory than one caller can hold.
    pub(crate) async fn admit(&mut self, text: &[u8]) -> Result<(), Error> {
        let arrived = self.text + text.len() as u64;
        match self.push(text, arrived, 0) {
            Ok(None) => Ok(()),
            Ok(Some(bytes)) => {
                let reserved = self.share.reserve(bytes).await;
                self.pace.restart();
                reserved
            }
            Err(refusal) => Err(refusal.into()),
        }
    }

    /// Ends the text: what is behind it takes nothing.
    pub(crate) fn finish(self) {
        self.share.shrink(self.granted);
    }

    /// Awaits the next piece of a body of which so much has arrived.
    ///
    /// # Errors
    /// What the future says, and 408 when the body does not go on.
    pub(crate) async fn await_piece<T>(
        &mut self,
        arrived: usize,
        piece: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let mut piece = pin!(piece);
        let piece = poll_fn(|cx| match piece.as_mut().poll(cx) {
            Poll::Ready(piece) => Poll::Ready(piece),
            Poll::Pending => self.poll_stall(arrived as u64, cx).map(|refusal| Err(refusal.into())),
        });
        let piece = piece.await;
        self.pace.note_piece();
        piece
    }
}
