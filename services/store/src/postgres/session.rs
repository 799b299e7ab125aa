//! Transaction on a PostgreSQL connection.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::ClientWrapper;
use futures_util::TryStreamExt as _;
use futures_util::stream::{FuturesOrdered, StreamExt as _};
use tokio_postgres::Statement;

use super::translate::Translations;
use super::{batch, error, value};
use crate::session::{Dialect, HeavyColumns, Row, RowMemory, Session, Value};
use crate::{Error, Result, Unavailable};

/// Maximum number of pipelined statements.
const MAX_PIPELINED: usize = 64;

/// Maximum number of prepared statements per connection. Statements composed from a request must not exhaust the memory
/// of the server.
const MAX_PREPARED: usize = 256;

/// Session of a transaction that has begun.
pub(super) struct PostgresSession<'a> {
    client: &'a ClientWrapper,
    translations: &'a Translations,
    timeout: Duration,
    /// State of the transaction.
    pub(super) state: State,
}

/// State of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// It can be committed.
    Good,
    /// A statement has failed: the server would respond to a `COMMIT` with a rollback that it reports as success.
    Failed,
    /// The connection is unusable.
    Lost,
}

impl<'a> PostgresSession<'a> {
    /// Creates a session on a connection that has begun a transaction. `timeout` is the maximum time to wait for a
    /// response.
    pub(super) fn new(client: &'a ClientWrapper, translations: &'a Translations, timeout: Duration) -> Self {
        Self { client, translations, timeout, state: State::Good }
    }

    /// Prepares a statement, translated to the dialect of PostgreSQL.
    async fn prepare(&mut self, sql: &str) -> Result<Statement> {
        let translated: Arc<str> = self.translations.get(sql);
        self.prepare_translated(&translated).await
    }

    async fn prepare_translated(&mut self, translated: &str) -> Result<Statement> {
        if self.client.statement_cache.size() >= MAX_PREPARED {
            self.client.statement_cache.clear();
        }
        let prepared = with_timeout(self.timeout, self.client.prepare_cached(translated)).await;
        self.record_failure(prepared)
    }

    /// Prepares a statement and checks its number of values: the driver treats a mismatch as a connection error.
    async fn prepare_for(&mut self, sql: &str, values: usize) -> Result<Statement> {
        let statement = self.prepare(sql).await?;
        match statement.params().len() {
            takes if takes == values => Ok(statement),
            takes => Err(Error::Internal(format!("a statement expects {takes} values and got {values}"))),
        }
    }

    /// Runs a batched insert, one chunk at a time.
    async fn run_batch(&mut self, batched: &str, lists: &[Vec<Value>]) -> Result<u64> {
        let statement = self.prepare_translated(batched).await?;
        let mut changed = 0;
        for chunk in batch::chunks(lists) {
            let columns = batch::columns(chunk);
            let done = with_timeout(self.timeout, self.client.execute_raw(&statement, columns)).await;
            changed += self.record_failure(done)?;
        }
        Ok(changed)
    }

    /// Records that a statement has failed.
    fn record_failure<T>(&mut self, result: std::result::Result<T, Failure>) -> Result<T> {
        result.map_err(|failure| {
            self.state = if failure.is_fatal() { State::Lost } else { State::Failed };
            failure.to_error()
        })
    }
}

/// Reason why there is no response.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server or the driver reported an error.
    Error(tokio_postgres::Error),
    /// No response arrived within the timeout.
    Timeout(Duration),
}

impl Failure {
    /// Returns whether the connection is unusable.
    pub(super) fn is_fatal(&self) -> bool {
        match self {
            Self::Error(error) => error::is_fatal(error),
            Self::Timeout(_) => true,
        }
    }

    /// Converts the failure of a statement other than `COMMIT`.
    pub(super) fn to_error(&self) -> Error {
        match self {
            Self::Error(error) => error::from_driver(error),
            Self::Timeout(time) => {
                Error::Unavailable(Unavailable::Unreachable(format!("no response for {} s", time.as_secs())))
            }
        }
    }

    /// Converts the failure of a `COMMIT`.
    pub(super) fn to_commit_error(&self) -> Error {
        match self {
            Self::Error(error) => error::from_commit(error),
            Self::Timeout(_) => Error::Unavailable(Unavailable::UnknownOutcome),
        }
    }
}

/// Waits for a response up to a timeout: an unresponsive server keeps its connections open.
pub(super) async fn with_timeout<T>(
    timeout: Duration,
    response: impl Future<Output = std::result::Result<T, tokio_postgres::Error>>,
) -> std::result::Result<T, Failure> {
    match tokio::time::timeout(timeout, response).await {
        Ok(response) => response.map_err(Failure::Error),
        Err(_) => Err(Failure::Timeout(timeout)),
    }
}

/// Runs a query and returns its rows.
async fn rows(
    client: &ClientWrapper,
    statement: &Statement,
    values: &[Value],
) -> std::result::Result<Vec<Row>, tokio_postgres::Error> {
    let mut rows = std::pin::pin!(client.query_raw(statement, value::bound(values)).await?);
    let mut found = Vec::new();
    while let Some(row) = rows.try_next().await? {
        found.push(value::row(&row)?);
    }
    Ok(found)
}

/// Runs a query and returns its rows, which are complete as long as they fit into a memory.
async fn rows_within(
    client: &ClientWrapper,
    statement: &Statement,
    values: &[Value],
    memory: &RowMemory,
) -> std::result::Result<Vec<Row>, tokio_postgres::Error> {
    let mut rows = std::pin::pin!(client.query_raw(statement, value::bound(values)).await?);
    let mut found = Vec::new();
    while let Some(row) = rows.try_next().await? {
        let readable = memory.readable_columns(row.len());
        found.push(memory.complete(value::columns(&row, readable)?, row.len()));
    }
    Ok(found)
}

async fn run(
    client: &ClientWrapper,
    statement: &Statement,
    values: &[Value],
) -> std::result::Result<u64, tokio_postgres::Error> {
    client.execute_raw(statement, value::bound(values)).await
}

/// Sends a statement with each list of values, in order and pipelined up to a limit, and returns the responses.
async fn run_pipelined<'v, T, F>(
    timeout: Duration,
    lists: &'v [Vec<Value>],
    send: impl Fn(&'v [Value]) -> F,
) -> std::result::Result<Vec<T>, Failure>
where
    F: Future<Output = std::result::Result<T, tokio_postgres::Error>>,
{
    let mut sent = FuturesOrdered::new();
    let mut responses = Vec::with_capacity(lists.len());
    let mut lists = lists.iter();
    loop {
        sent.extend(lists.by_ref().take(MAX_PIPELINED - sent.len()).map(|values| send(values)));
        let next = async { sent.next().await.transpose() };
        match with_timeout(timeout, next).await? {
            Some(one) => responses.push(one),
            None => return Ok(responses),
        }
    }
}

impl Session for PostgresSession<'_> {
    const DIALECT: Dialect = Dialect {
        for_update: " FOR UPDATE",
        skip_locked: " FOR UPDATE SKIP LOCKED",
        lock_tables: Some(("LOCK TABLE ", " IN EXCLUSIVE MODE")),
    };

    async fn run(&mut self, sql: &str, values: &[Value]) -> Result<u64> {
        let statement = self.prepare_for(sql, values.len()).await?;
        let done = with_timeout(self.timeout, run(self.client, &statement, values)).await;
        self.record_failure(done)
    }

    /// The driver writes all values of a statement into one buffer.
    async fn rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>> {
        let statement = self.prepare_for(sql, values.len()).await?;
        let found = with_timeout(self.timeout, rows(self.client, &statement, values)).await;
        self.record_failure(found)
    }

    async fn rows_of_each(&mut self, sql: &str, lists: &[Vec<Value>]) -> Result<Vec<Vec<Row>>> {
        let Some(first) = lists.first() else { return Ok(Default::default()) };
        let statement = self.prepare_for(sql, first.len()).await?;
        let client = self.client;
        let found = run_pipelined(self.timeout, lists, |values| rows(client, &statement, values)).await;
        self.record_failure(found)
    }

    async fn rows_within(&mut self, sql: &str, lists: &[Vec<Value>], heavy: HeavyColumns) -> Result<Vec<Vec<Row>>> {
        let Some(first) = lists.first() else { return Ok(Default::default()) };
        let statement = self.prepare_for(sql, first.len()).await?;
        let (client, memory) = (self.client, RowMemory::new(heavy));
        let found = run_pipelined(self.timeout, lists, |values| rows_within(client, &statement, values, &memory)).await;
        self.record_failure(found)
    }

    async fn run_each(&mut self, sql: &str, lists: &[Vec<Value>]) -> Result<u64> {
        let Some(first) = lists.first() else { return Ok(Default::default()) };
        let statement = self.prepare_for(sql, first.len()).await?;
        if lists.len() >= batch::MIN_ROWS
            && let Some(batched) = batch::insert_statement(&self.translations.get(sql), statement.params())
        {
            return self.run_batch(&batched, lists).await;
        }
        let client = self.client;
        let done = run_pipelined(self.timeout, lists, |values| run(client, &statement, values)).await;
        Ok(self.record_failure(done)?.into_iter().sum())
    }
}
