//! What can go wrong in a store.

/// What an operation of the store answers.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an operation of the store did not happen. None of these has changed anything, but for
/// [`Trouble::Unknown`], after which nobody knows.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// What was asked for is not there: the kind of thing and its name.
    #[error("there is no {what} `{name}`")]
    Absent {
        /// The kind of thing: `message`, `label`, `user`, ….
        what: &'static str,
        /// Its name as it was asked for.
        name: String,
    },
    /// What was to be made exists.
    #[error("there is a {what} `{name}` already")]
    Present {
        /// The kind of thing.
        what: &'static str,
        /// The name that is taken.
        name: String,
    },
    /// The store does not do this, whoever asks: a label of the system is deleted, a name is too long.
    #[error("{0}")]
    Refused(String),
    /// The history before this number is forgotten, or the number was never issued: read everything anew.
    #[error("the history does not reach back to {0}, or the number was never issued")]
    Expired(u64),
    /// What was read for a change was written since: read it again.
    #[error("what was read was changed since")]
    Outdated,
    /// The place in a listing is of another epoch of the store, which was restored since: begin anew.
    #[error("the store was restored since: begin anew")]
    EpochEnded,
    /// The database cannot do it at the moment; the same call may succeed later.
    #[error("the store is not available: {0}")]
    Unavailable(Trouble),
    /// The store is not as it should be, or this program has a fault.
    #[error("the store has a fault: {0}")]
    Fault(String),
}

/// Why the database cannot do something at the moment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Trouble {
    /// No space is left on the disk.
    #[error("the disk is full")]
    DiskFull,
    /// A file has reached the size that the process may write (`ulimit -f`).
    #[error("a file of the store has reached the largest size that this process may write (`ulimit -f`)")]
    FileLimit,
    /// The files or the disk may only be read.
    #[error("the database may only be read")]
    ReadOnly,
    /// Somebody else holds what is needed for too long, or too many wait.
    #[error("the database is busy")]
    Busy,
    /// As many searches of the mailbox as may be are at work already.
    #[error("too many searches of this mailbox are at work")]
    Searching,
    /// Reading or writing failed.
    #[error("reading or writing failed: {0}")]
    Io(String),
    /// The database cannot be reached.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// The connection was lost while a change was being committed: it may have happened or not.
    #[error("the connection was lost while a change was committed; whether it happened is not known")]
    Unknown,
    /// The database was restored from a copy, and its new epoch has not begun yet.
    #[error("the database was restored from a copy, or is being restored")]
    Restored,
    /// The store is being closed.
    #[error("the store is being closed")]
    Closed,
}

impl Error {
    /// That `name`, a thing of the kind `what`, is not there.
    pub fn absent(what: &'static str, name: impl ToString) -> Self {
        Self::Absent { what, name: name.to_string() }
    }

    /// That `name`, a thing of the kind `what`, exists already.
    pub fn present(what: &'static str, name: impl ToString) -> Self {
        Self::Present { what, name: name.to_string() }
    }
}
