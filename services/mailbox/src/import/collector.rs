//! Batching of parsed mail.

use tokio::sync::mpsc;
use wireform_store::NewMessage;

use super::ImportError;
use super::labels::LabelName;
use crate::mail::{self, Arrival, DateSource, MAX_MESSAGE_BYTES};

/// Maximum number of mails per batch.
const MAX_MAILS: usize = 500;
/// Maximum number of bytes per batch, not counting the last mail.
const MAX_BYTES: usize = 8 << 20;

/// Mail that is ready to be stored except for its labels.
pub(super) struct PendingMail {
    pub(super) message: NewMessage,
    pub(super) labels: Vec<LabelName>,
    pub(super) readable: bool,
}

/// Mails that are stored together.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) mails: Vec<PendingMail>,
    /// Number of bytes of the source.
    pub(super) bytes: u64,
    /// Number of mails of these bytes that were skipped because they are too long.
    pub(super) too_long: u64,
    weight: usize,
}

/// Error that the receiving side has stopped; it reports the cause.
pub(super) struct Disconnected;

/// Collector of mails into batches.
pub(super) struct Collector<'a> {
    sender: &'a mpsc::Sender<Batch>,
    batch: Batch,
}

impl<'a> Collector<'a> {
    pub(super) fn new(sender: &'a mpsc::Sender<Batch>) -> Self {
        Self { sender, batch: Batch::default() }
    }

    /// Adds a mail, and sends the batch if it is full.
    pub(super) fn push(
        &mut self,
        raw: Vec<u8>,
        bytes: u64,
        dated: DateSource,
        labels: impl FnOnce(&[u8]) -> Vec<LabelName>,
    ) -> Result<(), Disconnected> {
        if raw.len() > MAX_MESSAGE_BYTES {
            self.skip_too_long(bytes);
            return Ok(());
        }
        if raw.is_empty() {
            // Two separators without content in between, or an empty file.
            self.count(bytes);
            return Ok(());
        }
        let labels = labels(&raw);
        let prepared = mail::prepare(raw, Arrival { dated, ..Arrival::default() });
        self.count(bytes);
        self.batch.weight += prepared.message.raw.len();
        self.batch.mails.push(PendingMail { message: prepared.message, labels, readable: prepared.readable });
        let full = self.batch.mails.len() >= MAX_MAILS || self.batch.weight >= MAX_BYTES;
        if full { self.send() } else { Ok(()) }
    }

    /// Counts a mail that is too long.
    pub(super) fn skip_too_long(&mut self, bytes: u64) {
        self.count(bytes);
        self.batch.too_long += 1;
    }

    /// Counts bytes of the source.
    pub(super) fn count(&mut self, bytes: u64) {
        self.batch.bytes += bytes;
    }

    /// Sends the collected mails.
    pub(super) fn send(&mut self) -> Result<(), Disconnected> {
        self.sender.blocking_send(std::mem::take(&mut self.batch)).map_err(|_| Disconnected)
    }
}

/// Reason for ending a reader early.
pub(super) enum StopReason {
    Disconnected,
    Failed(ImportError),
}

impl From<Disconnected> for StopReason {
    fn from(_: Disconnected) -> Self {
        Self::Disconnected
    }
}

impl From<ImportError> for StopReason {
    fn from(error: ImportError) -> Self {
        Self::Failed(error)
    }
}
