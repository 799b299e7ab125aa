//! Summary of the diagnostics of the schema of an API.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::IsTerminal as _;

use wireform_codegen::{Output, Severity};
use wireform_importers::HEADER;

use crate::pluralize::pluralize;

/// Maximum number of diagnostics shown per API.
const MAX_DIAGNOSTICS: usize = 200;
/// Maximum number of warnings of one kind shown per API.
const MAX_WARNINGS: usize = 20;

/// Formatted diagnostics.
pub struct Summary {
    /// Formatted lines; may be empty.
    pub text: String,
    /// True if crates can be generated from the schema.
    pub is_valid: bool,
}

impl Summary {
    /// Formats the diagnostics of an API.
    pub fn of(folder: &str, output: &Output, is_valid: bool) -> Self {
        let mut text = format_diagnostics(folder, output);
        let is_error = |severity| severity == Severity::Error;
        let errors = output.diagnostics.iter().filter(|diagnostic| is_error(diagnostic.code.severity())).count();
        if errors > 0 {
            let _ = writeln!(text, "{folder}: {} in the schema", pluralize(errors, "errors"));
        }
        Self { text, is_valid: is_valid && errors == 0 }
    }
}

/// Formats the first diagnostics of each kind. Warnings about imported files come from the document, and are only
/// counted.
fn format_diagnostics(folder: &str, output: &Output) -> String {
    let color = std::io::stderr().is_terminal();
    let mut text = String::new();
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut shown = 0;
    for diagnostic in &output.diagnostics {
        let is_error = diagnostic.code.severity() == Severity::Error;
        let source = output.sources.get(diagnostic.span.file as usize);
        let is_imported = source.is_some_and(|source| source.text.starts_with(HEADER));
        let (seen, hidden) = kinds.entry(diagnostic.code.text()).or_default();
        let max = if is_error {
            MAX_DIAGNOSTICS
        } else if is_imported {
            0
        } else {
            MAX_WARNINGS
        };
        if *seen < max && shown < MAX_DIAGNOSTICS {
            let _ = writeln!(text, "{}\n", diagnostic.render(&output.sources, color));
            shown += 1;
            *seen += 1;
        } else {
            *hidden += 1;
        }
    }
    for (code, (seen, hidden)) in kinds.into_iter().filter(|(_, (_, hidden))| *hidden > 0) {
        let more = if seen > 0 { "more " } else { "" };
        let _ = writeln!(text, "{folder}: {hidden} {more}of {code}; see docs/diagnostics.md");
    }
    text
}
