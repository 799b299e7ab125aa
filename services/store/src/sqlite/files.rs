//! Files of a store, and connections to them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use fs_err::os::unix::fs::OpenOptionsExt as _;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::sqlite::error::{Cause, file_error};
use crate::{Error, Result};

/// Time to wait while another process, such as a command run next to a service, locks the database.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Statement cache capacity, greater than the number of statements.
const STATEMENT_CACHE_CAPACITY: usize = 256;
/// Page cache of the writer's connection, in KiB. All connections together have 17 MiB; the operating system caches the
/// rest.
const WRITER_CACHE_KIB: i64 = 8 * 1024;
/// Page cache of each reader's connection, in KiB.
const READER_CACHE_KIB: i64 = 2 * 1024;
/// Page cache of the checkpoint thread's connection, in KiB.
const CHECKPOINT_CACHE_KIB: i64 = 1024;
/// Maximum size in bytes that the log keeps after it was emptied.
const MAX_LOG_BYTES: i64 = 64 << 20;

/// Location of a store.
#[derive(Debug, Clone)]
pub(super) struct Files {
    pub(super) folder: PathBuf,
}

impl Files {
    /// Creates the folder and the database file if they do not exist, accessible to their owner only, because they
    /// contain mail.
    pub(super) fn create(folder: &Path) -> Result<Self> {
        let files = Self { folder: folder.to_owned() };
        files.create_folder()?;
        let file = files.database();
        match fs_err::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&file) {
            Ok(_) => sync_folder(folder)?,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(file_error(error)),
        }
        Ok(files)
    }

    /// Creates the folder if it does not exist.
    pub(super) fn create_folder(&self) -> Result<()> {
        use std::os::unix::fs::DirBuilderExt as _;
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.folder);
        made.map_err(|error| {
            let named = std::io::Error::new(error.kind(), format!("{}: {error}", self.folder.display()));
            file_error(named)
        })
    }

    /// Returns the path of the database file.
    pub(super) fn database(&self) -> PathBuf {
        self.folder.join("store.sqlite3")
    }

    /// Returns the path of the write-ahead log.
    pub(super) fn log(&self) -> PathBuf {
        self.folder.join("store.sqlite3-wal")
    }

    /// Returns the path of the shared memory of the processes that have the database open.
    pub(super) fn shared_memory(&self) -> PathBuf {
        self.folder.join("store.sqlite3-shm")
    }

    /// Returns the path of the marker file (`sqlite::epoch_marker`).
    pub(super) fn marker(&self) -> PathBuf {
        self.folder.join("store.sqlite3-mark")
    }

    /// Opens the write connection.
    pub(super) fn writer(&self) -> std::result::Result<Connection, Cause> {
        let connection = open(&self.database(), OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        // The checkpoint thread moves the log to the database, so that no commit waits for it.
        set_pragma(&connection, "wal_autocheckpoint", 0)?;
        set_pragma(&connection, "journal_size_limit", MAX_LOG_BYTES)?;
        set_pragma(&connection, "cache_size", -WRITER_CACHE_KIB)?;
        Ok(connection)
    }

    /// Opens a connection for checkpoints.
    pub(super) fn checkpointer(&self) -> std::result::Result<Connection, Cause> {
        let connection = self.writer()?;
        set_pragma(&connection, "cache_size", -CHECKPOINT_CACHE_KIB)?;
        Ok(connection)
    }

    /// Opens a read connection.
    pub(super) fn reader(&self) -> std::result::Result<Connection, Cause> {
        let connection = open(&self.database(), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        set_pragma(&connection, "cache_size", -READER_CACHE_KIB)?;
        Ok(connection)
    }
}

/// Opens a connection with the settings that all connections share.
fn open(file: &Path, access: OpenFlags) -> std::result::Result<Connection, Cause> {
    let connection = Connection::open_with_flags(file, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE_CAPACITY);
    // A commit is on disk when it returns.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Plans a statement once, and not again for each bound value that a partial index may depend on.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // Forbids a schema written by another program to call SQL functions with side effects.
    connection.pragma_update(None, "trusted_schema", false)?;
    Ok(connection)
}

/// Sets a numeric pragma; some of them return the value.
fn set_pragma(connection: &Connection, name: &str, value: i64) -> std::result::Result<(), Cause> {
    Ok(connection.pragma_update_and_check(None, name, value, |_| Ok(())).or_else(|error| match error {
        rusqlite::Error::QueryReturnedNoRows => Ok(()),
        other => Err(other),
    })?)
}

/// Ensures that created and renamed files are on disk.
pub(super) fn sync_folder(folder: &Path) -> Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    fs_err::File::open(folder).and_then(|folder| folder.sync_all()).map_err(file_error)
}

/// Removes a file if it exists.
pub(super) fn remove(file: &Path) -> Result<()> {
    match fs_err::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(file_error(error)),
        _ => Ok(()),
    }
}

/// Creates the error of a file that is not a store.
pub(super) fn not_a_store(file: &Path, why: &str) -> Error {
    Error::Refused(format!("`{}` is not a store: {why}", file.display()))
}
