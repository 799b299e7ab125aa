//! Files, folders and builds that change their place.

use std::collections::BTreeSet;
use std::io::Error;
use std::path::Path;

use fs_err as fs;
use rayon::prelude::*;

use super::BUILDS;

/// Takes files of an old tree over as they are.
pub(super) fn keep(from: &Path, to: &Path, paths: &[&str]) -> anyhow::Result<()> {
    let folders: BTreeSet<&str> = paths.iter().filter_map(|path| Some(path.rsplit_once('/')?.0)).collect();
    for folder in folders {
        fs::create_dir_all(to.join(folder))?;
    }
    paths.par_iter().try_for_each(|path| keep_one(&from.join(path), &to.join(path)))
}

/// A file that stays as it is keeps its time of change, so that cargo does not build it again.
fn keep_one(from: &Path, to: &Path) -> anyhow::Result<()> {
    if std::fs::hard_link(from, to).is_err() {
        fs::copy(from, to)?;
    }
    Ok(())
}

/// Exchanges two files or folders in one step, where the system can.
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

/// Moves builds from an old crate to the new one. Gives why some of them could not be moved: a mount is moved by nobody,
/// and the crate can be gone.
pub(super) fn carry(old: &Path, new: &Path) -> Vec<Error> {
    // What a link leads to is not the generator's.
    if old.is_symlink() {
        return Vec::new();
    }
    let places = BUILDS.map(|build| (old.join(build), new.join(build)));
    let to_move = places.into_iter().filter(|(from, to)| is_there(from) && !is_there(to));
    to_move.filter_map(|(from, to)| fs::rename(from, to).err()).collect()
}

/// Whether there is something; where a link leads to does not matter.
pub(super) fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}
