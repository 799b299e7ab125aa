//! Shared code of the test suites: paths, every resource with its codec, and workspaces of generated crates.

mod features;
pub mod registry;
mod workspace;

use std::path::Path;

use wireform_codegen::{FileTree, Options, Severity, generate};

pub use features::{Dependencies, cargo_tree};
pub use wireform_emitted::{assert_inside, folders, root, shared, sources};
pub use workspace::{Workspace, target};

/// Generates the crates of a case, which must have no errors.
///
/// # Panics
/// Panics if the schema has errors.
#[must_use]
pub fn output_of(case: &Path, options: &Options) -> FileTree {
    let output = generate(&sources(case), options);
    let errors = output.diagnostics.iter().filter(|one| one.code.severity() == Severity::Error);
    let errors: Vec<String> = errors.map(|one| one.render(&output.sources, false)).collect();
    output.files.unwrap_or_else(|| panic!("{}: {}", case.display(), errors.join("\n\n")))
}
