//! Writer thread. Queued operations share a commit, and thus one sync to disk.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError};
use rusqlite::Connection;

use crate::sqlite::epoch_marker;
use crate::sqlite::error::Cause;
use crate::sqlite::files::Files;
use crate::sqlite::job::Job;
use crate::sqlite::maintenance::{MaintenanceHandle, checkpoint, renew_marker};
use crate::sqlite::session::SqliteSession;

/// Maximum number of operations per commit.
const MAX_OPERATIONS: usize = 128;
/// Number of bytes written by operations after which no operation is added to a commit.
const MAX_BYTES: usize = 16 << 20;
/// Approximate number of bytes after which a checkpoint is requested. Each operation writes some pages, however small
/// it is.
///
/// The log is kept short, because overwriting an existing log is faster than letting a file grow.
const CHECKPOINT_BYTES: usize = 4 << 20;
/// Approximate number of bytes of the pages that an operation writes in addition to its own data.
const PAGE_BYTES: usize = 64 << 10;
/// Interval at which changes are counted (`sqlite::epoch_marker`).
const COUNT_INTERVAL: Duration = Duration::from_secs(1);

/// State of the writer thread.
pub(super) struct Writer {
    files: Files,
    jobs: Receiver<Box<dyn Job>>,
    maintenance: MaintenanceHandle,
    /// Approximate number of bytes written since the last checkpoint request.
    written: usize,
    counter: ChangeCounter,
    /// `None` after the connection failed; it is reopened on demand.
    connection: Option<Connection>,
    /// Operations of a lost transaction that have not run yet.
    waiting: VecDeque<Box<dyn Job>>,
}

/// Counter of the writer's changes.
#[derive(Default)]
struct ChangeCounter {
    /// Earliest time of the next increment; `None` for the next change.
    next: Option<Instant>,
    /// True if there are changes that are not counted yet.
    pending: bool,
    /// True if any change was counted.
    has_counted: bool,
}

impl ChangeCounter {
    /// Returns whether a commit counts its changes. A failed increment is retried after the same interval.
    fn is_due(&mut self, changed: bool) -> bool {
        self.pending |= changed;
        let due = self.pending && self.next.is_none_or(|next| next <= Instant::now());
        if due {
            self.next = Some(Instant::now() + COUNT_INTERVAL);
        }
        due
    }

    /// Returns the time at which changes are counted if no others follow.
    fn deadline(&self) -> Option<Instant> {
        self.next.filter(|_| self.pending)
    }
}

/// Result of a commit, or of the part of it that concerns one operation.
type CommitResult = std::result::Result<(), Cause>;

impl Writer {
    pub(super) fn new(
        files: Files,
        connection: Connection,
        jobs: Receiver<Box<dyn Job>>,
        maintenance: MaintenanceHandle,
    ) -> Self {
        let (connection, counter) = (Some(connection), ChangeCounter::default());
        Self { files, jobs, maintenance, written: 0, counter, connection, waiting: VecDeque::new() }
    }

    /// Runs until the store is closed and the queue is empty.
    pub(super) fn run(mut self) {
        while let Some(group) = self.next_group() {
            self.perform(group);
            self.request_checkpoint();
        }
        if self.counter.pending {
            self.counter.next = None;
            self.perform(Vec::new());
        }
        if let Some(connection) = self.connection.take() {
            if self.counter.has_counted {
                renew_marker(&connection, &self.files);
            }
            checkpoint(&connection, "TRUNCATE");
        }
    }

    /// Returns the operations of the next commit, within the limits; empty if only changes are to be counted.
    fn next_group(&mut self) -> Option<Vec<Box<dyn Job>>> {
        let first = match self.next_job() {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => return Some(Vec::new()),
            Err(RecvTimeoutError::Disconnected) => return None,
        };
        let mut bytes = first.weight();
        let mut group = vec![first];
        while group.len() < MAX_OPERATIONS && bytes < MAX_BYTES {
            let Some(next) = self.waiting.pop_front().or_else(|| self.jobs.try_recv().ok()) else { break };
            bytes += next.weight();
            group.push(next);
        }
        self.written += bytes + group.len() * PAGE_BYTES;
        Some(group)
    }

    fn next_job(&mut self) -> std::result::Result<Box<dyn Job>, RecvTimeoutError> {
        match (self.waiting.pop_front(), self.counter.deadline()) {
            (Some(job), _) => Ok(job),
            (None, Some(deadline)) => self.jobs.recv_deadline(deadline),
            (None, None) => self.jobs.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    /// Runs operations in one transaction, so that each can be rolled back alone, and responds once it is on disk.
    fn perform(&mut self, group: Vec<Box<dyn Job>>) {
        let mut done = Vec::with_capacity(group.len());
        let result = self.transaction(group, &mut done).map_err(|cause| self.files.refine(cause));
        if let Err(cause) = &result {
            tracing::warn!(reason = %cause.to_error(), "a commit failed");
            self.recover(cause);
            // Wait before the next attempt, in case there is nothing else to do.
            self.counter.next = Some(Instant::now() + COUNT_INTERVAL);
        }
        for (job, job_result) in done {
            job.respond(result.clone().and(job_result.map_err(|cause| self.files.refine(cause))));
        }
    }

    /// Runs operations and commits. Adds those to respond to, with their results, to `done`; others stay in `waiting`.
    fn transaction(&mut self, group: Vec<Box<dyn Job>>, done: &mut Vec<(Box<dyn Job>, CommitResult)>) -> CommitResult {
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
        let mut broken = None;
        while let Some(mut job) = group.pop_front() {
            if !job.is_awaited() {
                continue;
            }
            let outcome = if alone { run_alone(connection, &mut job) } else { run_in_savepoint(connection, &mut job) };
            let job_result = match &outcome {
                Err(Failure::Operation(Some(cause))) => Err(cause.clone()),
                _ => Ok(()),
            };
            done.push((job, job_result));
            match outcome {
                Ok(()) => {}
                Err(Failure::Operation(cause)) => broken = cause.filter(Cause::is_connection_broken).or(broken),
                Err(Failure::Transaction(cause)) => {
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
        if let Some(cause) = broken {
            self.recover(&cause);
        }
        Ok(())
    }

    /// Commits the transaction, and counts its changes when that is due.
    fn commit(&mut self, changed: bool) -> CommitResult {
        let Some(connection) = &self.connection else { return Ok(()) };
        let due = self.counter.is_due(changed);
        if due {
            connection.prepare_cached(epoch_marker::INCREMENT_COUNT)?.execute([])?;
        }
        connection.prepare_cached("COMMIT")?.execute([])?;
        if due {
            (self.counter.pending, self.counter.has_counted) = (false, true);
            self.maintenance.request_marker();
        }
        Ok(())
    }

    /// Begins a write transaction, on a new connection if the last one was dropped.
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
    fn recover(&mut self, cause: &Cause) {
        let Some(connection) = &self.connection else { return };
        let stuck = !connection.is_autocommit() && connection.execute_batch("ROLLBACK").is_err();
        if stuck || cause.is_connection_broken() {
            self.connection = None;
        }
    }

    /// Requests a checkpoint from time to time. The maintenance thread moves most of the log; this moves the few pages
    /// written meanwhile, so that the log starts over.
    fn request_checkpoint(&mut self) {
        if let Some(connection) = &self.connection
            && self.maintenance.take_checkpointed()
        {
            checkpoint(connection, "PASSIVE");
        }
        if self.written >= CHECKPOINT_BYTES {
            self.written = 0;
            self.maintenance.request_checkpoint();
        }
    }
}

/// Extent of the rollback after an operation failed.
enum Failure {
    /// Only the changes of the operation itself.
    Operation(Option<Cause>),
    /// The whole transaction, including the operations before it.
    Transaction(Cause),
}

/// Creates the failure that ended the whole transaction.
fn transaction_failure(cause: Option<Cause>) -> Failure {
    Failure::Transaction(
        cause.unwrap_or_else(|| Cause::Internal("a transaction ended before it was committed".to_owned())),
    )
}

/// Runs the only operation of a transaction, which is rolled back with it.
fn run_alone(connection: &mut Connection, job: &mut Box<dyn Job>) -> std::result::Result<(), Failure> {
    let Err(cause) = job.run(&mut SqliteSession(connection)) else { return Ok(()) };
    if connection.is_autocommit() {
        return Err(transaction_failure(cause));
    }
    connection.execute_batch("ROLLBACK").map_err(|error| Failure::Transaction(error.into()))?;
    Err(Failure::Operation(cause))
}

/// Runs one of several operations in a savepoint, so that it can be rolled back alone.
fn run_in_savepoint(connection: &mut Connection, job: &mut Box<dyn Job>) -> std::result::Result<(), Failure> {
    let fail = |error: rusqlite::Error| Failure::Transaction(error.into());
    connection.execute_batch("SAVEPOINT operation").map_err(fail)?;
    match job.run(&mut SqliteSession(connection)) {
        Ok(()) => connection.execute_batch("RELEASE operation").map_err(fail),
        // Some errors, such as a full disk, end the whole transaction.
        Err(cause) if connection.is_autocommit() => Err(transaction_failure(cause)),
        Err(cause) => {
            connection.execute_batch("ROLLBACK TO operation; RELEASE operation").map_err(fail)?;
            Err(Failure::Operation(cause))
        }
    }
}
