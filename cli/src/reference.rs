//! `reference`: writes the reference pages and the JSON Schema of the schema language.

use std::path::{Path, PathBuf};

use fs_err as fs;
use wireform_codegen::reference;

use crate::home::CommandContext;
use crate::options::ReferenceOptions;
use crate::output_folder;

/// Writes the pages, or only compares them with `--check`. Returns false if a page differs.
pub fn run(home: &CommandContext, options: &ReferenceOptions) -> anyhow::Result<bool> {
    let (dir, docs, schemas) = match (&options.into, home.repository.as_deref()) {
        (Some(dir), _) => (dir.clone(), "", ""),
        (None, Some(repository)) => (repository.to_owned(), "docs", "schemas"),
        (None, None) => (PathBuf::from("."), "", ""),
    };
    let pages = [
        (Path::new(docs).join("schema-language.md"), reference::language_page()),
        (Path::new(docs).join("conditions.md"), reference::conditions_page()),
        (Path::new(docs).join("diagnostics.md"), reference::diagnostics_page()),
        (Path::new(schemas).join("wireform.schema.json"), reference::json_schema()),
    ];
    let mut is_current = true;
    for (path, text) in pages {
        let (file, shown) = (dir.join(&path), path.display());
        if fs::read_to_string(&file).is_ok_and(|existing| existing == text) {
            continue;
        }
        if options.check {
            eprintln!("stale: {shown}; run `{} reference`", home.name);
            is_current = false;
        } else {
            output_folder::resolve(&dir)?;
            fs::create_dir_all(file.parent().unwrap_or(&dir))?;
            fs::write(&file, text)?;
            println!("wrote {shown}");
        }
    }
    Ok(is_current)
}
