//! Import of folders and files of mail into a mailbox.
//!
//! One thread reads and parses the mail, while the parsed mail is stored in batches, each in one transaction. A mail is
//! skipped if its `Message-ID` is in the mailbox already, or, without one, if the same bytes are there: an interrupted
//! import can be restarted and continues.

mod collector;
mod folder;
mod labels;
mod maildir;
mod mbox;
mod reader;
mod replies;
mod separator;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::mpsc;
use wireform_store::{Clock, Error as StoreError, Mailbox, NewMessage, Store};

use self::collector::Batch;
use self::labels::{LabelName, Labels};
use self::replies::PendingReplies;
use crate::calendar_mail::{self, CalendarMailHandler};
use crate::messages::MAX_LABELS;

/// Source of mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MailSource {
    /// Maildir++: a folder with `cur` and `new`, and subfolders whose names begin with a dot.
    Maildir(PathBuf),
    /// Mbox file (RFC 4155), with any quoting of lines that begin with `From`.
    Mbox(PathBuf),
}

/// Receiver of the progress of an import.
pub trait Progress: Send + Sync + 'static {
    /// Reports the total number of bytes to read. May be called again if that changes.
    fn set_total(&self, bytes: u64);
    /// Reports that more bytes, and the mails in them, were stored or skipped.
    fn advance(&self, bytes: u64, mails: u64);
}

/// Ignores progress.
impl Progress for () {
    fn set_total(&self, _bytes: u64) {}
    fn advance(&self, _bytes: u64, _mails: u64) {}
}

/// Summary of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ImportReport {
    /// Number of stored mails.
    pub stored: u64,
    /// Number of mails that were in the mailbox already, or twice in the source.
    pub known: u64,
    /// Number of stored mails without a parsable header.
    pub unreadable: u64,
    /// Number of mails that are longer than [`MAX_MESSAGE_BYTES`](crate::mail::MAX_MESSAGE_BYTES) and were skipped.
    pub too_long: u64,
    /// Number of created labels.
    pub labels: u64,
    /// Number of created labels whose names in the source have control characters, are too long, or are empty.
    pub renamed_labels: u64,
}

/// Error that ended an import early. Mails stored before stay.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// A file or folder cannot be read.
    #[error("cannot read `{}`: {error}", path.display())]
    Read {
        /// Path of the file or folder.
        path: PathBuf,
        /// Cause.
        error: std::io::Error,
    },
    /// The source is not of the expected kind.
    #[error("`{}` is not a valid {kind}: {why}", path.display())]
    WrongKind {
        /// Path of the file or folder.
        path: PathBuf,
        /// Expected kind.
        kind: &'static str,
        /// Missing property.
        why: &'static str,
    },
    /// The mail cannot be stored.
    #[error("cannot store the mail: {0}")]
    Store(#[from] StoreError),
    /// The calendar cannot handle the data of a mail.
    #[error("the calendar cannot process an invitation: {0}")]
    Calendar(Box<dyn std::error::Error + Send + Sync>),
    /// The reader thread ended unexpectedly.
    #[error("the thread that reads the mail panicked")]
    ReaderStopped,
}

/// Importer of mail into a mailbox.
#[derive(Debug, Clone)]
pub struct Importer<S> {
    store: S,
    mailbox: Mailbox,
    clock: Clock,
    label: Option<String>,
    calendars: Option<Arc<dyn CalendarMailHandler>>,
}

impl<S: Store> Importer<S> {
    /// Creates an importer for a mailbox.
    #[must_use]
    pub fn new(store: S, mailbox: Mailbox, clock: Clock) -> Self {
        Self { store, mailbox, clock, label: None, calendars: None }
    }

    /// Adds a label to every mail, which is created if it does not exist.
    #[must_use]
    pub fn with_label(mut self, name: impl Into<String>) -> Self {
        self.label = Some(name.into());
        self
    }

    /// Passes invitations in stored mail, and replies to them, to `calendars`.
    #[must_use]
    pub fn with_calendars(mut self, calendars: impl CalendarMailHandler + 'static) -> Self {
        self.calendars = Some(Arc::new(calendars));
        self
    }

    /// Imports the mail.
    ///
    /// # Errors
    /// Returns an error if the source cannot be read, or if the mail cannot be stored or handled by the calendar. Mails
    /// stored before the error stay.
    pub async fn run(&self, source: MailSource, progress: Arc<dyn Progress>) -> Result<ImportReport, ImportError> {
        // One batch is being stored, one is queued, and one is being read, which bounds the memory.
        let (sender, mut batches) = mpsc::channel::<Batch>(1);
        let reader_progress = Arc::clone(&progress);
        let reading = tokio::task::spawn_blocking(move || reader::read(source, &sender, &*reader_progress));
        let mut labels = Labels::load(&self.store, self.mailbox).await?;
        let mut replies = PendingReplies::default();
        let mut report = ImportReport::default();
        while let Some(mut batch) = batches.recv().await {
            // Includes mails that are skipped: those stored before an interruption may be awaited by replies, too.
            batch.mails.iter_mut().for_each(|mail| replies.resolve(&mut mail.message.threading));
            let (bytes, mails) = (batch.bytes, batch.mails.len() as u64 + batch.too_long);
            report.too_long += batch.too_long;
            self.store_batch(batch, &mut labels, &mut report).await?;
            progress.advance(bytes, mails);
        }
        (report.labels, report.renamed_labels) = (labels.created, labels.renamed);
        reading.await.map_err(|_| ImportError::ReaderStopped)??;
        Ok(report)
    }

    /// Stores the mails of a batch that are not in the mailbox yet, after passing their invitations to the calendars.
    async fn store_batch(
        &self,
        batch: Batch,
        labels: &mut Labels,
        report: &mut ImportReport,
    ) -> Result<(), ImportError> {
        let own = |message: &NewMessage| message.threading.message_id;
        let identifiers: Vec<i64> = batch.mails.iter().filter_map(|mail| own(&mail.message)).collect();
        let known = self.store.known_identifiers(self.mailbox, identifiers).await?;
        let mut known: HashSet<i64> = known.into_iter().collect();
        let mut fresh = Vec::with_capacity(batch.mails.len());
        for mail in batch.mails {
            if own(&mail.message).is_none_or(|own| known.insert(own)) {
                report.unreadable += u64::from(!mail.readable);
                fresh.push(mail);
            } else {
                report.known += 1;
            }
        }
        if fresh.is_empty() {
            return Ok(());
        }
        for mail in &fresh {
            if let Some(taker) = &self.calendars {
                calendar_mail::deliver_parts(&**taker, self.mailbox, &mail.message.raw, true)
                    .await
                    .map_err(ImportError::Calendar)?;
            }
        }
        let stored = fresh.len() as u64;
        let (messages, names): (Vec<NewMessage>, Vec<Vec<LabelName>>) =
            fresh.into_iter().map(|mail| (mail.message, mail.labels)).unzip();
        self.insert(messages, &names, labels).await?;
        report.stored += stored;
        Ok(())
    }

    /// Inserts messages with the labels of the given names. A label that is deleted concurrently is created again.
    async fn insert(
        &self,
        mut messages: Vec<NewMessage>,
        names: &[Vec<LabelName>],
        labels: &mut Labels,
    ) -> Result<(), ImportError> {
        self.set_labels(&mut messages, names, labels).await?;
        // Mails are large, but a retry needs them; a batch has a few MiB.
        let again = messages.clone();
        match self.store.insert_messages(self.mailbox, messages, self.clock.now()).await {
            Err(StoreError::NotFound { what: "label", .. }) => {
                labels.refresh(&self.store, self.mailbox).await?;
                let mut messages = again;
                self.set_labels(&mut messages, names, labels).await?;
                self.store.insert_messages(self.mailbox, messages, self.clock.now()).await?;
            }
            stored => {
                stored?;
            }
        }
        Ok(())
    }

    /// Sets the labels of messages: those of the given names, and the one for every mail. Missing labels are created.
    async fn set_labels(
        &self,
        messages: &mut [NewMessage],
        names: &[Vec<LabelName>],
        labels: &mut Labels,
    ) -> Result<(), ImportError> {
        let every = self.label.clone().map(LabelName::Named);
        for (message, names) in messages.iter_mut().zip(names) {
            message.labels.clear();
            for name in every.iter().chain(names) {
                if message.labels.len() == MAX_LABELS {
                    break;
                }
                let label = labels.find(&self.store, self.mailbox, name).await?;
                if !message.labels.contains(&label) {
                    message.labels.push(label);
                }
            }
        }
        Ok(())
    }
}
