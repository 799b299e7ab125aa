//! Which file a path leads to.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::UNIX_EPOCH;

use crate::Result;
use crate::sqlite::error::file_error;

/// Returns what tells a file from its copies: the number of its inode, and when that was made where the file system
/// keeps it. Nobody can set either. Where the file system does not, a new file can get the number of one that was removed.
/// Not the device: its number can be another one after the machine was started anew.
pub(super) fn identify(file: &Path) -> Result<String> {
    let metadata = fs_err::metadata(file).map_err(file_error)?;
    let made = metadata.created().ok().and_then(|made| made.duration_since(UNIX_EPOCH).ok());
    Ok(match made {
        Some(made) => format!("{}:{}", metadata.ino(), made.as_nanos()),
        None => metadata.ino().to_string(),
    })
}
