//! What differs between a folder and what it should be, and how that is told.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use crate::counted::counted;

/// The most files whose differences are shown, and the most lines of each.
const SHOWN_FILES: usize = 5;
const SHOWN_LINES: usize = 30;

/// So many files are linked into a new tree in no time.
const FEW_FILES: usize = 2_000;
/// So many files that stay are linked in the time in which one is generated and written.
const FEW_OF: usize = 20;

/// What differs between the folder and what it should be, by the paths of the files.
#[derive(Default)]
pub struct Changes {
    /// Those that are as they should be.
    pub same: Vec<String>,
    /// Those with another text than they should have.
    pub(super) stale: Vec<String>,
    pub(super) missing: Vec<String>,
    /// Those that should not be there.
    pub(super) orphans: Vec<String>,
    /// Those that are none of the run's business, and stay.
    pub(super) others: Vec<String>,
}

impl Changes {
    /// Files that are all as they should be.
    pub fn none(paths: impl Iterator<Item = String>) -> Self {
        Self { same: paths.collect(), ..Self::default() }
    }

    /// Adds those of another piece.
    pub fn take(&mut self, other: Self) {
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

    /// Puts every list in the order of the paths.
    pub(super) fn sort(&mut self) {
        for list in [&mut self.same, &mut self.stale, &mut self.missing, &mut self.orphans, &mut self.others] {
            list.sort_unstable();
        }
    }

    /// Whether a path of the folder is among those that should be there. The lists are sorted.
    pub(super) fn knows(&self, path: &str) -> bool {
        [&self.same, &self.stale].iter().any(|list| list.binary_search_by(|known| known.as_str().cmp(path)).is_ok())
    }

    /// The paths that should be there.
    pub fn expected(&self) -> impl Iterator<Item = &String> {
        self.same.iter().chain(&self.stale).chain(&self.missing)
    }

    /// Whether the folder is exactly what it should be.
    pub fn is_empty(&self) -> bool {
        self.stale.is_empty() && self.missing.is_empty() && self.orphans.is_empty()
    }

    /// Whether it takes much longer to take over what stays than to write what differs.
    pub(super) fn are_few(&self) -> bool {
        let written = self.stale.len() + self.missing.len();
        self.same.len() + self.others.len() > FEW_FILES.max(FEW_OF * written)
    }

    /// `3 files changed, 1 added, 0 removed`
    pub fn summary(&self) -> String {
        if self.is_empty() {
            return "nothing to change".into();
        }
        let changed = counted(self.stale.len(), "files");
        format!("{changed} changed, {} added, {} removed", self.missing.len(), self.orphans.len())
    }

    /// What differs, a line a file.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        for (word, paths) in [("missing", &self.missing), ("orphan", &self.orphans), ("stale", &self.stale)] {
            paths.iter().for_each(|path| text += &format!("{word}: {path}\n"));
        }
        text
    }
}

/// What the first files that differ should be: those of all pieces, in whatever order these come.
#[derive(Default)]
pub struct Samples(Mutex<BTreeMap<String, String>>);

impl Samples {
    pub(super) fn offer(&self, path: &str, text: &str) {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if first.len() < SHOWN_FILES || first.last_key_value().is_some_and(|(last, _)| path < last.as_str()) {
            first.insert(path.to_owned(), text.to_owned());
        }
        if first.len() > SHOWN_FILES {
            first.pop_last();
        }
    }

    /// The paths and texts, in their order.
    pub fn into_first(self) -> BTreeMap<String, String> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A unified difference, cut to [`SHOWN_LINES`].
pub fn difference(there: &str, new: &str) -> String {
    let diff = similar::TextDiff::from_lines(there, new);
    let full = diff.unified_diff().context_radius(2).header("on disk", "new").to_string();
    let mut lines = full.lines();
    let mut text: String = lines.by_ref().take(SHOWN_LINES).flat_map(|line| [line, "\n"]).collect();
    let rest = lines.count();
    if rest > 0 {
        let _ = writeln!(text, "… and {} more", counted(rest, "lines"));
    }
    text
}
