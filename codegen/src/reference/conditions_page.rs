//! Reference page of conditions: the supported part of the language, and the functions.

use std::fmt::Write as _;

use crate::rules::functions;

/// Returns the reference page of conditions in Markdown.
#[must_use]
pub fn conditions_page() -> String {
    let mut page = String::from(include_str!("conditions.md"));
    page.push_str("## Macros\n\n| name | forms | description |\n|---|---|---|\n");
    for (name, forms, doc) in functions::MACROS {
        let _ = writeln!(page, "| `{name}` | `{forms}` | {doc} |");
    }
    page.push_str("\n## Functions\n\nEach function can be called as a method of its first argument or as a function: `x.size()`, `size(x)`.\n\n");
    page.push_str("| name | forms | description |\n|---|---|---|\n");
    for entry in functions::FUNCTIONS {
        let _ = writeln!(page, "| `{}` | `{}` | {} |", entry.name, entry.signatures, entry.doc);
    }
    page.push_str("\nKnown functions that are not supported, and are reported as such: ");
    let names: Vec<String> = functions::UNSUPPORTED.iter().map(|(name, _)| format!("`{name}`")).collect();
    let _ = writeln!(page, "{}.", names.join(", "));
    page.push_str(include_str!("differences.md"));
    page
}
