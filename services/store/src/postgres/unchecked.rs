//! Connections to a database whose identity is not checked yet.

use deadpool_postgres::{Client, Object};

use crate::{Error, Result};

/// Connection that does not return to the pool unless it is checked: an error or a cancellation during the check may
/// leave it inside a transaction.
pub(super) struct UncheckedConnection(Option<Client>);

impl UncheckedConnection {
    pub(super) fn new(client: Client) -> Self {
        Self(Some(client))
    }

    /// Returns the connection.
    pub(super) fn client(&self) -> Result<&Client> {
        self.0.as_ref().ok_or_else(lost)
    }

    /// Returns the checked connection.
    pub(super) fn release(mut self) -> Result<Client> {
        self.0.take().ok_or_else(lost)
    }
}

/// Creates the error of a connection that was already released.
fn lost() -> Error {
    Error::Internal("a connection was already released".to_owned())
}

impl Drop for UncheckedConnection {
    fn drop(&mut self) {
        if let Some(client) = self.0.take() {
            drop(Object::take(client));
        }
    }
}
