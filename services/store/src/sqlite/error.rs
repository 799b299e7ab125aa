//! Conversion of SQLite errors into errors of the store.

use rusqlite::ErrorCode;

use crate::{Error, Unavailable};

/// Cause of a failure, which can be reported to several operations.
#[derive(Debug, Clone)]
pub(super) enum Cause {
    /// The database is unavailable at the moment.
    Unavailable(Unavailable),
    /// The store is corrupt, or this program has a bug.
    Internal(String),
}

impl Cause {
    /// Returns the error of an operation.
    pub(super) fn to_error(&self) -> Error {
        match self {
            Self::Unavailable(reason) => Error::Unavailable(reason.clone()),
            Self::Internal(text) => Error::Internal(text.clone()),
        }
    }

    /// Returns the cause of an error, if it is the fault of the database and not of the request.
    pub(super) fn from_error(error: &Error) -> Option<Self> {
        match error {
            Error::Unavailable(reason) => Some(Self::Unavailable(reason.clone())),
            Error::Internal(text) => Some(Self::Internal(text.clone())),
            _ => None,
        }
    }

    /// Returns whether a new connection may succeed.
    pub(super) fn is_connection_broken(&self) -> bool {
        match self {
            Self::Unavailable(reason) => {
                !matches!(reason, Unavailable::DiskFull | Unavailable::FileLimit | Unavailable::Busy)
            }
            Self::Internal(_) => true,
        }
    }
}

impl From<rusqlite::Error> for Cause {
    fn from(error: rusqlite::Error) -> Self {
        let reason = match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Unavailable::DiskFull,
            Some(ErrorCode::ReadOnly) => Unavailable::ReadOnly,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Unavailable::Busy,
            Some(
                ErrorCode::SystemIoFailure
                | ErrorCode::CannotOpen
                | ErrorCode::PermissionDenied
                | ErrorCode::OutOfMemory
                | ErrorCode::FileLockingProtocolFailed,
            ) => Unavailable::Io(error.to_string()),
            _ => return Self::Internal(error.to_string()),
        };
        Self::Unavailable(reason)
    }
}

impl From<std::io::Error> for Cause {
    fn from(error: std::io::Error) -> Self {
        Self::Unavailable(match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Unavailable::DiskFull,
            std::io::ErrorKind::FileTooLarge => Unavailable::FileLimit,
            std::io::ErrorKind::ReadOnlyFilesystem => Unavailable::ReadOnly,
            _ => Unavailable::Io(error.to_string()),
        })
    }
}

/// Converts an error of SQLite.
pub(super) fn error(error: rusqlite::Error) -> Error {
    Cause::from(error).to_error()
}

/// Converts an I/O error of a file.
pub(super) fn file_error(error: std::io::Error) -> Error {
    Cause::from(error).to_error()
}
