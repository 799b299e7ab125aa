//! Marker file next to the database, for detecting a database that was put in place by hand.
//!
//! Opening a store begins a new epoch (`domain::epoch`), unless
//!
//! 1. the database is the same file in which the epoch began: a copy is another file;
//! 2. the mark exists and is the same file to which it was written: this detects a copy of the folder even if it is
//!    written over the existing files;
//! 3. both are of the same epoch, and the count in the mark does not exceed that in the database: an older database
//!    that was written into the same file has a lower count.
//!
//! The count is incremented at most once a second, in the transaction of a change; the mark is written after that
//! commit. So a mark is never ahead of its database unless the database is older, whenever a process or the machine
//! stops, and no needless epoch begins. An older database is missed only if it was copied within the last second before
//! a crash and is written into the same file afterwards.
//!
//! If the database turns out to be behind the mark while the store is in use, the mark is invalidated for the rest of
//! the epoch instead of renewed, because the count of the database would catch up with it.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use rusqlite::{Connection, OptionalExtension as _};
use rustix::fs::FlockOperation;
use serde_derive::{Deserialize, Serialize};

use crate::domain::epoch::BeginEpoch;
use crate::operation::Operation as _;
use crate::sqlite::error::{error, file_error};
use crate::sqlite::files::Files;
use crate::sqlite::identity;
use crate::sqlite::job::poll_ready;
use crate::sqlite::session::SqliteSession;
use crate::{Epoch, Error, Result};

/// Increments the count, in the transaction of a change.
pub(super) const INCREMENT_COUNT: &str = "UPDATE epoch SET marks = marks + 1 WHERE one = 1";

/// Marks a copy as such, wherever it is put.
pub(super) const MARK_AS_COPY: &str = "UPDATE epoch SET place = '' WHERE one = 1";

/// Count of an invalidated mark, which no database of the same epoch reaches.
const INVALID_COUNT: i64 = i64::MAX;

/// Content of the marker file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Marker {
    epoch: i64,
    marks: i64,
    /// Identity of the file that the mark was written to.
    file: String,
}

/// Content of the `epoch` table.
#[derive(Debug)]
struct EpochRow {
    epoch: i64,
    place: String,
    marks: i64,
}

impl Marker {
    /// Reads the mark; `None` if it was removed or damaged.
    fn read(files: &Files) -> Result<Option<Self>> {
        match fs_err::read(files.marker()) {
            Ok(text) => Ok(serde_json::from_slice(&text).ok()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(file_error(error)),
        }
    }

    /// Writes the mark atomically: after a crash, either the new or the previous one is there.
    fn write(files: &Files, epoch: i64, marks: i64) -> std::io::Result<()> {
        let mut draft = tempfile::Builder::new().prefix(".store-").suffix(".part").tempfile_in(&files.folder)?;
        let file = identity::identify(draft.path()).map_err(std::io::Error::other)?;
        serde_json::to_writer(&mut draft, &Self { epoch, marks, file })?;
        draft.write_all(b"\n")?;
        draft.as_file().sync_all()?;
        draft.persist(files.marker())?;
        Ok(())
    }

    /// Returns whether this is the mark of the database, and neither was copied.
    fn matches(&self, files: &Files, stored: &EpochRow) -> bool {
        self.is_original(files) && self.epoch == stored.epoch && self.marks <= stored.marks
    }

    /// Returns whether the database may have advanced since the mark was written, possibly into a new epoch.
    fn precedes(&self, files: &Files, stored: &EpochRow) -> bool {
        self.is_original(files) && (self.epoch, self.marks) <= (stored.epoch, stored.marks)
    }

    /// Returns whether the mark is the file that it was written to.
    fn is_original(&self, files: &Files) -> bool {
        identity::identify(&files.marker()).is_ok_and(|file| file == self.file)
    }
}

fn read_epoch_row(connection: &Connection) -> rusqlite::Result<Option<EpochRow>> {
    let row = connection.query_row("SELECT number, place, marks FROM epoch WHERE one = 1", [], |row| {
        Ok(EpochRow { epoch: row.get(0)?, place: row.get(1)?, marks: row.get(2)? })
    });
    row.optional()
}

/// Begins a new epoch if the database or the mark was put in place by hand, or if there is no epoch yet.
pub(super) fn ensure_epoch(connection: &mut Connection, files: &Files) -> Result<()> {
    let _lock = FolderLock::acquire(&files.folder);
    let place = identity::identify(&files.database())?;
    // An unreadable mark counts as missing.
    let mark = Marker::read(files).ok().flatten();
    let stored = read_epoch_row(connection).map_err(error)?;
    if let (Some(mark), Some(stored)) = (&mark, &stored)
        && stored.place == place
        && mark.matches(files, stored)
    {
        return Ok(());
    }
    let above = mark.map_or(0, |mark| mark.epoch);
    let epoch = begin_epoch(connection, BeginEpoch { identity: Some(place), greatest_known: above })?;
    Marker::write(files, epoch.stored(), 0).map_err(file_error)?;
    if stored.is_some() {
        tracing::warn!(
            folder = %files.folder.display(),
            "the store was restored or replaced: clients must do a full sync"
        );
    }
    Ok(())
}

/// Rewrites the mark with the current count. If the database file was replaced while the store is in use, it no longer
/// belongs to this store, and the mark is left alone.
///
/// # Errors
/// Returns an error if the mark cannot be read or written, or, once, if it is not the mark of this database, which was
/// then replaced while in use. The mark is invalidated, and a new epoch begins when the store is next opened.
pub(super) fn renew(connection: &Connection, files: &Files) -> Result<()> {
    let _lock = FolderLock::acquire(&files.folder);
    let Some(stored) = read_epoch_row(connection).map_err(error)? else { return Ok(()) };
    if identity::identify(&files.database())? != stored.place {
        return Ok(());
    }
    match Marker::read(files)? {
        Some(mark) if mark.precedes(files, &stored) => {
            Marker::write(files, stored.epoch, stored.marks).map_err(file_error)
        }
        Some(mark) if mark.marks == INVALID_COUNT => Ok(()),
        mark => {
            let epoch = mark.map_or(stored.epoch, |mark| mark.epoch.max(stored.epoch));
            Marker::write(files, epoch, INVALID_COUNT).map_err(file_error)?;
            Err(Error::Internal("files of the store were replaced or removed while it was open".to_owned()))
        }
    }
}

/// Begins a new epoch, in a transaction of its own.
fn begin_epoch(connection: &mut Connection, operation: BeginEpoch) -> Result<Epoch> {
    connection.execute_batch("BEGIN IMMEDIATE").map_err(error)?;
    let done = poll_ready(operation.run(&mut SqliteSession(connection)))
        .and_then(|epoch| connection.execute_batch("COMMIT").map(|()| epoch).map_err(error));
    if done.is_err() && !connection.is_autocommit() {
        // The first error is reported; the connection is closed afterwards.
        drop(connection.execute_batch("ROLLBACK"));
    }
    done
}

/// Lock that keeps other processes from checking the store at the same time. On a file system without such locks, two
/// processes that open a copy at once may each begin an epoch, of which the later one counts.
struct FolderLock {
    _folder: Option<File>,
}

impl FolderLock {
    /// Waits for the lock; returns without it if the folder cannot be opened or locked.
    fn acquire(folder: &Path) -> Self {
        let folder = File::open(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
        let locked = folder.ok().filter(|folder| rustix::fs::flock(folder, FlockOperation::LockExclusive).is_ok());
        Self { _folder: locked }
    }
}
