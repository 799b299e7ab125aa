//! Snapshots of the contents of the store, and their restoration.
//!
//! The rows of all tables are read in one transaction and written back in another one, so that other requests see the
//! store either before or after it. Numbers that the database generates continue, so that a number of a removed row is
//! never that of another one.

use std::sync::Arc;

use crate::account::{NewToken, Token};
use crate::domain::epoch::BeginEpoch;
use crate::domain::sql;
use crate::domain::tokens::AddToken;
use crate::operation::{Access, Operation};
use crate::session::{HeavyColumns, Session, Value};
use crate::{Error, Result, Snapshot};

/// Tables that a snapshot contains. A table follows those that it refers to.
pub(crate) const TABLES: &[&str] = &[
    "settings",
    "users",
    "tokens",
    "mailboxes",
    "labels",
    "messages",
    "texts",
    "message_labels",
    "thread_labels",
    "label_counts",
    "records",
    "marks",
    "bodies",
    "pieces",
    "calendars",
    "calendar_shares",
    "events",
    "entries",
    "series_slots",
    "jobs",
    "channels",
    "profiles",
    "script_projects",
    "script_shares",
    "script_files",
    "script_versions",
    "script_deployments",
    "script_processes",
    "script_facets",
    "script_changes",
    "script_metrics",
    "script_metric_users",
    "script_properties",
    "script_cache",
    "script_locks",
    "script_triggers",
    "script_logs",
];

/// Tables of the present: the epoch, which never goes back, and the servers that are alive.
#[cfg(test)]
pub(crate) const OTHER_TABLES: &[&str] = &["epoch", "script_servers"];

/// Reads the contents of the store.
pub(super) struct TakeSnapshot {
    pub(super) max_bytes: usize,
}

impl Operation for TakeSnapshot {
    type Output = Snapshot;
    const ACCESS: Access = Access::Scan;

    async fn run<S: Session>(self, session: &mut S) -> Result<Snapshot> {
        let mut snapshot = Snapshot { tables: Vec::with_capacity(TABLES.len()), bytes: 0 };
        for table in TABLES {
            // Rows beyond the limit are read without their values.
            let heavy = HeavyColumns { column: 0, max_bytes: self.max_bytes.saturating_sub(snapshot.bytes) };
            let rows = session.rows_within(&format!("SELECT * FROM {table}"), &[Vec::new()], heavy).await?;
            let rows: Vec<Vec<Value>> = rows.into_iter().flatten().map(|row| row.0).collect();
            snapshot.bytes += rows.iter().flatten().map(Value::memory).sum::<usize>();
            if snapshot.bytes > self.max_bytes {
                let max = self.max_bytes >> 20;
                return Err(Error::Refused(format!(
                    "the store is too large for a snapshot in memory: more than {max} MiB"
                )));
            }
            snapshot.tables.push(rows);
        }
        Ok(snapshot)
    }
}

/// Replaces the contents of the store by those of a snapshot, and begins a new epoch.
pub(super) struct RestoreSnapshot {
    pub(super) snapshot: Arc<Snapshot>,
    /// Token that stays valid.
    pub(super) token: Option<NewToken>,
}

impl Operation for RestoreSnapshot {
    type Output = Option<Token>;
    const ACCESS: Access = Access::Write;

    fn weight(&self) -> usize {
        self.snapshot.bytes
    }

    async fn run<S: Session>(self, session: &mut S) -> Result<Option<Token>> {
        if let Some((before, after)) = S::DIALECT.lock_tables {
            session.run(&format!("{before}{}{after}", TABLES.join(", ")), &[]).await?;
        }
        let mut greatest_known = 0;
        for greatest in [sql::HISTORY_GREATEST, sql::CALENDAR_HISTORY_GREATEST] {
            let rows = session.rows(greatest, &[]).await?;
            greatest_known = greatest_known.max(rows.first().map_or(Ok(0), |row| row.int(0))?);
        }
        for table in TABLES.iter().rev() {
            session.run(&format!("DELETE FROM {table}"), &[]).await?;
        }
        for (table, rows) in TABLES.iter().zip(&self.snapshot.tables) {
            let columns = rows.first().map_or(0, Vec::len);
            let values = (1..=columns).map(|number| format!("?{number}")).collect::<Vec<_>>().join(", ");
            session.run_each(&format!("INSERT INTO {table} VALUES ({values})"), rows).await?;
        }
        // Nobody runs the executions of the snapshot and holds its locks any more.
        session.run(sql::EXECUTIONS_ORPHAN, &[]).await?;
        session.run("DELETE FROM script_locks", &[]).await?;
        BeginEpoch { identity: None, greatest_known }.run(session).await?;
        match self.token {
            Some(token) => {
                session.run(sql::TOKEN_OF_HASH_DROP, &[token.hash.0.to_vec().into()]).await?;
                AddToken(token).run(session).await.map(Some)
            }
            None => Ok(None),
        }
    }
}
