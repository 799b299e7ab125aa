//! Store on a database selected at run time.

use std::path::Path;

#[cfg(feature = "postgres")]
use crate::Postgres;
use crate::backend::Backend;
use crate::operation::Operation;
use crate::search_scheduler::SearchScheduler;
use crate::{Result, Sqlite};

/// Store on a database that is selected at run time.
#[derive(Debug, Clone)]
pub enum AnyStore {
    /// SQLite files in a folder.
    Sqlite(Sqlite),
    /// PostgreSQL server, which several processes can share.
    #[cfg(feature = "postgres")]
    Postgres(Postgres),
}

impl Backend for AnyStore {
    async fn perform<O: Operation>(&self, operation: O) -> Result<O::Output> {
        match self {
            Self::Sqlite(store) => store.perform(operation).await,
            #[cfg(feature = "postgres")]
            Self::Postgres(store) => store.perform(operation).await,
        }
    }

    fn search_scheduler(&self) -> &SearchScheduler {
        match self {
            Self::Sqlite(store) => store.search_scheduler(),
            #[cfg(feature = "postgres")]
            Self::Postgres(store) => store.search_scheduler(),
        }
    }

    async fn backup(&self, file: &Path) -> Result<()> {
        match self {
            Self::Sqlite(store) => store.backup(file).await,
            #[cfg(feature = "postgres")]
            Self::Postgres(store) => store.backup(file).await,
        }
    }

    async fn check_free_space(&self) -> Result<()> {
        match self {
            Self::Sqlite(store) => store.check_free_space().await,
            #[cfg(feature = "postgres")]
            Self::Postgres(store) => store.check_free_space().await,
        }
    }

    async fn record_epoch(&self) -> Result<()> {
        match self {
            Self::Sqlite(store) => store.record_epoch().await,
            #[cfg(feature = "postgres")]
            Self::Postgres(store) => store.record_epoch().await,
        }
    }

    async fn close(&self) {
        match self {
            Self::Sqlite(store) => store.close().await,
            #[cfg(feature = "postgres")]
            Self::Postgres(store) => store.close().await,
        }
    }
}
