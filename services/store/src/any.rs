//! A store of either kind.

use std::path::Path;

#[cfg(feature = "postgres")]
use crate::Postgres;
use crate::backend::Backend;
use crate::operation::Operation;
use crate::shares::Shares;
use crate::{Result, Sqlite};

/// A store of either kind, which is chosen when the program runs.
#[derive(Debug, Clone)]
pub enum AnyStore {
    /// Files in a folder.
    Sqlite(Sqlite),
    /// A server of its own, which several processes can share.
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

    fn shares(&self) -> &Shares {
        match self {
            Self::Sqlite(store) => store.shares(),
            #[cfg(feature = "postgres")]
            Self::Postgres(store) => store.shares(),
        }
    }

    async fn backup(&self, file: &Path) -> Result<()> {
        match self {
            Self::Sqlite(store) => store.backup(file).await,
            #[cfg(feature = "postgres")]
            Self::Postgres(store) => store.backup(file).await,
        }
    }

    async fn check_room(&self) -> Result<()> {
        match self {
            Self::Sqlite(store) => store.check_room().await,
            #[cfg(feature = "postgres")]
            Self::Postgres(store) => store.check_room().await,
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
