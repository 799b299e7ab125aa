//! Conversion of SQLite errors into errors of the store.

use rusqlite::ErrorCode;

use crate::{Error, Trouble};

/// Cause of a failure, which can be reported to several operations.
#[derive(Debug, Clone)]
pub(super) enum Cause {
    /// The database is unavailable at the moment.
    Trouble(Trouble),
    /// The store is corrupt, or this program has a bug.
    Fault(String),
}

impl Cause {
    /// Returns the error of an operation.
    pub(super) fn error(&self) -> Error {
        match self {
            Self::Trouble(trouble) => Error::Unavailable(trouble.clone()),
            Self::Fault(text) => Error::Fault(text.clone()),
        }
    }

    /// Returns the cause of an error, if it is the fault of the database and not of the request.
    pub(super) fn of(error: &Error) -> Option<Self> {
        match error {
            Error::Unavailable(trouble) => Some(Self::Trouble(trouble.clone())),
            Error::Fault(text) => Some(Self::Fault(text.clone())),
            _ => None,
        }
    }

    /// Returns whether a new connection may succeed.
    pub(super) fn is_connection_broken(&self) -> bool {
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

/// Converts an error of SQLite.
pub(super) fn error(error: rusqlite::Error) -> Error {
    Cause::from(error).error()
}

/// Converts an I/O error of a file.
pub(super) fn file_error(error: std::io::Error) -> Error {
    Cause::from(error).error()
}
