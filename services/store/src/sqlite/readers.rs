//! Reader threads.

use crossbeam_channel::{Receiver, select};
use rusqlite::Connection;

use crate::sqlite::error::Cause;
use crate::sqlite::files::Files;
use crate::sqlite::job::Job;
use crate::sqlite::session::SqliteSession;

/// Reader thread. Only some of them take scans, so that the others are free for short reads.
pub(super) struct Reader {
    pub(super) files: Files,
    pub(super) reads: Receiver<Box<dyn Job>>,
    pub(super) scans: Option<Receiver<Box<dyn Job>>>,
}

impl Reader {
    /// Runs until the store is closed and the queues are empty.
    pub(super) fn run(self) {
        let mut connection = None;
        while let Some(mut job) = self.next() {
            if !job.is_awaited() {
                continue;
            }
            let result = self.perform(&mut connection, &mut job).map_err(|cause| self.files.refine(cause));
            if result.as_ref().is_err_and(Cause::is_connection_broken) {
                connection = None;
            }
            job.respond(result);
        }
    }

    fn next(&self) -> Option<Box<dyn Job>> {
        let Some(scans) = &self.scans else { return self.reads.recv().ok() };
        // Both queues close together; this drains the other one.
        select! {
            recv(self.reads) -> job => job.or_else(|_| scans.recv()).ok(),
            recv(scans) -> job => job.or_else(|_| self.reads.recv()).ok(),
        }
    }

    /// Runs an operation on one snapshot of the database.
    fn perform(&self, connection: &mut Option<Connection>, job: &mut Box<dyn Job>) -> std::result::Result<(), Cause> {
        let open = match connection.take() {
            Some(open) => open,
            None => self.files.reader()?,
        };
        let open = connection.insert(open);
        open.execute_batch("BEGIN")?;
        let outcome = job.run(&mut SqliteSession(open));
        if !open.is_autocommit() {
            open.execute_batch("ROLLBACK")?;
        }
        match outcome {
            Err(Some(cause)) => Err(cause),
            _ => Ok(()),
        }
    }
}
