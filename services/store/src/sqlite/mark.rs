//! The mark beside the database, by which a database is noticed that was put in place by hand.
//!
//! A new epoch begins (`domain::epoch`) when a store is opened, unless
//!
//! 1. the database lies in the file that the epoch began in: a copy is another file;
//! 2. the mark is there, and lies in the file that it was written to: a copy of the folder is noticed where it is
//!    written over the files that were there, too;
//! 3. both are of the same epoch, and the mark has counted no more than the database: an older database that was
//!    written into the same file has counted less.
//!
//! The count grows with the first change after a second, in the same transaction, and once more a second later if there
//! were more changes; the mark is written after that was committed. So a mark never knows more than its database unless
//! the database is older, whenever a process or the machine stops: there is no needless epoch. An older database is
//! missed if it is written into the same file after a crash, and was copied within the last second before that.
//!
//! Where the database turns out to know less than the mark while the store is in use, the mark is not renewed but made to
//! fit no database of the epoch, because the count of the database would catch up with it.

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
use crate::sqlite::job::finish;
use crate::sqlite::place;
use crate::sqlite::session::SqliteSession;
use crate::{Epoch, Error, Result};

/// Counts a change, in its transaction.
pub(super) const COUNT: &str = "UPDATE epoch SET marks = marks + 1 WHERE one = 1";

/// Says in a copy that it is one, wherever it will lie.
pub(super) const MARK_AS_COPY: &str = "UPDATE epoch SET place = '' WHERE one = 1";

/// The count of a mark that was not that of its database: no database of the same epoch has counted so much.
const DOUBTED: i64 = i64::MAX;

/// What the mark holds.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Mark {
    epoch: i64,
    marks: i64,
    /// The file that the mark was written to.
    file: String,
}

/// What the database holds.
#[derive(Debug)]
struct Stored {
    epoch: i64,
    place: String,
    marks: i64,
}

impl Mark {
    /// Reads the mark; none where it was removed or damaged.
    fn read(files: &Files) -> Result<Option<Self>> {
        match fs_err::read(files.mark()) {
            Ok(text) => Ok(serde_json::from_slice(&text).ok()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(file_error(error)),
        }
    }

    /// Writes the mark: all of it or, whenever the machine stops, the one before.
    fn write(files: &Files, epoch: i64, marks: i64) -> std::io::Result<()> {
        let mut draft = tempfile::Builder::new().prefix(".store-").suffix(".part").tempfile_in(&files.folder)?;
        let file = place::identify(draft.path()).map_err(std::io::Error::other)?;
        serde_json::to_writer(&mut draft, &Self { epoch, marks, file })?;
        draft.write_all(b"\n")?;
        draft.as_file().sync_all()?;
        draft.persist(files.mark())?;
        Ok(())
    }

    /// Whether it is the mark of the database, and neither was copied.
    fn fits(&self, files: &Files, stored: &Stored) -> bool {
        self.is_at_home(files) && self.epoch == stored.epoch && self.marks <= stored.marks
    }

    /// Whether the database may have gone on since the mark was written, and into a new epoch.
    fn precedes(&self, files: &Files, stored: &Stored) -> bool {
        self.is_at_home(files) && (self.epoch, self.marks) <= (stored.epoch, stored.marks)
    }

    /// Whether the mark lies in the file that it was written to.
    fn is_at_home(&self, files: &Files) -> bool {
        place::identify(&files.mark()).is_ok_and(|file| file == self.file)
    }
}

fn stored(connection: &Connection) -> rusqlite::Result<Option<Stored>> {
    let row = connection.query_row("SELECT number, place, marks FROM epoch WHERE one = 1", [], |row| {
        Ok(Stored { epoch: row.get(0)?, place: row.get(1)?, marks: row.get(2)? })
    });
    row.optional()
}

/// Begins a new epoch where the database or the mark was put in place by hand, and where there is none yet.
pub(super) fn ensure_epoch(connection: &mut Connection, files: &Files) -> Result<()> {
    let _lock = FolderLock::acquire(&files.folder);
    let place = place::identify(&files.database())?;
    // One that cannot be read is of no use either.
    let mark = Mark::read(files).ok().flatten();
    let stored = stored(connection).map_err(error)?;
    if let (Some(mark), Some(stored)) = (&mark, &stored)
        && stored.place == place
        && mark.fits(files, stored)
    {
        return Ok(());
    }
    let above = mark.map_or(0, |mark| mark.epoch);
    let epoch = begin(connection, BeginEpoch { place: Some(place), above })?;
    Mark::write(files, epoch.stored(), 0).map_err(file_error)?;
    if stored.is_some() {
        tracing::warn!(
            folder = %files.folder.display(),
            "the store was restored or put in place by hand: clients read everything anew"
        );
    }
    Ok(())
}

/// Writes the mark anew, with what a connection reads. The store is in use meanwhile, and its file stays the same,
/// unless somebody has put another one in its place: then it is no business of this store any more.
///
/// # Errors
/// That the mark cannot be read or written; and, once, that it is not the mark of this database, which was replaced
/// while it was in use. The mark says so from then on, and a new epoch begins when the store is opened next.
pub(super) fn renew(connection: &Connection, files: &Files) -> Result<()> {
    let _lock = FolderLock::acquire(&files.folder);
    let Some(stored) = stored(connection).map_err(error)? else { return Ok(()) };
    if place::identify(&files.database())? != stored.place {
        return Ok(());
    }
    match Mark::read(files)? {
        Some(mark) if mark.precedes(files, &stored) => {
            Mark::write(files, stored.epoch, stored.marks).map_err(file_error)
        }
        Some(mark) if mark.marks == DOUBTED => Ok(()),
        mark => {
            let epoch = mark.map_or(stored.epoch, |mark| mark.epoch.max(stored.epoch));
            Mark::write(files, epoch, DOUBTED).map_err(file_error)?;
            Err(Error::Fault("files of the store were replaced or removed while it was in use".to_owned()))
        }
    }
}

/// Performs the operation in a transaction of its own.
fn begin(connection: &mut Connection, operation: BeginEpoch) -> Result<Epoch> {
    connection.execute_batch("BEGIN IMMEDIATE").map_err(error)?;
    let done = finish(operation.run(&mut SqliteSession(connection)))
        .and_then(|epoch| connection.execute_batch("COMMIT").map(|()| epoch).map_err(error));
    if done.is_err() && !connection.is_autocommit() {
        // The first error is reported; the connection is closed after it.
        drop(connection.execute_batch("ROLLBACK"));
    }
    done
}

/// A lock that keeps other processes from checking the store at the same time, as long as it lasts. Where the file
/// system has no such locks, two that open a copy at once may begin an epoch each, of which the later one counts.
struct FolderLock {
    _folder: Option<File>,
}

impl FolderLock {
    fn acquire(folder: &Path) -> Self {
        let folder = File::open(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
        let locked = folder.ok().filter(|folder| rustix::fs::flock(folder, FlockOperation::LockExclusive).is_ok());
        Self { _folder: locked }
    }
}
