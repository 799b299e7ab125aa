//! Schema migration of a PostgreSQL database.

use deadpool_postgres::Client;
use tokio_postgres::error::SqlState;

use super::error;
use crate::migrations::{Migration, POSTGRES};
use crate::{Error, Result};

/// Advisory lock under which one process migrates: `wireform` in ASCII, cut to 32 bits.
const LOCK: i32 = 0x7769_7265;

/// Applies missing migrations in one transaction. Of several processes that start at once, one does so and the others
/// wait.
pub(super) async fn migrate(client: &Client, migrations: &[Migration]) -> Result<()> {
    check_settings(client).await?;
    // A database that is up to date requires no right to create tables.
    if version(client).await? == latest(migrations) {
        return Ok(());
    }
    let done = apply(client, migrations).await;
    if done.is_err() {
        // The first error is reported; if the rollback fails as well, the connection is gone, and the transaction with
        // it.
        let _ = client.batch_execute("ROLLBACK").await;
    }
    done
}

/// Migrations of this program.
pub(super) const MIGRATIONS: &[Migration] = POSTGRES;

/// Applies missing migrations in one transaction; fails if the database has a later version than the last of them.
async fn apply(client: &Client, migrations: &[Migration]) -> Result<()> {
    // A migration may take any time, and so may the wait for another process.
    execute(client, "BEGIN; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0").await?;
    execute(client, &format!("SELECT pg_advisory_xact_lock({LOCK}, hashtext(current_schema()))")).await?;
    let from = version(client).await?;
    if from > latest(migrations) {
        return Err(Error::Refused(format!(
            "the database has schema version {from}, and this release supports versions up to {}; help: use a \
             newer release",
            latest(migrations)
        )));
    }
    if from == 0 {
        let table = "CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL)";
        client.batch_execute(table).await.map_err(|error| explain_privilege(&error))?;
    }
    for migration in migrations.iter().filter(|migration| migration.version > from) {
        let named = |error| match error {
            Error::Internal(what) => {
                Error::Internal(format!("migration {} `{}`: {what}", migration.version, migration.name))
            }
            other => other,
        };
        execute(client, migration.sql).await.map_err(named)?;
        let note = "INSERT INTO migrations (version, name) VALUES ($1, $2)";
        client
            .execute(note, &[&migration.version, &migration.name])
            .await
            .map_err(|error| error::from_driver(&error))?;
    }
    client.batch_execute("COMMIT").await.map_err(|error| error::from_commit(&error))
}

/// Explains a missing privilege: in recent releases, only the owner of a database may create tables in the schema
/// `public`.
fn explain_privilege(error: &tokio_postgres::Error) -> Error {
    if error.code() != Some(&SqlState::INSUFFICIENT_PRIVILEGE) {
        return error::from_driver(error);
    }
    let message = error.as_db_error().map_or_else(|| error.to_string(), |error| error.message().to_owned());
    Error::Refused(format!(
        "the database user cannot create tables ({message}); help: make the user the \
         owner of the database, or grant CREATE on its schema"
    ))
}

/// Returns the version of the last migration; 0 for none.
fn latest(migrations: &[Migration]) -> i64 {
    migrations.last().map_or(0, |migration| migration.version)
}

/// Runs statements without values and results.
async fn execute(client: &Client, sql: &str) -> Result<()> {
    client.batch_execute(sql).await.map_err(|error| error::from_driver(&error))
}

/// Returns the version of the last applied migration; 0 for none.
async fn version(client: &Client) -> Result<i64> {
    // Not `to_regclass`, which may not see yet what the process that held the lock has created.
    let exists =
        "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migrations')";
    let exists: bool = client.query_one(exists, &[]).await.and_then(|row| row.try_get(0)).map_err(from_driver)?;
    if !exists {
        return Ok(0);
    }
    let last = "SELECT coalesce(max(version), 0) FROM migrations";
    client.query_one(last, &[]).await.and_then(|row| row.try_get(0)).map_err(from_driver)
}

fn from_driver(error: tokio_postgres::Error) -> Error {
    error::from_driver(&error)
}

/// Refuses a database whose settings break the guarantees of the store.
async fn check_settings(client: &Client) -> Result<()> {
    let settings = "SELECT current_setting('server_encoding'), current_setting('synchronous_commit'), \
        current_schema()::text";
    let row = client.query_one(settings, &[]).await.map_err(from_driver)?;
    let text = |column| row.try_get::<_, Option<String>>(column).map_err(from_driver);
    let (encoding, commit, schema) = (text(0)?, text(1)?, text(2)?);
    if encoding.as_deref() != Some("UTF8") {
        return Err(Error::Refused(
            "the encoding of the database must be UTF8; help: create it with ENCODING 'UTF8' TEMPLATE template0"
                .to_owned(),
        ));
    }
    if schema.is_none() {
        return Err(Error::Refused(
            "the database user has no current schema; help: create a schema, or correct the search_path of the user"
                .to_owned(),
        ));
    }
    if commit.as_deref() == Some("off") {
        tracing::warn!("synchronous_commit of the database is off: the last commits are lost if its machine fails");
    }
    Ok(())
}
