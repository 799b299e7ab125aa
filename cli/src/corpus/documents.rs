//! Documents below a folder and their kinds.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use fs_err as fs;
use percent_encoding::percent_decode_str;
use serde_json::Value;
use wireform_codegen::diagnostics::Sink;
use wireform_codegen::schema::yaml::{self, Node, Style, Value as Written};

use crate::options::CorpusOptions;

/// File that marks a folder that runs may write into.
pub const MARKER: &str = ".wireform-corpus";

/// Returns whether a folder is the work folder of a run.
pub fn is_work_folder(dir: &Path) -> bool {
    dir.join(MARKER).is_file()
}

/// File with the expected counts of the documents of a corpus.
pub const MANIFEST: &str = "MANIFEST.json";

/// File that may be a document.
pub struct Document {
    /// Path below the folder, with `/` between folders.
    pub name: String,
    /// Path of the file.
    pub path: PathBuf,
}

/// Description formats of APIs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Google API Discovery document.
    Discovery,
    /// OpenAPI document.
    OpenApi,
}

/// Returns the selected documents in the order of their names: the given file, or the files below the given folder.
pub fn find(options: &CorpusOptions) -> anyhow::Result<Vec<Document>> {
    let dir = &options.dir;
    if dir.is_file() {
        let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return Ok(vec![Document { name, path: dir.clone() }]);
    }
    if !dir.is_dir() {
        bail!("file or folder `{}` not found", dir.display());
    }
    let mut found = files_below(dir)?;
    found.retain(|document| {
        let is_selected = |part: &String| document.name.contains(part);
        is_document(&document.name) && (options.filter.is_empty() || options.filter.iter().any(is_selected))
    });
    found.sort_by(|a, b| a.name.cmp(&b.name));
    if found.is_empty() {
        let filter = if options.filter.is_empty() { "" } else { " that matches `--filter`" };
        bail!("no `.json`, `.yaml` or `.yml` file{filter} found in `{}`", dir.display());
    }
    Ok(found)
}

/// Returns the files below a folder, following links and visiting each folder once. Hidden files, the output of this
/// command, pipes and devices are skipped.
fn files_below(dir: &Path) -> anyhow::Result<Vec<Document>> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let mut open = vec![(dir.to_owned(), String::new())];
    while let Some((dir, formatted)) = open.pop() {
        if is_work_folder(&dir) || !seen.insert(dir.canonicalize()?) {
            continue;
        }
        for entry in fs::read_dir(&dir)? {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            let formatted = format!("{formatted}{name}");
            if name.starts_with('.') {
                continue;
            } else if path.is_dir() {
                open.push((path, format!("{formatted}/")));
            } else if path.is_file() || !path.exists() {
                // A dangling link is reported when it is read.
                found.push(Document { name: formatted, path });
            }
        }
    }
    Ok(found)
}

fn is_document(name: &str) -> bool {
    let path = Path::new(name);
    let known = path.extension().is_some_and(|end| ["json", "yaml", "yml"].iter().any(|known| end == *known));
    known && path.file_name().is_none_or(|file| file != MANIFEST)
}

/// Reads the text of a document.
pub fn read(document: &Document) -> anyhow::Result<String> {
    String::from_utf8(fs::read(&document.path)?).context("not UTF-8 text")
}

/// Parses a document for counting, and detects its kind; `None` if it does not describe an API.
///
/// # Errors
/// Returns an error if the text cannot be parsed, or is of a known but unsupported kind.
pub fn open(name: &str, text: &str) -> anyhow::Result<(Value, Option<Kind>)> {
    let text = text.trim_start_matches('\u{feff}');
    let value: Value =
        if name.ends_with(".json") { serde_json::from_str(text).context("invalid JSON")? } else { yaml(text)? };
    if value.get("swagger").is_some() {
        bail!("OpenAPI 2 is not supported; convert the document to version 3 first");
    }
    let kind = kind(&value);
    Ok((value, kind))
}

/// Returns the paths of the other files that a document refers to, relative to its folder.
pub fn files(document: &Value) -> BTreeSet<String> {
    let (mut open, mut found) = (vec![document], BTreeSet::new());
    while let Some(value) = open.pop() {
        let path = value.get("$ref").and_then(Value::as_str).and_then(|reference| reference.split('#').next());
        let path = path.filter(|path| !path.is_empty() && !path.contains(':'));
        found.extend(path.map(|path| percent_decode_str(path).decode_utf8_lossy().into_owned()));
        open.extend(value.as_array().into_iter().flatten());
        open.extend(value.as_object().into_iter().flat_map(|members| members.values()));
    }
    found
}

/// Parses a YAML document. It accepts what an import accepts, such as numbers that exceed machine types.
fn yaml(text: &str) -> anyhow::Result<Value> {
    let mut sink = Sink::new();
    let document = yaml::parse_document(0, text, yaml::MAX_BYTES, &mut sink).filter(|_| !sink.has_errors());
    match document {
        Some(document) => Ok(of_yaml(&document.root)),
        // Files that do not describe an API may contain what an import rejects, such as other uses of `<<`.
        None if !text.lines().any(is_kind_line) => Ok(Value::Null),
        None => {
            let errors = sink.into_sorted();
            bail!("cannot read the document: {}", errors.first().map_or("it is empty", |first| first.message.as_str()))
        }
    }
}

/// Returns whether a line begins with a key that marks its document as a description of an API.
fn is_kind_line(line: &str) -> bool {
    let line = line.trim_start_matches(['{', '"', '\'', ' ']);
    ["openapi", "swagger"].iter().any(|key| line.starts_with(key))
}

fn of_yaml(node: &Node) -> Value {
    match &node.value {
        _ if node.is_null() => Value::Null,
        Written::Scalar(text, Style::Text) => Value::String(text.clone()),
        Written::Scalar(text, Style::Plain) => {
            let word = match text.as_str() {
                "True" | "TRUE" => "true",
                "False" | "FALSE" => "false",
                other => other,
            };
            let read = serde_json::from_str(word).ok().filter(|value: &Value| value.is_number() || value.is_boolean());
            read.unwrap_or_else(|| Value::String(text.clone()))
        }
        Written::List(items) => items.iter().map(of_yaml).collect(),
        Written::Map(entries) => {
            Value::Object(entries.iter().map(|entry| (entry.key.clone(), of_yaml(&entry.value))).collect())
        }
    }
}

fn kind(value: &Value) -> Option<Kind> {
    if value.get("openapi").is_some() {
        return Some(Kind::OpenApi);
    }
    let discovery = match value.get("kind") {
        Some(kind) => kind == "discovery#restDescription",
        None => {
            value.get("name").is_some()
                && ["schemas", "resources", "methods"].iter().any(|key| value.get(key).is_some())
        }
    };
    discovery.then_some(Kind::Discovery)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kind_is_detected_from_content() {
        let kind = |name: &str, text: &str| open(name, text).ok().and_then(|(_, kind)| kind);
        assert_eq!(kind("a.json", r#"{"kind": "discovery#restDescription"}"#), Some(Kind::Discovery));
        assert_eq!(kind("a.json", r#"{"name": "a", "resources": {}}"#), Some(Kind::Discovery));
        assert_eq!(kind("a.json", r#"{"openapi": "3.1.0", "paths": {}}"#), Some(Kind::OpenApi));
        assert_eq!(kind("a.yml", "openapi: 3.0.3\npaths: {}\n"), Some(Kind::OpenApi));
        let large = "openapi: 3.0.3\npaths: {}\nx-most: 123456789012345678901234567890\nx-more: 1e999\n";
        assert_eq!(kind("a.yaml", large), Some(Kind::OpenApi));
        assert_eq!(kind("a.yaml", "a: &x 3.0.3\nopenapi: *x\n"), Some(Kind::OpenApi));
        assert_eq!(kind("a.yaml", "a: { <<: 1 }\n"), None);
        assert!(open("a.yaml", "a: { <<: 1 }\n").is_ok());
        for start in ["openapi: 3.0.3", "'openapi': 3.0.3", "{ \"openapi\": 3.0.3 }", "swagger: '2.0'"] {
            let error = open("a.yaml", &format!("{start}\na: {{ <<: 1 }}\n")).map_err(|error| error.to_string());
            assert!(error.as_ref().is_err_and(|error| error.starts_with("cannot read the document: ")), "{error:?}");
        }
        assert_eq!(kind("a.json", r#"{"kind": "discovery#directoryList"}"#), None);
        assert_eq!(kind("a.json", r#"{"openapi": "#), None);
        assert_eq!(kind("a.json", "[1]"), None);
        assert!(open("a.json", "{").is_err() && open("a.yaml", "swagger: '2.0'").is_err());
    }
}
