//! Schema migration of a SQLite database.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::migrations::{Migration, SQLITE};
use crate::sqlite::error::error;
use crate::sqlite::files::not_a_store;
use crate::{Error, Result};

/// SQLite application ID of store files: `Wfst`.
const APPLICATION: i64 = 0x5766_7374;

/// Applies missing migrations, each in a transaction of its own; other processes may do so at the same time.
pub(super) fn migrate(connection: &mut Connection, file: &Path) -> Result<()> {
    // Databases of other programs are left alone. The check is a transaction, because another process may be migrating.
    version(&*connection.transaction().map_err(error)?, file)?;
    // Returns the mode in force. Two processes that set it at once do not wait for each other, hence the retry.
    let mode: String = retry(|| connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0)))?;
    if mode != "wal" {
        return Err(Error::Internal(format!(
            "cannot switch `{}` to WAL mode: its journal mode is `{mode}`",
            file.display()
        )));
    }
    for migration in SQLITE {
        apply(connection, migration, file)?;
    }
    version(connection, file).map(|_| ())
}

/// Returns the version of the last applied migration.
///
/// # Errors
/// Returns an error if the database belongs to another program, or to a newer version of this one.
pub(super) fn version(connection: &Connection, file: &Path) -> Result<i64> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).map_err(error);
    let (application, version) = (number("application_id")?, number("user_version")?);
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(error)?;
    if application != APPLICATION && (application != 0 || version != 0 || tables != 0) {
        return Err(not_a_store(file, "it was written by another program"));
    }
    let known = SQLITE.last().map_or(0, |migration| migration.version);
    if version > known {
        return Err(Error::Refused(format!(
            "`{}` has format version {version}, and this program supports versions up to {known}; help: \
             use a newer release, or an older backup",
            file.display()
        )));
    }
    Ok(version)
}

/// Applies a migration in a transaction, unless the database has its version already.
fn apply(connection: &mut Connection, migration: &Migration, file: &Path) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(error)?;
    if version(&transaction, file)? >= migration.version {
        return Ok(());
    }
    let run = || {
        transaction.execute_batch(migration.sql)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", migration.version)
    };
    run().map_err(error)?;
    transaction.commit().map_err(error)?;
    tracing::info!(version = migration.version, name = migration.name, "applied a store migration");
    Ok(())
}

/// Repeats an action up to 50 times, at intervals of 50 ms, while another process locks the database.
fn retry<T>(action: impl Fn() -> rusqlite::Result<T>) -> Result<T> {
    let mut tries = 0;
    loop {
        match action() {
            Err(cause) if tries < 50 && cause.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy) => {
                tries += 1;
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            other => return other.map_err(error),
        }
    }
}
