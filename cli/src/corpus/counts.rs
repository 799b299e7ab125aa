//! Counts of the contents of a document, taken from its own JSON and not by the importer, so that the two can be
//! compared with each other, and both with a manifest of counts next to the documents.

use std::collections::BTreeMap;

use anyhow::Context as _;
use fs_err as fs;
use serde_json::Value;

use super::documents::{Kind, MANIFEST};
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

/// Counts the contents of a document.
pub fn count(document: &Value, kind: Kind) -> Counts {
    let mut counts = Counts::default();
    match kind {
        Kind::Discovery => discovery(document, &mut counts),
        Kind::OpenApi => open_api(document, &mut counts),
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

fn open_api(document: &Value, counts: &mut Counts) {
    let verbs = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];
    let components = document.get("components").unwrap_or(&Value::Null);
    counts.add("schemas", entries(components, "schemas").count());
    for path in entries(document, "paths").map(|path| resolved(document, path)) {
        counts.add("methods", verbs.iter().filter(|verb| path.get(verb).is_some_and(Value::is_object)).count());
    }
}

/// Resolves a reference within the document; returns the value itself if it is not a reference or cannot be resolved.
fn resolved<'v>(document: &'v Value, value: &'v Value) -> &'v Value {
    let to = |value: &'v Value| document.pointer(value.get("$ref")?.as_str()?.strip_prefix('#')?);
    // References can be cyclic.
    std::iter::successors(Some(value), |value| to(value)).take(32).last().unwrap_or(value)
}

/// Returns the number of operations of a generated OpenAPI document.
pub fn operations(document: &Value) -> usize {
    let mut counts = Counts::default();
    open_api(document, &mut counts);
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
