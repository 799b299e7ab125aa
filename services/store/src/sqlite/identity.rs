//! Identity of a file.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::UNIX_EPOCH;

use crate::Result;
use crate::sqlite::error::file_error;

/// Returns the identity of a file, which distinguishes it from its copies: its inode number and, where the file system
/// has it, its creation time. Neither can be set by a program. Without a creation time, a new file can reuse the inode
/// number of a removed one. The device is not included, because its number can change on reboot.
pub(super) fn identify(file: &Path) -> Result<String> {
    let metadata = fs_err::metadata(file).map_err(file_error)?;
    let made = metadata.created().ok().and_then(|made| made.duration_since(UNIX_EPOCH).ok());
    Ok(match made {
        Some(made) => format!("{}:{}", metadata.ino(), made.as_nanos()),
        None => metadata.ino().to_string(),
    })
}
