//! Finds and reads the schemas: one folder per API, with any number of YAML files.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use fs_err as fs;
use wireform_codegen::Source;
use wireform_importers::HEADER;

/// Name of the file with manual changes to an import; it is in the folder of the API and is not a schema itself.
pub const OVERLAY: &str = "overlay.yaml";

/// Folder with the schema of one API.
pub struct Folder {
    /// Name of the folder.
    pub name: String,
    path: PathBuf,
}

/// Returns an error if the folder with those of the APIs does not exist.
pub fn ensure_exists(dir: &Path) -> anyhow::Result<()> {
    let shown = dir.display();
    ensure!(dir.is_dir(), "folder `{shown}` not found; create it with a folder of YAML files for each API");
    Ok(())
}

/// Finds every folder of schemas, or only the selected ones, in the order of their names.
pub fn find(dir: &Path, only: &[String]) -> anyhow::Result<Vec<Folder>> {
    ensure_exists(dir)?;
    let mut folders = Vec::new();
    for entry in sorted_entries(dir)? {
        let (name, path) = (entry.file_name().to_string_lossy().into_owned(), entry.path());
        if path.is_dir() && !name.starts_with('.') && sorted_entries(&path)?.iter().any(is_schema) {
            folders.push(Folder { name, path });
        }
    }
    let found: Vec<&str> = folders.iter().map(|folder| folder.name.as_str()).collect();
    for name in only {
        if !found.contains(&name.as_str()) {
            bail!("API `{name}` not found in `{}`; existing APIs: {}", dir.display(), list(&found));
        }
    }
    if folders.is_empty() {
        bail!("no folder with YAML files found in `{}`", dir.display());
    }
    folders.retain(|folder| only.is_empty() || only.contains(&folder.name));
    Ok(folders)
}

/// Maximum number of names of APIs that are listed.
const MAX_LISTED: usize = 20;

fn list(names: &[&str]) -> String {
    match names {
        [] => "none".into(),
        names if names.len() > MAX_LISTED => {
            format!("{} and {} more", names[..MAX_LISTED].join(", "), names.len() - MAX_LISTED)
        }
        names => names.join(", "),
    }
}

fn is_schema(entry: &fs::DirEntry) -> bool {
    let path = entry.path();
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") && path.is_file()
}

impl Folder {
    /// Reads the files of the schema.
    pub fn read(&self) -> anyhow::Result<Vec<Source>> {
        let (mut sources, mut is_imported) = (Vec::new(), false);
        for entry in sorted_entries(&self.path)?.iter().filter(|entry| is_schema(entry)) {
            let path = entry.path();
            let bytes = fs::read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
            // Diagnostics contain a path that an editor or a terminal can open.
            let parent = displayed_folder(&self.path);
            let shown = format!("{parent}/{}/{}", self.name, entry.file_name().to_string_lossy());
            sources.push((entry.file_name() == OVERLAY, Source::from_bytes(shown, &bytes)));
            is_imported |= bytes.starts_with(HEADER.as_bytes());
        }
        // The import has already applied the overlay.
        sources.retain(|(is_overlay, _)| !(is_imported && *is_overlay));
        let sources = sources.into_iter().map(|(_, source)| source).collect();
        // Paths are shown relative to the current folder.
        wireform_codegen::with_includes(sources, |path| match fs::read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("cannot read `{path}`")),
        })
    }
}

/// Returns the schemas folder relative to the current folder, if that is shorter.
fn displayed_folder(dir: &Path) -> String {
    let parent = dir.parent().unwrap_or(dir);
    let here = std::env::current_dir().ok();
    let shown = here.as_deref().and_then(|here| parent.strip_prefix(here).ok()).unwrap_or(parent);
    let shown = shown.to_string_lossy().replace('\\', "/");
    if shown.is_empty() { ".".to_owned() } else { shown }
}

fn sorted_entries(dir: &Path) -> anyhow::Result<Vec<fs::DirEntry>> {
    let mut entries = fs::read_dir(dir)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    Ok(entries)
}
