//! A few crates of a large tree, exchanged one by one.
//!
//! To link a hundred thousand files that stay, for a few that change, takes seconds. Here only what changes is built
//! beside the folder, by its entries: crates and the files beside them. Each is exchanged in one step, so that no crate
//! is ever half written. What is to be done is written down first: after a kill between two exchanges the next run does
//! the rest, whatever it is about, and a run that fails between two takes back what it has done.

use std::collections::BTreeMap;
use std::io::Error;
use std::path::{Component, Path, PathBuf};

use anyhow::Context as _;
use fs_err as fs;
use serde_json::Value;

use super::Changes;
use super::moves::{carry, is_there, keep, swap};
use super::staging::Staging;

/// Where it is written down what is to be done.
const JOURNAL: &str = "journal";
/// What takes the place of entries of the folder, and where these are put.
const NEW: &str = "new";
const GONE: &str = "gone";

/// An entry of the folder that is not as it should be.
struct Piece {
    name: String,
    /// Tells the new entry from the one whose place it takes; nothing where there is to be none.
    new: Option<u64>,
}

/// The entries that are not as they should be, and the folder beside the tree in which the new ones lie.
pub(super) struct Pieces<'p> {
    root: &'p Path,
    beside: &'p Path,
    pieces: Vec<Piece>,
}

/// The names of the entries that change, and whether there is to be one; nothing where one of them cannot be exchanged
/// by itself.
fn names<'c>(root: &Path, changes: &'c Changes) -> Option<BTreeMap<&'c str, bool>> {
    let differ = changes.stale.iter().chain(&changes.missing).chain(&changes.orphans);
    let mut names: BTreeMap<&str, bool> = differ.map(|path| (top(path), false)).collect();
    for path in changes.expected().chain(&changes.others) {
        names.entry(top(path)).and_modify(|stays| *stays = true);
    }
    // A name that is no text has become another one, by which nothing is found.
    let found = names.iter().all(|(name, stays)| *stays || is_there(&root.join(name)));
    (found && cfg!(unix)).then_some(names)
}

fn top(path: &str) -> &str {
    path.split_once('/').map_or(path, |(top, _)| top)
}

/// Builds the entries that change, and exchanges them. Gives the new tree back where that cannot be done.
pub(super) fn exchange(root: &Path, changes: &Changes, new: Staging) -> anyhow::Result<Option<Staging>> {
    let Some(names) = names(root, changes) else { return Ok(Some(new)) };
    let pieces = Pieces::stage(root, changes, &names, &new)?;
    if let Err(error) = pieces.put() {
        if let Err(second) = pieces.take_back() {
            new.leave();
            return Err(error.context(second).context("the next run finishes what this one has begun"));
        }
        // A folder that is half removed is nothing to go on with.
        pieces.forget()?;
        return Err(error);
    }
    let stuck = pieces.finish()?;
    new.close(&stuck)?;
    Ok(None)
}

/// Whether what a run that was killed has left is an exchange that it had begun.
pub(super) fn is_begun(beside: &Path) -> bool {
    read(beside).is_some()
}

/// Does the rest of an exchange that was begun. Gives why some builds could not be carried over.
pub(super) fn go_on(root: &Path, beside: &Path) -> anyhow::Result<Vec<Error>> {
    let Some(pieces) = read(beside).filter(|_| root.is_dir()) else { return Ok(Vec::new()) };
    let pieces = Pieces { root, beside, pieces };
    pieces.put()?;
    pieces.finish()
}

fn read(beside: &Path) -> Option<Vec<Piece>> {
    let text = std::fs::read(beside.join(JOURNAL)).ok()?;
    // One that was not written to its end is not read: nothing was done by it.
    let all: Vec<(String, Value)> = serde_json::from_slice(&text).ok()?;
    // Neither is one that no run has written, as it would lead out of the folder.
    let is_ours =
        all.iter().all(|(name, _)| is_entry(name)) && ![NEW, GONE].iter().any(|dir| beside.join(dir).is_symlink());
    is_ours.then(|| all.into_iter().map(|(name, new)| Piece { name, new: new.as_u64() }).collect())
}

/// Whether a name is that of something right in a folder.
fn is_entry(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name)
}

impl<'p> Pieces<'p> {
    /// Builds the new entries, and writes down what is to be done.
    fn stage(
        root: &'p Path,
        changes: &Changes,
        names: &BTreeMap<&str, bool>,
        new: &'p Staging,
    ) -> anyhow::Result<Self> {
        let stay = changes.same.iter().chain(&changes.others).map(String::as_str);
        let stay: Vec<&str> = stay.filter(|path| names.contains_key(top(path))).collect();
        keep(root, new.new_tree(), &stay)?;
        let beside = new.dir();
        let mut pieces = Vec::new();
        for (name, stays) in names {
            let new = stays.then(|| identity(&beside.join(NEW).join(name)).context("a new entry is missing"));
            pieces.push(Piece { name: (*name).to_owned(), new: new.transpose()? });
        }
        let all: Vec<(&str, Option<u64>)> = pieces.iter().map(|piece| (piece.name.as_str(), piece.new)).collect();
        fs::create_dir(beside.join(GONE))?;
        fs::write(beside.join(JOURNAL), serde_json::to_vec(&all)?)?;
        Ok(Self { root, beside, pieces })
    }

    /// Puts the new entries in the place of those that are there; what has been done is not done again.
    fn put(&self) -> anyhow::Result<()> {
        self.pieces.iter().try_for_each(|piece| self.put_one(piece))
    }

    fn put_one(&self, piece: &Piece) -> anyhow::Result<()> {
        let [there, new, gone] = self.places(piece);
        if is(piece, &new) {
            if is_there(&there) {
                if swap(&there, &new) {
                    return Ok(());
                }
                fs::rename(&there, gone)?;
            }
            fs::rename(new, there)?;
        } else if piece.new.is_none() && is_there(&there) && !is_there(&gone) {
            fs::rename(there, gone)?;
        }
        Ok(())
    }

    /// Puts the entries back that were there before, the last one first.
    fn take_back(&self) -> anyhow::Result<()> {
        self.pieces.iter().rev().try_for_each(|piece| self.take_one_back(piece))
    }

    fn take_one_back(&self, piece: &Piece) -> anyhow::Result<()> {
        let [there, new, _] = self.places(piece);
        let is_put = is(piece, &there);
        let Some(before) = self.before(piece) else {
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

    /// Carries builds from the old crates to the new ones, after which nothing is left to be done. Gives why some could
    /// not be carried; then it stays written down, until they are set aside.
    fn finish(&self) -> anyhow::Result<Vec<Error>> {
        let stay = self.pieces.iter().filter(|piece| piece.new.is_some());
        let old = stay.filter_map(|piece| Some((self.before(piece)?, self.root.join(&piece.name))));
        let stuck: Vec<Error> = old.flat_map(|(before, there)| carry(&before, &there)).collect();
        if stuck.is_empty() {
            self.forget()?;
        }
        Ok(stuck)
    }

    fn forget(&self) -> anyhow::Result<()> {
        Ok(fs::remove_file(self.beside.join(JOURNAL))?)
    }

    /// Where the entry is that was there before.
    fn before(&self, piece: &Piece) -> Option<PathBuf> {
        let [_, new, gone] = self.places(piece);
        [gone, new].into_iter().find(|place| is_there(place) && !is(piece, place))
    }

    fn places(&self, piece: &Piece) -> [PathBuf; 3] {
        [self.root, &self.beside.join(NEW), &self.beside.join(GONE)].map(|dir| dir.join(&piece.name))
    }
}

/// Whether that is the new entry.
fn is(piece: &Piece, path: &Path) -> bool {
    piece.new.is_some() && identity(path) == piece.new
}

/// What stays the same of a file or folder when it is moved.
fn identity(path: &Path) -> Option<u64> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::MetadataExt::ino(&path.symlink_metadata().ok()?));
    #[cfg(not(unix))]
    path.symlink_metadata().ok().and(None)
}

#[cfg(all(test, unix))]
mod tests;
