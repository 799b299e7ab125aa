//! Folders and files full of mail come into a mailbox.
//!
//! One thread reads and understands the mail, and what it has understood is stored meanwhile, in batches of which
//! each is one transaction. A mail whose `Message-ID` is in the mailbox already is passed over, and so is one without
//! where the same bytes are there: an import that was interrupted is started once more and goes on.

mod answers;
mod collector;
mod folder;
mod labels;
mod maildir;
mod mbox;
mod reader;
mod separator;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::mpsc;
use wireform_store::{Clock, Error as StoreError, Mailbox, NewMessage, Store};

use self::answers::Answers;
use self::collector::Batch;
use self::labels::{LabelName, Labels};
use crate::calendars::{self, CalendarMail};
use crate::messages::MAX_LABELS;

/// Where mail comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A folder with `cur` and `new`, and with folders whose names begin with a dot (Maildir++).
    Maildir(PathBuf),
    /// A file of mails one after the other (RFC 4155), whatever way its lines that begin with `From` are quoted.
    Mbox(PathBuf),
}

/// Something that is told how far an import has come.
pub trait Progress: Send + Sync + 'static {
    /// How many bytes there are to read. It may be told once more where they turn out to be others.
    fn total(&self, bytes: u64);
    /// So many more bytes, and the mails in them, are done with: stored or passed over.
    fn advanced(&self, bytes: u64, mails: u64);
}

/// Tells nobody.
impl Progress for () {
    fn total(&self, _bytes: u64) {}
    fn advanced(&self, _bytes: u64, _mails: u64) {}
}

/// What an import has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Report {
    /// Mails that were stored.
    pub stored: u64,
    /// Mails that were in the mailbox already, or twice in the source.
    pub known: u64,
    /// Of those that were stored: mails without a header that could be read.
    pub unreadable: u64,
    /// Mails that are longer than [`MAX_MESSAGE_BYTES`](crate::mail::MAX_MESSAGE_BYTES) and were left out.
    pub too_long: u64,
    /// Labels that were made.
    pub labels: u64,
    /// Of those: labels whose names in the source have control characters, are too long, or are empty.
    pub renamed_labels: u64,
}

/// Why an import ended early. What was stored until then stays.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// A file or folder cannot be read.
    #[error("cannot read `{}`: {error}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It is not what it should be.
    #[error("`{}` is no {kind}: {why}", path.display())]
    NotA {
        /// Which.
        path: PathBuf,
        /// What it should be.
        kind: &'static str,
        /// What is missing.
        why: &'static str,
    },
    /// The mail cannot be stored.
    #[error("cannot store the mail: {0}")]
    Store(#[from] StoreError),
    /// A calendar cannot take what a mail says.
    #[error("the calendar cannot take an invitation: {0}")]
    Calendar(Box<dyn std::error::Error + Send + Sync>),
    /// The thread that reads has ended in a way that it should not.
    #[error("the thread that reads the mail has failed")]
    Failed,
}

/// Takes mail into a mailbox.
#[derive(Debug, Clone)]
pub struct Importer<S> {
    store: S,
    mailbox: Mailbox,
    clock: Clock,
    label: Option<String>,
    calendars: Option<Arc<dyn CalendarMail>>,
}

impl<S: Store> Importer<S> {
    /// One for that mailbox.
    #[must_use]
    pub fn new(store: S, mailbox: Mailbox, clock: Clock) -> Self {
        Self { store, mailbox, clock, label: None, calendars: None }
    }

    /// Every mail gets the label of that name as well, which is made if it is not there.
    #[must_use]
    pub fn with_label(mut self, name: impl Into<String>) -> Self {
        self.label = Some(name.into());
        self
    }

    /// Invitations in mail that is stored, and answers to them, are handed to `calendars`.
    #[must_use]
    pub fn with_calendars(mut self, calendars: impl CalendarMail + 'static) -> Self {
        self.calendars = Some(Arc::new(calendars));
        self
    }

    /// Takes the mail in.
    ///
    /// # Errors
    /// When the source cannot be read or the mail not be stored. What was stored until then stays.
    pub async fn run(&self, source: Source, progress: Arc<dyn Progress>) -> Result<Report, ImportError> {
        // One batch is being stored, one waits, and one is being read: the memory is bounded by three.
        let (sender, mut batches) = mpsc::channel::<Batch>(1);
        let told = Arc::clone(&progress);
        let reading = tokio::task::spawn_blocking(move || reader::read(source, &sender, &*told));
        let mut labels = Labels::of(&self.store, self.mailbox).await?;
        let mut answers = Answers::default();
        let mut report = Report::default();
        while let Some(mut batch) = batches.recv().await {
            // Those that are passed over as well: what was stored before the import was interrupted is waited for too.
            batch.mails.iter_mut().for_each(|mail| answers.take(&mut mail.message.threading));
            let (bytes, mails) = (batch.bytes, batch.mails.len() as u64 + batch.too_long);
            report.too_long += batch.too_long;
            self.keep(batch, &mut labels, &mut report).await?;
            progress.advanced(bytes, mails);
        }
        (report.labels, report.renamed_labels) = (labels.made, labels.renamed);
        reading.await.map_err(|_| ImportError::Failed)??;
        Ok(report)
    }

    async fn keep(&self, batch: Batch, labels: &mut Labels, report: &mut Report) -> Result<(), ImportError> {
        let own = |message: &NewMessage| message.threading.own;
        let identifiers: Vec<i64> = batch.mails.iter().filter_map(|mail| own(&mail.message)).collect();
        let known = self.store.known(self.mailbox, identifiers).await?;
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
                calendars::tell(&**taker, self.mailbox, &mail.message.raw, true)
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

    /// A label that somebody deletes meanwhile is made once more.
    async fn insert(
        &self,
        mut messages: Vec<NewMessage>,
        names: &[Vec<LabelName>],
        labels: &mut Labels,
    ) -> Result<(), ImportError> {
        self.label(&mut messages, names, labels).await?;
        // Bytes of mails are large, but a second attempt needs them; a batch has a few MiB.
        let again = messages.clone();
        match self.store.insert_all(self.mailbox, messages, self.clock.now()).await {
            Err(StoreError::Absent { what: "label", .. }) => {
                labels.refresh(&self.store, self.mailbox).await?;
                let mut messages = again;
                self.label(&mut messages, names, labels).await?;
                self.store.insert_all(self.mailbox, messages, self.clock.now()).await?;
            }
            stored => {
                stored?;
            }
        }
        Ok(())
    }

    async fn label(
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
