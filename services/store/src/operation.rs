//! Operation: the work of one transaction.

use std::future::Future;

use crate::Result;
use crate::session::Session;

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
