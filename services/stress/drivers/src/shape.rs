//! Tables of the same shape as those of the store, their contents, and the operations on them.

use std::future::Future;

/// Initial number of records of the history.
pub const RECORDS: i64 = 20_000;
/// Number of users, each with a token.
pub const TOKENS: i64 = 200;

/// Tables: `TEXT`, `BIGINT`, and `BLOB` for one database, `BYTEA` for the other.
pub const TABLES: &str = "
    CREATE TABLE users (id BIGINT PRIMARY KEY NOT NULL, address TEXT NOT NULL);
    CREATE TABLE tokens (hash BYTEA PRIMARY KEY NOT NULL, user_id BIGINT NOT NULL, scopes TEXT NOT NULL, expires BIGINT);
    CREATE TABLE mailboxes (mailbox BIGINT PRIMARY KEY NOT NULL, history BIGINT NOT NULL);
    CREATE TABLE records (
        mailbox BIGINT NOT NULL, id BIGINT NOT NULL, made BIGINT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (mailbox, id)
    );
    CREATE TABLE marks (
        mailbox BIGINT NOT NULL, label BIGINT NOT NULL, kind BIGINT NOT NULL, record BIGINT NOT NULL,
        PRIMARY KEY (mailbox, label, kind, record)
    );
    INSERT INTO mailboxes (mailbox, history) VALUES (1, 0);
";

/// Labels by which a record is indexed; 0 stands for all messages.
pub const LABELS: [i64; 3] = [0, 1, 2];

/// Returns the hash of a token.
pub fn token(number: i64) -> Vec<u8> {
    number.to_be_bytes().repeat(4)
}

/// Scopes of a token.
pub const SCOPES: &str = r#"["https://mail.example.com/auth/mail.readonly"]"#;

/// Returns the body of a record, about as long as in the store.
pub fn body(id: i64) -> String {
    format!(r#"[{{"k":1,"m":{id},"t":{id},"l":[],"h":[1,2]}}]"#)
}

/// Inserts many records with one statement, which takes a list of values for each column.
pub const GATHERED_RECORDS: &str = "INSERT INTO records (mailbox, id, made, body) SELECT * FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::text[])";
/// The same for their index entries.
pub const GATHERED_MARKS: &str = "INSERT INTO marks (mailbox, label, kind, record) \
    SELECT m, l, 1, r FROM unnest($1::int8[], $2::int8[], $3::int8[]) AS one (m, l, r)";

/// Statements, which differ only in the placeholders of values.
pub mod sql {
    macro_rules! statements {
        ($($name:ident = $sqlite:literal $postgres:literal;)*) => {
            /// Placeholders `?1`.
            pub mod sqlite { $(#[allow(missing_docs)] pub const $name: &str = $sqlite;)* }
            /// Placeholders `$1`.
            pub mod postgres { $(#[allow(missing_docs)] pub const $name: &str = $postgres;)* }
        };
    }

    statements! {
        USER = "INSERT INTO users (id, address) VALUES (?1, ?2)"
            "INSERT INTO users (id, address) VALUES ($1, $2)";
        TOKEN = "INSERT INTO tokens (hash, user_id, scopes) VALUES (?1, ?2, ?3)"
            "INSERT INTO tokens (hash, user_id, scopes) VALUES ($1, $2, $3)";
        GRANT = "SELECT u.id, u.address, t.scopes FROM tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = ?1"
            "SELECT u.id, u.address, t.scopes FROM tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = $1";
        HEAD = "SELECT history FROM mailboxes WHERE mailbox = ?1"
            "SELECT history FROM mailboxes WHERE mailbox = $1";
        LOCK = "SELECT history FROM mailboxes WHERE mailbox = ?1"
            "SELECT history FROM mailboxes WHERE mailbox = $1 FOR UPDATE";
        PAGE = "SELECT id, body FROM records WHERE mailbox = ?1 AND id > ?2 ORDER BY id LIMIT 100"
            "SELECT id, body FROM records WHERE mailbox = $1 AND id > $2 ORDER BY id LIMIT 100";
        RECORD = "INSERT INTO records (mailbox, id, made, body) VALUES (?1, ?2, ?3, ?4)"
            "INSERT INTO records (mailbox, id, made, body) VALUES ($1, $2, $3, $4)";
        MARK = "INSERT INTO marks (mailbox, label, kind, record) VALUES (?1, ?2, 1, ?3)"
            "INSERT INTO marks (mailbox, label, kind, record) VALUES ($1, $2, 1, $3)";
        MOVE = "UPDATE mailboxes SET history = ?2 WHERE mailbox = ?1"
            "UPDATE mailboxes SET history = $2 WHERE mailbox = $1";
    }
}

/// Number of batches that are written to SQLite before the measurements; then the log starts over. From then on it is
/// overwritten, as in a store that has run for a while, and does not grow, which would make each commit slower.
pub const BATCHES_BEFORE: usize = 12;
/// Statement that makes the log start over.
pub const CHECKPOINT: &str = "PRAGMA wal_checkpoint(RESTART)";

/// Driver with the code that a service puts around it.
pub trait Stack {
    /// Reads the page of the history after a record, in a transaction; returns its number of records.
    fn page(&self, after: i64) -> impl Future<Output = anyhow::Result<usize>>;
    /// Reads the owner of a token.
    fn token(&self, hash: Vec<u8>) -> impl Future<Output = anyhow::Result<Option<i64>>>;
    /// Adds records with their index entries in one transaction, which is on disk afterwards: with one statement for
    /// each row, or, if `gathered`, with as few statements as possible.
    fn insert(&self, count: i64, gathered: bool) -> impl Future<Output = anyhow::Result<()>>;
}
