//! Results of an earlier run, stored next to the schemas in a folder that is kept.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use fs_err as fs;
use serde_json::{Value, json};

use super::Row;
use super::counts::Counts;
use super::documents::Kind;

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

/// Reads the result of an earlier run with the same input.
fn read(file: &Path, input: u64) -> Option<Value> {
    let state: Value = serde_json::from_str(&fs::read_to_string(file).ok()?).ok()?;
    (state["input"].as_u64()? == input).then_some(state)
}

/// Returns the kind and the name of the document as an earlier run has detected them.
pub fn read_kind_and_name(file: &Path, input: u64) -> Option<(Kind, Option<String>)> {
    let state = read(file, input)?;
    let kind = if state["is_discovery"].as_bool()? { Kind::Discovery } else { Kind::OpenApi };
    Some((kind, state["name"].as_str().map(str::to_owned)))
}

/// Restores the row of the earlier run, and returns false if there is none with this input and this name.
pub fn restore_row(file: &Path, input: u64, name: Option<&str>, row: &mut Row) -> bool {
    let read = || {
        let state = read(file, input)?;
        let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
        let mut counts = Counts::default();
        for (count, value) in counts.0.iter_mut().zip(state["counts"].as_array()?) {
            *count = number(value)?;
        }
        let losses = state["losses"].as_array()?.iter().map(|loss| Some(loss.as_str()?.to_owned()));
        let losses: Vec<String> = losses.collect::<Option<_>>()?;
        let api = state["api"].as_str().filter(|api| name.is_none_or(|name| name == *api))?;
        Some((api.to_owned(), counts, losses, number(&state["lines"])?))
    };
    let Some((api, counts, losses, lines)) = read() else { return false };
    (row.api, row.counts, row.losses, row.lines, row.unchanged) = (Some(api), Some(counts), losses, lines, true);
    // A row is stored only if all operations are in the crates.
    row.generated_operations = counts.methods();
    true
}

/// Stores a row without problems; a failure only costs time at the next run.
pub fn store_row(file: &Path, input: u64, kind: Kind, name: Option<&str>, row: &Row) {
    let counts = row.counts.unwrap_or_default().0;
    let state = json!({
        "input": input,
        "is_discovery": kind == Kind::Discovery,
        "name": name,
        "api": row.api,
        "counts": counts,
        "losses": row.losses,
        "lines": row.lines,
    });
    let has_folder = file.parent().is_none_or(|dir| fs::create_dir_all(dir).is_ok());
    drop(has_folder.then(|| fs::write(file, format!("{state}\n"))));
}
