//! Backup and restore.

use std::path::Path;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::sqlite::epoch_marker;
use crate::sqlite::error::{error, file_error};
use crate::sqlite::files::{Files, not_a_store, remove, sync_folder};
use crate::sqlite::migrate::version;
use crate::{Error, Result, Unavailable};

/// Writes a copy of the store to a file that does not exist yet. The file appears under its name once it is complete.
pub(super) fn backup(files: &Files, file: &Path) -> Result<()> {
    if file.exists() {
        return Err(Error::already_exists("file", file.display()));
    }
    let folder = file.parent().unwrap_or(Path::new(""));
    let draft = create_temporary_file(folder)?;
    copy(&files.reader().map_err(|cause| cause.to_error())?, draft.path())?;
    draft.as_file().sync_all().map_err(file_error)?;
    draft.persist_noclobber(file).map_err(|failed| match failed.error.kind() {
        std::io::ErrorKind::AlreadyExists => Error::already_exists("file", file.display()),
        _ => file_error(failed.error),
    })?;
    sync_folder(folder)
}

/// Creates a store in `folder` from a copy written by [`backup`](crate::Maintenance::backup).
///
/// # Errors
/// Returns an error if the file is not such a copy, if a store exists and `overwrite` is false, if a process has it
/// open, or if files cannot be written.
pub fn restore(backup: &Path, folder: &Path, overwrite: bool) -> Result<()> {
    let files = Files { folder: folder.to_owned() };
    let target = files.database();
    if target.exists() && !overwrite {
        return Err(Error::already_exists("store", target.display()));
    }
    let source = open_backup(backup)?;
    files.create_folder()?;
    let draft = create_temporary_file(folder)?;
    reject_open_store(&target)?;
    copy(&source, draft.path())?;
    draft.as_file().sync_all().map_err(file_error)?;
    // A log left over from the previous store would be applied to the new one.
    remove(&files.log())?;
    remove(&files.shared_memory())?;
    draft.persist(&target).map_err(|failed| file_error(failed.error))?;
    sync_folder(folder)
}

/// Refuses a store that another process has open: leaving WAL mode requires exclusive access. A damaged file, which may
/// be the reason for the restore, cannot be in use.
fn reject_open_store(target: &Path) -> Result<()> {
    let write = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let Ok(connection) = Connection::open_with_flags(target, write) else { return Ok(()) };
    let mode: rusqlite::Result<String> =
        connection.pragma_update_and_check(None, "journal_mode", "DELETE", |row| row.get(0));
    match mode.map_err(|cause| cause.sqlite_error_code()) {
        Err(Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)) => Err(Error::Refused(format!(
            "{} is open in another process; help: stop that process, then restore",
            target.display()
        ))),
        _ => Ok(()),
    }
}

/// Creates a temporary file, accessible to its owner only, that is removed unless it is renamed.
fn create_temporary_file(folder: &Path) -> Result<tempfile::NamedTempFile> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    tempfile::Builder::new().prefix(".store-").suffix(".part").tempfile_in(folder).map_err(file_error)
}

/// Copies a snapshot of a database while writers continue. The copy is a single file without a log.
fn copy(source: &Connection, draft: &Path) -> Result<()> {
    let mut target = Connection::open_with_flags(draft, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(error)?;
    {
        let backup = Backup::new(source, &mut target).map_err(error)?;
        match backup.step(-1).map_err(error)? {
            StepResult::Done => {}
            _ => return Err(Error::Unavailable(Unavailable::Busy)),
        }
    }
    let mode: rusqlite::Result<String> =
        target.pragma_update_and_check(None, "journal_mode", "DELETE", |row| row.get(0));
    mode.map_err(error)?;
    mark_as_copy(&target)?;
    target.close().map_err(|(_, cause)| error(cause))
}

/// Marks a copy as such, so that a new epoch begins wherever it is opened. A copy of a version without epochs needs no
/// mark.
fn mark_as_copy(copy: &Connection) -> Result<()> {
    let known = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'epoch'";
    let known: i64 = copy.query_row(known, [], |row| row.get(0)).map_err(error)?;
    if known > 0 {
        copy.execute(epoch_marker::MARK_AS_COPY, []).map_err(error)?;
    }
    Ok(())
}

/// Opens a backup after checking its integrity and its version.
fn open_backup(file: &Path) -> Result<Connection> {
    if !file.is_file() {
        return Err(Error::not_found("file", file.display()));
    }
    let read = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, read).map_err(error)?;
    let damaged = |cause: rusqlite::Error| not_a_store(file, &cause.to_string());
    let verdict: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(damaged)?;
    if verdict != "ok" {
        return Err(not_a_store(file, &verdict));
    }
    match version(&connection, file)? {
        0 => Err(not_a_store(file, "it is empty")),
        _ => Ok(connection),
    }
}
