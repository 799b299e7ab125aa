//! A database server of its own, which several processes can share.

use crate::operation::{Backend, Operation};
use crate::{Error, Result};

/// How PostgreSQL is used.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PostgresOptions {
    /// How many connections are open at once.
    pub connections: usize,
}

impl Default for PostgresOptions {
    fn default() -> Self {
        Self { connections: 16 }
    }
}

/// A store in a database of PostgreSQL.
#[derive(Debug, Clone)]
pub struct Postgres {}

impl Postgres {
    /// Opens the store at an address, `postgres://user:password@host/database`, and brings it up to date.
    ///
    /// # Errors
    /// What is wrong with the address, the server or the database.
    pub async fn open(_url: &str, _options: PostgresOptions) -> Result<Self> {
        Ok(Self {})
    }
}

impl Backend for Postgres {
    async fn perform<O: Operation>(&self, _operation: O) -> Result<O::Output> {
        Err(Error::Fault("nothing is stored yet".to_owned()))
    }
}
