//! Counts of the contents of a document, taken from its own JSON and not by the importer, so that the two can be
//! compared with each other, and both with a manifest of counts next to the documents.

use std::collections::BTreeMap;
use std::rc::Rc;

use anyhow::Context as _;
use fs_err as fs;
use percent_encoding::percent_decode_str;
use serde_json::Value;
use wireform_codegen::schema::yaml;
use wireform_importers::FileReader;

use super::documents::{self, Kind, MANIFEST};
use crate::options::CorpusOptions;
use crate::pluralize::pluralize;

/// Counts by their names in manifests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts(pub [usize; NAMES.len()]);

/// Names of the counts. OpenAPI documents have only the first two.
pub const NAMES: [&str; 9] = [
    "schemas",
    "methods",
    "properties",
    "enums",
    "enum_values",
    "parameters",
    "required_parameters",
    "repeated_parameters",
    "global_parameters",
];

impl Counts {
    /// Returns the number of named schemas.
    pub fn schemas(&self) -> usize {
        self.0[0]
    }

    /// Returns the number of methods, which become operations.
    pub fn methods(&self) -> usize {
        self.0[1]
    }

    /// Creates the counts that an importer reports.
    pub fn of_import(counts: wireform_importers::Counts) -> Self {
        Self([
            counts.schemas,
            counts.methods,
            counts.properties,
            counts.enums,
            counts.enum_values,
            counts.parameters,
            counts.required_parameters,
            counts.repeated_parameters,
            counts.global_parameters,
        ])
    }

    /// Describes the counts that differ, such as `11 methods imported, but the document has 12`.
    pub fn difference(&self, arrived: &Self, kind: Kind) -> Option<String> {
        let known = if kind == Kind::Discovery { NAMES.len() } else { 2 };
        let words: Vec<String> = (0..known)
            .filter(|index| self.0[*index] != arrived.0[*index])
            .map(|index| {
                let arrived = pluralize(arrived.0[index], &NAMES[index].replace('_', " "));
                format!("{arrived} imported, but the document has {}", self.0[index])
            })
            .collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    fn add(&mut self, name: &str, more: usize) {
        if let Some(index) = NAMES.iter().position(|known| *known == name) {
            self.0[index] += more;
        }
    }

    fn add_all(&mut self, other: &Self) {
        for (own, more) in self.0.iter_mut().zip(other.0) {
            *own += more;
        }
    }
}

/// Returns the sum of the counts of several documents.
pub fn sum<'a>(counts: impl Iterator<Item = &'a Counts>) -> Counts {
    let mut all = Counts::default();
    counts.for_each(|one| all.add_all(one));
    all
}

/// Counts the contents of a document, and of the files that it refers to.
pub fn count(document: Value, kind: Kind, reader: &dyn FileReader) -> Counts {
    let mut counts = Counts::default();
    match kind {
        Kind::Discovery => discovery(&document, &mut counts),
        Kind::OpenApi => open_api(&mut Files::new(document, Some(reader)), &mut counts),
    }
    counts
}

fn discovery(document: &Value, counts: &mut Counts) {
    for schema in entries(document, "schemas") {
        counts.add("schemas", 1);
        schemas(schema, counts);
    }
    for parameter in entries(document, "parameters") {
        counts.add("global_parameters", 1);
        schemas(parameter, counts);
    }
    let mut open = vec![document];
    while let Some(resource) = open.pop() {
        entries(resource, "methods").for_each(|one| method(one, counts));
        open.extend(entries(resource, "resources"));
    }
}

fn method(method: &Value, counts: &mut Counts) {
    counts.add("methods", 1);
    for parameter in entries(method, "parameters") {
        counts.add("parameters", 1);
        counts.add("required_parameters", usize::from(parameter["required"] == true));
        counts.add("repeated_parameters", usize::from(parameter["repeated"] == true));
        schemas(parameter, counts);
    }
    ["request", "response"].iter().filter_map(|key| method.get(key)).for_each(|inline| schemas(inline, counts));
}

/// Counts a schema and its nested schemas.
fn schemas(schema: &Value, counts: &mut Counts) {
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            counts.add("enums", 1);
            counts.add("enum_values", values.len());
        }
        counts.add("properties", entries(schema, "properties").count());
        open.extend(entries(schema, "properties"));
        open.extend(["items", "additionalProperties"].iter().filter_map(|key| schema.get(key)));
    }
}

fn open_api(files: &mut Files<'_>, counts: &mut Counts) {
    let verbs = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];
    let document = Rc::clone(&files.document);
    let of = |key: &str, files: &mut Files<'_>| files.resolved("", document.pointer(key).unwrap_or(&Value::Null));
    let (_, schemas) = of("/components/schemas", files);
    counts.add("schemas", schemas.as_object().map_or(0, serde_json::Map::len));
    let (file, paths) = of("/paths", files);
    for path in paths.as_object().into_iter().flat_map(|paths| paths.values()) {
        let (_, path) = files.resolved(&file, path);
        counts.add("methods", verbs.iter().filter(|verb| path.get(verb).is_some_and(Value::is_object)).count());
    }
}

/// Document, and the files that it refers to.
struct Files<'r> {
    document: Rc<Value>,
    reader: Option<&'r dyn FileReader>,
    /// Parsed files by path.
    parsed: BTreeMap<String, Rc<Value>>,
}

impl<'r> Files<'r> {
    fn new(document: Value, reader: Option<&'r dyn FileReader>) -> Self {
        Self { document: Rc::new(document), reader, parsed: BTreeMap::new() }
    }

    /// Resolves a reference in a file, whose path is empty for the document. Returns the file and the value: the value
    /// itself if it is not a reference or cannot be resolved.
    fn resolved(&mut self, file: &str, value: &Value) -> (String, Value) {
        let mut found = (file.to_owned(), value.clone());
        // References can be cyclic.
        for _ in 0..32 {
            let Some(next) = found.1.get("$ref").and_then(Value::as_str).and_then(|to| self.target(&found.0, to))
            else {
                break;
            };
            found = next;
        }
        found
    }

    /// Returns the file and the value of a reference in a file.
    fn target(&mut self, file: &str, reference: &str) -> Option<(String, Value)> {
        let (path, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let file = if path.is_empty() { file.to_owned() } else { self.open(&format!("{folder}/{path}"))? };
        let document = if file.is_empty() { Some(&self.document) } else { self.parsed.get(&file) };
        let pointer = percent_decode_str(fragment).decode_utf8().ok()?;
        Some((file, document?.pointer(&pointer)?.clone()))
    }

    /// Returns the own path of a file, which is parsed once.
    fn open(&mut self, path: &str) -> Option<String> {
        let file = self.reader?.read(path.trim_start_matches('/'), yaml::MAX_BYTES).ok()?;
        if self.reader.is_some_and(|reader| reader.document() == file.path) {
            return Some(String::new());
        }
        if !self.parsed.contains_key(&file.path) {
            let (value, _) = documents::open(&file.path, &file.text).ok()?;
            self.parsed.insert(file.path.clone(), Rc::new(value));
        }
        Some(file.path)
    }
}

/// Returns the number of operations of a generated OpenAPI document.
pub fn operations(document: Value) -> usize {
    let mut counts = Counts::default();
    open_api(&mut Files::new(document, None), &mut counts);
    counts.methods()
}

fn entries<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    value.get(key).and_then(Value::as_object).into_iter().flat_map(|object| object.values())
}

/// Expected counts of the documents by file name.
pub struct Manifest(BTreeMap<String, Value>);

/// Reads the manifest given in the options, or the one found near the documents.
pub fn manifest(options: &CorpusOptions) -> anyhow::Result<Manifest> {
    let folders = [Some(options.dir.as_path()), options.dir.parent()];
    let found = || folders.into_iter().flatten().map(|dir| dir.join(MANIFEST)).find(|file| file.is_file());
    let Some(file) = options.manifest.clone().or_else(found) else { return Ok(Manifest(BTreeMap::new())) };
    let manifest: Value = serde_json::from_str(&fs::read_to_string(&file)?)
        .with_context(|| format!("invalid JSON in `{}`", file.display()))?;
    let rows = manifest["rows"].as_array().with_context(|| {
        format!("invalid manifest `{}`: expected a list `rows`, each with `file` and counts", file.display())
    })?;
    let named = |row: &Value| Some((row["file"].as_str()?.to_owned(), row.clone()));
    Ok(Manifest(rows.iter().filter_map(named).collect()))
}

impl Manifest {
    /// Describes the difference between the manifest and the counts of a document.
    pub fn difference(&self, document: &str, counts: &Counts) -> Option<String> {
        let file = document.rsplit('/').next().unwrap_or(document);
        let row = self.0.get(file)?;
        let differs = |(index, name): (usize, &&str)| {
            let expected = usize::try_from(row.get(name)?.as_u64()?).ok()?;
            (expected != counts.0[index]).then(|| pluralize(expected, &name.replace('_', " ")))
        };
        let expected: Vec<String> = NAMES.iter().enumerate().filter_map(differs).collect();
        (!expected.is_empty()).then(|| format!("the manifest expects {}", expected.join(", ")))
    }
}
