//! Databases that perform operations.

use std::future::Future;
use std::path::Path;

use crate::domain::epoch::BeginEpoch;
use crate::operation::Operation;
use crate::search_scheduler::SearchScheduler;
use crate::{Epoch, Error, Result};

/// Database that performs operations.
pub trait Backend: Clone + Send + Sync + 'static {
    /// Performs an operation in a transaction of its own.
    fn perform<O: Operation>(&self, operation: O) -> impl Future<Output = Result<O::Output>> + Send;

    /// Returns the scheduler of searches.
    fn search_scheduler(&self) -> &SearchScheduler;

    /// Writes a consistent copy of the database to a file that does not exist yet.
    fn backup(&self, _file: &Path) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Err(Error::Refused(
            "this store cannot be backed up: use the backup tools of its database".to_owned(),
        )))
    }

    /// Checks that there is free space for further writes.
    ///
    /// # Errors
    /// Returns an error such as [`Unavailable::DiskFull`](crate::Unavailable::DiskFull), where that can be known.
    fn check_free_space(&self) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Begins a new epoch.
    fn begin_epoch(&self) -> impl Future<Output = Result<Epoch>> + Send {
        self.perform(BeginEpoch { identity: None, greatest_known: 0 })
    }

    /// Records the current epoch outside of the database, where another process looks for it when it opens the store.
    fn record_epoch(&self) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Finishes accepted operations and closes the database.
    fn close(&self) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }
}
