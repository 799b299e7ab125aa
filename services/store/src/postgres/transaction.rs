//! Transaction on a pooled connection, which never returns to the pool in the middle of it.

use std::time::Duration;

use deadpool_postgres::{Client, Object};
use tokio::sync::OwnedSemaphorePermit;

use super::session::{Failure, with_timeout};
use crate::Result;

/// Transaction on a pooled connection. If it is dropped before the end, because the request was cancelled or the
/// operation panicked, it is rolled back in the background; if that fails, the connection is closed, which rolls it
/// back as well.
pub(super) struct Transaction {
    /// `None` only after the transaction has ended.
    client: Option<Client>,
    timeout: Duration,
    /// Permits that are held during the transaction.
    permits: Vec<OwnedSemaphorePermit>,
    /// True if a rollback was started; an interrupted rollback is not retried.
    rolling_back: bool,
}

impl Transaction {
    /// Begins a transaction.
    pub(super) async fn begin(client: Client, timeout: Duration, begin: &str) -> std::result::Result<Self, Failure> {
        let mut transaction = Self { client: Some(client), timeout, permits: Vec::new(), rolling_back: false };
        match transaction.execute(begin).await {
            Ok(()) => Ok(transaction),
            Err(failure) => {
                transaction.discard();
                Err(failure)
            }
        }
    }

    /// Attaches permits, which are held until the transaction has ended.
    pub(super) fn hold(mut self, permits: Vec<OwnedSemaphorePermit>) -> Self {
        self.permits = permits;
        self
    }

    /// Returns the connection, which is there as long as the transaction lasts.
    pub(super) fn client(&self) -> Option<&Client> {
        self.client.as_ref()
    }

    /// Runs a statement without values and results; does nothing after the end of the transaction.
    async fn execute(&self, sql: &str) -> std::result::Result<(), Failure> {
        match &self.client {
            Some(client) => with_timeout(self.timeout, client.batch_execute(sql)).await,
            None => Ok(()),
        }
    }

    /// Commits the transaction.
    pub(super) async fn commit(mut self) -> Result<()> {
        match self.execute("COMMIT").await {
            Ok(()) => {
                self.release();
                Ok(())
            }
            Err(failure) => {
                self.discard();
                Err(failure.to_commit_error())
            }
        }
    }

    /// Rolls back the transaction.
    pub(super) async fn roll_back(mut self) {
        match self.execute("ROLLBACK").await {
            Ok(()) => self.release(),
            Err(_) => self.discard(),
        }
    }

    /// Closes the connection.
    pub(super) fn discard(&mut self) {
        if let Some(client) = self.client.take() {
            drop(Object::take(client));
        }
    }

    /// Returns the connection to the pool.
    fn release(&mut self) {
        drop(self.client.take());
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        let runtime = tokio::runtime::Handle::try_current();
        let (Some(_), false, Ok(runtime)) = (&self.client, self.rolling_back, runtime) else { return self.discard() };
        let rest = Self {
            client: self.client.take(),
            timeout: self.timeout,
            permits: std::mem::take(&mut self.permits),
            rolling_back: true,
        };
        // The server finishes the pending statement before the rollback.
        drop(runtime.spawn(rest.roll_back()));
    }
}
