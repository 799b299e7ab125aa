//! The files of a store, and connections to them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use fs_err::os::unix::fs::OpenOptionsExt as _;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::sqlite::error::{Cause, file_error};
use crate::{Error, Result};

/// Somebody else, a command beside a running service, may hold the database for so long.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// More statements than there are.
const STATEMENTS: usize = 256;
/// So much of the database a connection keeps in memory, in KiB: 8 MiB for the writer, 2 MiB for each of the readers, and
/// 1 MiB for the thread that moves the log, which are 17 MiB in all. The system keeps the rest.
const WRITER_CACHE: i64 = 8 * 1024;
const READER_CACHE: i64 = 2 * 1024;
const LOG_CACHE: i64 = 1024;
/// What remains of the log after it was emptied.
const LOG: i64 = 64 << 20;

/// Where a store is kept.
#[derive(Debug, Clone)]
pub(super) struct Files {
    pub(super) folder: PathBuf,
}

impl Files {
    /// Makes the folder and the file in it, if they are not there: for nobody but their owner, because they hold mail.
    pub(super) fn make(folder: &Path) -> Result<Self> {
        let files = Self { folder: folder.to_owned() };
        files.make_folder()?;
        let file = files.database();
        match fs_err::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&file) {
            Ok(_) => sync_folder(folder)?,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(file_error(error)),
        }
        Ok(files)
    }

    /// Makes the folder, if it is not there.
    pub(super) fn make_folder(&self) -> Result<()> {
        use std::os::unix::fs::DirBuilderExt as _;
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.folder);
        made.map_err(|error| {
            let named = std::io::Error::new(error.kind(), format!("{}: {error}", self.folder.display()));
            file_error(named)
        })
    }

    pub(super) fn database(&self) -> PathBuf {
        self.folder.join("store.sqlite3")
    }

    /// What has not been moved to the database yet.
    pub(super) fn log(&self) -> PathBuf {
        self.folder.join("store.sqlite3-wal")
    }

    /// What the processes that have the database open share.
    pub(super) fn shared(&self) -> PathBuf {
        self.folder.join("store.sqlite3-shm")
    }

    /// What is known of the database outside of it (`sqlite::mark`).
    pub(super) fn mark(&self) -> PathBuf {
        self.folder.join("store.sqlite3-mark")
    }

    /// A connection that writes.
    pub(super) fn writer(&self) -> std::result::Result<Connection, Cause> {
        let connection = open(&self.database(), OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        // The thread that moves the log to the database does so, and nobody while a commit waits.
        pragma(&connection, "wal_autocheckpoint", 0)?;
        pragma(&connection, "journal_size_limit", LOG)?;
        pragma(&connection, "cache_size", -WRITER_CACHE)?;
        Ok(connection)
    }

    /// A connection that moves the log to the database.
    pub(super) fn mover(&self) -> std::result::Result<Connection, Cause> {
        let connection = self.writer()?;
        pragma(&connection, "cache_size", -LOG_CACHE)?;
        Ok(connection)
    }

    /// A connection that reads.
    pub(super) fn reader(&self) -> std::result::Result<Connection, Cause> {
        let connection = open(&self.database(), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        pragma(&connection, "cache_size", -READER_CACHE)?;
        Ok(connection)
    }
}

fn open(file: &Path, access: OpenFlags) -> std::result::Result<Connection, Cause> {
    let connection = Connection::open_with_flags(file, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // A commit is on disk when it is answered.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // A statement is planned once and not again whenever a value is bound that a partial index could be about.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // No function of SQL is called out of a schema that somebody else has written.
    connection.pragma_update(None, "trusted_schema", false)?;
    Ok(connection)
}

/// Sets a number; some of these answer it.
fn pragma(connection: &Connection, name: &str, value: i64) -> std::result::Result<(), Cause> {
    Ok(connection.pragma_update_and_check(None, name, value, |_| Ok(())).or_else(|error| match error {
        rusqlite::Error::QueryReturnedNoRows => Ok(()),
        other => Err(other),
    })?)
}

/// That a file was made, or has got another name, is on disk.
pub(super) fn sync_folder(folder: &Path) -> Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    fs_err::File::open(folder).and_then(|folder| folder.sync_all()).map_err(file_error)
}

/// Removes a file, if it is there.
pub(super) fn remove(file: &Path) -> Result<()> {
    match fs_err::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(file_error(error)),
        _ => Ok(()),
    }
}

/// That a file is no store.
pub(super) fn no_store(file: &Path, why: &str) -> Error {
    Error::Refused(format!("{} is no store: {why}", file.display()))
}
