//! Background maintenance for the writer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Receiver, Sender, bounded};
use rusqlite::Connection;

use crate::Error;
use crate::sqlite::epoch_marker;
use crate::sqlite::files::Files;

/// Requests to the maintenance thread, which ends when this is dropped.
pub(super) struct MaintenanceHandle {
    wake: Sender<()>,
    shared: Arc<Requests>,
}

/// Flags that the writer and the maintenance thread share.
#[derive(Default)]
struct Requests {
    /// Request to move the log to the database.
    checkpoint: AtomicBool,
    /// The log was moved since the writer last checked.
    checkpointed: AtomicBool,
    /// Request to write the mark.
    write_marker: AtomicBool,
}

/// State of the maintenance thread.
pub(super) struct MaintenanceThread {
    files: Files,
    wakeups: Receiver<()>,
    shared: Arc<Requests>,
}

impl MaintenanceHandle {
    /// Creates the requests for a store, and the state of their thread.
    pub(super) fn new(files: Files) -> (Self, MaintenanceThread) {
        let (wake, wakeups) = bounded(1);
        let shared = Arc::<Requests>::default();
        (Self { wake, shared: Arc::clone(&shared) }, MaintenanceThread { files, wakeups, shared })
    }

    /// Requests a checkpoint, which moves the log to the database.
    pub(super) fn request_checkpoint(&self) {
        self.request(&self.shared.checkpoint);
    }

    /// Returns whether the log was moved since the last call.
    pub(super) fn take_checkpointed(&self) -> bool {
        self.shared.checkpointed.swap(false, Ordering::AcqRel)
    }

    /// Requests that the mark be written.
    pub(super) fn request_marker(&self) {
        self.request(&self.shared.write_marker);
    }

    /// Sets a flag and wakes the thread.
    fn request(&self, task: &AtomicBool) {
        task.store(true, Ordering::Release);
        // A thread that is awake and has not checked yet sees this request too.
        let _ = self.wake.try_send(());
    }
}

impl MaintenanceThread {
    /// Handles requests until the sender is dropped.
    pub(super) fn run(self) {
        let mut connection = None;
        while self.wakeups.recv().is_ok() {
            if connection.is_none() {
                connection = self.files.checkpointer().ok();
            }
            if let Some(connection) = &connection {
                self.handle_requests(connection);
            }
        }
    }

    fn handle_requests(&self, connection: &Connection) {
        if self.shared.write_marker.swap(false, Ordering::AcqRel) {
            renew_marker(connection, &self.files);
        }
        if self.shared.checkpoint.swap(false, Ordering::AcqRel) {
            checkpoint(connection, "PASSIVE");
            self.shared.checkpointed.store(true, Ordering::Release);
        }
    }
}

/// Moves as much of the log to the database as possible. A failure is harmless.
pub(super) fn checkpoint(connection: &Connection, mode: &str) {
    drop(connection.query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |_| Ok(())));
}

/// Writes the mark. On failure the previous mark stays, which is older and harmless.
pub(super) fn renew_marker(connection: &Connection, files: &Files) {
    match epoch_marker::renew(connection, files) {
        Ok(()) => {}
        Err(error @ Error::Internal(_)) => tracing::error!(
            folder = %files.folder.display(),
            cause = %error,
            "the database file was replaced while it was open; help: stop the server, check the store, and \
             restart, which begins a new epoch"
        ),
        Err(error) => tracing::warn!(cause = %error, "cannot write the marker file next to the database"),
    }
}
