//! `cargo xtask import`: descriptions of APIs in other languages → folders of schemas.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use fs_err as fs;
use wireform_importers::{HEADER, Import, Loss, Mistake, discovery, openapi, places};

use crate::cli::{ImportCommand, ImportOptions};
use crate::tree::{Expected, OnDisk, Tree};

/// The most losses of a document that are shown.
const SHOWN: usize = 50;

/// What makes a schema of the text of a document.
type Importer = fn(&str) -> Result<Import, Mistake>;

/// Imports the documents. False when something was lost and nobody said that it may be.
pub fn run(command: &ImportCommand) -> anyhow::Result<bool> {
    let (options, importer): (_, Importer) = match command {
        ImportCommand::Discovery(options) => (options, discovery::import),
        ImportCommand::Openapi(options) => (options, openapi::import),
    };
    let imports = read(options, importer)?;
    let mut lost = 0;
    for (file, text, import) in &imports {
        let folder = options.into.join(&import.api);
        let changes = write(&folder, import, options.force).with_context(|| folder.display().to_string())?;
        println!("{}: {changes}", folder.display());
        tell(file, text, import);
        lost += import.losses.len();
    }
    if lost > 0 && !options.allow_losses {
        eprintln!("error: {lost} losses; look them through, then say `--allow-losses`");
    }
    Ok(lost == 0 || options.allow_losses)
}

/// Reads and imports every file before anything is written.
fn read(options: &ImportOptions, importer: Importer) -> anyhow::Result<Vec<(&Path, String, Import)>> {
    let mut imports: Vec<(&Path, String, Import)> = Vec::new();
    let mut folders: BTreeMap<String, &PathBuf> = BTreeMap::new();
    for file in &options.files {
        let shown = file.display();
        let text = String::from_utf8(fs::read(file)?).with_context(|| format!("`{shown}` is not text in UTF-8"))?;
        let import = importer(&text).map_err(|mistake| {
            let place = mistake.place(&text).map_or_else(String::new, |(line, column)| format!(":{line}:{column}"));
            anyhow::Error::new(mistake).context(format!("cannot import `{shown}{place}`"))
        })?;
        if let Some(other) = folders.insert(import.api.clone(), file) {
            bail!("`{}` and `{shown}` describe the same API, `{}`; import one of them", other.display(), import.api);
        }
        imports.push((file, text, import));
    }
    Ok(imports)
}

/// Writes the files of an import, all of them or none.
fn write(folder: &Path, import: &Import, force: bool) -> anyhow::Result<String> {
    let tree = if force { Tree::open_any(folder.to_owned()) } else { Tree::open(folder.to_owned(), true) }?;
    let there = tree.read()?;
    let mut expected: Expected = import.files.iter().map(|(path, text)| (path.clone(), Some(text.clone()))).collect();
    for path in foreign(&there) {
        if !force {
            bail!(
                "`{path}` was not written by an import; move it away, or say `--force` to keep it beside what is written"
            );
        }
        if expected.contains_key(path) {
            bail!("`{path}` was not written by an import, which would take its name; move it away");
        }
        expected.insert(path.to_owned(), None);
    }
    let changes = tree.compare(&there, expected, None);
    tree.apply(&changes)?;
    Ok(changes.summary())
}

/// The files that no import wrote.
fn foreign(there: &OnDisk) -> impl Iterator<Item = &str> {
    let own = |bytes: &[u8]| bytes.starts_with(HEADER.as_bytes());
    there
        .iter()
        .filter(move |(path, bytes)| !own(bytes) && !crate::tree::is_marker(path))
        .map(|(path, _)| path.as_str())
}

fn tell(file: &Path, text: &str, import: &Import) {
    let shown = |all: &[Loss]| -> Vec<String> {
        let all = &all[..all.len().min(SHOWN)];
        let places = places(text, all.iter().map(|one| one.at.as_str()));
        let line = |one: &Loss| {
            let place =
                places.get(one.at.as_str()).map_or_else(String::new, |(line, column)| format!(":{line}:{column}"));
            format!("{}{place}#{}: ", file.display(), one.at)
        };
        all.iter().map(|one| line(one) + &one.what).collect()
    };
    for note in shown(&import.notes) {
        println!("note: {note}");
    }
    if import.notes.len() > SHOWN {
        println!("{}: … and {} notes more", file.display(), import.notes.len() - SHOWN);
    }
    for loss in shown(&import.losses) {
        eprintln!("{loss}");
    }
    if import.losses.len() > SHOWN {
        eprintln!("{}: … and {} losses more", file.display(), import.losses.len() - SHOWN);
    }
}
