//! Imports with an overlay, which the schema reader checks before anything is written: imported files are not edited,
//! so their diagnostics are reported at the overlay, where they can be fixed.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Context as _;
use fs_err as fs;
use wireform_codegen::{Diagnostic, Output, Severity, Source, check};
use wireform_importers::{Import, ImportError, Overlay, OverlayError};

use super::foreign_files;
use crate::schemas::OVERLAY;
use crate::tree::{OnDisk, Tree};

/// Imports a document with the overlay in the folder; returns `None` if there is no overlay.
pub fn read(
    folder: &Path,
    plain: &Import,
    importer: &dyn Fn(&Overlay) -> Result<Import, ImportError>,
) -> anyhow::Result<Option<Import>> {
    let path = folder.join(OVERLAY);
    if !path.exists() {
        return Ok(None);
    }
    let formatted = path.display();
    let overlay = String::from_utf8(fs::read(&path)?).with_context(|| format!("`{formatted}` is not UTF-8 text"))?;
    let there = Tree::open_any(folder.to_owned())?.read()?;
    let import = Overlay::read(&overlay).and_then(|overlay| {
        let import = importer(&overlay)?;
        let errors = new_errors(&overlay, plain, &import, &there);
        if errors.is_empty() { Ok(import) } else { Err(ImportError::Overlay(errors)) }
    });
    import.map(Some).map_err(|error| match &error {
        ImportError::Overlay(all) => {
            let line = |one: &OverlayError| format!("{formatted}:{}:{}: {}", one.line, one.column, one.problem);
            anyhow::Error::msg(all.iter().map(line).collect::<Vec<_>>().join("\n"))
        }
        _ => error.into(),
    })
}

/// Returns the diagnostics that the overlay causes, without those that the schema has anyway.
fn new_errors(overlay: &Overlay, plain: &Import, import: &Import, there: &OnDisk) -> Vec<OverlayError> {
    let checked = check(&sources(import, there));
    let errors: Vec<&Diagnostic> = errors(&checked).collect();
    if errors.is_empty() {
        return Vec::new();
    }
    let without = check(&sources(plain, there));
    let known: BTreeSet<&str> = self::errors(&without).map(|diagnostic| diagnostic.message.as_str()).collect();
    let new = errors.into_iter().filter(|diagnostic| !known.contains(diagnostic.message.as_str()));
    new.map(|diagnostic| overlay.locate(diagnostic, &checked.sources)).collect()
}

fn errors(output: &Output) -> impl Iterator<Item = &Diagnostic> {
    output.diagnostics.iter().filter(|diagnostic| diagnostic.code.severity() == Severity::Error)
}

/// Returns the sources as the generator will read them: imported files, and the user's own files next to them.
fn sources(import: &Import, there: &OnDisk) -> Vec<Source> {
    let imported = import.files.iter().map(|(path, text)| Source::new(path.as_str(), text.as_str()));
    let is_schema = |path: &&str| path.ends_with(".yaml") || path.ends_with(".yml");
    let own = foreign_files(there).filter(is_schema).filter(|path| !import.files.contains_key(*path));
    let own = own.filter_map(|path| Some(Source::from_bytes(path, there.get(path)?)));
    imported.chain(own).collect()
}
