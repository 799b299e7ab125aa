//! `cargo xtask reference`: the reference pages and the JSON Schema of the language.

use fs_err as fs;
use wireform_codegen::reference;

use crate::cli::{ReferenceOptions, root};

/// Writes the pages; with `--check` only compares them. False when one is not what it should be.
pub fn run(options: &ReferenceOptions) -> anyhow::Result<bool> {
    let pages = [
        ("docs/schema-language.md", reference::language_page()),
        ("docs/conditions.md", reference::conditions_page()),
        ("docs/diagnostics.md", reference::diagnostics_page()),
        ("schemas/wireform.schema.json", reference::json_schema()),
    ];
    let mut fine = true;
    for (path, text) in pages {
        let file = root().join(path);
        if fs::read_to_string(&file).is_ok_and(|there| there == text) {
            continue;
        }
        if options.check {
            eprintln!("stale: {path}; run `cargo xtask reference`");
            fine = false;
        } else {
            fs::create_dir_all(file.parent().unwrap_or(root()))?;
            fs::write(&file, text)?;
            println!("wrote {path}");
        }
    }
    Ok(fine)
}
