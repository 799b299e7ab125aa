//! Room for the files of a store.

use crate::sqlite::error::{Cause, file_error};
use crate::sqlite::files::Files;
use crate::{Error, Result, Trouble};

/// A disk with less room than this is full.
const ROOM: u64 = 1 << 20;

impl Files {
    /// Checks that a file of this folder could grow, by reserving the room and giving it back at once: a small write
    /// can still fit into the log of a disk that is full. Limits of users and processes count as the disk does.
    pub(super) fn check_room(&self) -> Result<()> {
        if self.file_limit_is_reached() {
            return Err(Error::Unavailable(Trouble::FileLimit));
        }
        let file = tempfile::tempfile_in(&self.folder).map_err(file_error)?;
        match rustix::fs::fallocate(&file, rustix::fs::FallocateFlags::empty(), 0, ROOM) {
            // Not all file systems can reserve room; there the write before this is all that can be known.
            Ok(()) | Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) => Ok(()),
            Err(error) => Err(file_error(error.into())),
        }
    }

    /// Returns the cause behind a failure: a disk that is full, or that the system lets nobody write any more, shows
    /// itself in many ways, some of them as failures to read or write.
    pub(super) fn explain(&self, cause: Cause) -> Cause {
        if !matches!(cause, Cause::Trouble(Trouble::Io(_))) {
            return cause;
        }
        if rustix::fs::statvfs(&self.folder).is_ok_and(|disk| disk.f_bavail == 0) {
            return Cause::Trouble(Trouble::DiskFull);
        }
        if self.file_limit_is_reached() {
            return Cause::Trouble(Trouble::FileLimit);
        }
        // After an error of the disk nothing but an attempt to write tells.
        match tempfile::tempfile_in(&self.folder).map_err(Cause::from) {
            Err(Cause::Trouble(Trouble::ReadOnly)) => Cause::Trouble(Trouble::ReadOnly),
            _ => cause,
        }
    }

    /// Whether a file of the store is about as long as files of this process may be: SQLite tells of a write beyond that as
    /// of any that fails.
    fn file_limit_is_reached(&self) -> bool {
        /// More than a page of the log.
        const NEAR: u64 = 128 << 10;
        let Some(limit) = rustix::process::getrlimit(rustix::process::Resource::Fsize).current else { return false };
        [self.database(), self.log()]
            .iter()
            .any(|file| fs_err::metadata(file).is_ok_and(|file| file.len().saturating_add(NEAR) > limit))
    }
}
