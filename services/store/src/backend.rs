//! Databases that operations are performed on.

use std::future::Future;
use std::path::Path;

use crate::domain::epoch::BeginEpoch;
use crate::operation::Operation;
use crate::shares::Shares;
use crate::{Epoch, Error, Result};

/// A database that operations can be performed on.
pub trait Backend: Clone + Send + Sync + 'static {
    /// Performs an operation in a transaction of its own.
    fn perform<O: Operation>(&self, operation: O) -> impl Future<Output = Result<O::Output>> + Send;

    /// Returns the turns of those who read much.
    fn shares(&self) -> &Shares;

    /// Writes a copy of the database, as it is at one moment, to a file that does not exist yet.
    fn backup(&self, _file: &Path) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Err(Error::Refused("this database is copied with its own tools".to_owned())))
    }

    /// Checks that what is written from now on has room.
    ///
    /// # Errors
    /// [`Trouble::DiskFull`](crate::Trouble::DiskFull) and the like, where that can be known.
    fn check_room(&self) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Begins a new epoch.
    fn begin_epoch(&self) -> impl Future<Output = Result<Epoch>> + Send {
        self.perform(BeginEpoch { place: None, above: 0 })
    }

    /// Finishes what was accepted, and closes the database.
    fn close(&self) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }
}
