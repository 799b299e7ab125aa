//! Schema migrations: forward only, each applied once, in one transaction.

/// Schema migration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Migration {
    /// Version; there are no gaps.
    pub(crate) version: i64,
    /// Subject of the migration.
    pub(crate) name: &'static str,
    /// SQL statements.
    pub(crate) sql: &'static str,
}

macro_rules! migrations {
    ($database:literal: $($version:literal $name:literal $file:literal,)*) => {
        &[$(Migration {
            version: $version,
            name: $name,
            sql: include_str!(concat!("../migrations/", $database, "/", $file)),
        },)*]
    };
}

/// Migrations for SQLite.
pub(crate) const SQLITE: &[Migration] = migrations!("sqlite":
    1 "accounts" "0001_accounts.sql",
    2 "mailboxes" "0002_mailboxes.sql",
    3 "calendars" "0003_calendars.sql",
    4 "epoch" "0004_epoch.sql",
    5 "bodies" "0005_bodies.sql",
    6 "events" "0006_events.sql",
    7 "channels" "0007_channels.sql",
    8 "token_kinds" "0008_token_kinds.sql",
    9 "series_rules" "0009_series_rules.sql",
    10 "scripts" "0010_scripts.sql",
    11 "script_logs" "0011_script_logs.sql",
    12 "script_locks" "0012_script_locks.sql",
    13 "deployment_scopes" "0013_deployment_scopes.sql",
    14 "script_indexes" "0014_script_indexes.sql",
    15 "marks_of_messages" "0015_marks_of_messages.sql",
    16 "threads" "0016_threads.sql",
);

/// Migrations for PostgreSQL.
#[cfg(feature = "postgres")]
pub(crate) const POSTGRES: &[Migration] = migrations!("postgres":
    1 "accounts" "0001_accounts.sql",
    2 "mailboxes" "0002_mailboxes.sql",
    3 "calendars" "0003_calendars.sql",
    4 "epoch" "0004_epoch.sql",
    5 "bodies" "0005_bodies.sql",
    6 "events" "0006_events.sql",
    7 "channels" "0007_channels.sql",
    8 "token_kinds" "0008_token_kinds.sql",
    9 "series_rules" "0009_series_rules.sql",
    10 "scripts" "0010_scripts.sql",
    11 "script_logs" "0011_script_logs.sql",
    12 "script_locks" "0012_script_locks.sql",
    13 "deployment_scopes" "0013_deployment_scopes.sql",
    14 "script_indexes" "0014_script_indexes.sql",
    15 "marks_of_messages" "0015_marks_of_messages.sql",
    16 "threads" "0016_threads.sql",
);
