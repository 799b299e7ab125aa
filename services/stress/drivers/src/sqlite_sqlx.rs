//! sqlx on SQLite: its own pool, whose connections have threads as well.

use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};

use crate::shape::sql::sqlite as sql;
use crate::shape::{BATCHES_BEFORE, CHECKPOINT, LABELS, RECORDS, SCOPES, Stack, TABLES, TOKENS, body, token};

/// Pools of a writer and a reader.
pub struct Sqlx(SqlitePool);

impl Sqlx {
    /// Creates a database and fills it.
    pub async fn fill(file: &Path) -> anyhow::Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full);
        // The pool reuses the connection that was returned last, so that one alone works here as well.
        let stack = Self(SqlitePoolOptions::new().max_connections(2).connect_with(options).await?);
        sqlx::raw_sql(TABLES).execute(&stack.0).await?;
        let mut transaction = stack.0.begin().await?;
        for number in 0..TOKENS {
            let address = format!("user{number}@example.com");
            sqlx::query(sql::USER).bind(number + 1).bind(address).execute(&mut *transaction).await?;
            let insert = sqlx::query(sql::TOKEN).bind(token(number)).bind(number + 1).bind(SCOPES);
            insert.execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        stack.insert(RECORDS, false).await?;
        for _ in 0..BATCHES_BEFORE {
            stack.insert(500, false).await?;
        }
        sqlx::raw_sql(CHECKPOINT).execute(&stack.0).await?;
        Ok(stack)
    }
}

impl Stack for Sqlx {
    async fn page(&self, after: i64) -> anyhow::Result<usize> {
        let mut transaction = self.0.begin().await?;
        let _: i64 = sqlx::query_scalar(sql::HEAD).bind(1_i64).fetch_one(&mut *transaction).await?;
        let rows: Vec<(i64, String)> =
            sqlx::query_as(sql::PAGE).bind(1_i64).bind(after).fetch_all(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(rows.len())
    }

    async fn token(&self, hash: Vec<u8>) -> anyhow::Result<Option<i64>> {
        let found: Option<(i64, String, String)> =
            sqlx::query_as(sql::GRANT).bind(hash).fetch_optional(&self.0).await?;
        Ok(found.map(|(user, ..)| user))
    }

    async fn insert(&self, count: i64, _gathered: bool) -> anyhow::Result<()> {
        let mut transaction = self.0.begin_with("BEGIN IMMEDIATE").await?;
        let last: i64 = sqlx::query_scalar(sql::LOCK).bind(1_i64).fetch_one(&mut *transaction).await?;
        for id in last + 1..=last + count {
            let record = sqlx::query(sql::RECORD).bind(1_i64).bind(id).bind(id).bind(body(id));
            record.execute(&mut *transaction).await?;
            for label in LABELS {
                let mark = sqlx::query(sql::MARK).bind(1_i64).bind(label).bind(id);
                mark.execute(&mut *transaction).await?;
            }
        }
        sqlx::query(sql::MOVE).bind(1_i64).bind(last + count).execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }
}
