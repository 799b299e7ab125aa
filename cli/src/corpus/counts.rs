//! What is in a document, counted in its own JSON and not by the importer, so that the two can be held against each
//! other, and both against a manifest of counts that lies beside the documents.

use std::collections::BTreeMap;

use anyhow::Context as _;
use fs_err as fs;
use serde_json::Value;

use super::documents::{Kind, MANIFEST};
use crate::counted::counted;
use crate::options::CorpusOptions;

/// Counts by the names that manifests give them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts(pub [usize; NAMES.len()]);

/// What is counted. Documents of OpenAPI are counted by their schemas and methods alone.
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
    /// Schemas with a name.
    pub fn schemas(&self) -> usize {
        self.0[0]
    }

    /// Methods, which become operations.
    pub fn methods(&self) -> usize {
        self.0[1]
    }

    /// What an importer says that arrived.
    pub fn arrived(counts: wireform_importers::Counts) -> Self {
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

    /// `11 methods where the document has 12`, for each of the first counts that differs.
    pub fn difference(&self, arrived: &Self, kind: Kind) -> Option<String> {
        let known = if kind == Kind::Discovery { NAMES.len() } else { 2 };
        let words: Vec<String> = (0..known)
            .filter(|index| self.0[*index] != arrived.0[*index])
            .map(|index| {
                let arrived = counted(arrived.0[index], &NAMES[index].replace('_', " "));
                format!("{arrived} where the document has {}", self.0[index])
            })
            .collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    fn add(&mut self, name: &str, more: usize) {
        if let Some(index) = NAMES.iter().position(|known| *known == name) {
            self.0[index] += more;
        }
    }

    fn take(&mut self, other: &Self) {
        for (own, more) in self.0.iter_mut().zip(other.0) {
            *own += more;
        }
    }
}

/// The sum of the counts of several documents.
pub fn sum<'a>(counts: impl Iterator<Item = &'a Counts>) -> Counts {
    let mut all = Counts::default();
    counts.for_each(|one| all.take(one));
    all
}

/// Counts what is in a document.
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

/// A schema and those within it.
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

/// What a reference of a document to itself leads to; the value where it is none, or leads nowhere.
fn resolved<'v>(document: &'v Value, value: &'v Value) -> &'v Value {
    let to = |value: &'v Value| document.pointer(value.get("$ref")?.as_str()?.strip_prefix('#')?);
    // References can lead in a circle.
    std::iter::successors(Some(value), |value| to(value)).take(32).last().unwrap_or(value)
}

/// The operations of an OpenAPI document that we have written ourselves.
pub fn operations(document: &Value) -> usize {
    let mut counts = Counts::default();
    open_api(document, &mut counts);
    counts.methods()
}

fn entries<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    value.get(key).and_then(Value::as_object).into_iter().flat_map(|object| object.values())
}

/// Counts that others have made of the documents, by the names of the files.
pub struct Manifest(BTreeMap<String, Value>);

/// Reads the manifest that is named or found.
pub fn manifest(options: &CorpusOptions) -> anyhow::Result<Manifest> {
    let beside = [Some(options.dir.as_path()), options.dir.parent()];
    let found = || beside.into_iter().flatten().map(|dir| dir.join(MANIFEST)).find(|file| file.is_file());
    let Some(file) = options.manifest.clone().or_else(found) else { return Ok(Manifest(BTreeMap::new())) };
    let manifest: Value = serde_json::from_str(&fs::read_to_string(&file)?)
        .with_context(|| format!("`{}` is not JSON", file.display()))?;
    let rows = manifest["rows"].as_array().with_context(|| {
        format!("`{}` is no manifest of counts: it has no list `rows` with a `file` in each", file.display())
    })?;
    let named = |row: &Value| Some((row["file"].as_str()?.to_owned(), row.clone()));
    Ok(Manifest(rows.iter().filter_map(named).collect()))
}

impl Manifest {
    /// What the manifest says otherwise of a document.
    pub fn difference(&self, document: &str, counts: &Counts) -> Option<String> {
        let file = document.rsplit('/').next().unwrap_or(document);
        let row = self.0.get(file)?;
        let differs = |(index, name): (usize, &&str)| {
            let said = usize::try_from(row.get(name)?.as_u64()?).ok()?;
            (said != counts.0[index]).then(|| counted(said, &name.replace('_', " ")))
        };
        let said: Vec<String> = NAMES.iter().enumerate().filter_map(differs).collect();
        (!said.is_empty()).then(|| format!("the manifest says that it has {}", said.join(", ")))
    }
}
