//! Writer thread. Queued operations share a commit, and thus one sync to disk.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError};
use rusqlite::Connection;

use crate::sqlite::error::Cause;
use crate::sqlite::files::Files;
use crate::sqlite::job::Job;
use crate::sqlite::maintenance::{Maintenance, checkpoint, renew_mark};
use crate::sqlite::mark;
use crate::sqlite::session::SqliteSession;

/// Maximum number of operations per commit, and approximate maximum number of bytes.
const OPERATIONS: usize = 128;
const BYTES: usize = 16 << 20;
/// Approximate number of bytes after which a checkpoint is requested. Each operation writes some pages, however small
/// it is.
///
/// The log is kept short, because overwriting an existing log is faster than letting a file grow.
const LOG: usize = 4 << 20;
const PAGES: usize = 64 << 10;
/// Interval at which changes are counted (`sqlite::mark`).
const COUNTED: Duration = Duration::from_secs(1);

/// State of the writer thread.
pub(super) struct Writer {
    files: Files,
    jobs: Receiver<Box<dyn Job>>,
    maintenance: Maintenance,
    /// Approximate number of bytes written since the last checkpoint request.
    written: usize,
    count: Count,
    /// `None` after the connection failed; it is reopened on demand.
    connection: Option<Connection>,
    /// Operations of a lost transaction that have not run yet.
    waiting: VecDeque<Box<dyn Job>>,
}

/// Counter of the writer's changes.
#[derive(Default)]
struct Count {
    /// Earliest time of the next increment; `None` for the next change.
    next: Option<Instant>,
    /// Whether there are changes that are not counted yet.
    behind: bool,
    /// Whether any change was counted.
    begun: bool,
}

impl Count {
    /// Returns whether a commit counts its changes. A failed increment is retried after the same interval.
    fn is_due(&mut self, changed: bool) -> bool {
        self.behind |= changed;
        let due = self.behind && self.next.is_none_or(|next| next <= Instant::now());
        if due {
            self.next = Some(Instant::now() + COUNTED);
        }
        due
    }

    /// Returns the time at which changes are counted if no others follow.
    fn deadline(&self) -> Option<Instant> {
        self.next.filter(|_| self.behind)
    }
}

type Fate = std::result::Result<(), Cause>;

impl Writer {
    pub(super) fn new(
        files: Files,
        connection: Connection,
        jobs: Receiver<Box<dyn Job>>,
        maintenance: Maintenance,
    ) -> Self {
        let (connection, count) = (Some(connection), Count::default());
        Self { files, jobs, maintenance, written: 0, count, connection, waiting: VecDeque::new() }
    }

    /// Runs until the store is closed and the queue is empty.
    pub(super) fn run(mut self) {
        while let Some(group) = self.group() {
            self.perform(group);
            self.tidy();
        }
        if self.count.behind {
            self.count.next = None;
            self.perform(Vec::new());
        }
        if let Some(connection) = self.connection.take() {
            if self.count.begun {
                renew_mark(&connection, &self.files);
            }
            checkpoint(&connection, "TRUNCATE");
        }
    }

    /// Returns the operations of the next commit, within the limits; empty if only changes are to be counted.
    fn group(&mut self) -> Option<Vec<Box<dyn Job>>> {
        let first = match self.first() {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => return Some(Vec::new()),
            Err(RecvTimeoutError::Disconnected) => return None,
        };
        let mut bytes = first.weight();
        let mut group = vec![first];
        while group.len() < OPERATIONS && bytes < BYTES {
            let Some(next) = self.waiting.pop_front().or_else(|| self.jobs.try_recv().ok()) else { break };
            bytes += next.weight();
            group.push(next);
        }
        self.written += bytes + group.len() * PAGES;
        Some(group)
    }

    fn first(&mut self) -> std::result::Result<Box<dyn Job>, RecvTimeoutError> {
        match (self.waiting.pop_front(), self.count.deadline()) {
            (Some(job), _) => Ok(job),
            (None, Some(deadline)) => self.jobs.recv_deadline(deadline),
            (None, None) => self.jobs.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    /// Runs operations in one transaction, so that each can be rolled back alone, and responds once it is on disk.
    fn perform(&mut self, group: Vec<Box<dyn Job>>) {
        let mut done = Vec::with_capacity(group.len());
        let fate = self.transaction(group, &mut done).map_err(|cause| cause.in_folder(&self.files.folder));
        if let Err(cause) = &fate {
            tracing::warn!(reason = %cause.error(), "a commit failed");
            self.settle(cause);
            // Wait before the next attempt, in case there is nothing else to do.
            self.count.next = Some(Instant::now() + COUNTED);
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
        let before = connection.total_changes();
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
        // A failed operation that was the only one leaves no transaction.
        if !connection.is_autocommit() {
            let changed = connection.total_changes() != before;
            self.commit(changed)?;
        }
        if let Some(cause) = spent {
            self.settle(&cause);
        }
        Ok(())
    }

    /// Commits the transaction, and counts its changes when that is due.
    fn commit(&mut self, changed: bool) -> Fate {
        let Some(connection) = &self.connection else { return Ok(()) };
        let due = self.count.is_due(changed);
        if due {
            connection.prepare_cached(mark::COUNT)?.execute([])?;
        }
        connection.prepare_cached("COMMIT")?.execute([])?;
        if due {
            (self.count.behind, self.count.begun) = (false, true);
            self.maintenance.write_mark();
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

    /// Rolls back a failed transaction, and drops the connection if a new one may succeed.
    fn settle(&mut self, cause: &Cause) {
        let Some(connection) = &self.connection else { return };
        let stuck = !connection.is_autocommit() && connection.execute_batch("ROLLBACK").is_err();
        if stuck || cause.connection_is_spent() {
            self.connection = None;
        }
    }

    /// Requests a checkpoint from time to time. The maintenance thread moves most of the log; this moves the few pages
    /// written meanwhile, so that the log starts over.
    fn tidy(&mut self) {
        if let Some(connection) = &self.connection
            && self.maintenance.log_was_moved()
        {
            checkpoint(connection, "PASSIVE");
        }
        if self.written >= LOG {
            self.written = 0;
            self.maintenance.move_log();
        }
    }
}

/// Extent of the rollback after an operation failed.
enum Lost {
    /// Only the changes of the operation itself.
    Nothing(Option<Cause>),
    /// The whole transaction, including the operations before it.
    Transaction(Cause),
}

/// Creates the failure that ended the whole transaction.
fn lost_with(cause: Option<Cause>) -> Lost {
    Lost::Transaction(cause.unwrap_or_else(|| Cause::Fault("a transaction ended before it was committed".to_owned())))
}

/// Runs the only operation of a transaction, which is rolled back with it.
fn only(connection: &mut Connection, job: &mut Box<dyn Job>) -> std::result::Result<(), Lost> {
    let Err(cause) = job.run(&mut SqliteSession(connection)) else { return Ok(()) };
    if connection.is_autocommit() {
        return Err(lost_with(cause));
    }
    connection.execute_batch("ROLLBACK").map_err(|error| Lost::Transaction(error.into()))?;
    Err(Lost::Nothing(cause))
}

/// Runs one of several operations in a savepoint, so that it can be rolled back alone.
fn one(connection: &mut Connection, job: &mut Box<dyn Job>) -> std::result::Result<(), Lost> {
    let lost = |error: rusqlite::Error| Lost::Transaction(error.into());
    connection.execute_batch("SAVEPOINT operation").map_err(lost)?;
    match job.run(&mut SqliteSession(connection)) {
        Ok(()) => connection.execute_batch("RELEASE operation").map_err(lost),
        // Some errors, such as a full disk, end the whole transaction.
        Err(cause) if connection.is_autocommit() => Err(lost_with(cause)),
        Err(cause) => {
            connection.execute_batch("ROLLBACK TO operation; RELEASE operation").map_err(lost)?;
            Err(Lost::Nothing(cause))
        }
    }
}
