//! Recovery from killed runs.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use fs_err as fs;

use super::crate_swap;
use super::staging::{keep_build_artifacts, prefix};

/// Recovers from a killed run: a swap of crates that it had started is completed; if it was killed between two renames,
/// the folder is missing and its old tree is restored. Leftovers next to the folder are removed.
pub(super) fn recover(root: &Path) -> anyhow::Result<()> {
    for path in find_leftovers(root)? {
        let stuck = crate_swap::resume(root, &path).with_context(|| {
            let sibling = path.display();
            format!("cannot complete an interrupted run; remove `{sibling}` and run again")
        })?;
        if !stuck.is_empty() {
            keep_build_artifacts(&path, &stuck);
            continue;
        }
        let old = path.join("old");
        if !root.exists() && old.is_dir() {
            fs::rename(&old, root)?;
        }
        // The leftovers are not needed, so a failure to remove them does not prevent the run.
        if let Err(error) = fs::remove_dir_all(&path) {
            eprintln!("warning: cannot remove the leftovers of a run: {error}; remove them manually");
        }
    }
    Ok(())
}

/// Returns whether a run was killed between the swaps of two crates, or is active now.
pub(super) fn is_started(root: &Path) -> anyhow::Result<bool> {
    Ok(find_leftovers(root)?.iter().any(|path| crate_swap::is_started(path)))
}

/// Returns the folders that unfinished runs have left next to the folder. Where others can write, such a folder can be
/// forged: its journal is used only if the current user owns it.
fn find_leftovers(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let Some(parent) = root.parent().filter(|parent| parent.is_dir()) else { return Ok(Vec::new()) };
    let prefix = prefix(root);
    let is_left = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix));
    let entries = fs::read_dir(parent)?.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(entries.into_iter().filter(|path| is_left(path) && is_own_folder(path)).collect())
}

/// Returns whether the path is a folder, not a link, that the current user owns.
fn is_own_folder(path: &Path) -> bool {
    let Some(data) = path.symlink_metadata().ok().filter(std::fs::Metadata::is_dir) else { return false };
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::uid(&data) == rustix::process::geteuid().as_raw();
    #[cfg(not(unix))]
    data.is_dir()
}
