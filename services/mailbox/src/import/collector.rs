//! Mails that were read are prepared and handed on in batches.

use tokio::sync::mpsc;
use wireform_store::NewMessage;

use super::ImportError;
use super::labels::LabelName;
use crate::mail::{self, Arrival, Dated, MAX_MESSAGE_BYTES};

/// A batch has at most so many mails.
const MAILS: usize = 500;
/// A batch has at most so many bytes, but for the last mail.
const BYTES: usize = 8 << 20;

/// A mail that is ready to be stored, but for its labels.
pub(super) struct Mail {
    pub(super) message: NewMessage,
    pub(super) labels: Vec<LabelName>,
    pub(super) readable: bool,
}

/// Mails that are stored together.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) mails: Vec<Mail>,
    /// How many bytes of the source they were.
    pub(super) bytes: u64,
    /// How many mails among them were too long.
    pub(super) too_long: u64,
    weight: usize,
}

/// That nobody stores what is read: the other side tells why.
pub(super) struct Abandoned;

/// What a reader of mails hands on.
pub(super) struct Collector<'a> {
    sender: &'a mpsc::Sender<Batch>,
    batch: Batch,
}

impl<'a> Collector<'a> {
    pub(super) fn new(sender: &'a mpsc::Sender<Batch>) -> Self {
        Self { sender, batch: Batch::default() }
    }

    /// Takes a mail and, where the batch is full with it, hands on the batch.
    pub(super) fn take(
        &mut self,
        raw: Vec<u8>,
        bytes: u64,
        dated: Dated,
        labels: impl FnOnce(&[u8]) -> Vec<LabelName>,
    ) -> Result<(), Abandoned> {
        if raw.len() > MAX_MESSAGE_BYTES {
            self.pass_over(bytes);
            return Ok(());
        }
        if raw.is_empty() {
            // Two separators with nothing between them, or an empty file.
            self.count(bytes);
            return Ok(());
        }
        let labels = labels(&raw);
        let prepared = mail::prepare(raw, Arrival { dated, ..Arrival::default() });
        self.count(bytes);
        self.batch.weight += prepared.message.raw.len();
        self.batch.mails.push(Mail { message: prepared.message, labels, readable: prepared.readable });
        let full = self.batch.mails.len() >= MAILS || self.batch.weight >= BYTES;
        if full { self.send() } else { Ok(()) }
    }

    /// Counts a mail that is too long.
    pub(super) fn pass_over(&mut self, bytes: u64) {
        self.count(bytes);
        self.batch.too_long += 1;
    }

    /// Counts bytes of which nothing comes.
    pub(super) fn count(&mut self, bytes: u64) {
        self.batch.bytes += bytes;
    }

    /// Hands on what was taken since the last time.
    pub(super) fn send(&mut self) -> Result<(), Abandoned> {
        self.sender.blocking_send(std::mem::take(&mut self.batch)).map_err(|_| Abandoned)
    }
}

/// Why a reader ends early.
pub(super) enum Stopped {
    Abandoned,
    Failed(ImportError),
}

impl From<Abandoned> for Stopped {
    fn from(_: Abandoned) -> Self {
        Self::Abandoned
    }
}

impl From<ImportError> for Stopped {
    fn from(error: ImportError) -> Self {
        Self::Failed(error)
    }
}
