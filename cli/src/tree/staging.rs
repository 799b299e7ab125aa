//! A new tree beside the folder, and how it takes its place.

use std::io::Error;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use fs_err as fs;
use rayon::prelude::*;

use super::State;
use super::moves::{carry, keep, swap};

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

/// Puts the new tree in the place of the old one and tells where the old one is: one step where
/// the system can exchange folders, two renames where it cannot; [`recover`](super::recovery::recover) mends what a kill
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

/// Gives what lies beside a folder a name by which no run finds it: the builds in it could not be carried over, and are
/// not the generator's to remove. That is no failure, as everything else is done.
pub(super) fn set_aside(beside: &Path, stuck: &[Error]) {
    stuck.iter().for_each(|error| eprintln!("warning: a build could not be carried over: {error}"));
    let kept = beside.with_file_name(format!("kept{}", beside.file_name().unwrap_or_default().to_string_lossy()));
    match fs::rename(beside, &kept) {
        Ok(()) => eprintln!("warning: it is kept in `{}`; remove that folder when you do not need it", kept.display()),
        Err(error) => eprintln!("warning: it cannot be kept: {error}; move it, as the next run removes it"),
    }
}

pub(super) fn prefix(root: &Path) -> String {
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    format!(".{name}.wireform-")
}
