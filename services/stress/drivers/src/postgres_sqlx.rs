//! sqlx on PostgreSQL.

use std::str::FromStr as _;

use sqlx::Transaction;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions, Postgres};

use crate::shape::sql::postgres as sql;
use crate::shape::{GATHERED_MARKS, GATHERED_RECORDS, LABELS, RECORDS, SCOPES, Stack, TABLES, TOKENS, body, token};

/// Schema of this side.
const SCHEMA: &str = "drivers_theirs";

/// Pool of connections.
pub struct Sqlx(PgPool);

impl Sqlx {
    /// Creates the tables in a schema of their own and fills them.
    pub async fn fill(address: &str) -> anyhow::Result<Self> {
        let options = PgConnectOptions::from_str(address)?.options([("search_path", SCHEMA)]);
        // By default a connection is tested before each use; the store does not do that.
        let pool = PgPoolOptions::new().max_connections(2).test_before_acquire(false).connect_with(options).await?;
        let stack = Self(pool);
        sqlx::raw_sql("DROP SCHEMA IF EXISTS drivers_theirs CASCADE; CREATE SCHEMA drivers_theirs")
            .execute(&stack.0)
            .await?;
        sqlx::raw_sql(TABLES).execute(&stack.0).await?;
        for number in 0..TOKENS {
            let address = format!("user{number}@example.com");
            sqlx::query(sql::USER).bind(number + 1).bind(address).execute(&stack.0).await?;
            sqlx::query(sql::TOKEN).bind(token(number)).bind(number + 1).bind(SCOPES).execute(&stack.0).await?;
        }
        stack.insert(RECORDS, true).await?;
        sqlx::raw_sql("VACUUM ANALYZE records, marks, tokens, users, mailboxes").execute(&stack.0).await?;
        Ok(stack)
    }
}

async fn by_row(transaction: &mut Transaction<'_, Postgres>, ids: std::ops::RangeInclusive<i64>) -> sqlx::Result<()> {
    for id in ids {
        let record = sqlx::query(sql::RECORD).bind(1_i64).bind(id).bind(id).bind(body(id));
        record.execute(&mut **transaction).await?;
        for label in LABELS {
            sqlx::query(sql::MARK).bind(1_i64).bind(label).bind(id).execute(&mut **transaction).await?;
        }
    }
    Ok(())
}

/// Statement that takes a list of values for each column.
async fn gathered(transaction: &mut Transaction<'_, Postgres>, ids: std::ops::RangeInclusive<i64>) -> sqlx::Result<()> {
    let ids: Vec<i64> = ids.collect();
    let bodies: Vec<String> = ids.iter().copied().map(body).collect();
    sqlx::query(GATHERED_RECORDS)
        .bind(vec![1_i64; ids.len()])
        .bind(&ids)
        .bind(&ids)
        .bind(&bodies)
        .execute(&mut **transaction)
        .await?;
    let (labels, records): (Vec<i64>, Vec<i64>) = ids.iter().flat_map(|id| LABELS.map(|label| (label, *id))).unzip();
    let insert = sqlx::query(GATHERED_MARKS).bind(vec![1_i64; records.len()]).bind(labels).bind(records);
    insert.execute(&mut **transaction).await?;
    Ok(())
}

impl Stack for Sqlx {
    async fn page(&self, after: i64) -> anyhow::Result<usize> {
        let mut transaction = self.0.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
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

    async fn insert(&self, count: i64, gather: bool) -> anyhow::Result<()> {
        let mut transaction = self.0.begin().await?;
        let last: i64 = sqlx::query_scalar(sql::LOCK).bind(1_i64).fetch_one(&mut *transaction).await?;
        let ids = last + 1..=last + count;
        if gather {
            gathered(&mut transaction, ids).await?
        } else {
            by_row(&mut transaction, ids).await?
        }
        sqlx::query(sql::MOVE).bind(1_i64).bind(last + count).execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }
}
