//! A connection that is lent for one transaction, and is never given back in the middle of it.

use std::time::Duration;

use deadpool_postgres::{Client, Object};
use tokio::sync::OwnedSemaphorePermit;

use super::session::{Failure, answer};
use crate::Result;

/// A connection with a transaction. Dropped before the end, because whoever waited went away or because the operation
/// panicked, it undoes the transaction in the background; where that is not possible, the connection is closed, which
/// undoes it as well.
pub(super) struct Lease {
    /// Always there until the lease ends.
    client: Option<Client>,
    patience: Duration,
    /// The turns that the transaction holds while it lasts.
    turns: Vec<OwnedSemaphorePermit>,
    /// It is being undone already: where that is cut short too, nothing is tried again.
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

    /// Keeps turns until the transaction has ended.
    pub(super) fn hold(mut self, turns: Vec<OwnedSemaphorePermit>) -> Self {
        self.turns = turns;
        self
    }

    /// The connection; `None` never, as long as the lease lasts.
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

    /// Undoes the transaction.
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
        // What is on its way to the server is answered before this is.
        drop(runtime.spawn(rest.undo()));
    }
}
