//! Names of files in a project, and their paths in a folder.

use std::collections::BTreeMap;

use anyhow::bail;
use script_server::types::{File, FileType};
use wireform_store::{FileKind, ScriptFile};

/// Names of manifests.
const MANIFEST_NAMES: [&str; 2] = ["appsscript.json", "manifest.json"];

/// Returns the name and type in a project of the file at a path, or `None` if such files do not belong to projects.
pub(super) fn name_and_type(path: &str) -> Option<(String, FileType)> {
    if MANIFEST_NAMES.contains(&path) {
        return Some(("manifest".to_owned(), FileType::Json));
    }
    let (name, extension) = path.rsplit_once('.')?;
    let kind = match extension {
        "js" | "gs" => FileType::ServerJs,
        "html" => FileType::Html,
        _ => return None,
    };
    Some((name.to_owned(), kind))
}

/// Returns the path of a file of a project: its present one, or a new one.
pub(super) fn path_of(file: &ScriptFile, present: &BTreeMap<String, File>) -> anyhow::Result<String> {
    let name = &file.name;
    let candidates = match file.kind {
        FileKind::Manifest => MANIFEST_NAMES.map(str::to_owned),
        FileKind::Script => [format!("{name}.js"), format!("{name}.gs")],
        FileKind::Page => [format!("{name}.html"), format!("{name}.html")],
    };
    let [first, second] = candidates;
    let path = if present.contains_key(&second) { second } else { first };
    let is_plain = |part: &str| !part.is_empty() && !part.starts_with('.') && part != "node_modules";
    if !path.split('/').all(is_plain) || path.contains(['\\', ':']) || path.contains(is_deceptive) {
        bail!("the file name `{}` of the project is not valid in a folder", name.escape_debug());
    }
    Ok(path)
}

/// Returns whether a character changes how a name is shown, so that it can pass for another: a control character, or one
/// that changes the direction of text, breaks lines or is invisible.
pub(super) fn is_deceptive(character: char) -> bool {
    let is_hidden = matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    character.is_control() || is_hidden
}
