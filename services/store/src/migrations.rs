//! The steps by which a database came to be as it is: forward only, each applied once, in one transaction.

/// A step: its number, its name and its statements.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Migration {
    /// Its place; there are no gaps.
    pub(crate) version: i64,
    /// What it is about.
    pub(crate) name: &'static str,
    /// Its statements.
    pub(crate) sql: &'static str,
}

macro_rules! migrations {
    ($database:literal: $($version:literal $name:literal,)*) => {
        &[$(Migration {
            version: $version,
            name: $name,
            sql: include_str!(concat!("../migrations/", $database, "/000", stringify!($version), "_", $name, ".sql")),
        },)*]
    };
}

/// Those of SQLite.
pub(crate) const SQLITE: &[Migration] = migrations!("sqlite": 1 "accounts", 2 "mailboxes", 3 "calendars", 4 "epoch", 5 "bodies",
        6 "events", 7 "channels", 8 "token_kinds", 9 "series_rules",);

/// Those of PostgreSQL.
#[cfg(feature = "postgres")]
pub(crate) const POSTGRES: &[Migration] = migrations!("postgres": 1 "accounts", 2 "mailboxes", 3 "calendars", 4 "epoch", 5 "bodies",
        6 "events", 7 "channels", 8 "token_kinds", 9 "series_rules",);
