//! Errors of a store.

/// Result of an operation of the store.
pub type Result<T> = std::result::Result<T, Error>;

/// Error of an operation of the store. A failed operation has changed nothing, except after
/// [`Unavailable::UnknownOutcome`], where the outcome is not known.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The requested resource does not exist.
    #[error("{what} `{name}` not found")]
    NotFound {
        /// Kind of resource: `message`, `label`, `user`, ….
        what: &'static str,
        /// Requested name.
        name: String,
    },
    /// The resource to create already exists.
    #[error("{what} `{name}` already exists")]
    AlreadyExists {
        /// Kind of resource.
        what: &'static str,
        /// Name that is taken.
        name: String,
    },
    /// The store refuses this: it is never allowed, a limit is reached, or the store is open elsewhere.
    #[error("{0}")]
    Refused(String),
    /// The history before this number was deleted, or the number was never issued: a full sync is required.
    #[error("the history since {0} is not available: it has expired, or the number was never issued")]
    Expired(u64),
    /// The data that the change is based on was modified since it was read: read it again.
    #[error("the data has changed since it was read")]
    Outdated,
    /// The position in a list is of an earlier epoch of the store, which was restored since: start over.
    #[error("the store was restored after the token was issued: do a full sync")]
    EpochEnded,
    /// The database is unavailable at the moment; the same call may succeed later.
    #[error("the store is not available: {0}")]
    Unavailable(Unavailable),
    /// The store is corrupt, or this program has a bug.
    #[error("internal store error: {0}")]
    Internal(String),
}

/// Reason why the database is unavailable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unavailable {
    /// No space is left on the disk.
    #[error("the disk is full")]
    DiskFull,
    /// A file has reached the maximum size that the process may write (`ulimit -f`).
    #[error("a file of the store has reached the file size limit of this process (`ulimit -f`)")]
    FileLimit,
    /// The files or the disk are read-only.
    #[error("the database is read-only")]
    ReadOnly,
    /// A lock is held for too long, or too many operations are queued.
    #[error("the database is busy")]
    Busy,
    /// The limit of concurrent searches of the mailbox is reached.
    #[error("too many concurrent searches of this mailbox")]
    TooManySearches,
    /// Reading or writing failed.
    #[error("reading or writing failed: {0}")]
    Io(String),
    /// The database cannot be reached.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// The connection was lost during a commit: the change may have been applied or not.
    #[error("the connection was lost during a commit; its outcome is unknown")]
    UnknownOutcome,
    /// The database was restored from a backup, and its new epoch has not begun yet.
    #[error("the database was restored from a backup, or is being restored")]
    Restored,
    /// The store is being closed.
    #[error("the store is being closed")]
    Closed,
}

impl Error {
    /// Creates an error for a resource of the kind `what` that does not exist.
    pub fn not_found(what: &'static str, name: impl ToString) -> Self {
        Self::NotFound { what, name: name.to_string() }
    }

    /// Creates an error for a resource of the kind `what` that already exists.
    pub fn already_exists(what: &'static str, name: impl ToString) -> Self {
        Self::AlreadyExists { what, name: name.to_string() }
    }
}
