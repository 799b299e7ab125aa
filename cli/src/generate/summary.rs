//! Summary of the diagnostics of the schema of an API.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::IsTerminal as _;

use wireform_codegen::diagnostics::Code;
use wireform_codegen::{Diagnostic, Output, Severity};
use wireform_importers::HEADER;

use crate::pluralize::pluralize;

/// Maximum number of diagnostics shown per API, in addition to the lines about imported files.
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
    /// Formats the diagnostics of an API; with `lists_warnings` every warning about an imported schema.
    pub fn of(folder: &str, output: &Output, is_valid: bool, lists_warnings: bool) -> Self {
        let mut text = format_diagnostics(folder, output, lists_warnings);
        let is_error = |severity| severity == Severity::Error;
        let errors = output.diagnostics.iter().filter(|diagnostic| is_error(diagnostic.code.severity())).count();
        if errors > 0 {
            let _ = writeln!(text, "{folder}: {} in the schema", pluralize(errors, "errors"));
        }
        Self { text, is_valid: is_valid && errors == 0 }
    }
}

/// Formats the first diagnostics of each kind. A warning about an imported file is a line, and missing descriptions of
/// imported definitions are only counted.
fn format_diagnostics(folder: &str, output: &Output, lists_warnings: bool) -> String {
    let color = std::io::stderr().is_terminal();
    let mut text = String::new();
    let mut kinds: BTreeMap<&str, Kind> = BTreeMap::new();
    let mut shown = 0;
    for diagnostic in &output.diagnostics {
        let is_warning = diagnostic.code.severity() == Severity::Warning;
        let kind = kinds.entry(diagnostic.code.text()).or_default();
        let is_imported = is_warning && is_imported(diagnostic, output);
        kind.is_imported |= is_imported;
        let max = match (is_warning, is_imported) {
            (_, true) if lists_warnings => usize::MAX,
            (_, true) => usize::from(diagnostic.code != Code::MissingDoc),
            (true, false) => MAX_WARNINGS,
            (false, false) => MAX_DIAGNOSTICS,
        };
        if kind.seen >= max || !is_imported && shown >= MAX_DIAGNOSTICS {
            kind.hidden += 1;
            continue;
        }
        kind.seen += 1;
        if is_imported {
            let (code, place) = (diagnostic.code.text(), format_place(diagnostic, output));
            let _ = writeln!(text, "warning[{code}]: {place}: {}", diagnostic.message);
        } else {
            let _ = writeln!(text, "{}\n", diagnostic.render(&output.sources, color));
            shown += 1;
        }
    }
    for (code, kind) in kinds.into_iter().filter(|(_, kind)| kind.hidden > 0) {
        let more = if kind.seen > 0 { "more " } else { "" };
        let flag = if kind.is_imported { "`--warnings` lists them, " } else { "" };
        let _ = writeln!(text, "{folder}: {} {more}of {code}; {flag}see docs/diagnostics.md", kind.hidden);
    }
    text
}

/// Diagnostics of one code.
#[derive(Default)]
struct Kind {
    seen: usize,
    hidden: usize,
    /// True if one of them is about an imported file.
    is_imported: bool,
}

/// Returns whether a diagnostic is about a file that an import has written.
pub fn is_imported(diagnostic: &Diagnostic, output: &Output) -> bool {
    output.sources.get(diagnostic.span.file as usize).is_some_and(|source| source.text.starts_with(HEADER))
}

/// Formats the location of a diagnostic.
pub fn format_place(diagnostic: &Diagnostic, output: &Output) -> String {
    let path = output.sources.get(diagnostic.span.file as usize).map_or("", |source| source.path.as_str());
    let (line, column) = diagnostic.line_column(&output.sources);
    format!("{path}:{line}:{column}")
}
