//! Small documents, one for each part of the format.

#![allow(clippy::expect_used)] // a test that fails says so by panicking

mod alternatives;
mod bodies;
mod conditions;
mod constraints;
mod cookies;
mod defaults;
mod documents;
mod enums;
mod errors;
mod files;
mod formats;
mod forms;
mod guesses;
mod inheritance;
mod keys_of_maps;
mod keywords;
mod limits;
mod names;
mod nested_pages;
mod nullable_alternatives;
mod operations;
mod pages;
mod parameters;
mod patterns;
mod recursion;
mod recursive_values;
mod redirects;
mod references;
mod reports;
mod responses;
mod scalars;
mod schemas;
mod security;
mod servers;
mod severity;
mod silence;
mod unions;
mod unions_by_content;
mod unreferenced;
mod uploads;
mod validity;
mod xml;

use serde_json::{Value, json};
use wireform_codegen::{Severity, Source};

use super::{import, import_as};
use crate::{Import, Options};

/// Imports a document with these members in addition to its title, and checks that the schema reader accepts the
/// result.
fn imported(mut rest: Value) -> Import {
    rest["openapi"] = json!("3.1.0");
    rest["info"] = json!({ "title": "Notes", "version": "1.10" });
    read_back(&rest.to_string())
}

/// Imports a document, and checks that the schema reader accepts the written files.
fn read_back(text: &str) -> Import {
    // Most of these documents are about their schemas.
    let options = Options { keeps_unreferenced: true, ..Options::default() };
    let import = import_as(text, &options, None).expect("an OpenAPI document");
    read_all(&import);
    import
}

/// Checks that the schema reader accepts the written files.
fn read_all(import: &Import) {
    let sources: Vec<Source> = import.files.iter().map(|(path, text)| Source::new(path, text.as_str())).collect();
    if let Err(output) = wireform_codegen::load(&sources) {
        let reported: Vec<_> =
            output.diagnostics.iter().filter(|reported| reported.code.severity() == Severity::Error).collect();
        assert!(reported.is_empty(), "{reported:?}\n{:?}", import.files);
    }
}

fn schemas(schemas: Value) -> Import {
    imported(json!({ "components": { "schemas": schemas } }))
}

/// Imports a schema as the member `it` of the only resource, and returns its field with the losses.
fn member(schema: Value) -> (Value, Vec<String>) {
    let import = schemas(json!({ "Note": { "type": "object", "properties": { "it": schema } } }));
    let lost = import.losses.iter().map(|loss| loss.what.clone()).collect();
    (read(&import)["resources"]["Note"]["fields"]["it"].clone(), lost)
}

/// Returns the contents of all written files, merged by section.
fn read(import: &Import) -> Value {
    let mut whole = json!({});
    for text in import.files.values() {
        let file: Value = serde_yaml::from_str(text).expect("YAML");
        for (section, value) in file.as_object().expect("a mapping") {
            match (whole.get_mut(section).and_then(Value::as_object_mut), value.as_object()) {
                (Some(there), Some(more)) => there.extend(more.clone()),
                _ => drop(whole.as_object_mut().expect("an object").insert(section.clone(), value.clone())),
            }
        }
    }
    whole
}

fn lost(import: &Import) -> Vec<(&str, &str)> {
    import.losses.iter().map(|loss| (loss.at.as_str(), loss.what.as_str())).collect()
}

/// Imports the operation `GET /x` with these members, and returns it with the losses.
fn operation(members: Value) -> (Value, Vec<String>) {
    let import = imported(json!({ "paths": { "/x": { "get": members } } }));
    let operations = read(&import)["operations"].as_object().expect("operations").clone();
    let (_, operation) = operations.into_iter().next().expect("an operation");
    (operation, import.losses.iter().map(|loss| loss.what.clone()).collect())
}
