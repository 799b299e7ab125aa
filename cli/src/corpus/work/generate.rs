//! Generation of the crates of an import.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use fs_err as fs;
use wireform_codegen::{FileTree, Output, Severity, Source, generate};
use wireform_importers::Import;

use super::WorkFolder;
use super::import::{Imported, New, format_losses};
use crate::corpus::{Row, counts, state};
use crate::import::warnings;
use crate::pluralize::pluralize;

impl WorkFolder {
    /// Writes the schema and the crates of an import.
    pub fn generate(&self, imported: Imported, row: &mut Row) -> anyhow::Result<()> {
        let Imported::New(new) = imported else { return Ok(()) };
        let New { mut import, document: (document, text), state, input, kind, name } = *new;
        let (api, files) = (import.api.clone(), std::mem::take(&mut import.files));
        sync(&self.dir.join("schemas").join(&api), &files)?;
        let source = |(path, text): (String, String)| Source::new(format!("schemas/{api}/{path}"), text);
        let sources: Vec<Source> = files.into_iter().map(source).collect();
        let output = generate(&sources, &self.options);
        row.warnings = format_losses((&document, &text), &import, &warnings::locate(&output, &import, false));
        let Import { documents, .. } = import;
        let files = crates(output)?;
        row.lines = files.iter().filter(|(path, _)| path.ends_with(".rs")).map(|(_, text)| text.lines().count()).sum();
        row.problems.extend(find_too_long(&files, self.options.max_lines));
        let (methods, operations) = (row.counts.unwrap_or_default().methods(), operations(&files)?);
        row.generated_operations = operations;
        if operations != methods {
            row.problems.push(format!(
                "{} generated, but the document has {}",
                pluralize(operations, "operations"),
                pluralize(methods, "methods")
            ));
        }
        let mut crates: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for (path, text) in files {
            let (name, path) = path.split_once('/').context("a file is outside of the crates")?;
            crates.entry(name.to_owned()).or_default().insert(path.to_owned(), text);
        }
        crates.iter().try_for_each(|(name, files)| sync(&self.dir.join("crates").join(name), files))?;
        if self.kept && row.problems.is_empty() {
            state::store_row(&state, input, kind, name.as_deref(), &documents, row);
        }
        Ok(())
    }
}

/// Returns the generated crates of a schema, or its first error with its location.
fn crates(output: Output) -> anyhow::Result<FileTree> {
    let Output { files, diagnostics, sources } = output;
    let errors = || diagnostics.iter().filter(|diagnostic| diagnostic.code.severity() == Severity::Error);
    if let Some(first) = errors().next() {
        let file = usize::try_from(first.span.file).ok().and_then(|file| sources.get(file));
        let file = file.map_or("", |source| source.path.as_str());
        let (line, column) = first.line_column(&sources);
        let (count, code) = (pluralize(errors().count(), "errors"), first.code.text());
        bail!("{count} in the imported schema, first at {file}:{line}:{column}: {code}: {}", first.message);
    }
    files.context("nothing was generated")
}

/// Returns the longest file if it exceeds the maximum length.
fn find_too_long(files: &FileTree, max_lines: usize) -> Option<String> {
    let lines = files.iter().filter(|(path, _)| path.ends_with(".rs")).map(|(path, text)| (text.lines().count(), path));
    let (lines, path) = lines.max()?;
    (lines > max_lines).then(|| format!("`{path}` has {lines} lines, more than the maximum of {max_lines}"))
}

/// Returns the number of operations in the generated OpenAPI document.
fn operations(files: &FileTree) -> anyhow::Result<usize> {
    match files.iter().find(|(path, _)| path.ends_with("/openapi.json")) {
        Some((_, text)) => Ok(counts::operations(serde_json::from_str(text)?)),
        None => Ok(0),
    }
}

/// Synchronizes a folder with these files and removes all others. Unchanged files keep their modification time, so that
/// cargo does not check them again.
fn sync(dir: &Path, files: &BTreeMap<String, String>) -> anyhow::Result<()> {
    ensure!(!dir.is_symlink(), "`{}` is a symbolic link", dir.display());
    for path in crate::tree::files_below(dir)? {
        if !files.contains_key(&path) {
            fs::remove_file(dir.join(path))?;
        }
    }
    for (path, text) in files {
        let file = dir.join(path);
        if fs::read(&file).is_ok_and(|there| there == text.as_bytes()) {
            continue;
        }
        fs::create_dir_all(file.parent().unwrap_or(dir))?;
        fs::write(file, text)?;
    }
    Ok(())
}
