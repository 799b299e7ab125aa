//! Folders of Discovery documents, which are not part of the repository.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use fs_err as fs;

/// Default folder of sample documents, relative to the root of the repository.
pub const SAMPLE: &str = "../shared/corpora/discovery/docs";

/// Returns all documents of a folder, sorted by name.
pub fn read(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<Result<Vec<_>, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    if paths.is_empty() {
        bail!("`{}` has no documents", folder.display());
    }
    Ok(paths)
}

/// Returns the total size of the documents in bytes.
pub fn size(documents: &[PathBuf]) -> anyhow::Result<u64> {
    documents.iter().map(|path| Ok(fs::metadata(path)?.len())).sum()
}

/// Returns the largest document.
pub fn largest(documents: &[PathBuf]) -> anyhow::Result<&PathBuf> {
    let size = |path: &&PathBuf| fs::metadata(path).map_or(0, |data| data.len());
    documents.iter().max_by_key(size).context("no documents")
}

/// Returns the document with a unique description of the API.
pub fn changed(text: &str, time: usize) -> anyhow::Result<String> {
    let key = "\"description\": \"";
    let (before, after) = text.split_once(key).context("no description in the document")?;
    Ok(format!("{before}{key}Change {time}. {after}"))
}
