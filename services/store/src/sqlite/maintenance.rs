//! What another thread does for the writer, while writes go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Receiver, Sender, bounded};
use rusqlite::Connection;

use crate::Error;
use crate::sqlite::files::Files;
use crate::sqlite::mark;

/// What the writer can have done. The other thread ends when this is dropped.
pub(super) struct Maintenance {
    wake: Sender<()>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    /// The log is to be moved to the database.
    move_log: AtomicBool,
    /// The log was moved since the writer last looked.
    log_moved: AtomicBool,
    /// The mark is to be written.
    write_mark: AtomicBool,
}

/// What the thread owns.
pub(super) struct MaintenanceThread {
    files: Files,
    woken: Receiver<()>,
    shared: Arc<Shared>,
}

impl Maintenance {
    /// For a store, with what the thread runs.
    pub(super) fn new(files: Files) -> (Self, MaintenanceThread) {
        let (wake, woken) = bounded(1);
        let shared = Arc::<Shared>::default();
        (Self { wake, shared: Arc::clone(&shared) }, MaintenanceThread { files, woken, shared })
    }

    /// Has the log moved to the database.
    pub(super) fn move_log(&self) {
        self.ask(&self.shared.move_log);
    }

    /// Whether that was done since this was last asked.
    pub(super) fn log_was_moved(&self) -> bool {
        self.shared.log_moved.swap(false, Ordering::AcqRel)
    }

    /// Has the mark written.
    pub(super) fn write_mark(&self) {
        self.ask(&self.shared.write_mark);
    }

    fn ask(&self, task: &AtomicBool) {
        task.store(true, Ordering::Release);
        // A thread that was woken and has not looked yet sees this as well.
        let _ = self.wake.try_send(());
    }
}

impl MaintenanceThread {
    /// Does what it is asked for until nobody can ask any more.
    pub(super) fn run(self) {
        let mut connection = None;
        while self.woken.recv().is_ok() {
            if connection.is_none() {
                connection = self.files.mover().ok();
            }
            if let Some(connection) = &connection {
                self.work(connection);
            }
        }
    }

    fn work(&self, connection: &Connection) {
        if self.shared.write_mark.swap(false, Ordering::AcqRel) {
            renew_mark(connection, &self.files);
        }
        if self.shared.move_log.swap(false, Ordering::AcqRel) {
            checkpoint(connection, "PASSIVE");
            self.shared.log_moved.store(true, Ordering::Release);
        }
    }
}

/// Moves what it can of the log to the database. That it cannot do so at the moment does no harm.
pub(super) fn checkpoint(connection: &Connection, mode: &str) {
    drop(connection.query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |_| Ok(())));
}

/// Writes the mark. Where that is not possible the one before stays, which knows less and does no harm.
pub(super) fn renew_mark(connection: &Connection, files: &Files) {
    match mark::renew(connection, files) {
        Ok(()) => {}
        Err(error @ Error::Fault(_)) => tracing::error!(
            folder = %files.folder.display(),
            cause = %error,
            "the database is not the one that was opened: stop the server, check the store, and start it again; a new \
             epoch begins then"
        ),
        Err(error) => tracing::warn!(cause = %error, "the mark beside the database cannot be written"),
    }
}
