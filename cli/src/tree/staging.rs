//! A new tree beside the folder, and how it takes its place.

use std::collections::BTreeSet;
use std::io::Error;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use fs_err as fs;
use rayon::prelude::*;

use super::{BUILDS, State, pieces};

/// A tree that is being built. What is not put in place is removed.
pub struct Staging {
    dir: tempfile::TempDir,
    new: PathBuf,
}

impl Staging {
    pub(super) fn beside(root: &Path) -> anyhow::Result<Self> {
        let parent = root.parent().context("the output folder has no parent")?;
        let dir = tempfile::Builder::new().prefix(&prefix(root)).tempdir_in(parent)?;
        let new = dir.path().join("new");
        fs::create_dir(&new)?;
        Ok(Self { dir, new })
    }

    pub(super) fn write(&self, path: &str, text: &str) -> anyhow::Result<()> {
        let to = self.new.join(path);
        fs::create_dir_all(to.parent().unwrap_or(&self.new))?;
        Ok(fs::write(&to, text)?)
    }

    /// What is known of a file that was written into it.
    pub fn state(&self, path: &str) -> Option<State> {
        State::of(&self.new.join(path))
    }

    /// The folder in which it lies.
    pub(super) fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// The folder of the new tree.
    pub(super) fn new_tree(&self) -> &Path {
        &self.new
    }

    /// Takes files of the old tree over, and then its place, in one step.
    pub(super) fn exchange(self, root: &Path, stay: &[&str]) -> anyhow::Result<()> {
        keep(root, &self.new, stay)?;
        let old = exchange(root, &self.new, &self.dir.path().join("old"))?;
        let mut stuck = Vec::new();
        if old.is_dir() {
            stuck = carry_builds(&old, root)?;
            if stuck.is_empty() {
                remove(&old)?;
            }
        }
        self.close(&stuck)
    }

    /// Removes what is left of it, but for builds that could not be carried over.
    pub(super) fn close(self, stuck: &[Error]) -> anyhow::Result<()> {
        if stuck.is_empty() {
            return self.dir.close().context("the new tree is in place, but the old one could not be removed");
        }
        set_aside(&self.dir.keep(), stuck);
        Ok(())
    }

    /// Leaves it as it is to the next run.
    pub(super) fn leave(self) {
        drop(self.dir.keep());
    }
}

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

/// Puts the new tree in the place of the old one and tells where the old one is: one step where
/// the system can exchange folders, two renames where it cannot; [`recover`] mends what a kill
/// between the two leaves.
fn exchange(root: &Path, new: &Path, old: &Path) -> anyhow::Result<PathBuf> {
    if !root.exists() {
        fs::rename(new, root)?;
        return Ok(old.to_owned());
    }
    if swap(root, new) {
        return Ok(new.to_owned());
    }
    fs::rename(root, old)?;
    if let Err(error) = fs::rename(new, root) {
        fs::rename(old, root)?;
        return Err(error.into());
    }
    Ok(old.to_owned())
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

/// Removes an old tree, its crates side by side.
fn remove(old: &Path) -> anyhow::Result<()> {
    let entries = fs::read_dir(old)?.collect::<Result<Vec<_>, _>>()?;
    let dirs = entries.par_iter().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    dirs.try_for_each(|dir| Ok(fs::remove_dir_all(dir.path())?))
}

/// Moves builds from the old tree to the new one. Gives why some of them could not be moved.
fn carry_builds(old: &Path, root: &Path) -> anyhow::Result<Vec<Error>> {
    let mut dirs = vec![PathBuf::new()];
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            dirs.push(PathBuf::from(entry.file_name()));
        }
    }
    Ok(dirs.iter().flat_map(|dir| carry(&old.join(dir), &root.join(dir))).collect())
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

/// Gives what lies beside a folder a name by which no run finds it: the builds in it could not be carried over, and are
/// not the generator's to remove. That is no failure, as everything else is done.
fn set_aside(beside: &Path, stuck: &[Error]) {
    stuck.iter().for_each(|error| eprintln!("warning: a build could not be carried over: {error}"));
    let kept = beside.with_file_name(format!("kept{}", beside.file_name().unwrap_or_default().to_string_lossy()));
    match fs::rename(beside, &kept) {
        Ok(()) => eprintln!("warning: it is kept in `{}`; remove that folder when you do not need it", kept.display()),
        Err(error) => eprintln!("warning: it cannot be kept: {error}; move it, as the next run removes it"),
    }
}

/// Whether there is something; where a link leads to does not matter.
pub(super) fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn prefix(root: &Path) -> String {
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    format!(".{name}.wireform-")
}

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
