//! rusqlite, as the store uses it: connections on threads of their own, which receive jobs.

use std::path::Path;
use std::sync::mpsc;

use anyhow::Context as _;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use tokio::sync::oneshot;

use crate::shape::sql::sqlite as sql;
use crate::shape::{BATCHES_BEFORE, CHECKPOINT, LABELS, RECORDS, SCOPES, Stack, TABLES, TOKENS, body, token};

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// Thread with a connection.
struct Lane(mpsc::Sender<Job>);

impl Lane {
    fn open(file: &Path) -> anyhow::Result<Self> {
        let mut connection = Connection::open(file)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.set_prepared_statement_cache_capacity(100);
        let (sender, jobs) = mpsc::channel::<Job>();
        std::thread::spawn(move || jobs.into_iter().for_each(|job| job(&mut connection)));
        Ok(Self(sender))
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> anyhow::Result<T> {
        let (reply, done) = oneshot::channel();
        let job: Job = Box::new(move |connection| drop(reply.send(work(connection))));
        self.0.send(job).ok().context("the thread has ended")?;
        Ok(done.await??)
    }
}

/// A writer and a reader.
pub struct Rusqlite {
    writer: Lane,
    reader: Lane,
}

impl Rusqlite {
    /// Creates a database and fills it.
    pub async fn fill(file: &Path) -> anyhow::Result<Self> {
        let stack = Self { writer: Lane::open(file)?, reader: Lane::open(file)? };
        let fill = |connection: &mut Connection| {
            connection.execute_batch(TABLES)?;
            let transaction = connection.transaction()?;
            for number in 0..TOKENS {
                transaction.execute(sql::USER, params![number + 1, format!("user{number}@example.com")])?;
                transaction.execute(sql::TOKEN, params![token(number), number + 1, SCOPES])?;
            }
            add(&transaction, RECORDS)?;
            transaction.commit()
        };
        stack.writer.run(fill).await?;
        for _ in 0..BATCHES_BEFORE {
            stack.insert(500, false).await?;
        }
        stack.writer.run(|connection| connection.query_row(CHECKPOINT, [], |_| Ok(()))).await?;
        Ok(stack)
    }
}

fn add(transaction: &Transaction<'_>, count: i64) -> rusqlite::Result<()> {
    let last: i64 = transaction.prepare_cached(sql::LOCK)?.query_row([1], |row| row.get(0))?;
    let mut record = transaction.prepare_cached(sql::RECORD)?;
    let mut mark = transaction.prepare_cached(sql::MARK)?;
    for id in last + 1..=last + count {
        record.execute(params![1, id, id, body(id)])?;
        for label in LABELS {
            mark.execute(params![1, label, id])?;
        }
    }
    transaction.prepare_cached(sql::MOVE)?.execute([1, last + count])?;
    Ok(())
}

impl Stack for Rusqlite {
    async fn page(&self, after: i64) -> anyhow::Result<usize> {
        let read = move |connection: &mut Connection| {
            let transaction = connection.transaction()?;
            let _: i64 = transaction.prepare_cached(sql::HEAD)?.query_row([1], |row| row.get(0))?;
            let mut statement = transaction.prepare_cached(sql::PAGE)?;
            let rows = statement.query_map([1, after], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect::<rusqlite::Result<Vec<(i64, String)>>>()
        };
        Ok(self.reader.run(read).await?.len())
    }

    async fn token(&self, hash: Vec<u8>) -> anyhow::Result<Option<i64>> {
        let read = move |connection: &mut Connection| {
            let mut statement = connection.prepare_cached(sql::GRANT)?;
            let mut rows = statement.query([hash])?;
            let found = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
            rows.next()?.map(found).transpose()
        };
        let found: Option<(i64, String, String)> = self.reader.run(read).await?;
        Ok(found.map(|(user, ..)| user))
    }

    async fn insert(&self, count: i64, _gathered: bool) -> anyhow::Result<()> {
        let write = move |connection: &mut Connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            add(&transaction, count)?;
            transaction.commit()
        };
        self.writer.run(write).await
    }
}
