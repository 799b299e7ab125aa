//! What SQLite says went wrong, in the words of the store.

use std::path::Path;

use rusqlite::ErrorCode;

use crate::sqlite::files::Files;
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

    /// A disk that is full, or that the system lets nobody write any more, shows itself in many ways, some of them as
    /// failures to read or write.
    pub(super) fn in_folder(self, folder: &Path) -> Self {
        if !matches!(self, Self::Trouble(Trouble::Io(_))) {
            return self;
        }
        if rustix::fs::statvfs(folder).is_ok_and(|disk| disk.f_bavail == 0) {
            return Self::Trouble(Trouble::DiskFull);
        }
        if file_limit_is_reached(folder) {
            return Self::Trouble(Trouble::FileLimit);
        }
        // After an error of the disk nothing but an attempt to write tells.
        match tempfile::tempfile_in(folder).map_err(Self::from) {
            Err(Self::Trouble(Trouble::ReadOnly)) => Self::Trouble(Trouble::ReadOnly),
            _ => self,
        }
    }
}

/// Whether a file of the store is about as long as files of this process may be: SQLite tells of a write beyond that as
/// of any that fails.
pub(super) fn file_limit_is_reached(folder: &Path) -> bool {
    /// More than a page of the log.
    const NEAR: u64 = 128 << 10;
    let Some(limit) = rustix::process::getrlimit(rustix::process::Resource::Fsize).current else { return false };
    let files = Files { folder: folder.to_owned() };
    [files.database(), files.log()]
        .iter()
        .any(|file| fs_err::metadata(file).is_ok_and(|file| file.len().saturating_add(NEAR) > limit))
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
