//! Operation: the work of one transaction.

use std::future::Future;
use std::path::Path;

use crate::domain::epoch::BeginEpoch;
use crate::session::Session;
use crate::shares::Shares;
use crate::{Epoch, Error, Result};

/// Kind of access of an operation to the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads a few rows.
    Read,
    /// May read many rows; such operations never delay those of [`Access::Read`].
    Scan,
    /// Writes.
    Write,
}

/// Work of one transaction, implemented once for every database.
///
/// An error rolls back the whole operation. Several operations may share a commit; each returns once that commit is on
/// disk.
pub trait Operation: Send + 'static {
    /// Result of the operation.
    type Output: Send + 'static;
    /// Kind of access to the database.
    const ACCESS: Access;

    /// Returns the approximate number of bytes that it writes, which bounds the size of a shared commit.
    fn weight(&self) -> usize {
        0
    }

    /// Runs the operation.
    fn run<S: Session>(self, session: &mut S) -> impl Future<Output = Result<Self::Output>> + Send;
}

/// Database that performs operations.
pub trait Backend: Clone + Send + Sync + 'static {
    /// Performs an operation in a transaction of its own.
    fn perform<O: Operation>(&self, operation: O) -> impl Future<Output = Result<O::Output>> + Send;

    /// Returns the scheduler of searches.
    fn shares(&self) -> &Shares;

    /// Writes a consistent copy of the database to a file that does not exist yet.
    fn backup(&self, _file: &Path) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Err(Error::Refused("this database is copied with its own tools".to_owned())))
    }

    /// Checks that there is room for further writes.
    ///
    /// # Errors
    /// Returns an error such as [`Trouble::DiskFull`](crate::Trouble::DiskFull), where that can be known.
    fn check_room(&self) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Begins a new epoch.
    fn begin_epoch(&self) -> impl Future<Output = Result<Epoch>> + Send {
        self.perform(BeginEpoch { place: None, above: 0 })
    }

    /// Finishes accepted operations and closes the database.
    fn close(&self) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }
}
