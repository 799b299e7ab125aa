//! New tree next to the folder, which replaces it.

use std::io::Error;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use fs_err as fs;
use rayon::prelude::*;

use super::State;
use super::moves::{link_files, move_builds, swap};

/// Tree that is being built. It is removed unless it replaces the folder.
pub struct Staging {
    dir: tempfile::TempDir,
    new: PathBuf,
}

impl Staging {
    pub(super) fn next_to(root: &Path) -> anyhow::Result<Self> {
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

    /// Returns the metadata of a file that was written into the tree.
    pub fn state(&self, path: &str) -> Option<State> {
        State::of(&self.new.join(path))
    }

    /// Returns the folder that contains the tree.
    pub(super) fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Returns the folder of the new tree.
    pub(super) fn new_tree(&self) -> &Path {
        &self.new
    }

    /// Links unchanged files of the old tree, and then replaces it atomically.
    pub(super) fn exchange(self, root: &Path, stay: &[&str]) -> anyhow::Result<()> {
        link_files(root, &self.new, stay)?;
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

    /// Removes the leftovers, except for build artifacts that could not be moved.
    pub(super) fn close(self, stuck: &[Error]) -> anyhow::Result<()> {
        if stuck.is_empty() {
            return self.dir.close().context("the new tree is in place, but cannot remove the old one");
        }
        keep_build_artifacts(&self.dir.keep(), stuck);
        Ok(())
    }

    /// Keeps the leftovers for the next run.
    pub(super) fn keep_leftovers(self) {
        drop(self.dir.keep());
    }
}

/// Replaces the old tree by the new one, and returns the path of the old one: atomically if the system can swap
/// folders, otherwise by two renames; [`recover`](super::recovery::recover) repairs a kill between the two.
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

/// Removes the crates of an old tree in parallel.
fn remove(old: &Path) -> anyhow::Result<()> {
    let entries = fs::read_dir(old)?.collect::<Result<Vec<_>, _>>()?;
    let dirs = entries.par_iter().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    dirs.try_for_each(|dir| Ok(fs::remove_dir_all(dir.path())?))
}

/// Moves build artifacts from the old tree to the new one. Returns the errors of those that could not be moved.
fn carry_builds(old: &Path, root: &Path) -> anyhow::Result<Vec<Error>> {
    let mut dirs = vec![PathBuf::new()];
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            dirs.push(PathBuf::from(entry.file_name()));
        }
    }
    Ok(dirs.iter().flat_map(|dir| move_builds(&old.join(dir), &root.join(dir))).collect())
}

/// Renames a leftover folder so that no run finds it: it contains build artifacts that could not be moved and do not
/// belong to the generator. This is not a failure, since everything else is done.
pub(super) fn keep_build_artifacts(sibling: &Path, stuck: &[Error]) {
    let causes = stuck.iter().map(Error::to_string).collect::<Vec<_>>().join("; ");
    let warning = format!("warning: cannot move build artifacts into the new tree: {causes}");
    let kept = sibling.with_file_name(format!("kept{}", sibling.file_name().unwrap_or_default().to_string_lossy()));
    match fs::rename(sibling, &kept) {
        Ok(()) => {
            eprintln!("{warning}; they are kept in `{}`; remove the folder if they are not needed", kept.display());
        }
        Err(error) => eprintln!(
            "{warning}; cannot rename `{}`: {error}; move it, because the next run removes the build artifacts in it",
            sibling.display()
        ),
    }
}

pub(super) fn prefix(root: &Path) -> String {
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    format!(".{name}.wireform-")
}
