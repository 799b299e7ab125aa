//! tokio-postgres with deadpool, as the store uses them: statements are pipelined.

use deadpool_postgres::{Client, Manager, Pool};
use futures_util::TryStreamExt as _;
use futures_util::stream::FuturesOrdered;
use tokio_postgres::types::ToSql;
use tokio_postgres::{NoTls, Statement};

use crate::shape::sql::postgres as sql;
use crate::shape::{GATHERED_MARKS, GATHERED_RECORDS, LABELS, RECORDS, SCOPES, Stack, TABLES, TOKENS, body, token};

/// Schema of this side.
const SCHEMA: &str = "drivers_ours";

/// Pool of connections.
pub struct TokioPostgres(Pool);

impl TokioPostgres {
    /// Creates the tables in a schema of their own and fills them.
    pub async fn fill(address: &str) -> anyhow::Result<Self> {
        let mut config: tokio_postgres::Config = address.parse()?;
        config.options(format!("-c search_path={SCHEMA}"));
        let stack = Self(Pool::builder(Manager::new(config, NoTls)).max_size(2).build()?);
        let client = stack.0.get().await?;
        client
            .batch_execute(&format!("DROP SCHEMA IF EXISTS {SCHEMA} CASCADE; CREATE SCHEMA {SCHEMA}; {TABLES}"))
            .await?;
        for number in 0..TOKENS {
            client.execute(sql::USER, &[&(number + 1), &format!("user{number}@example.com")]).await?;
            client.execute(sql::TOKEN, &[&token(number), &(number + 1), &SCOPES]).await?;
        }
        drop(client);
        stack.insert(RECORDS, false).await?;
        stack.0.get().await?.batch_execute("VACUUM ANALYZE records, marks, tokens, users, mailboxes").await?;
        Ok(stack)
    }

    /// Removes the schemas of both sides.
    pub async fn clean(&self) -> anyhow::Result<()> {
        let drop = format!("DROP SCHEMA IF EXISTS {SCHEMA}, drivers_theirs CASCADE");
        Ok(self.0.get().await?.batch_execute(&drop).await?)
    }
}

/// Maximum number of pipelined statements.
const ON_THEIR_WAY: usize = 64;

async fn each<'v, const N: usize>(
    client: &Client,
    statement: &Statement,
    rows: impl Iterator<Item = [&'v (dyn ToSql + Sync); N]>,
) -> anyhow::Result<()> {
    let mut sent = FuturesOrdered::new();
    for row in rows {
        if sent.len() == ON_THEIR_WAY {
            sent.try_next().await?;
        }
        sent.push_back(client.execute_raw(statement, row));
    }
    while sent.try_next().await?.is_some() {}
    Ok(())
}

/// One statement for each row.
async fn add(client: &Client, ids: &[i64]) -> anyhow::Result<()> {
    let records: Vec<(i64, String)> = ids.iter().map(|id| (*id, body(*id))).collect();
    let record = client.prepare_cached(sql::RECORD).await?;
    each(client, &record, records.iter().map(|(id, body)| [&1_i64 as _, id as _, id as _, body as _])).await?;
    let mark = client.prepare_cached(sql::MARK).await?;
    let marks = ids.iter().flat_map(|id| LABELS.iter().map(move |label| [&1_i64 as _, label as _, id as _]));
    each(client, &mark, marks).await
}

/// Statement that takes a list of values for each column.
async fn add_gathered(client: &Client, ids: &[i64]) -> anyhow::Result<()> {
    let bodies: Vec<String> = ids.iter().copied().map(body).collect();
    let records = client.prepare_cached(GATHERED_RECORDS).await?;
    client.execute(&records, &[&vec![1_i64; ids.len()], &ids, &ids, &bodies]).await?;
    let (labels, of): (Vec<i64>, Vec<i64>) = ids.iter().flat_map(|id| LABELS.map(|label| (label, *id))).unzip();
    let marks = client.prepare_cached(GATHERED_MARKS).await?;
    client.execute(&marks, &[&vec![1_i64; of.len()], &labels, &of]).await?;
    Ok(())
}

impl Stack for TokioPostgres {
    async fn page(&self, after: i64) -> anyhow::Result<usize> {
        let client = self.0.get().await?;
        client.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
        let head = client.prepare_cached(sql::HEAD).await?;
        let _: i64 = client.query_one(&head, &[&1_i64]).await?.try_get(0)?;
        let page = client.prepare_cached(sql::PAGE).await?;
        let rows = client.query(&page, &[&1_i64, &after]).await?;
        let read = |row: &tokio_postgres::Row| Ok((row.try_get(0)?, row.try_get(1)?));
        let rows: Vec<(i64, String)> = rows.iter().map(read).collect::<Result<_, tokio_postgres::Error>>()?;
        client.batch_execute("COMMIT").await?;
        Ok(rows.len())
    }

    async fn token(&self, hash: Vec<u8>) -> anyhow::Result<Option<i64>> {
        let client = self.0.get().await?;
        let grant = client.prepare_cached(sql::GRANT).await?;
        let Some(row) = client.query_opt(&grant, &[&hash]).await? else { return Ok(None) };
        let (user, _, _): (i64, String, String) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        Ok(Some(user))
    }

    async fn insert(&self, count: i64, gathered: bool) -> anyhow::Result<()> {
        let client = self.0.get().await?;
        client.batch_execute("BEGIN").await?;
        let lock = client.prepare_cached(sql::LOCK).await?;
        let last: i64 = client.query_one(&lock, &[&1_i64]).await?.try_get(0)?;
        let ids: Vec<i64> = (last + 1..=last + count).collect();
        if gathered {
            add_gathered(&client, &ids).await?
        } else {
            add(&client, &ids).await?
        }
        let moved = client.prepare_cached(sql::MOVE).await?;
        client.execute(&moved, &[&1_i64, &(last + count)]).await?;
        client.batch_execute("COMMIT").await?;
        Ok(())
    }
}
