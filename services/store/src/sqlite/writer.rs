//! The one thread that writes. What waits for it shares a commit, and with that a wait for the disk.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Receiver, Sender};
use rusqlite::Connection;

use crate::sqlite::error::Cause;
use crate::sqlite::files::Files;
use crate::sqlite::job::Job;
use crate::sqlite::session::SqliteSession;

/// A commit is shared by at most so many operations, which write about so many bytes.
const OPERATIONS: usize = 128;
const BYTES: usize = 16 << 20;
/// After about so many bytes the log is moved to the database. An operation writes some pages, however small it is.
///
/// A log that begins anew is written over what is there, which the disk does faster than letting a file grow: so it is
/// kept short.
const LOG: usize = 4 << 20;
const PAGES: usize = 64 << 10;

/// The thread's own.
pub(super) struct Writer {
    files: Files,
    jobs: Receiver<Box<dyn Job>>,
    log: Log,
    /// None after the connection was spent: it is opened again when it is needed.
    connection: Option<Connection>,
    /// Operations whose transaction was lost before it was their turn.
    waiting: VecDeque<Box<dyn Job>>,
}

/// The log as the writer sees it.
pub(super) struct Log {
    /// Has it moved to the database by another thread, while writes go on.
    pub(super) move_aside: Sender<()>,
    /// Whether that thread has done so since the writer last looked.
    pub(super) moved: Arc<AtomicBool>,
    /// About how many bytes were written since it was last asked for.
    pub(super) written: usize,
}

type Fate = std::result::Result<(), Cause>;

impl Writer {
    pub(super) fn new(files: Files, connection: Connection, jobs: Receiver<Box<dyn Job>>, log: Log) -> Self {
        Self { files, jobs, log, connection: Some(connection), waiting: VecDeque::new() }
    }

    /// Writes until the store is closed and nothing waits any more.
    pub(super) fn run(mut self) {
        while let Some(group) = self.group() {
            self.perform(group);
            self.tidy();
        }
        if let Some(connection) = self.connection.take() {
            checkpoint(&connection, "TRUNCATE");
        }
    }

    /// The operations of the next commit: whatever waits, but not too much.
    fn group(&mut self) -> Option<Vec<Box<dyn Job>>> {
        let first = self.waiting.pop_front().or_else(|| self.jobs.recv().ok())?;
        let mut bytes = first.weight();
        let mut group = vec![first];
        while group.len() < OPERATIONS && bytes < BYTES {
            let Some(next) = self.waiting.pop_front().or_else(|| self.jobs.try_recv().ok()) else { break };
            bytes += next.weight();
            group.push(next);
        }
        self.log.written += bytes + group.len() * PAGES;
        Some(group)
    }

    /// Performs operations in one transaction, each so that it can be undone alone, and answers them when it is on
    /// disk.
    fn perform(&mut self, group: Vec<Box<dyn Job>>) {
        let mut done = Vec::with_capacity(group.len());
        let fate = self.transaction(group, &mut done).map_err(|cause| cause.in_folder(&self.files.folder));
        if let Err(cause) = &fate {
            tracing::warn!(reason = %cause.error(), "a commit failed");
            self.settle(cause);
        }
        for (job, own) in done {
            job.answer(fate.clone().and(own.map_err(|cause| cause.in_folder(&self.files.folder))));
        }
    }

    fn transaction(&mut self, group: Vec<Box<dyn Job>>, done: &mut Vec<(Box<dyn Job>, Fate)>) -> Fate {
        let mut group = VecDeque::from(group);
        let connection = match self.begin() {
            Ok(connection) => connection,
            Err(cause) => {
                done.extend(group.into_iter().map(|job| (job, Ok(()))));
                return Err(cause);
            }
        };
        let alone = group.len() == 1;
        let mut spent = None;
        while let Some(mut job) = group.pop_front() {
            if !job.is_wanted() {
                continue;
            }
            let outcome = if alone { only(connection, &mut job) } else { one(connection, &mut job) };
            let own = match &outcome {
                Err(Lost::Nothing(Some(cause))) => Err(cause.clone()),
                _ => Ok(()),
            };
            done.push((job, own));
            match outcome {
                Ok(()) => {}
                Err(Lost::Nothing(cause)) => spent = cause.filter(Cause::connection_is_spent).or(spent),
                Err(Lost::Transaction(cause)) => {
                    self.waiting.extend(group);
                    return Err(cause);
                }
            }
        }
        // Nothing is left of an operation that was the only one and has failed.
        if !connection.is_autocommit() {
            connection.prepare_cached("COMMIT")?.execute([])?;
        }
        if let Some(cause) = spent {
            self.settle(&cause);
        }
        Ok(())
    }

    fn begin(&mut self) -> std::result::Result<&mut Connection, Cause> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.files.writer()?,
        };
        let connection = self.connection.insert(connection);
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        Ok(connection)
    }

    /// Ends a transaction that failed, and the connection where another one may do better.
    fn settle(&mut self, cause: &Cause) {
        let Some(connection) = &self.connection else { return };
        let stuck = !connection.is_autocommit() && connection.execute_batch("ROLLBACK").is_err();
        if stuck || cause.connection_is_spent() {
            self.connection = None;
        }
    }

    /// Has the log moved to the database from time to time. The other thread moves most of it; what was written
    /// meanwhile is little, and once that is moved as well the log begins anew.
    fn tidy(&mut self) {
        if let Some(connection) = &self.connection
            && self.log.moved.swap(false, Ordering::AcqRel)
        {
            checkpoint(connection, "PASSIVE");
        }
        if self.log.written >= LOG {
            self.log.written = 0;
            // One that is on its way will do.
            let _ = self.log.move_aside.try_send(());
        }
    }
}

/// What an operation that failed has taken with it.
enum Lost {
    /// Nothing but what it did itself.
    Nothing(Option<Cause>),
    /// The transaction, and with it what the operations before it did.
    Transaction(Cause),
}

/// That a failure has ended the transaction.
fn lost_with(cause: Option<Cause>) -> Lost {
    Lost::Transaction(cause.unwrap_or_else(|| Cause::Fault("a transaction ended before it was committed".to_owned())))
}

/// Performs the only operation of a transaction, which is undone with it.
fn only(connection: &mut Connection, job: &mut Box<dyn Job>) -> std::result::Result<(), Lost> {
    let Err(cause) = job.run(&mut SqliteSession(connection)) else { return Ok(()) };
    if connection.is_autocommit() {
        return Err(lost_with(cause));
    }
    connection.execute_batch("ROLLBACK").map_err(|error| Lost::Transaction(error.into()))?;
    Err(Lost::Nothing(cause))
}

/// Performs one of several operations, so that it can be undone alone.
fn one(connection: &mut Connection, job: &mut Box<dyn Job>) -> std::result::Result<(), Lost> {
    let lost = |error: rusqlite::Error| Lost::Transaction(error.into());
    connection.execute_batch("SAVEPOINT operation").map_err(lost)?;
    match job.run(&mut SqliteSession(connection)) {
        Ok(()) => connection.execute_batch("RELEASE operation").map_err(lost),
        // Some failures, a full disk among them, end the whole transaction.
        Err(cause) if connection.is_autocommit() => Err(lost_with(cause)),
        Err(cause) => {
            connection.execute_batch("ROLLBACK TO operation; RELEASE operation").map_err(lost)?;
            Err(Lost::Nothing(cause))
        }
    }
}

/// Moves what it can of the log to the database. That it cannot do so at the moment does no harm.
pub(super) fn checkpoint(connection: &Connection, mode: &str) {
    drop(connection.query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |_| Ok(())));
}
