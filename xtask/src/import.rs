//! `cargo xtask import`: descriptions of APIs in other languages → folders of schemas.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use fs_err as fs;
use wireform_importers::{HEADER, Import, Loss, Mistake, Overlay, discovery, is_as_written, openapi, places};

use crate::cli::{ImportCommand, ImportOptions};
use crate::tree::{OnDisk, Tree};

/// The most losses of a document that are shown.
const SHOWN: usize = 50;

/// The file in which people say what an import does not: in the folder of the API, and no schema itself.
pub const OVERLAY: &str = "overlay.yaml";

/// What makes a schema of the text of a document, and of an overlay.
type Importer = fn(&str, Option<&Overlay>) -> Result<Import, Mistake>;

/// Imports the documents. False when something was lost and nobody said that it may be.
pub fn run(command: &ImportCommand) -> anyhow::Result<bool> {
    let (options, importer): (_, Importer) = match command {
        ImportCommand::Discovery(options) => (options, discovery::import_with),
        ImportCommand::Openapi(options) => (options, openapi::import_with),
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
        let import = importer(&text, None).map_err(|mistake| {
            let place = mistake.place(&text).map_or_else(String::new, |(line, column)| format!(":{line}:{column}"));
            anyhow::Error::new(mistake).context(format!("cannot import `{shown}{place}`"))
        })?;
        let import = overlaid(&options.into.join(&import.api), &text, importer)?.unwrap_or(import);
        if let Some(other) = folders.insert(import.api.clone(), file) {
            bail!("`{}` and `{shown}` describe the same API, `{}`; import one of them", other.display(), import.api);
        }
        imports.push((file, text, import));
    }
    Ok(imports)
}

/// The import with what the overlay in the folder says; nothing where there is none.
fn overlaid(folder: &Path, text: &str, importer: Importer) -> anyhow::Result<Option<Import>> {
    let path = folder.join(OVERLAY);
    if !path.exists() {
        return Ok(None);
    }
    let shown = path.display();
    let overlay = String::from_utf8(fs::read(&path)?).with_context(|| format!("`{shown}` is not text in UTF-8"))?;
    let import = Overlay::read(&overlay).and_then(|overlay| importer(text, Some(&overlay)));
    import.map(Some).map_err(|mistake| match &mistake {
        Mistake::Overlay { line, column, .. } => anyhow::Error::msg(format!("{shown}:{line}:{column}: {mistake}")),
        _ => mistake.into(),
    })
}

/// Writes the files of an import, all of them or none.
fn write(folder: &Path, import: &Import, force: bool) -> anyhow::Result<String> {
    let tree = Tree::open_any(folder.to_owned())?;
    let there = tree.read()?;
    let mut stay: Vec<String> = there.keys().filter(|path| *path == OVERLAY).cloned().collect();
    for path in foreign(&there) {
        if !force {
            bail!(
                "`{path}` was not written by an import; move it away, or say `--force` to keep it beside what is written"
            );
        }
        if import.files.contains_key(path) {
            bail!("`{path}` was not written by an import, which would take its name; move it away");
        }
        stay.push(path.to_owned());
    }
    if !force {
        by_hand(&there, &import.files)?;
    }
    let new = tree.stage()?;
    let mut changes = tree.place(&import.files, Some(&new), None)?;
    changes.same.extend(stay);
    let changes = tree.complete(changes, Some(&new), None)?;
    tree.replace(&changes, new)?;
    Ok(changes.summary())
}

/// Whether an import wrote a file.
fn is_own(bytes: &[u8]) -> bool {
    bytes.starts_with(HEADER.as_bytes())
}

/// The files that no import wrote.
fn foreign(there: &OnDisk) -> impl Iterator<Item = &str> {
    let others = there.iter().filter(|(path, bytes)| !is_own(bytes) && !crate::tree::is_marker(path));
    others.map(|(path, _)| path.as_str()).filter(|path| *path != OVERLAY)
}

/// Refuses to write over what somebody changed.
fn by_hand(there: &OnDisk, expected: &BTreeMap<String, String>) -> anyhow::Result<()> {
    let mut told = String::new();
    for (path, bytes) in there.iter().filter(|(_, bytes)| is_own(bytes) && !is_as_written(bytes)) {
        let new = expected.get(path).map(String::as_str).unwrap_or_default();
        told += &format!("\n{path}\n{}", crate::tree::difference(&String::from_utf8_lossy(bytes), new));
    }
    if told.is_empty() {
        return Ok(());
    }
    bail!(
        "these files were changed since they were imported, and would be written over; say in `{OVERLAY}`, beside them, \
         what should be otherwise than in the document (docs/import.md tells how), then import with `--force`\n{told}"
    )
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
