//! SQLite store: one writer thread, a pool of reader threads, files in a folder.

mod backup;
mod disk_space;
mod epoch_marker;
mod error;
mod files;
mod identity;
mod job;
mod maintenance;
mod migrate;
mod readers;
mod session;
#[cfg(test)]
mod tests;
mod writer;

use std::convert::Infallible;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use rusqlite::Connection;
use tokio::sync::{Mutex, mpsc};

pub use self::backup::restore;
use self::error::file_error;
use self::files::Files;
use self::job::{Job, job};
use self::maintenance::MaintenanceHandle;
use self::readers::Reader;
use self::writer::Writer;
use crate::backend::Backend;
use crate::operation::{Access, Operation};
use crate::search_scheduler::{self, SearchScheduler};
use crate::{Error, Result, Unavailable};

/// Maximum number of queued operations of a kind; further ones fail as busy.
const QUEUE_LENGTH: usize = 1_024;

/// Options of the SQLite store.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SqliteOptions {
    /// Number of concurrent read connections, at least two. At most half of them run scans at a time.
    pub readers: usize,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self { readers: 4 }
    }
}

/// Store in SQLite files in a folder. Clones share the store.
///
/// Several processes may open the same folder at once; their writes are serialized.
#[derive(Clone)]
pub struct Sqlite {
    files: Files,
    queues: Arc<RwLock<Option<Queues>>>,
    shares: SearchScheduler,
    /// Each thread holds a sender: the channel closes when the last thread ends.
    ended: Arc<Mutex<mpsc::Receiver<Infallible>>>,
}

/// Queues of operations for the threads.
struct Queues {
    reads: Sender<Box<dyn Job>>,
    scans: Sender<Box<dyn Job>>,
    writes: Sender<Box<dyn Job>>,
}

impl Sqlite {
    /// Opens the store in a folder, which is created if it does not exist, and migrates it.
    ///
    /// # Errors
    /// Returns an error if the folder or its files cannot be used, or if they are those of another program or of a
    /// newer version.
    pub fn open(folder: &Path, options: SqliteOptions) -> Result<Self> {
        let files = Files::create(folder)?;
        let connection = open_writer(&files).map_err(|error| with_path(&files, error))?;

        let (alive, ended) = mpsc::channel(1);
        let (reads, to_read) = bounded(QUEUE_LENGTH);
        let (scans, to_scan) = bounded(QUEUE_LENGTH);
        let (writes, to_write) = bounded(QUEUE_LENGTH);
        let (maintenance, thread) = MaintenanceHandle::new(files.clone());
        let writer = Writer::new(files.clone(), connection, to_write, maintenance);
        spawn("store-writer", &alive, move || writer.run())?;
        spawn("store-maintenance", &alive, move || thread.run())?;
        let readers = options.readers.max(2);
        for number in 0..readers {
            let scans: Option<Receiver<_>> = (number < readers / 2).then(|| to_scan.clone());
            let reader = Reader { files: files.clone(), reads: to_read.clone(), scans };
            spawn(&format!("store-reader-{number}"), &alive, move || reader.run())?;
        }
        let queues = Arc::new(RwLock::new(Some(Queues { reads, scans, writes })));
        // Half of the processors are left to other operations than searches.
        let shares = SearchScheduler::new((readers / 2).min(search_scheduler::processor_count() / 2));
        Ok(Self { files, queues, shares, ended: Arc::new(Mutex::new(ended)) })
    }

    /// Returns whether `folder` contains a store; otherwise [`open`](Self::open) creates one.
    #[must_use]
    pub fn exists(folder: &Path) -> bool {
        Files { folder: folder.to_owned() }.database().exists()
    }

    /// Queues a job for the threads of its access; fails at once if the queue is full or the store is closed.
    fn send(&self, access: Access, job: Box<dyn Job>) -> Result<()> {
        let queues = self.queues.read().unwrap_or_else(PoisonError::into_inner);
        let queues = queues.as_ref().ok_or(Error::Unavailable(Unavailable::Closed))?;
        let queue = match access {
            Access::Read => &queues.reads,
            Access::Scan => &queues.scans,
            Access::Write => &queues.writes,
        };
        queue.try_send(job).map_err(|refused| {
            Error::Unavailable(match refused {
                TrySendError::Full(_) => Unavailable::Busy,
                TrySendError::Disconnected(_) => Unavailable::Closed,
            })
        })
    }
}

/// Opens the write connection, migrates the database and ensures that it has an epoch of its own.
fn open_writer(files: &Files) -> Result<Connection> {
    let mut connection = files.writer().map_err(|cause| files.refine(cause).to_error())?;
    migrate::migrate(&mut connection, &files.database())?;
    epoch_marker::ensure_epoch(&mut connection, files)?;
    Ok(connection)
}

/// Adds the path of the database to an error.
fn with_path(files: &Files, error: Error) -> Error {
    let file = files.database();
    match error {
        Error::Internal(why) => Error::Internal(format!("{}: {why}", file.display())),
        Error::Unavailable(Unavailable::Io(why)) => {
            Error::Unavailable(Unavailable::Io(format!("{}: {why}", file.display())))
        }
        other => other,
    }
}

/// Starts a database thread, which drops its clone of `alive` when it ends.
fn spawn(name: &str, alive: &mpsc::Sender<Infallible>, run: impl FnOnce() + Send + 'static) -> Result<()> {
    let alive = alive.clone();
    let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
        run();
        drop(alive);
    });
    thread.map(drop).map_err(file_error)
}

impl Backend for Sqlite {
    async fn perform<O: Operation>(&self, operation: O) -> Result<O::Output> {
        let (job, response) = job(operation);
        self.send(O::ACCESS, job)?;
        response.await.unwrap_or_else(|_| Err(Error::Internal("a database thread ended unexpectedly".to_owned())))
    }

    fn search_scheduler(&self) -> &SearchScheduler {
        &self.shares
    }

    async fn backup(&self, file: &Path) -> Result<()> {
        if self.queues.read().unwrap_or_else(PoisonError::into_inner).is_none() {
            return Err(Error::Unavailable(Unavailable::Closed));
        }
        let (files, file) = (self.files.clone(), file.to_owned());
        let copied = tokio::task::spawn_blocking(move || backup::backup(&files, &file)).await;
        copied.unwrap_or_else(|_| Err(Error::Internal("the backup was interrupted".to_owned())))
    }

    async fn check_free_space(&self) -> Result<()> {
        let files = self.files.clone();
        let checked = tokio::task::spawn_blocking(move || files.check_free_space()).await;
        checked.unwrap_or_else(|_| Err(Error::Internal("checking the free disk space was interrupted".to_owned())))
    }

    async fn record_epoch(&self) -> Result<()> {
        let files = self.files.clone();
        let renew = move || {
            let connection = files.reader().map_err(|cause| files.refine(cause).to_error())?;
            epoch_marker::renew(&connection, &files)
        };
        let renewed = tokio::task::spawn_blocking(renew).await;
        renewed.unwrap_or_else(|_| Err(Error::Internal("recording the epoch was interrupted".to_owned())))
    }

    async fn close(&self) {
        drop(self.queues.write().unwrap_or_else(PoisonError::into_inner).take());
        // Nothing is ever sent: this returns when all threads have ended.
        let _: Option<Infallible> = self.ended.lock().await.recv().await;
    }
}

impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sqlite").field("folder", &self.files.folder).finish_non_exhaustive()
    }
}
