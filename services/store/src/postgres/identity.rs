//! Identity of the database that a connection leads to, and the new epoch if the store in it came from elsewhere.
//!
//! Every transaction detects a restored dump (`current_epoch` in the migrations). Every new connection detects a copy
//! of the server's files: another server (system identifier), another timeline of its log (after point-in-time recovery
//! and failover), another database on it, or an earlier state than this process has observed (`postgres::observer`).
//! None of these can happen during a connection.

use std::time::Duration;

use deadpool_postgres::ClientWrapper;
use tokio_postgres::Row;

use super::error;
use super::observer::Observation;
use super::session::{Failure, PostgresSession, with_timeout};
use super::translate::Translations;
use crate::domain::epoch::BeginEpoch;
use crate::operation::Operation as _;
use crate::{Error, Result, Unavailable};

/// Advisory lock under which one process begins an epoch: `epoch` in ASCII, cut to 32 bits.
const LOCK: i32 = 0x6570_6f63;

/// Timeout of the statements of the transaction that begins an epoch. No page can be read before the epoch has begun,
/// so it is aborted only if the server seems unresponsive.
const EPOCH_TIME: Duration = Duration::from_secs(60 * 60);

/// Unknown part of an identity, which matches any other.
const UNKNOWN: &str = "-";

/// All tables of the store. Each has a primary key, which `pg_restore` creates after restoring all rows.
pub(super) const TABLES: [&str; 40] = [
    "bodies",
    "calendar_shares",
    "calendars",
    "channels",
    "entries",
    "epoch",
    "events",
    "jobs",
    "label_counts",
    "labels",
    "mailboxes",
    "marks",
    "message_labels",
    "messages",
    "migrations",
    "pieces",
    "profiles",
    "records",
    "script_cache",
    "script_changes",
    "script_deployments",
    "script_facets",
    "script_files",
    "script_locks",
    "script_logs",
    "script_metric_users",
    "script_metrics",
    "script_processes",
    "script_projects",
    "script_properties",
    "script_servers",
    "script_shares",
    "script_triggers",
    "script_versions",
    "series_slots",
    "settings",
    "texts",
    "thread_labels",
    "tokens",
    "users",
];

/// Check of a connection.
#[derive(Clone, Copy)]
pub(super) struct IdentityCheck<'a> {
    pub(super) client: &'a ClientWrapper,
    pub(super) translations: &'a Translations,
    pub(super) timeout: Duration,
}

impl IdentityCheck<'_> {
    /// Observes the database. Returns the observation if the current epoch began in this database and the database is
    /// not behind `known`, an earlier observation.
    pub(super) async fn current(self, known: Option<&Observation>) -> Result<Option<Observation>> {
        let (now, begun_in) = self.observe().await?;
        let is_current = begun_in.is_some_and(|identity| matches(&identity, &now.identity))
            && !known.is_some_and(|known| known.is_ahead_of(&now));
        Ok(is_current.then_some(now))
    }

    /// Begins a new epoch if the store was put into this database from elsewhere, or if there is no epoch yet. Of
    /// several processes that detect this at once, one does so. Returns an observation of the new state.
    pub(super) async fn ensure_epoch(self, known: Option<&Observation>) -> Result<Observation> {
        // The transaction may have to wait for other processes, and writes to each mailbox.
        let done = Self { timeout: EPOCH_TIME, ..self }.begin(known).await;
        if done.is_err() {
            // The first error is reported. If the rollback fails as well, the connection is gone, and the transaction
            // with it.
            let _ = with_timeout(self.timeout, self.client.batch_execute("ROLLBACK")).await;
        }
        done
    }

    /// Begins a new epoch in a transaction, unless another process has done so. On error, the transaction stays open.
    async fn begin(self, known: Option<&Observation>) -> Result<Observation> {
        // The server's limits are meant for requests; `EPOCH_TIME` applies here.
        self.execute("BEGIN; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0").await?;
        self.execute(&format!("SELECT pg_advisory_xact_lock({LOCK}, hashtext(current_schema()))")).await?;
        if let Some(now) = self.current(known).await? {
            self.execute("COMMIT").await?;
            return Ok(now);
        }
        self.check_complete().await?;
        // Writers to a mailbox have finished, or wait and see the new epoch.
        self.execute("LOCK TABLE mailboxes IN EXCLUSIVE MODE").await?;
        let mut session = PostgresSession::new(self.client, self.translations, self.timeout);
        let is_restored =
            self.row("SELECT count(*) FROM epoch", &[]).await?.try_get::<_, i64>(0).map_err(from_driver)? > 0;
        let (now, _) = self.observe().await?;
        // Later than any epoch that this process knows, so that it is not confused with the lost state.
        let above = known.and_then(|known| known.epoch).unwrap_or_default();
        let epoch =
            BeginEpoch { identity: Some(now.identity.clone()), greatest_known: above }.run(&mut session).await?;
        let committed = with_timeout(self.timeout, self.client.batch_execute("COMMIT")).await;
        committed.map_err(|failure| failure.to_commit_error())?;
        if is_restored {
            tracing::warn!("the database was restored or replaced: clients must do a full sync");
        }
        Ok(Observation { epoch: Some(epoch.stored()), ..now })
    }

    /// Returns an observation of the database, and the identity of the database in which its epoch began.
    async fn observe(self) -> Result<(Observation, Option<String>)> {
        let row = self
            .row(
                "SELECT has_function_privilege('pg_control_system()', 'execute'), \
                 CASE WHEN pg_is_in_recovery() THEN $1 ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END, \
                 (SELECT oid::text FROM pg_database WHERE datname = current_database()), \
                 CASE WHEN NOT pg_is_in_recovery() \
                     THEN (pg_current_wal_flush_lsn() - CAST('0/0' AS pg_lsn))::bigint END",
                &[&UNKNOWN],
            )
            .await?;
        let (has_privilege, timeline, database): (bool, String, String) = (
            row.try_get(0).map_err(from_driver)?,
            row.try_get(1).map_err(from_driver)?,
            row.try_get(2).map_err(from_driver)?,
        );
        let position = row.try_get(3).map_err(from_driver)?;
        let system = if has_privilege {
            let row = self.row("SELECT system_identifier::text FROM pg_control_system()", &[]).await?;
            row.try_get(0).map_err(from_driver)?
        } else {
            UNKNOWN.to_owned()
        };
        let sql = "SELECT c.number, (SELECT place FROM epoch WHERE one = 1 AND number = c.number) FROM current_epoch c";
        let found = with_timeout(self.timeout, self.client.query(sql, &[])).await.map_err(to_error)?;
        let epoch = found.first().map(|row| row.try_get(0)).transpose().map_err(from_driver)?;
        let begun_in = found.first().map(|row| row.try_get(1)).transpose().map_err(from_driver)?.flatten();
        Ok((Observation { identity: format!("{system}/{timeline}/{database}"), position, epoch }, begun_in))
    }

    /// Refuses a database that is still being restored: rows added later would not be of the new epoch.
    async fn check_complete(self) -> Result<()> {
        let keys = "SELECT count(*) FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid \
            JOIN pg_namespace n ON n.oid = t.relnamespace \
            WHERE i.indisprimary AND n.nspname = current_schema() AND t.relname = ANY($1)";
        let tables = TABLES.map(str::to_owned).to_vec();
        let there: i64 = self.row(keys, &[&tables]).await?.try_get(0).map_err(from_driver)?;
        if usize::try_from(there) == Ok(TABLES.len()) { Ok(()) } else { Err(Error::Unavailable(Unavailable::Restored)) }
    }

    /// Runs statements without values and results, within the timeout.
    async fn execute(self, sql: &str) -> Result<()> {
        with_timeout(self.timeout, self.client.batch_execute(sql)).await.map_err(to_error)
    }

    /// Runs a query that returns exactly one row, within the timeout.
    async fn row(self, sql: &str, values: &[&(dyn tokio_postgres::types::ToSql + Sync)]) -> Result<Row> {
        with_timeout(self.timeout, self.client.query_one(sql, values)).await.map_err(to_error)
    }
}

/// Returns whether two identities match in all known parts.
fn matches(one: &str, other: &str) -> bool {
    let same = |(one, other): (&str, &str)| one == other || one == UNKNOWN || other == UNKNOWN;
    one.split('/').count() == other.split('/').count() && one.split('/').zip(other.split('/')).all(same)
}

fn to_error(failure: Failure) -> Error {
    failure.to_error()
}

fn from_driver(error: tokio_postgres::Error) -> Error {
    error::from_driver(&error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_differ_only_in_known_parts() {
        assert!(matches("7/00000001/5", "7/00000001/5"));
        assert!(matches("-/00000001/5", "7/00000001/5"));
        assert!(matches("7/00000001/5", "7/-/5"));
        for other in ["8/00000001/5", "7/00000002/5", "7/00000001/6", "-/-/6", "", "7/00000001"] {
            assert!(!matches("7/00000001/5", other), "{other}");
        }
    }
}
