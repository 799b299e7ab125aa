//! What SQLite says went wrong, in the words of the store.

use rusqlite::ErrorCode;

use crate::{Error, Trouble};

/// Why something failed, which several operations can be told.
#[derive(Debug, Clone)]
pub(super) enum Cause {
    /// The database cannot do it at the moment.
    Trouble(Trouble),
    /// The store is not as it should be.
    Fault(String),
}

impl Cause {
    /// What an operation answers.
    pub(super) fn error(&self) -> Error {
        match self {
            Self::Trouble(trouble) => Error::Unavailable(trouble.clone()),
            Self::Fault(text) => Error::Fault(text.clone()),
        }
    }

    /// That of an error, if the database and not the question is at fault.
    pub(super) fn of(error: &Error) -> Option<Self> {
        match error {
            Error::Unavailable(trouble) => Some(Self::Trouble(trouble.clone())),
            Error::Fault(text) => Some(Self::Fault(text.clone())),
            _ => None,
        }
    }

    /// Whether a new connection may do better.
    pub(super) fn connection_is_spent(&self) -> bool {
        match self {
            Self::Trouble(trouble) => !matches!(trouble, Trouble::DiskFull | Trouble::FileLimit | Trouble::Busy),
            Self::Fault(_) => true,
        }
    }
}

impl From<rusqlite::Error> for Cause {
    fn from(error: rusqlite::Error) -> Self {
        let trouble = match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Trouble::DiskFull,
            Some(ErrorCode::ReadOnly) => Trouble::ReadOnly,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Trouble::Busy,
            Some(
                ErrorCode::SystemIoFailure
                | ErrorCode::CannotOpen
                | ErrorCode::PermissionDenied
                | ErrorCode::OutOfMemory
                | ErrorCode::FileLockingProtocolFailed,
            ) => Trouble::Io(error.to_string()),
            _ => return Self::Fault(error.to_string()),
        };
        Self::Trouble(trouble)
    }
}

impl From<std::io::Error> for Cause {
    fn from(error: std::io::Error) -> Self {
        Self::Trouble(match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Trouble::DiskFull,
            std::io::ErrorKind::FileTooLarge => Trouble::FileLimit,
            std::io::ErrorKind::ReadOnlyFilesystem => Trouble::ReadOnly,
            _ => Trouble::Io(error.to_string()),
        })
    }
}

/// What an operation answers after an error of SQLite.
pub(super) fn error(error: rusqlite::Error) -> Error {
    Cause::from(error).error()
}

/// What an operation answers after an error with a file.
pub(super) fn file_error(error: std::io::Error) -> Error {
    Cause::from(error).error()
}
