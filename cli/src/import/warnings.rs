//! Warnings about an imported schema, at the locations of its definitions in the document.

use std::path::Path;

use wireform_codegen::diagnostics::Code;
use wireform_codegen::{Output, Severity, check};
use wireform_importers::{Import, Loss};

use crate::generate::{format_place, is_imported};
use crate::options::ImportOptions;
use crate::schemas;

/// Returns the warnings about the files of an import; those about missing descriptions only if all are to be shown.
pub fn find(schemas_dir: &Path, import: &Import, options: &ImportOptions) -> anyhow::Result<Vec<Loss>> {
    let folders = schemas::find(schemas_dir, std::slice::from_ref(&import.api))?;
    let Some(folder) = folders.first() else { return Ok(Vec::new()) };
    let output = check(&folder.read()?);
    Ok(locate(&output, import, options.all || options.warnings))
}

/// Returns the warnings about the schema of an import at their locations in the document; those about missing
/// descriptions only if all are to be shown.
pub fn locate(output: &Output, import: &Import, all: bool) -> Vec<Loss> {
    let is_shown = |code: Code| code.severity() == Severity::Warning && (code != Code::MissingDoc || all);
    let shown = output.diagnostics.iter().filter(|one| is_shown(one.code) && is_imported(one, output));
    let found = shown.map(|one| {
        let text = output.sources.get(one.span.file as usize).map_or("", |source| &source.text);
        let name = definition_at(text, one.span.start as usize);
        let (file, at) = name.and_then(|name| import.origins.get(&name)).cloned().unwrap_or_default();
        let (place, message) = (format_place(one, output), &one.message);
        Loss { file, at, what: format!("{}: {message} (`{place}`)", one.code.text()) }
    });
    found.collect()
}

/// Returns the name of the definition that contains an offset of an imported file: definitions are keys that are
/// indented by two spaces.
fn definition_at(text: &str, offset: usize) -> Option<String> {
    let end = text.get(offset..)?.find('\n').map_or(text.len(), |line| offset + line);
    let key = text.get(..end)?.lines().rev().find_map(|line| {
        let key = line.strip_prefix("  ").filter(|key| !key.starts_with([' ', '#', '-']))?;
        Some(key.split_once(": ").map_or(key.trim_end_matches(':'), |(key, _)| key))
    })?;
    Some(key.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::definition_at;

    #[test]
    fn definition_contains_the_lines_below_it() {
        let text = "resources:\n  Note:\n    fields:\n      a: string\nunions:\n  \"A.b\": { doc: x }\n";
        let found = |part: &str| text.find(part).and_then(|offset| definition_at(text, offset));
        assert_eq!(found("Note").as_deref(), Some("Note"));
        assert_eq!(found("a: string").as_deref(), Some("Note"));
        assert_eq!(found("doc: x").as_deref(), Some("A.b"));
        assert_eq!(found("resources"), None);
    }
}
