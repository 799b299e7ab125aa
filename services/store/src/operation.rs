//! An operation: what is done in one transaction.

use std::future::Future;

use crate::Result;
use crate::session::Session;

/// How an operation uses the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It reads a few rows.
    Read,
    /// It may read many rows; such operations never keep those of [`Access::Read`] from their turn.
    Scan,
    /// It writes.
    Write,
}

/// What is done in one transaction, written once for every database.
///
/// An error undoes everything that the operation did. The operation may share a commit with others, and is answered
/// when that is on disk.
pub trait Operation: Send + 'static {
    /// What it answers.
    type Output: Send + 'static;
    /// How it uses the database.
    const ACCESS: Access;

    /// About how many bytes it writes, so that a commit that several operations share is bounded.
    fn weight(&self) -> usize {
        0
    }

    /// Does it.
    fn run<S: Session>(self, session: &mut S) -> impl Future<Output = Result<Self::Output>> + Send;
}
