//! Results of an earlier run, stored next to the schemas in a folder that is kept.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use fs_err as fs;
use serde_json::{Value, json};
use wireform_codegen::schema::yaml;
use wireform_importers::FileReader as _;

use super::Row;
use super::counts::Counts;
use super::documents::Kind;
use super::inspection::Inspection;
use crate::referenced::FolderReader;

/// Returns the path of the file with the result of a document. Its name is a hash, since the name of a document may
/// contain slashes or anything else.
pub fn file(dir: &Path, document: &str) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    document.hash(&mut hasher);
    dir.join("state").join(format!("{:016x}.json", hasher.finish()))
}

/// Returns a hash of the text of a document and of what determines its crates: this build of the command and the
/// settings.
pub fn input(text: &str, settings: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (text, settings, crate::cache::generator()).hash(&mut hasher);
    hasher.finish()
}

/// Hash of a document with its settings, and the reader of the files that it refers to.
pub type Input<'r> = (u64, &'r FolderReader);

/// Reads the result of an earlier run with the same input, and with the same files that the document refers to.
fn read(file: &Path, (input, reader): Input<'_>) -> Option<Value> {
    let state: Value = serde_json::from_str(&fs::read_to_string(file).ok()?).ok()?;
    let is_same = |(path, known): (&String, &Value)| {
        reader.read(path, yaml::MAX_BYTES).is_ok_and(|file| Some(self::input(&file.text, "")) == known.as_u64())
    };
    (state["input"].as_u64()? == input && state["files"].as_object()?.iter().all(is_same)).then_some(state)
}

/// Returns the inspection of a document by an earlier run.
pub fn read_inspection(file: &Path, input: Input<'_>) -> Option<Inspection> {
    let state = read(file, input)?;
    let kind = if state["is_discovery"].as_bool()? { Kind::Discovery } else { Kind::OpenApi };
    let name = state["name"].as_str().map(str::to_owned);
    let files = state["files"].as_object()?.keys().cloned().collect();
    let operations = usize::try_from(state["operations"].as_u64()?).ok()?;
    Some(Inspection { kind: Some(kind), name, counts: None, files, operations, time: Duration::ZERO })
}

/// Restores the row of the earlier run, and returns false if there is none with this input and this name.
pub fn restore_row(file: &Path, input: Input<'_>, name: Option<&str>, row: &mut Row) -> bool {
    let read = || {
        let state = read(file, input)?;
        let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
        let mut counts = Counts::default();
        for (count, value) in counts.0.iter_mut().zip(state["counts"].as_array()?) {
            *count = number(value)?;
        }
        let lines_of = |value: &Value| -> Option<Vec<String>> {
            value.as_array()?.iter().map(|line| Some(line.as_str()?.to_owned())).collect()
        };
        let reported = (lines_of(&state["losses"])?, lines_of(&state["warnings"])?);
        let api = state["api"].as_str().filter(|api| name.is_none_or(|name| name == *api))?;
        Some((api.to_owned(), counts, reported, number(&state["lines"])?))
    };
    let Some((api, counts, reported, lines)) = read() else { return false };
    (row.api, row.counts, row.lines, row.unchanged) = (Some(api), Some(counts), lines, true);
    (row.losses, row.warnings) = reported;
    // A row is stored only if all operations are in the crates.
    row.generated_operations = counts.methods();
    true
}

/// Stores a row without problems; a failure only costs time at the next run.
pub fn store_row(
    file: &Path,
    input: u64,
    kind: Kind,
    name: Option<&str>,
    documents: &BTreeMap<String, String>,
    row: &Row,
) {
    let files: BTreeMap<&String, u64> = documents.iter().map(|(path, text)| (path, self::input(text, ""))).collect();
    let counts = row.counts.unwrap_or_default().0;
    let state = json!({
        "input": input,
        "is_discovery": kind == Kind::Discovery,
        "name": name,
        "api": row.api,
        "counts": counts,
        "operations": row.generated_operations,
        "losses": row.losses,
        "warnings": row.warnings,
        "lines": row.lines,
        "files": files,
    });
    let has_folder = file.parent().is_none_or(|dir| fs::create_dir_all(dir).is_ok());
    drop(has_folder.then(|| fs::write(file, format!("{state}\n"))));
}
