//! Swaps a few crates of a large tree one by one.
//!
//! Linking a hundred thousand unchanged files for a few changed ones takes seconds. Here only changed entries are built
//! next to the folder: crates and the files next to them. Each is swapped atomically, so that no crate is ever
//! partially written. A journal is written first: after a kill between two swaps the next run completes them, whatever
//! it generates, and a run that fails between two swaps rolls back.

use std::collections::BTreeMap;
use std::io::Error;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, bail};
use fs_err as fs;
use serde_json::Value;

use super::Changes;
use super::moves::{exists, link_files, move_builds, swap};
use super::staging::Staging;

/// Name of the journal.
const JOURNAL: &str = "journal";
/// Folders of the new entries and of the replaced ones.
const NEW: &str = "new";
const REPLACED: &str = "gone";

/// Changed entry of the folder.
struct SwapEntry {
    name: String,
    /// Identity of the new entry, which distinguishes it from the replaced one; `None` if the entry is removed.
    new: Option<u64>,
}

/// Changed entries, and the folder next to the tree that contains the new ones.
pub(super) struct CrateSwap<'p> {
    root: &'p Path,
    sibling: &'p Path,
    pieces: Vec<SwapEntry>,
}

/// Returns the names of the changed entries, and whether each exists afterwards; `None` if one of them cannot be
/// swapped separately.
fn names<'c>(root: &Path, changes: &'c Changes) -> Option<BTreeMap<&'c str, bool>> {
    let differ = changes.stale.iter().chain(&changes.missing).chain(&changes.orphans);
    let mut names: BTreeMap<&str, bool> = differ.map(|path| (top(path), false)).collect();
    for path in changes.expected().chain(&changes.others) {
        names.entry(top(path)).and_modify(|is_kept| *is_kept = true);
    }
    // A name that is not valid Unicode was converted lossily, and is not found.
    let found = names.iter().all(|(name, is_kept)| *is_kept || exists(&root.join(name)));
    (found && cfg!(unix)).then_some(names)
}

fn top(path: &str) -> &str {
    path.split_once('/').map_or(path, |(top, _)| top)
}

/// Builds the changed entries and swaps them. Returns the new tree if that is not possible.
pub(super) fn swap_crates(root: &Path, changes: &Changes, new: Staging) -> anyhow::Result<Option<Staging>> {
    let Some(names) = names(root, changes) else { return Ok(Some(new)) };
    let pieces = CrateSwap::stage(root, changes, &names, &new)?;
    if let Err(error) = pieces.swap_all() {
        if let Err(second) = pieces.roll_back() {
            let kept = pieces.sibling.display().to_string();
            new.keep_leftovers();
            bail!(
                "cannot replace the generated crates: {error:#}; cannot restore the old ones: {second:#}\n\
                 help: correct the cause and run the command again, which completes the changes; keep the folder \
                 `{kept}` until then"
            );
        }
        // A partially removed folder cannot be resumed.
        pieces.remove_journal()?;
        return Err(error);
    }
    let stuck = pieces.finish()?;
    new.close(&stuck)?;
    Ok(None)
}

/// Returns whether a killed run has left a swap that it had started.
pub(super) fn is_started(sibling: &Path) -> bool {
    read(sibling).is_some()
}

/// Completes a swap that was started. Returns the errors of build artifacts that could not be moved.
pub(super) fn resume(root: &Path, sibling: &Path) -> anyhow::Result<Vec<Error>> {
    let Some(pieces) = read(sibling).filter(|_| root.is_dir()) else { return Ok(Vec::new()) };
    let pieces = CrateSwap { root, sibling, pieces };
    pieces.swap_all()?;
    pieces.finish()
}

fn read(sibling: &Path) -> Option<Vec<SwapEntry>> {
    let text = std::fs::read(sibling.join(JOURNAL)).ok()?;
    // A truncated journal is ignored: nothing was swapped yet.
    let all: Vec<(String, Value)> = serde_json::from_slice(&text).ok()?;
    // So is a journal that no run has written, since it could point outside of the folder.
    let is_ours =
        all.iter().all(|(name, _)| is_entry(name)) && ![NEW, REPLACED].iter().any(|dir| sibling.join(dir).is_symlink());
    is_ours.then(|| all.into_iter().map(|(name, new)| SwapEntry { name, new: new.as_u64() }).collect())
}

/// Returns whether a name is that of a direct child of a folder.
fn is_entry(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name)
}

impl<'p> CrateSwap<'p> {
    /// Builds the new entries and writes the journal.
    fn stage(
        root: &'p Path,
        changes: &Changes,
        names: &BTreeMap<&str, bool>,
        new: &'p Staging,
    ) -> anyhow::Result<Self> {
        let stay = changes.same.iter().chain(&changes.others).map(String::as_str);
        let stay: Vec<&str> = stay.filter(|path| names.contains_key(top(path))).collect();
        link_files(root, new.new_tree(), &stay)?;
        let sibling = new.dir();
        let mut pieces = Vec::new();
        for (name, is_kept) in names {
            let new = is_kept.then(|| identity(&sibling.join(NEW).join(name)).context("a new entry is missing"));
            pieces.push(SwapEntry { name: (*name).to_owned(), new: new.transpose()? });
        }
        let all: Vec<(&str, Option<u64>)> = pieces.iter().map(|piece| (piece.name.as_str(), piece.new)).collect();
        fs::create_dir(sibling.join(REPLACED))?;
        fs::write(sibling.join(JOURNAL), serde_json::to_vec(&all)?)?;
        Ok(Self { root, sibling, pieces })
    }

    /// Swaps the new entries with the existing ones; swaps that are already done are skipped.
    fn swap_all(&self) -> anyhow::Result<()> {
        self.pieces.iter().try_for_each(|piece| self.swap_entry(piece))
    }

    fn swap_entry(&self, piece: &SwapEntry) -> anyhow::Result<()> {
        let [there, new, replaced] = self.entry_paths(piece);
        if is_new_entry(piece, &new) {
            if exists(&there) {
                if swap(&there, &new) {
                    return Ok(());
                }
                fs::rename(&there, replaced)?;
            }
            fs::rename(new, there)?;
        } else if piece.new.is_none() && exists(&there) && !exists(&replaced) {
            fs::rename(there, replaced)?;
        }
        Ok(())
    }

    /// Restores the previous entries in reverse order.
    fn roll_back(&self) -> anyhow::Result<()> {
        self.pieces.iter().rev().try_for_each(|piece| self.restore_entry(piece))
    }

    fn restore_entry(&self, piece: &SwapEntry) -> anyhow::Result<()> {
        let [there, new, _] = self.entry_paths(piece);
        let is_put = is_new_entry(piece, &there);
        let Some(before) = self.replaced_path(piece) else {
            return if is_put { Ok(fs::rename(there, new)?) } else { Ok(()) };
        };
        if is_put {
            if swap(&there, &before) {
                return Ok(());
            }
            fs::rename(&there, new)?;
        }
        Ok(fs::rename(before, there)?)
    }

    /// Moves build artifacts from the old crates to the new ones, and completes the swap. Returns the errors of those
    /// that could not be moved; then the journal stays until they are set aside.
    fn finish(&self) -> anyhow::Result<Vec<Error>> {
        let stay = self.pieces.iter().filter(|piece| piece.new.is_some());
        let old = stay.filter_map(|piece| Some((self.replaced_path(piece)?, self.root.join(&piece.name))));
        let stuck: Vec<Error> = old.flat_map(|(before, there)| move_builds(&before, &there)).collect();
        if stuck.is_empty() {
            self.remove_journal()?;
        }
        Ok(stuck)
    }

    fn remove_journal(&self) -> anyhow::Result<()> {
        Ok(fs::remove_file(self.sibling.join(JOURNAL))?)
    }

    /// Returns the path of the replaced entry.
    fn replaced_path(&self, piece: &SwapEntry) -> Option<PathBuf> {
        let [_, new, replaced] = self.entry_paths(piece);
        [replaced, new].into_iter().find(|place| exists(place) && !is_new_entry(piece, place))
    }

    fn entry_paths(&self, piece: &SwapEntry) -> [PathBuf; 3] {
        [self.root, &self.sibling.join(NEW), &self.sibling.join(REPLACED)].map(|dir| dir.join(&piece.name))
    }
}

/// Returns whether the path is that of the new entry.
fn is_new_entry(piece: &SwapEntry, path: &Path) -> bool {
    piece.new.is_some() && identity(path) == piece.new
}

/// Returns the identity of a file or folder, which a move does not change.
fn identity(path: &Path) -> Option<u64> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::MetadataExt::ino(&path.symlink_metadata().ok()?));
    #[cfg(not(unix))]
    path.symlink_metadata().ok().and(None)
}

#[cfg(all(test, unix))]
mod tests;
