//! What differs between a folder and what it should be, and how that is told.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The most files whose differences are shown, and the most lines of each.
const SHOWN_FILES: usize = 5;
const SHOWN_LINES: usize = 30;

/// What differs between the folder and what it should be.
pub struct Changes {
    /// The whole new tree, by path; `None` for what stays as it is on disk.
    pub(super) files: BTreeMap<String, Option<String>>,
    pub(super) stale: Vec<(String, String)>,
    pub(super) missing: Vec<String>,
    pub(super) orphans: Vec<String>,
}

impl Changes {
    /// Whether the folder is exactly what it should be.
    pub fn is_empty(&self) -> bool {
        self.stale.is_empty() && self.missing.is_empty() && self.orphans.is_empty()
    }

    /// `3 files changed, 1 added, 0 removed`
    pub fn summary(&self) -> String {
        if self.is_empty() {
            return "nothing to change".into();
        }
        format!("{} files changed, {} added, {} removed", self.stale.len(), self.missing.len(), self.orphans.len())
    }

    /// What differs, a line a file, with the first differences when asked for.
    pub fn describe(&self, with_differences: bool) -> String {
        let mut text = String::new();
        let lists = [("missing", &self.missing), ("orphan", &self.orphans)];
        for (word, paths) in lists {
            for path in paths {
                let _ = writeln!(text, "{word}: {path}");
            }
        }
        for (index, (path, there)) in self.stale.iter().enumerate() {
            let _ = writeln!(text, "stale: {path}");
            if let (true, true, Some(Some(new))) = (with_differences, index < SHOWN_FILES, self.files.get(path)) {
                text.push_str(&difference(there, new));
            }
        }
        text
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
        let _ = writeln!(text, "… and {rest} lines more");
    }
    text
}
