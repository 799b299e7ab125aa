//! The OpenAPI documents: they are valid and complete, and their schemas accept and reject the same values as the
//! generated validation.

mod agreement;
mod inventory;
mod judge;
mod valid;

use boon::{Compiler, Schemas};
use serde_json::Value;
use wireform_codegen::model::Api;
use wireform_codegen::{Options, generate, load};
use wireform_tests::{folders, root, sources};

/// Document with the model that it was generated from.
struct Document {
    name: String,
    api: Api,
    json: Value,
}

/// Returns the documents of all schemas in a folder.
fn documents(of: &str) -> Vec<Document> {
    let read = |dir: &std::path::PathBuf| {
        let sources = sources(dir);
        let api = load(&sources).expect("the schema has no errors");
        let files = generate(&sources, &Options::default()).files.expect("the schema has no errors");
        let text = files.get(&format!("{}-server/openapi.json", api.name))?;
        let mut json = serde_json::from_str(text).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
        remove_look_around(&mut json);
        Some(Document { name: dir.display().to_string(), api, json })
    };
    folders(&root().join(of)).iter().filter_map(read).collect()
}

/// Removes patterns with look-around, which the engine of this compiler does not have: the importers' tests read these
/// patterns back.
fn remove_look_around(value: &mut Value) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(remove_look_around),
        Value::Object(members) => {
            members.retain(|key, value| {
                let pattern = value.as_str().filter(|_| key == "pattern");
                !pattern.is_some_and(|pattern| pattern.contains("(?=") || pattern.contains("(?!"))
            });
            members.values_mut().for_each(remove_look_around);
        }
        _ => {}
    }
}

/// Returns all documents.
fn all() -> Vec<Document> {
    ["schemas", "tests/cases"].into_iter().flat_map(documents).collect()
}

impl Document {
    /// Creates a compiler with the document and the formats of the generated validation.
    fn compiler(&self) -> Compiler {
        let mut compiler = Compiler::new();
        compiler.enable_format_assertions();
        judge::formats().into_iter().for_each(|format| compiler.register_format(format));
        compiler.add_resource("openapi.json", self.json.clone()).expect("a resource");
        compiler
    }

    /// Compiles the schema at a pointer.
    fn assert_compiles(&self, schemas: &mut Schemas, pointer: &str) -> boon::SchemaIndex {
        let address = format!("openapi.json#{pointer}");
        let compiled = self.compiler().compile(&address, schemas);
        compiled.unwrap_or_else(|error| panic!("{} {pointer}: {error:#}", self.name))
    }

    /// Returns the target of a `$ref`, or the object itself.
    fn resolved<'d>(&'d self, value: &'d Value) -> &'d Value {
        match value["$ref"].as_str().and_then(|target| target.strip_prefix('#')) {
            Some(pointer) => {
                self.json.pointer(pointer).unwrap_or_else(|| panic!("{}: {pointer} does not exist", self.name))
            }
            None => value,
        }
    }

    /// Returns all operations with path and method.
    fn operations(&self) -> Vec<(&str, &str, &Value)> {
        let paths = self.json["paths"].as_object().expect("paths");
        paths
            .iter()
            .flat_map(|(path, item)| {
                let item = item.as_object().expect("an item");
                item.iter().map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
            })
            .collect()
    }
}

/// Escapes a name for a JSON pointer (RFC 6901) in a fragment.
fn escaped(name: &str) -> String {
    let pointer = name.replace('~', "~0").replace('/', "~1");
    pointer.replace('%', "%25").replace('{', "%7B").replace('}', "%7D").replace('#', "%23")
}
