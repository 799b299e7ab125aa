//! Copies of a store, and stores out of copies.

use std::path::Path;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::sqlite::error::{error, file_error};
use crate::sqlite::files::{Files, no_store, remove, sync_folder};
use crate::sqlite::mark;
use crate::sqlite::migrate::version;
use crate::{Error, Result, Trouble};

/// Writes a copy of the store to a file that does not exist yet. It appears under its name when it is complete.
pub(super) fn backup(files: &Files, file: &Path) -> Result<()> {
    if file.exists() {
        return Err(Error::present("file", file.display()));
    }
    let folder = file.parent().unwrap_or(Path::new(""));
    let draft = draft(folder)?;
    copy(&files.reader().map_err(|cause| cause.error())?, draft.path())?;
    draft.as_file().sync_all().map_err(file_error)?;
    draft.persist_noclobber(file).map_err(|failed| match failed.error.kind() {
        std::io::ErrorKind::AlreadyExists => Error::present("file", file.display()),
        _ => file_error(failed.error),
    })?;
    sync_folder(folder)
}

/// Makes a store in `folder` out of a copy that [`backup`](crate::Upkeep::backup) has written.
///
/// # Errors
/// That the file is not such a copy, that there is a store already and `overwrite` is not said, or that a process has it
/// open.
pub fn restore(backup: &Path, folder: &Path, overwrite: bool) -> Result<()> {
    let files = Files { folder: folder.to_owned() };
    let target = files.database();
    if target.exists() && !overwrite {
        return Err(Error::present("store", target.display()));
    }
    let source = checked(backup)?;
    files.make_folder()?;
    let draft = draft(folder)?;
    refuse_open(&target)?;
    copy(&source, draft.path())?;
    draft.as_file().sync_all().map_err(file_error)?;
    // A log that belongs to the store before would be taken for that of the new one.
    remove(&files.log())?;
    remove(&files.shared())?;
    draft.persist(&target).map_err(|failed| file_error(failed.error))?;
    sync_folder(folder)
}

/// That no process has the store open: giving up its log takes the file for oneself alone. A file that is no store any
/// more, which may be why a copy is needed, is in nobody's use.
fn refuse_open(target: &Path) -> Result<()> {
    let write = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let Ok(connection) = Connection::open_with_flags(target, write) else { return Ok(()) };
    let mode: rusqlite::Result<String> =
        connection.pragma_update_and_check(None, "journal_mode", "DELETE", |row| row.get(0));
    match mode.map_err(|cause| cause.sqlite_error_code()) {
        Err(Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)) => Err(Error::Refused(format!(
            "{} is open in another process: end it before a copy takes its place",
            target.display()
        ))),
        _ => Ok(()),
    }
}

/// A file that is removed unless it gets its name; for nobody but its owner.
fn draft(folder: &Path) -> Result<tempfile::NamedTempFile> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    tempfile::Builder::new().prefix(".store-").suffix(".part").tempfile_in(folder).map_err(file_error)
}

/// Copies a database as it is at one moment; writers go on meanwhile. The copy has no log, and is one file.
fn copy(source: &Connection, draft: &Path) -> Result<()> {
    let mut target = Connection::open_with_flags(draft, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(error)?;
    {
        let backup = Backup::new(source, &mut target).map_err(error)?;
        match backup.step(-1).map_err(error)? {
            StepResult::Done => {}
            _ => return Err(Error::Unavailable(Trouble::Busy)),
        }
    }
    let mode: rusqlite::Result<String> =
        target.pragma_update_and_check(None, "journal_mode", "DELETE", |row| row.get(0));
    mode.map_err(error)?;
    mark_as_copy(&target)?;
    target.close().map_err(|(_, cause)| error(cause))
}

/// Says in a copy that it is one: a new epoch begins wherever it is opened, however it came there. One of a version
/// that knows no epochs says so by that.
fn mark_as_copy(copy: &Connection) -> Result<()> {
    let known = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'epoch'";
    let known: i64 = copy.query_row(known, [], |row| row.get(0)).map_err(error)?;
    if known > 0 {
        copy.execute(mark::MARK_AS_COPY, []).map_err(error)?;
    }
    Ok(())
}

/// A copy that is whole, and that this version of the program understands.
fn checked(file: &Path) -> Result<Connection> {
    if !file.is_file() {
        return Err(Error::absent("file", file.display()));
    }
    let read = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, read).map_err(error)?;
    let damaged = |cause: rusqlite::Error| no_store(file, &cause.to_string());
    let verdict: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(damaged)?;
    if verdict != "ok" {
        return Err(no_store(file, &verdict));
    }
    match version(&connection, file)? {
        0 => Err(no_store(file, "it is empty")),
        _ => Ok(connection),
    }
}
