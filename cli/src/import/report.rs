//! Report of an import: notes, guesses, warnings and losses, grouped by kind with examples.

use std::collections::BTreeMap;
use std::path::Path;

use wireform_importers::{Import, Loss};

use crate::options::ImportOptions;

/// Maximum number of guesses of one kind that are shown by default: each is to be judged.
const MAX_GUESSES: usize = 20;

/// Prints the notes of a document, the guesses, the warnings about its schema, and the losses.
pub fn print(file: &Path, text: &str, import: &Import, warnings: &[Loss], options: &ImportOptions) {
    let with = |word, flag, max, lists_all| {
        let max_of_kind = if options.all || lists_all { usize::MAX } else { max };
        Report { file, text, import, word, flag, max_of_kind }
    };
    if let Some(remark) = emptiness(import) {
        eprintln!("note: {}: {remark}", file.display());
    }
    let reports = [
        (with("note", "--all", 1, false), import.notes.as_slice()),
        (with("guess", "--guesses", MAX_GUESSES, options.guesses), &import.guesses),
        (with("warning", "--warnings", 1, options.warnings || options.losses), warnings),
        (with("loss", "--losses", 1, options.losses), &import.losses),
    ];
    for line in reports.iter().flat_map(|(report, all)| report.lines(all)) {
        eprintln!("{line}");
    }
}

/// Returns what is missing in an import without operations.
fn emptiness(import: &Import) -> Option<&'static str> {
    match (import.counts.methods, import.origins.is_empty()) {
        (0, true) => Some("nothing was imported: the document has no operation or schema that could be"),
        (0, false) => Some("no operation was imported, only types"),
        _ => None,
    }
}

/// Format of printed notes, guesses, warnings or losses.
#[derive(Clone, Copy)]
struct Report<'r> {
    file: &'r Path,
    text: &'r str,
    import: &'r Import,
    /// Label in front of each line.
    word: &'r str,
    /// Flag that lists all of them.
    flag: &'r str,
    max_of_kind: usize,
}

impl Report<'_> {
    /// Returns a line for each kind, or for each loss of it.
    fn lines(&self, losses: &[Loss]) -> Vec<String> {
        let kinds = kinds(losses);
        let formatted: Vec<&Loss> = kinds.iter().flat_map(|kind| kind.iter().take(self.max_of_kind).copied()).collect();
        let places = self.import.places(self.text, &formatted);
        let mut lines = Vec::new();
        for kind in kinds {
            let others = kind.len().saturating_sub(self.max_of_kind);
            let last = kind.len().saturating_sub(others + 1);
            for (index, loss) in kind.into_iter().take(self.max_of_kind).enumerate() {
                let place = places.get(loss).map(|(line, column)| format!(":{line}:{column}"));
                let place = place.unwrap_or_default();
                let pointer = if loss.at.is_empty() { String::new() } else { format!("#{}", loss.at) };
                let others = if others == 0 || index < last { String::new() } else { self.others(others) };
                let file =
                    loss.file.as_ref().map_or_else(|| self.file.to_owned(), |file| self.file.with_file_name(file));
                lines.push(format!("{}: {}{place}{pointer}: {}{others}", self.word, file.display(), loss.what));
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

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]

    use wireform_importers::openapi::import;

    use super::emptiness;

    #[test]
    fn imports_without_operations_are_reported() {
        let remark = |rest: &str| {
            let text = format!("openapi: 3.1.0\ninfo: {{ title: Notes, version: '1' }}\n{rest}");
            emptiness(&import(&text).expect("an OpenAPI document"))
        };
        let operation = "get: { responses: { '204': { description: Done. } } }";
        let left_out = "get: { security: [{ one: [], other: [] }], responses: { '204': { description: Done. } } }";
        let schemes = "components: { securitySchemes: { one: { type: http, scheme: basic }, other: { type: http, scheme: bearer } } }";
        assert_eq!(remark(&format!("paths: {{ /x: {{ {operation} }} }}")), None);
        assert!(remark("paths: {}").is_some_and(|remark| remark.starts_with("nothing")));
        assert!(remark("webhooks: {}").is_some_and(|remark| remark.starts_with("nothing")));
        let left_out = remark(&format!("paths: {{ /x: {{ {left_out} }} }}\n{schemes}"));
        assert!(left_out.is_some_and(|remark| remark.starts_with("nothing")), "{left_out:?}");
        let note = "components: { schemas: { Note: { type: object, properties: { a: { type: string } } } } }";
        assert_eq!(remark(note), Some("no operation was imported, only types"));
    }
}
