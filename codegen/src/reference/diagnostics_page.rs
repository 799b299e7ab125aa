//! Reference page of the diagnostics.

use std::fmt::Write as _;

use crate::diagnostics::{Code, Severity};

/// Returns the reference page of the diagnostics in Markdown.
#[must_use]
pub fn diagnostics_page() -> String {
    let mut page = String::from(
        "# Diagnostics\n\n\
         <!-- Written by `cargo xtask reference` from the table of codes; do not edit. -->\n\n\
         The diagnostics of the generator. After an error nothing is written; a warning does not stop the run. The meaning of a code never changes. `allow: [W0309]` in an operation, a resource or a union suppresses a warning there. Each diagnostic has a schema that provokes it under `tests/errors/`.\n",
    );
    for code in Code::ALL {
        let severity = match code.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let _ = writeln!(page, "\n## {}: {}\n\n*{severity}.* {}", code.text(), code.title(), code.explanation());
    }
    page
}
