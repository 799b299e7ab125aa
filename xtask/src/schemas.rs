//! Finds and reads the schemas: a folder an API, any number of YAML files in it.

use std::path::Path;

use anyhow::{Context as _, bail};
use fs_err as fs;
use wireform_codegen::Source;
use wireform_importers::HEADER;

use crate::import::OVERLAY;

/// The schema of one API as it lies on disk.
pub struct Schema {
    /// The name of its folder.
    pub folder: String,
    /// Its files.
    pub sources: Vec<Source>,
}

/// Reads every folder of schemas, or those that are asked for, in the order of their names.
pub fn read(dir: &Path, only: &[String]) -> anyhow::Result<Vec<Schema>> {
    if !dir.is_dir() {
        bail!("there is no folder `{}`; make it, with a folder of YAML files for each API", dir.display());
    }
    let mut schemas = Vec::new();
    for entry in sorted(dir)? {
        let folder = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() && !folder.starts_with('.') {
            let sources = read_folder(&entry.path(), &folder)?;
            if !sources.is_empty() {
                schemas.push(Schema { folder, sources });
            }
        }
    }
    let found: Vec<String> = schemas.iter().map(|schema| schema.folder.clone()).collect();
    for name in only {
        if !found.contains(name) {
            bail!("there is no API `{name}` in `{}`; there are {}", dir.display(), list(&found));
        }
    }
    if schemas.is_empty() {
        bail!("no folder in `{}` has YAML files", dir.display());
    }
    schemas.retain(|schema| only.is_empty() || only.contains(&schema.folder));
    Ok(schemas)
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

fn read_folder(dir: &Path, folder: &str) -> anyhow::Result<Vec<Source>> {
    let (mut sources, mut is_imported) = (Vec::new(), false);
    for entry in sorted(dir)? {
        let path = entry.path();
        let is_yaml = path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml");
        if is_yaml && path.is_file() {
            let bytes = fs::read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
            // The name in diagnostics is the one that an editor or a terminal can open.
            let shown = format!("{}/{folder}/{}", shown_parent(dir), entry.file_name().to_string_lossy());
            sources.push((entry.file_name() == OVERLAY, Source::from_bytes(shown, &bytes)));
            is_imported |= bytes.starts_with(HEADER.as_bytes());
        }
    }
    // Beside imported files it is what the import has taken in already.
    sources.retain(|(is_overlay, _)| !(is_imported && *is_overlay));
    Ok(sources.into_iter().map(|(_, source)| source).collect())
}

/// The schemas folder relative to where the command was called, if that is shorter.
fn shown_parent(dir: &Path) -> String {
    let parent = dir.parent().unwrap_or(dir);
    let here = std::env::current_dir().ok();
    let shown = here.as_deref().and_then(|here| parent.strip_prefix(here).ok()).unwrap_or(parent);
    let shown = shown.to_string_lossy().replace('\\', "/");
    if shown.is_empty() { ".".to_owned() } else { shown }
}

fn sorted(dir: &Path) -> anyhow::Result<Vec<fs::DirEntry>> {
    let mut entries = fs::read_dir(dir)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    Ok(entries)
}
