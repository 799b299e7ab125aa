//! Moves of files, folders and build artifacts.

use std::collections::BTreeSet;
use std::io::Error;
use std::path::Path;

use fs_err as fs;
use rayon::prelude::*;

use super::BUILD_ARTIFACTS;

/// Links unchanged files of the old tree into the new one.
pub(super) fn link_files(from: &Path, to: &Path, paths: &[&str]) -> anyhow::Result<()> {
    let folders: BTreeSet<&str> = paths.iter().filter_map(|path| Some(path.rsplit_once('/')?.0)).collect();
    for folder in folders {
        fs::create_dir_all(to.join(folder))?;
    }
    paths.par_iter().try_for_each(|path| link_file(&from.join(path), &to.join(path)))
}

/// Links one file, or copies it if it cannot be linked. A linked file keeps its modification time, so that cargo does
/// not build it again.
fn link_file(from: &Path, to: &Path) -> anyhow::Result<()> {
    if std::fs::hard_link(from, to).is_err() {
        fs::copy(from, to)?;
    }
    Ok(())
}

/// Swaps two files or folders atomically, and returns false if the system cannot.
pub(super) fn swap(one: &Path, other: &Path) -> bool {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok()
    }
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    {
        let _ = (one, other);
        false
    }
}

/// Moves build artifacts from an old crate to the new one. Returns the errors of those that could not be moved: a mount
/// cannot be moved, and the crate can be missing.
pub(super) fn move_builds(old: &Path, new: &Path) -> Vec<Error> {
    // The target of a link does not belong to the generator.
    if old.is_symlink() {
        return Vec::new();
    }
    let places = BUILD_ARTIFACTS.map(|build| (old.join(build), new.join(build)));
    let to_move = places.into_iter().filter(|(from, to)| exists(from) && !exists(to));
    to_move.filter_map(|(from, to)| fs::rename(from, to).err()).collect()
}

/// Returns whether a path exists, without following links.
pub(super) fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}
