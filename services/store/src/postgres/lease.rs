//! Transaction on a pooled connection, which never returns to the pool in the middle of it.

use std::time::Duration;

use deadpool_postgres::{Client, Object};
use tokio::sync::OwnedSemaphorePermit;

use super::session::{Failure, answer};
use crate::Result;

/// Transaction on a pooled connection. If it is dropped before the end, because the request was cancelled or the
/// operation panicked, it is rolled back in the background; if that fails, the connection is closed, which rolls it
/// back as well.
pub(super) struct Lease {
    /// `None` only after the transaction has ended.
    client: Option<Client>,
    patience: Duration,
    /// Permits that are held during the transaction.
    turns: Vec<OwnedSemaphorePermit>,
    /// Whether a rollback was started; an interrupted rollback is not retried.
    undoing: bool,
}

impl Lease {
    /// Begins a transaction.
    pub(super) async fn begin(client: Client, patience: Duration, begin: &str) -> std::result::Result<Self, Failure> {
        let mut lease = Self { client: Some(client), patience, turns: Vec::new(), undoing: false };
        match lease.say(begin).await {
            Ok(()) => Ok(lease),
            Err(failure) => {
                lease.discard();
                Err(failure)
            }
        }
    }

    /// Attaches permits, which are held until the transaction has ended.
    pub(super) fn hold(mut self, turns: Vec<OwnedSemaphorePermit>) -> Self {
        self.turns = turns;
        self
    }

    /// Returns the connection, which is there as long as the transaction lasts.
    pub(super) fn client(&self) -> Option<&Client> {
        self.client.as_ref()
    }

    async fn say(&self, sql: &str) -> std::result::Result<(), Failure> {
        match &self.client {
            Some(client) => answer(self.patience, client.batch_execute(sql)).await,
            None => Ok(()),
        }
    }

    /// Commits the transaction.
    pub(super) async fn commit(mut self) -> Result<()> {
        match self.say("COMMIT").await {
            Ok(()) => {
                self.give_back();
                Ok(())
            }
            Err(failure) => {
                self.discard();
                Err(failure.meaning_of_commit())
            }
        }
    }

    /// Rolls back the transaction.
    pub(super) async fn undo(mut self) {
        match self.say("ROLLBACK").await {
            Ok(()) => self.give_back(),
            Err(_) => self.discard(),
        }
    }

    /// Closes the connection.
    pub(super) fn discard(&mut self) {
        if let Some(client) = self.client.take() {
            drop(Object::take(client));
        }
    }

    fn give_back(&mut self) {
        drop(self.client.take());
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let runtime = tokio::runtime::Handle::try_current();
        let (Some(_), false, Ok(runtime)) = (&self.client, self.undoing, runtime) else { return self.discard() };
        let rest = Self {
            client: self.client.take(),
            patience: self.patience,
            turns: std::mem::take(&mut self.turns),
            undoing: true,
        };
        // The server finishes the pending statement before the rollback.
        drop(runtime.spawn(rest.undo()));
    }
}
