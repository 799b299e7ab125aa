//! What a run that was killed has left beside the folder, and how it is mended.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use fs_err as fs;

use super::pieces;
use super::staging::{prefix, set_aside};

/// Mends what a run that was killed has left: an exchange of crates that it had begun is done to its end; when it was
/// killed between two renames, the folder is not there and its old tree is put back. What lies beside the folder goes.
pub(super) fn recover(root: &Path) -> anyhow::Result<()> {
    for path in left(root)? {
        let stuck = pieces::go_on(root, &path).with_context(|| {
            let beside = path.display();
            format!("a run was interrupted, and what it had begun cannot be done to its end; remove `{beside}` and run again")
        })?;
        if !stuck.is_empty() {
            set_aside(&path, &stuck);
            continue;
        }
        let old = path.join("old");
        if !root.exists() && old.is_dir() {
            fs::rename(&old, root)?;
        }
        // Nobody needs it any more, so that it is no reason not to run.
        if let Err(error) = fs::remove_dir_all(&path) {
            eprintln!("warning: what a run has left is still there: {error}; remove it");
        }
    }
    Ok(())
}

/// Whether a run was killed between the exchanges of two crates, or is there now.
pub(super) fn is_begun(root: &Path) -> anyhow::Result<bool> {
    Ok(left(root)?.iter().any(|path| pieces::is_begun(path)))
}

/// What runs that are not at their end have beside the folder. Where others can write, such a folder can be anybody's:
/// what it says is done only if it is our own user's.
fn left(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let Some(parent) = root.parent().filter(|parent| parent.is_dir()) else { return Ok(Vec::new()) };
    let prefix = prefix(root);
    let is_left = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix));
    let entries = fs::read_dir(parent)?.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(entries.into_iter().filter(|path| is_left(path) && is_own_folder(path)).collect())
}

/// Whether that is a folder, no link to one, of the user who runs this.
fn is_own_folder(path: &Path) -> bool {
    let Some(data) = path.symlink_metadata().ok().filter(std::fs::Metadata::is_dir) else { return false };
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::uid(&data) == rustix::process::geteuid().as_raw();
    #[cfg(not(unix))]
    data.is_dir()
}
