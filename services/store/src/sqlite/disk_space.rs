//! Free space for the files of a store.

use crate::sqlite::error::{Cause, file_error};
use crate::sqlite::files::Files;
use crate::{Error, Result, Unavailable};

/// Minimum free space in bytes; a disk with less is considered full.
const MIN_FREE_SPACE: u64 = 1 << 20;

impl Files {
    /// Checks that a file in this folder can grow, by reserving space and releasing it at once: a small write may still
    /// fit into the log on a full disk. Quotas and file size limits count as well.
    pub(super) fn check_free_space(&self) -> Result<()> {
        if self.file_limit_is_reached() {
            return Err(Error::Unavailable(Unavailable::FileLimit));
        }
        let file = tempfile::tempfile_in(&self.folder).map_err(file_error)?;
        match rustix::fs::fallocate(&file, rustix::fs::FallocateFlags::empty(), 0, MIN_FREE_SPACE) {
            // Not all file systems can reserve space; there, only the preceding write detects a lack of space.
            Ok(()) | Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) => Ok(()),
            Err(error) => Err(file_error(error.into())),
        }
    }

    /// Recognizes a full disk, a file size limit and a read-only file system, which SQLite may report as I/O
    /// errors.
    pub(super) fn refine(&self, cause: Cause) -> Cause {
        if !matches!(cause, Cause::Unavailable(Unavailable::Io(_))) {
            return cause;
        }
        if rustix::fs::statvfs(&self.folder).is_ok_and(|disk| disk.f_bavail == 0) {
            return Cause::Unavailable(Unavailable::DiskFull);
        }
        if self.file_limit_is_reached() {
            return Cause::Unavailable(Unavailable::FileLimit);
        }
        // After a disk error, only an attempt to write shows whether the file system has become read-only.
        match tempfile::tempfile_in(&self.folder).map_err(Cause::from) {
            Err(Cause::Unavailable(Unavailable::ReadOnly)) => Cause::Unavailable(Unavailable::ReadOnly),
            _ => cause,
        }
    }

    /// Returns whether a file of the store is close to the maximum file size of this process: SQLite reports a write
    /// beyond it like any other failed write.
    fn file_limit_is_reached(&self) -> bool {
        /// More than a page of the log.
        const MARGIN: u64 = 128 << 10;
        let Some(limit) = rustix::process::getrlimit(rustix::process::Resource::Fsize).current else { return false };
        [self.database(), self.log()]
            .iter()
            .any(|file| fs_err::metadata(file).is_ok_and(|file| file.len().saturating_add(MARGIN) > limit))
    }
}
