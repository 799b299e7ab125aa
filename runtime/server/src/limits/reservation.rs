//! Memory share of a request body, and the data decoded from it.

use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use http::request::Parts;

use super::cost::{Format, TextCost};
use super::progress_timeout::ProgressTimeout;
use super::slots::Caller;
use crate::error::Error;
use crate::memory::{MemoryShare, UNRESERVED_BYTES};
use crate::settings::Settings;

/// Step by which a share grows, so that not every chunk reserves memory.
const RESERVATION_STEP: u64 = 256 << 10;

/// Memory share of a request body. It is stored in the extensions of the request, and released with them.
#[derive(Clone)]
pub(crate) struct BodyShare {
    pub(crate) share: Arc<MemoryShare>,
    /// Number of bytes that have arrived, including decoded data.
    pub(super) arrived: Arc<AtomicU64>,
}

/// Returns the length in bytes of a request body with this remaining text.
pub(crate) fn body_length(parts: &Parts, text: &[u8]) -> u64 {
    let arrived = parts.extensions.get::<BodyShare>().map(|body| body.arrived.load(Ordering::Relaxed));
    arrived.unwrap_or_default().max(text.len() as u64)
}

/// Data that was decoded while the body arrived.
#[derive(Clone, Default)]
pub(crate) struct DecodedData(Arc<Mutex<Vec<wireform_runtime::Bytes>>>);

impl DecodedData {
    /// Appends decoded data, and returns their index.
    pub(super) fn push(&self, bytes: wireform_runtime::Bytes) -> usize {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(bytes);
        all.len() - 1
    }

    /// Takes the data.
    pub(crate) fn take(&self) -> Vec<wireform_runtime::Bytes> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Cause for which the rest of a body is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyRejection {
    /// No memory was available in time.
    Busy,
    /// The body made no progress.
    Stalled,
    /// The body exceeds the limit, or its text exceeds that for text next to decoded data.
    TooLong,
    /// The body needs more memory than one caller may use.
    TooLarge,
}

impl fmt::Display for BodyRejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Busy => "not enough memory for the body",
            Self::Stalled => "the body made no progress",
            Self::TooLong => "the body is too long",
            Self::TooLarge => "the body exceeds the memory limit",
        })
    }
}

impl std::error::Error for BodyRejection {}

impl Settings {
    /// Creates the memory share of a text within the request body, which keeps the share; `None` without a budget.
    /// `length` is the maximum size of the text in bytes, if it is known.
    pub(crate) fn reserve_text(
        &self,
        caller: &Caller,
        parts: &mut Parts,
        length: Option<u64>,
    ) -> Option<BodyReservation> {
        let intake = BodyReservation::new(self, caller, Format::Json)?;
        intake.announce(length, 0);
        let (share, arrived) = (Arc::clone(&intake.share), Arc::default());
        parts.extensions.insert(BodyShare { share, arrived });
        Some(intake)
    }
}

/// Memory share of a body while it arrives.
pub(crate) struct BodyReservation {
    share: Arc<MemoryShare>,
    cost: TextCost,
    /// Number of bytes of text that have arrived.
    text: u64,
    /// Maximum number of bytes of the caller.
    max_caller_bytes: u64,
    /// Number of bytes that were reserved.
    reserved: u64,
    pub(super) progress_timeout: ProgressTimeout,
}

impl BodyReservation {
    /// Creates an empty share; `None` without a budget.
    pub(super) fn new(settings: &Settings, caller: &Caller, format: Format) -> Option<Self> {
        let budget = settings.memory.as_ref()?;
        let share = Arc::new(budget.share_of(caller.clone()));
        let pace = ProgressTimeout::new(settings.limits.body_pause, budget.pause());
        Some(Self {
            share,
            cost: TextCost::new(format),
            text: 0,
            max_caller_bytes: budget.max_caller_bytes(),
            reserved: 0,
            progress_timeout: pace,
        })
    }

    /// Returns the memory share that holds the body.
    pub(super) const fn share(&self) -> &Arc<MemoryShare> {
        &self.share
    }

    /// Returns the number of bytes of text that have arrived.
    pub(super) const fn text(&self) -> u64 {
        self.text
    }

    /// Returns an error if the body makes no progress, where `arrived` is the number of bytes that have arrived. The
    /// task is woken then.
    pub(super) fn poll_stall(&mut self, arrived: u64, cx: &mut Context<'_>) -> Poll<BodyRejection> {
        self.progress_timeout.poll_expired(arrived, self.reserved > 0, cx).map(|()| BodyRejection::Stalled)
    }

    /// Announces the size of text and data of a body. A body of unknown length announces half of its caller's maximum,
    /// so that several of them can progress together, and none waits for memory that others may never need.
    pub(super) fn announce(&self, text: Option<u64>, data: u64) {
        let expected = text.map(|text| self.cost.estimate(text).saturating_add(data).saturating_add(RESERVATION_STEP));
        self.share.claim(expected.unwrap_or(self.max_caller_bytes / 2));
    }

    /// Counts a chunk of text, with the total size of the data. Returns the reservation that is needed before more is
    /// read.
    pub(super) fn push(&mut self, text: &[u8], arrived: u64, data: u64) -> Result<Option<u64>, BodyRejection> {
        self.cost.push(text);
        self.text += text.len() as u64;
        let needed = self.cost.bytes().saturating_add(data);
        if arrived <= UNRESERVED_BYTES || needed <= self.reserved {
            return Ok(None);
        }
        if needed > self.max_caller_bytes {
            return Err(BodyRejection::TooLarge);
        }
        self.reserved = needed.next_multiple_of(RESERVATION_STEP).min(self.max_caller_bytes);
        Ok(Some(self.reserved))
    }

    /// Counts a chunk of text, and waits until there is memory for it.
    ///
    /// # Errors
    /// Returns a 503 if no memory is available in time; a 413 if the body needs more memory than one caller may use.
    pub(crate) async fn admit(&mut self, text: &[u8]) -> Result<(), Error> {
        let arrived = self.text + text.len() as u64;
        match self.push(text, arrived, 0) {
            Ok(None) => Ok(()),
            Ok(Some(bytes)) => {
                let reserved = self.share.reserve(bytes).await;
                self.progress_timeout.restart();
                reserved
            }
            Err(refusal) => Err(refusal.into()),
        }
    }

    /// Ends the text: bytes after it are not counted.
    pub(crate) fn finish(self) {
        self.share.shrink(self.reserved);
    }

    /// Awaits the next chunk of a body.
    ///
    /// # Errors
    /// Returns the error of the future, or a 408 if the body makes no progress.
    pub(crate) async fn await_chunk<T>(
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
        self.progress_timeout.note_chunk();
        piece
    }
}
