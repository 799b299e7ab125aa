//! What is said of the schema of an API.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::IsTerminal as _;

use wireform_codegen::{Output, Severity};
use wireform_importers::HEADER;

use crate::counted::counted;

/// The most diagnostics that are shown of one API.
const SHOWN: usize = 200;
/// The most warnings of a kind that are shown of one API.
const SHOWN_WARNINGS: usize = 20;

/// What is said, ready to be shown.
pub struct Told {
    /// Lines, or nothing.
    pub text: String,
    /// Whether crates can be made of the schema.
    pub fine: bool,
}

impl Told {
    /// What there is to say of an API.
    pub fn of(folder: &str, output: &Output, fine: bool) -> Self {
        let mut text = shown(folder, output);
        let is_error = |severity| severity == Severity::Error;
        let errors = output.diagnostics.iter().filter(|told| is_error(told.code.severity())).count();
        if errors > 0 {
            let _ = writeln!(text, "{folder}: {} in the schema", counted(errors, "errors"));
        }
        Self { text, fine: fine && errors == 0 }
    }
}

/// Of many warnings of a kind the first. What an imported file lacks its document lacks, and is counted alone.
fn shown(folder: &str, output: &Output) -> String {
    let color = std::io::stderr().is_terminal();
    let mut text = String::new();
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut shown = 0;
    for diagnostic in &output.diagnostics {
        let is_error = diagnostic.code.severity() == Severity::Error;
        let source = output.sources.get(diagnostic.span.file as usize);
        let is_imported = source.is_some_and(|source| source.text.starts_with(HEADER));
        let (seen, hidden) = kinds.entry(diagnostic.code.text()).or_default();
        let most = if is_error {
            SHOWN
        } else if is_imported {
            0
        } else {
            SHOWN_WARNINGS
        };
        if *seen < most && shown < SHOWN {
            let _ = writeln!(text, "{}\n", diagnostic.render(&output.sources, color));
            shown += 1;
            *seen += 1;
        } else {
            *hidden += 1;
        }
    }
    for (code, (seen, hidden)) in kinds.into_iter().filter(|(_, (_, hidden))| *hidden > 0) {
        let more = if seen > 0 { "more " } else { "" };
        let _ = writeln!(text, "{folder}: {hidden} {more}of {code}, which docs/diagnostics.md tells about");
    }
    text
}
