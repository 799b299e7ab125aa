//! PostgreSQL store, which several processes can share.
//!
//! Every operation is a transaction on a pooled connection. Writes are `READ COMMITTED` and first lock the row of their
//! mailbox, so that its history grows in commit order across processes; reads are `REPEATABLE READ READ ONLY` and see
//! one snapshot. All waits are bounded: for a permit, a connection, a lock, a statement and an unresponsive server.

mod batch;
mod config;
mod error;
mod identity;
mod limiter;
mod migrate;
mod observer;
#[cfg(test)]
mod plans;
#[cfg(test)]
mod rollback_detection;
mod session;
mod transaction;
mod translate;
mod unchecked;
mod value;

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::{Client, Object, Pool, Runtime, Timeouts};
use tokio::sync::{Mutex, RwLock};
use tokio::time::{Instant, timeout_at};

use self::identity::IdentityCheck;
use self::limiter::ConnectionLimiter;
use self::observer::Observer;
use self::session::{PostgresSession, State};
use self::transaction::Transaction;
use self::translate::Translations;
use self::unchecked::UncheckedConnection;
use crate::backend::Backend;
use crate::operation::{Access, Operation};
use crate::search_scheduler::{self, SearchScheduler};
use crate::{Error, Result, Unavailable};

/// Options of the PostgreSQL store.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PostgresOptions {
    /// Maximum number of open connections. A quarter of them is reserved for short reads.
    pub connections: usize,
    /// Maximum time that an operation waits for a connection before it fails as busy.
    pub wait_time: Duration,
    /// Maximum time that a statement waits for a lock before it fails as busy.
    pub lock_time: Duration,
    /// Maximum time that a statement runs.
    pub statement_time: Duration,
}

impl Default for PostgresOptions {
    fn default() -> Self {
        Self {
            connections: 16,
            wait_time: Duration::from_secs(5),
            lock_time: Duration::from_secs(5),
            statement_time: Duration::from_secs(30),
        }
    }
}

/// Store in a PostgreSQL database. Clones share their connections.
#[derive(Clone)]
pub struct Postgres(Arc<Inner>);

/// State of a [`Postgres`], shared by its clones.
struct Inner {
    pool: Pool,
    limiter: ConnectionLimiter,
    shares: SearchScheduler,
    translations: Arc<Translations>,
    options: PostgresOptions,
    observer: Arc<Observer>,
    /// Locked while a new epoch begins.
    epoch: Arc<Mutex<()>>,
    /// True if the store is closed. Operations hold a read lock.
    closed: RwLock<bool>,
}

impl Postgres {
    /// Opens the store at a URL, `postgres://user:password@host/database`, and migrates it.
    ///
    /// Connections to other machines are encrypted and verify the server's certificate, unless the URL contains
    /// `sslmode=disable`.
    ///
    /// # Errors
    /// Returns an error if the URL, the server or the database cannot be used. The error does not repeat the URL.
    pub async fn open(url: &str, options: PostgresOptions) -> Result<Self> {
        let connections = options.connections.max(1);
        let pool = Pool::builder(config::connection_manager(url, &options)?)
            .max_size(connections)
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|error| Error::Internal(error.to_string()))?;
        let store = Self(Arc::new(Inner {
            pool,
            limiter: ConnectionLimiter::new(connections),
            // Rows are matched against conditions in this process.
            shares: SearchScheduler::new((connections / 2).min(search_scheduler::processor_count().max(2))),
            translations: Arc::default(),
            options,
            observer: Arc::default(),
            epoch: Arc::default(),
            closed: RwLock::new(false),
        }));
        let client = store.0.connection(store.0.deadline()).await?;
        migrate::migrate(&client, migrate::MIGRATIONS).await?;
        drop(store.0.check(client, store.0.deadline()).await?);
        Ok(store)
    }
}

impl Inner {
    /// Returns the time until which an operation that begins now waits for a connection.
    fn deadline(&self) -> Instant {
        Instant::now() + self.options.wait_time
    }

    /// Takes a connection from the pool, not yet checked for a restored database.
    async fn connection(&self, until: Instant) -> Result<deadpool_postgres::Client> {
        let waits = Timeouts {
            wait: Some(until.saturating_duration_since(Instant::now())),
            // A host may resolve to several addresses, each with the connect timeout of the URL.
            create: Some(self.timeout()),
            recycle: Some(self.timeout()),
        };
        self.pool.timeout_get(&waits).await.map_err(error::from_pool)
    }

    /// Returns a connection to a database in which the current epoch began.
    async fn checked_connection(&self, until: Instant) -> Result<Client> {
        let mut tries = self.options.connections.max(1);
        loop {
            let client = self.connection(until).await?;
            // A reused connection leads to the same server as before, or has failed unnoticed.
            let is_known = Object::metrics(&client).recycled.is_some();
            if is_known && !self.observer.is_due() {
                return Ok(client);
            }
            match self.check(client, until).await {
                Err(Error::Unavailable(Unavailable::Unreachable(_))) if is_known && tries > 0 => tries -= 1,
                checked => return checked,
            }
        }
    }

    /// Begins a new epoch if the store was put into the database of this connection from elsewhere.
    async fn check(&self, client: Client, until: Instant) -> Result<Client> {
        let unchecked = UncheckedConnection::new(client);
        let check =
            IdentityCheck { client: unchecked.client()?, translations: &self.translations, timeout: self.timeout() };
        match check.current(self.observer.last().as_ref()).await? {
            Some(now) => {
                self.observer.record(now);
                unchecked.release()
            }
            None => self.begin_epoch(unchecked, until).await,
        }
    }

    /// Begins a new epoch in a task of its own, which continues if the request is cancelled. Of several requests that
    /// need the epoch, one waits for it without limit; the others wait until `until`.
    async fn begin_epoch(&self, connection: UncheckedConnection, until: Instant) -> Result<Client> {
        let Ok(lock) = timeout_at(until, Arc::clone(&self.epoch).lock_owned()).await else {
            return Err(Error::Unavailable(Unavailable::Restored));
        };
        let (translations, timeout) = (Arc::clone(&self.translations), self.timeout());
        let observer = Arc::clone(&self.observer);
        let begun = tokio::spawn(async move {
            let check = IdentityCheck { client: connection.client()?, translations: &translations, timeout };
            observer.record(check.ensure_epoch(observer.last().as_ref()).await?);
            drop(lock);
            connection.release()
        });
        begun.await.unwrap_or_else(|_| Err(Error::Internal("beginning a new epoch was interrupted".to_owned())))
    }

    /// Returns the response timeout: a little longer than the server's own statement timeout.
    fn timeout(&self) -> Duration {
        self.options.statement_time + Duration::from_secs(5)
    }

    /// Begins a transaction. Pooled connections may have died while idle; since nothing has been done yet, another one
    /// is tried.
    async fn begin(&self, access: Access) -> Result<Transaction> {
        let begin = match access {
            // Not `READ WRITE`, which would override `default_transaction_read_only` of the database.
            Access::Write => "BEGIN ISOLATION LEVEL READ COMMITTED",
            Access::Read | Access::Scan => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        };
        let until = self.deadline();
        let permits = self.limiter.acquire(access, until).await?;
        let mut tries = self.options.connections.max(1);
        loop {
            let client = self.checked_connection(until).await?;
            match Transaction::begin(client, self.timeout(), begin).await {
                Ok(transaction) => return Ok(transaction.hold(permits)),
                Err(failure) if failure.is_fatal() && tries > 0 => tries -= 1,
                Err(failure) => return Err(failure.to_error()),
            }
        }
    }

    /// Runs an operation. If the database turns out to have been restored, the operation is not run: a new epoch
    /// begins, and the next operation succeeds.
    async fn perform<O: Operation>(&self, operation: O) -> Result<O::Output> {
        let done = self.perform_once(operation).await;
        if let Err(Error::Unavailable(Unavailable::Restored)) = &done {
            let client = self.connection(self.deadline()).await?;
            drop(self.check(client, self.deadline()).await?);
        }
        done
    }

    async fn perform_once<O: Operation>(&self, operation: O) -> Result<O::Output> {
        let closed = self.closed.read().await;
        if *closed {
            return Err(Error::Unavailable(Unavailable::Closed));
        }
        let mut transaction = self.begin(O::ACCESS).await?;
        let Some(client) = transaction.client() else {
            return Err(Error::Internal("a transaction has no connection".to_owned()));
        };
        let mut session = PostgresSession::new(client, &self.translations, self.timeout());
        let result = operation.run(&mut session).await;
        let state = session.state;
        match (result, state) {
            (Ok(output), State::Good) => transaction.commit().await.map(|()| output),
            (result, State::Lost) => {
                transaction.discard();
                Err(result.err().unwrap_or(Error::Internal(CONTINUED_AFTER_ERROR.to_owned())))
            }
            (result, _) => {
                transaction.roll_back().await;
                Err(result.err().unwrap_or(Error::Internal(CONTINUED_AFTER_ERROR.to_owned())))
            }
        }
    }
}

/// Message of the internal error of an operation that returned a result although a statement had failed.
const CONTINUED_AFTER_ERROR: &str = "an operation continued after one of its statements had failed";

impl Backend for Postgres {
    async fn perform<O: Operation>(&self, operation: O) -> Result<O::Output> {
        self.0.perform(operation).await
    }

    fn search_scheduler(&self) -> &SearchScheduler {
        &self.0.shares
    }

    /// Refuses: a dump by the server's own tools can be restored into any version, and in parts.
    async fn backup(&self, _file: &Path) -> Result<()> {
        Err(Error::Refused(
            "a PostgreSQL database is backed up with `pg_dump --format=custom --file=copy.dump DATABASE`, \
             and restored with `pg_restore --dbname=DATABASE copy.dump`"
                .to_owned(),
        ))
    }

    async fn close(&self) {
        // Waits for running operations.
        *self.0.closed.write().await = true;
        self.0.pool.close();
    }
}

impl fmt::Debug for Postgres {
    /// Omits the URL, which contains the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").field("options", &self.0.options).finish_non_exhaustive()
    }
}
