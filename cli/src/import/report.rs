//! Report of an import: notes, warnings and losses, grouped by kind with one example each.

use std::collections::BTreeMap;
use std::path::Path;

use wireform_importers::{Import, Loss, locate_pointers};

use crate::options::ImportOptions;

/// Prints the notes of a document, the warnings about its schema, and the losses.
pub fn print(file: &Path, text: &str, import: &Import, warnings: &[Loss], options: &ImportOptions) {
    let notes = Report { file, text, word: "note", flag: "--all", lists_all: options.all };
    let with = |word, flag, lists_all| Report { word, flag, lists_all: options.all || lists_all, ..notes };
    let reports = [
        (notes, import.notes.as_slice()),
        (with("warning", "--warnings", options.warnings || options.losses), warnings),
        (with("loss", "--losses", options.losses), &import.losses),
    ];
    for line in reports.iter().flat_map(|(report, all)| report.lines(all)) {
        eprintln!("{line}");
    }
}

/// Format of printed notes, warnings or losses.
#[derive(Clone, Copy)]
struct Report<'r> {
    file: &'r Path,
    text: &'r str,
    /// Label in front of each line.
    word: &'r str,
    /// Flag that lists all of them.
    flag: &'r str,
    lists_all: bool,
}

impl Report<'_> {
    /// Returns a line for each kind, or for each loss of it.
    fn lines(&self, losses: &[Loss]) -> Vec<String> {
        let kinds = kinds(losses);
        let max_of_kind = if self.lists_all { usize::MAX } else { 1 };
        let formatted = kinds.iter().flat_map(|kind| kind.iter().take(max_of_kind));
        let places = locate_pointers(self.text, formatted.map(|loss| loss.at.as_str()));
        let mut lines = Vec::new();
        for kind in kinds {
            let others = kind.len().saturating_sub(max_of_kind);
            for loss in kind.into_iter().take(max_of_kind) {
                let place = places.get(loss.at.as_str()).map(|(line, column)| format!(":{line}:{column}"));
                let place = place.unwrap_or_default();
                let pointer = if loss.at.is_empty() { String::new() } else { format!("#{}", loss.at) };
                let others = if others == 0 { String::new() } else { self.others(others) };
                lines.push(format!("{}: {}{place}{pointer}: {}{others}", self.word, self.file.display(), loss.what));
            }
        }
        lines
    }

    fn others(&self, count: usize) -> String {
        format!(" (and {count} more of this kind, see `{}`)", self.flag)
    }
}

/// Groups losses that differ only in names, in order of first occurrence.
fn kinds(losses: &[Loss]) -> Vec<Vec<&Loss>> {
    let mut order: BTreeMap<String, usize> = BTreeMap::new();
    let mut kinds: Vec<Vec<&Loss>> = Vec::new();
    for loss in losses {
        let at = *order.entry(kind(&loss.what)).or_insert(kinds.len());
        match kinds.get_mut(at) {
            Some(kind) => kind.push(loss),
            None => kinds.push(vec![loss]),
        }
    }
    kinds
}

/// Returns a text without its names, which are between backticks, and without its numbers.
fn kind(what: &str) -> String {
    let words: String = what.split('`').step_by(2).collect::<Vec<_>>().join("`");
    words.chars().filter(|c| !c.is_ascii_digit()).collect()
}
