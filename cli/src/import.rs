//! `import`: converts API descriptions in other languages to folders of schemas.

mod overlay;
mod report;
pub mod warnings;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use fs_err as fs;
use wireform_importers::{HEADER, Import, ImportError, MAX_BYTES, Options, Overlay, discovery, is_unmodified, openapi};

use crate::options::{ImportCommand, ImportOptions};
use crate::output_folder;
use crate::pluralize::pluralize;
use crate::referenced::FolderReader;
use crate::schemas::OVERLAY;
use crate::tree::{OnDisk, Tree};

/// Function that imports a document with an overlay.
type Importer = fn(&str, &Options<'_>, Option<&Overlay>) -> Result<Import, ImportError>;

/// Imports the documents and returns false if there are losses that `--allow-losses` does not permit.
pub fn run(command: &ImportCommand) -> anyhow::Result<bool> {
    let (options, importer): (_, Importer) = match command {
        ImportCommand::Discovery(options) => (options, discovery::import_as),
        ImportCommand::Openapi(options) => (options, openapi::import_as),
    };
    if options.name.is_some() && options.files.len() > 1 {
        bail!("`--name` applies to one document; import the documents separately");
    }
    let imports = read(options, importer)?;
    let mut lost = 0;
    for (file, text, import) in &imports {
        let folder = options.into.join(&import.api);
        let changes = write(&folder, import, options.force).with_context(|| folder.display().to_string())?;
        println!("{}: {changes}", folder.display());
        let warnings = warnings::find(&options.into, import, options)?;
        report::print(file, text, import, &warnings, options);
        lost += import.losses.len();
    }
    if lost > 0 && !options.allow_losses {
        let (all, them) = (pluralize(lost, "losses"), if lost == 1 { "it" } else { "them" });
        eprintln!("error: {all}; review {them} (`--losses` lists {them}), then pass `--allow-losses`");
    }
    Ok(lost == 0 || options.allow_losses)
}

/// Reads and imports every file before anything is written.
fn read(options: &ImportOptions, importer: Importer) -> anyhow::Result<Vec<(&Path, String, Import)>> {
    let mut imports: Vec<(&Path, String, Import)> = Vec::new();
    let mut folders: BTreeMap<String, &PathBuf> = BTreeMap::new();
    let base_options = Options {
        name: options.name.as_deref(),
        file: None,
        max_bytes: options.max_mib.map_or(MAX_BYTES, |mib| mib.get().saturating_mul(1 << 20)),
        keeps_unreferenced: options.all_types,
        unknown_members: options.unknown_members,
        files: None,
    };
    for file in &options.files {
        let formatted = file.display();
        let stem = file.file_stem().map(|stem| stem.to_string_lossy());
        let text = String::from_utf8(fs::read(file)?).with_context(|| format!("`{formatted}` is not UTF-8 text"))?;
        let reader = FolderReader::new(file, &options.include_dir)?;
        let import_options = Options { file: stem.as_deref(), files: Some(&reader), ..base_options };
        let import = importer(&text, &import_options, None).map_err(|error| {
            let place = error.place(&text).map_or_else(String::new, |(line, column)| format!(":{line}:{column}"));
            let pointer = if error.pointer().is_empty() { String::new() } else { format!("#{}", error.pointer()) };
            let file = error.file().map_or_else(|| file.clone(), |other| file.with_file_name(other));
            anyhow::anyhow!("{}{place}{pointer}: {}", file.display(), error.problem())
        })?;
        let import = overlay::read(&options.into.join(&import.api), &import, &|overlay| {
            importer(&text, &import_options, Some(overlay))
        })?
        .unwrap_or(import);
        if let Some(other) = folders.insert(import.api.clone(), file) {
            bail!(
                "`{}` and `{formatted}` describe the same API, `{}`; import one of them, or each alone with `--name`",
                other.display(),
                import.api
            );
        }
        output_folder::resolve(&options.into.join(&import.api))?;
        imports.push((file, text, import));
    }
    Ok(imports)
}

/// Writes the files of an import, all of them or none.
fn write(folder: &Path, import: &Import, force: bool) -> anyhow::Result<String> {
    let tree = Tree::open_any(folder.to_owned())?;
    let there = tree.read()?;
    let mut stay: Vec<String> = there.keys().filter(|path| *path == OVERLAY).cloned().collect();
    for path in foreign_files(&there) {
        if !force {
            bail!(
                "`{path}` was not written by an import; move it away, or pass `--force` to keep it next to the \
                 imported files"
            );
        }
        if import.files.contains_key(path) {
            bail!("`{path}` was not written by an import, and would be overwritten; move it out of the folder");
        }
        stay.push(path.to_owned());
    }
    if !force {
        check_same_api(&there, import)?;
        check_unedited(&there, &import.files)?;
    }
    let new = tree.stage()?;
    let mut changes = tree.write_batch(&import.files, Some(&new), None)?;
    changes.same.extend(stay);
    let changes = tree.complete(changes, Some(&new), None)?;
    tree.replace(&changes, new)?;
    Ok(changes.summary())
}

/// Returns whether a file was written by an import.
fn is_imported(bytes: &[u8]) -> bool {
    bytes.starts_with(HEADER.as_bytes())
}

/// Returns the files that were not written by an import.
fn foreign_files(there: &OnDisk) -> impl Iterator<Item = &str> {
    let others = there.iter().filter(|(path, bytes)| !is_imported(bytes) && !crate::tree::is_marker(path));
    others.map(|(path, _)| path.as_str()).filter(|path| *path != OVERLAY)
}

/// Checks that the existing schema describes the same API.
///
/// # Errors
///
/// Returns an error if it is another API of the same name, because its URL differs and none of its operations is in the
/// document, or if it is another version, whose base path or operations differ too.
fn check_same_api(there: &OnDisk, import: &Import) -> anyhow::Result<()> {
    let old = there.values().filter(|bytes| is_imported(bytes)).filter_map(|bytes| std::str::from_utf8(bytes).ok());
    let old: Vec<&str> = old.collect();
    let new: Vec<&str> = import.files.values().map(String::as_str).collect();
    let differ = |start: &str| {
        let (old, new) = (values_of(&old, start), values_of(&new, start));
        !old.is_empty() && !new.is_empty() && old.is_disjoint(&new)
    };
    if differ("    http: ") && differ("root: ") {
        bail!(
            "another API with the name `{}` already exists: it has another root, and none of its operations is in this \
             document; import the document with another `--name`, or replace the API with `--force`",
            import.api
        );
    }
    if differ("version: ") && (differ("base_path: ") || differ("    http: ")) {
        let version = |files: &[&str]| values_of(files, "version: ").into_iter().collect::<String>().replace('"', "");
        bail!(
            "version {} of the API `{}` already exists, and the document is version {}, with other URL paths; \
             import it with another `--name`, or replace the existing version with `--force`",
            version(&old),
            import.api,
            version(&new)
        );
    }
    Ok(())
}

/// Returns the values of a key in imported files.
fn values_of<'t>(files: &[&'t str], start: &str) -> BTreeSet<&'t str> {
    files.iter().flat_map(|text| text.lines()).filter_map(|line| line.strip_prefix(start)).collect()
}

/// Checks that no imported file was edited.
///
/// # Errors
///
/// Returns an error if a file would overwrite manual changes.
fn check_unedited(there: &OnDisk, expected: &BTreeMap<String, String>) -> anyhow::Result<()> {
    let mut differences = String::new();
    for (path, bytes) in there.iter().filter(|(_, bytes)| is_imported(bytes) && !is_unmodified(bytes)) {
        let new = expected.get(path).map(String::as_str).unwrap_or_default();
        differences += &format!("\n{path}\n{}", crate::tree::difference(&String::from_utf8_lossy(bytes), new));
    }
    if differences.is_empty() {
        return Ok(());
    }
    bail!(
        "these files were changed since they were imported, and would be overwritten; move the changes \
         to `{OVERLAY}` next to them (see docs/import.md), then import with `--force`\n{differences}"
    )
}
