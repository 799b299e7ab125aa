//! Differences between a folder and its expected contents, and their description.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use crate::pluralize::pluralize;

/// Maximum number of files whose differences are shown.
const MAX_SHOWN_FILES: usize = 5;
const MAX_SHOWN_LINES: usize = 30;

/// Number of files that are linked into a new tree in negligible time.
const FAST_LINK_COUNT: usize = 2_000;
/// Number of unchanged files that are linked in the time of generating and writing one file.
const LINKS_PER_WRITE: usize = 20;

/// Differences between the folder and its expected contents, by path.
#[derive(Default)]
pub struct Changes {
    /// Unchanged files.
    pub same: Vec<String>,
    /// Files whose text differs.
    pub(super) stale: Vec<String>,
    pub(super) missing: Vec<String>,
    /// Files that should not exist.
    pub(super) orphans: Vec<String>,
    /// Files outside the scope of the run, which stay.
    pub(super) others: Vec<String>,
}

impl Changes {
    /// Creates changes in which all files are unchanged.
    pub fn unchanged(paths: impl Iterator<Item = String>) -> Self {
        Self { same: paths.collect(), ..Self::default() }
    }

    /// Adds the changes of another batch.
    pub fn extend(&mut self, other: Self) {
        let Self { same, stale, missing, orphans, others } = other;
        for (own, more) in [
            (&mut self.same, same),
            (&mut self.stale, stale),
            (&mut self.missing, missing),
            (&mut self.orphans, orphans),
            (&mut self.others, others),
        ] {
            own.extend(more);
        }
    }

    /// Sorts every list by path.
    pub(super) fn sort(&mut self) {
        for list in [&mut self.same, &mut self.stale, &mut self.missing, &mut self.orphans, &mut self.others] {
            list.sort_unstable();
        }
    }

    /// Returns whether a path is expected in the folder. The lists must be sorted.
    pub(super) fn is_expected(&self, path: &str) -> bool {
        [&self.same, &self.stale].iter().any(|list| list.binary_search_by(|known| known.as_str().cmp(path)).is_ok())
    }

    /// Returns the expected paths.
    pub fn expected(&self) -> impl Iterator<Item = &String> {
        self.same.iter().chain(&self.stale).chain(&self.missing)
    }

    /// Returns whether the folder is up to date.
    pub fn is_empty(&self) -> bool {
        self.stale.is_empty() && self.missing.is_empty() && self.orphans.is_empty()
    }

    /// Returns whether linking the unchanged files takes much longer than writing the changed ones.
    pub(super) fn prefers_single_swaps(&self) -> bool {
        let written = self.stale.len() + self.missing.len();
        self.same.len() + self.others.len() > FAST_LINK_COUNT.max(LINKS_PER_WRITE * written)
    }

    /// Formats a summary such as `3 files changed, 1 added, 0 removed`.
    pub fn summary(&self) -> String {
        if self.is_empty() {
            return "nothing to change".into();
        }
        let changed = pluralize(self.stale.len(), "files");
        format!("{changed} changed, {} added, {} removed", self.missing.len(), self.orphans.len())
    }

    /// Describes the differences, one line per file.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        for (word, paths) in [("missing", &self.missing), ("orphan", &self.orphans), ("stale", &self.stale)] {
            paths.iter().for_each(|path| text += &format!("{word}: {path}\n"));
        }
        text
    }
}

/// Expected texts of the first files that differ, among all batches in whatever order these arrive.
#[derive(Default)]
pub struct Samples(Mutex<BTreeMap<String, String>>);

impl Samples {
    pub(super) fn offer(&self, path: &str, text: &str) {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if first.len() < MAX_SHOWN_FILES || first.last_key_value().is_some_and(|(last, _)| path < last.as_str()) {
            first.insert(path.to_owned(), text.to_owned());
        }
        if first.len() > MAX_SHOWN_FILES {
            first.pop_last();
        }
    }

    /// Returns the texts by path.
    pub fn into_first(self) -> BTreeMap<String, String> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns a unified diff, truncated to [`MAX_SHOWN_LINES`].
pub fn difference(there: &str, new: &str) -> String {
    let diff = similar::TextDiff::from_lines(there, new);
    let full = diff.unified_diff().context_radius(2).header("on disk", "new").to_string();
    let mut lines = full.lines();
    let mut text: String = lines.by_ref().take(MAX_SHOWN_LINES).flat_map(|line| [line, "\n"]).collect();
    let rest = lines.count();
    if rest > 0 {
        let _ = writeln!(text, "… and {} more", pluralize(rest, "lines"));
    }
    text
}
