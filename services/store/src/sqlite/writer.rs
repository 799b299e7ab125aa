//! The one thread that writes. What waits for it shares a commit, and with that a wait for the disk.

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

/// A commit is shared by at most so many operations, which write about so many bytes.
const OPERATIONS: usize = 128;
const BYTES: usize = 16 << 20;
/// After about so many bytes the log is moved to the database. An operation writes some pages, however small it is.
///
/// A log that begins anew is written over what is there, which the disk does faster than letting a file grow: so it is
/// kept short.
const LOG: usize = 4 << 20;
const PAGES: usize = 64 << 10;
/// Changes are counted so often while there are any (`sqlite::mark`).
const COUNTED: Duration = Duration::from_secs(1);

/// The thread's own.
pub(super) struct Writer {
    files: Files,
    jobs: Receiver<Box<dyn Job>>,
    maintenance: Maintenance,
    /// About how many bytes were written since the log was last to be moved.
    written: usize,
    count: Count,
    /// None after the connection was spent: it is opened again when it is needed.
    connection: Option<Connection>,
    /// Operations whose transaction was lost before it was their turn.
    waiting: VecDeque<Box<dyn Job>>,
}

/// How the writer counts its changes.
#[derive(Default)]
struct Count {
    /// Not before then; none: with the next change.
    next: Option<Instant>,
    /// Whether something has changed that is not counted yet.
    behind: bool,
    /// Whether anything was counted.
    begun: bool,
}

impl Count {
    /// Whether a commit counts its changes. What cannot be counted now is tried again after the same time.
    fn is_due(&mut self, changed: bool) -> bool {
        self.behind |= changed;
        let due = self.behind && self.next.is_none_or(|next| next <= Instant::now());
        if due {
            self.next = Some(Instant::now() + COUNTED);
        }
        due
    }

    /// When changes are counted that nothing follows.
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

    /// Writes until the store is closed and nothing waits any more.
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

    /// The operations of the next commit: whatever waits, but not too much; none where changes are to be counted that
    /// nothing has followed.
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

    /// Performs operations in one transaction, each so that it can be undone alone, and answers them when it is on
    /// disk.
    fn perform(&mut self, group: Vec<Box<dyn Job>>) {
        let mut done = Vec::with_capacity(group.len());
        let fate = self.transaction(group, &mut done).map_err(|cause| self.files.explain(cause));
        if let Err(cause) = &fate {
            tracing::warn!(reason = %cause.error(), "a commit failed");
            self.settle(cause);
            // Not at once again, where there was nothing else to do.
            self.count.next = Some(Instant::now() + COUNTED);
        }
        for (job, own) in done {
            job.answer(fate.clone().and(own.map_err(|cause| self.files.explain(cause))));
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
        // Nothing is left of an operation that was the only one and has failed.
        if !connection.is_autocommit() {
            let changed = connection.total_changes() != before;
            self.commit(changed)?;
        }
        if let Some(cause) = spent {
            self.settle(&cause);
        }
        Ok(())
    }

    /// Commits the transaction, and counts its changes from time to time.
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
