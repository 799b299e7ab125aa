//! Small documents, one for each part of the format.

#![allow(clippy::expect_used)] // a test that fails says so by panicking

mod bodies;
mod detection;
mod fuzz;
mod kinds;
mod methods;
mod paths;
mod profile;
mod recursive_values;
mod validity;

use serde_json::{Value, json};
use wireform_codegen::{Severity, Source};

use super::import;
use crate::{Import, ImportError};

/// Imports a document with these members in addition to its name, and checks that the schema reader accepts the result.
fn imported(mut rest: Value) -> Import {
    rest["kind"] = json!("discovery#restDescription");
    rest["name"] = json!("notes");
    rest["version"] = json!("v1");
    let import = import(&rest.to_string()).expect("a Discovery document");
    let sources: Vec<Source> = import.files.iter().map(|(path, text)| Source::new(path, text.as_str())).collect();
    if let Err(output) = wireform_codegen::load(&sources) {
        let errors: Vec<_> = output.diagnostics.iter().filter(|one| one.code.severity() == Severity::Error).collect();
        assert!(errors.is_empty(), "{errors:?}\n{:?}", import.files);
    }
    import
}

fn schemas(schemas: Value) -> Import {
    imported(json!({ "schemas": schemas }))
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

/// Checks the fields that schemas become, without losses.
fn assert_fields(table: &[(Value, Value)]) {
    for (written, expected) in table {
        let import = schemas(json!({"Note": {"type": "object", "properties": {"it": written}}}));
        assert_eq!(read(&import)["resources"]["Note"]["fields"]["it"], *expected);
        assert_eq!(lost(&import), []);
    }
}

#[test]
fn scalars_have_types() {
    assert_fields(&[
        (json!({"type": "string"}), json!({"type": "string"})),
        (json!({"type": "boolean", "default": "true"}), json!({"type": "bool", "default": true})),
        (
            json!({"type": "integer", "format": "int32", "minimum": "-1", "maximum": "9"}),
            json!({"type": "int32", "min": -1, "max": 9}),
        ),
        (json!({"type": "integer", "format": "uint32"}), json!({"type": "uint32"})),
        (json!({"type": "string", "format": "int64"}), json!({"type": "int64", "encoding": "decimal_string"})),
        (
            json!({"type": "string", "format": "uint64", "default": "18446744073709551615"}),
            json!({"type": "uint64", "encoding": "decimal_string", "default": u64::MAX}),
        ),
        (json!({"type": "number", "format": "float"}), json!({"type": "float"})),
        (json!({"type": "number", "format": "double"}), json!({"type": "double"})),
        (json!({"type": "string", "format": "byte"}), json!({"type": "bytes"})),
        (json!({"type": "string", "format": "google-datetime"}), json!({"type": "datetime"})),
        (json!({"type": "string", "format": "google-duration"}), json!({"type": "duration"})),
        (json!({"type": "string", "format": "google-fieldmask"}), json!({"type": "string", "format": "field_mask"})),
        (json!({"type": "any"}), json!({"type": "any"})),
        (json!({"type": "any", "format": "google.protobuf.Value"}), json!({"type": "any"})),
        (json!({"type": "object"}), json!({"type": "object"})),
        (json!({"type": "object", "additionalProperties": {"type": "string"}}), json!({"type": {"string": "string"}})),
        (
            json!({"type": "array", "items": {"type": "array", "items": {"type": "string", "format": "int64"}}}),
            json!({"type": [["int64"]], "encoding": "decimal_string"}),
        ),
        (json!({"$ref": "Note", "readOnly": true}), json!({"type": "Note", "behavior": ["output_only"]})),
        (
            json!({"type": "string", "description": " A\n b. ", "deprecated": true}),
            json!({"type": "string", "doc": "A b.", "deprecated": true}),
        ),
    ]);
}

#[test]
fn patterns_are_unanchored_or_redundant() {
    assert_fields(&[
        (json!({"type": "string", "pattern": "^a+$"}), json!({"type": "string", "pattern": "a+"})),
        // A pattern matches the whole text, with or without anchors.
        (
            json!({"type": "string", "pattern": "[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?|^1$"}),
            json!({"type": "string", "pattern": "[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?|^1$"}),
        ),
        // For a number it implies the minimum, or nothing.
        (json!({"type": "integer", "format": "int32", "pattern": "^[0-9]+$"}), json!({"type": "int32", "min": 0})),
        (
            json!({"type": "string", "format": "uint64", "pattern": "^[0-9]+$"}),
            json!({"type": "uint64", "encoding": "decimal_string"}),
        ),
        (
            json!({"type": "string", "format": "int64", "pattern": "^[^/]+$"}),
            json!({"type": "int64", "encoding": "decimal_string"}),
        ),
    ]);
}

#[test]
fn unsupported_parts_are_losses_with_locations() {
    let table = [
        (json!({"type": "string", "format": "roman-numeral"}), "string"),
        (json!({"type": "integer", "format": "int32", "pattern": "[1-5]"}), "int32"),
        (json!({"$ref": "Nothing"}), "any"),
        (json!({"type": "null"}), "any"),
        (json!({"type": "array"}), "any"),
        (json!({"type": "string", "pattern": "(a)\\1"}), "string"),
        (json!({"type": "string", "const": "a"}), "string"),
        (json!({"type": "string", "enum": []}), "string"),
        (json!({"type": "integer", "format": "int32", "default": "x"}), "int32"),
        (json!({"type": "integer", "format": "int32", "minimum": "2", "maximum": "1"}), "int32"),
        (json!({"type": "string", "annotations": {"required": ["notes.none"]}}), "string"),
        (json!({"type": "string", "readOnly": "yes"}), "string"),
    ];
    for (written, ty) in table {
        let import = schemas(json!({"Note": {"type": "object", "properties": {"a/b~": written.clone()}}}));
        let found = read(&import)["resources"]["Note"]["fields"]["a/b~"]["type"].clone();
        assert!(found == ty || found == json!([ty]), "{written}: {found}");
        assert_eq!(import.losses.len(), 1, "{written}: {:?}", import.losses);
        assert!(import.losses[0].at.starts_with("/schemas/Note/properties/a~1b~0"), "{:?}", import.losses);
    }
}

#[test]
fn additional_members_are_typed() {
    let of = |more: Value| json!({"type": "object", "properties": {"rest": {"type": "string"}}, "additionalProperties": more});
    let import = schemas(json!({
        "Counts": of(json!({"type": "string", "format": "int64", "description": "By colour."})),
        "Notes": of(json!({"type": "object", "properties": {"text": {"type": "string"}}})),
        "Open": of(json!({"type": "any", "description": "Properties of the object."})),
    }));
    let resources = &read(&import)["resources"];
    let digits = json!({"type": "int64", "doc": "By colour.", "name": "rest_2", "encoding": "decimal_string"});
    assert_eq!(resources["Counts"]["rest"], digits);
    assert_eq!(resources["Notes"]["rest"], json!({"type": "NotesRest", "name": "rest_2"}));
    assert_eq!(resources["Open"]["unknown_members"], "preserve");
    assert_eq!(lost(&import), []);
}

#[test]
fn values_with_equal_names_are_renamed() {
    let values = json!(["ON", "on", "UNKNOWN", "", "größe", "ON"]);
    let state =
        json!({"type": "string", "enum": values, "enumDescriptions": ["Is on."], "enumDeprecated": [false, true]});
    let import = schemas(json!({"Note": {"type": "object", "properties": {"state": state}}}));
    let values = read(&import)["enums"]["NoteState"]["values"].clone();
    assert_eq!(values["ON"], "Is on.");
    assert_eq!(values["on"], json!({"name": "On_2", "deprecated": true}));
    assert_eq!(values["UNKNOWN"], json!({"name": "Unknown_2"}));
    assert_eq!(values[""], json!({"name": "value"}));
    assert_eq!(lost(&import), [("/schemas/Note/properties/state/enum/5", "the value is left out: duplicate value")]);
    assert_eq!((import.counts.enums, import.counts.enum_values), (1, 5));
}

#[test]
fn nested_objects_and_invalid_names_get_unique_names() {
    let inner = json!({"type": "object", "properties": {"self": {"$ref": "Note"}, "it's \"}": {"type": "string"}}});
    let import = schemas(json!({
        "Note": {"type": "object", "properties": {"part": inner, "parts": {"type": "array", "items": inner}, "Part": {"type": "string"}}},
        "NotePart": {"type": "object", "properties": {}},
        "any": {"type": "object", "properties": {}},
        "../../x": {"type": "object", "properties": {"of": {"$ref": "any"}}},
        "List": {"type": "array", "items": {"$ref": "List"}},
    }));
    let whole = read(&import);
    let names: Vec<&String> = whole["resources"].as_object().expect("resources").keys().collect();
    assert_eq!(names, ["../../x", "Any", "Note", "NotePart", "NotePart_2", "NotePartsItem"]);
    assert_eq!(whole["resources"]["Note"]["fields"]["part"]["type"], "NotePart_2");
    assert_eq!(whole["resources"]["../../x"]["fields"]["of"]["type"], "Any");
    for path in import.files.keys() {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
        assert!(path.chars().all(plain) && path.ends_with(".yaml") && !path.contains(".."), "{path}");
    }
}

#[test]
fn urls_are_server_urls() {
    let endpoint =
        |url: &str, location: &str, doc: &str| json!({"endpointUrl": url, "location": location, "description": doc});
    let import = imported(json!({
        "rootUrl": "https://example.com/", "mtlsRootUrl": "https://mtls.example.com/", "batchPath": "batch/notes",
        "endpoints": [
            endpoint("https://e1.example.com/", "east1", "Regional Endpoint"),
            endpoint("https://l.e1.example.com/", "east1", "Locational Endpoint"),
            endpoint("ftp://x", "west", "Other"),
            endpoint("https://w.example.com/", "West 2", ""),
            {"location": "eu", "description": "Nowhere"},
        ],
        "schemas": {},
    }));
    let whole = read(&import);
    assert_eq!((&whole["mtls_root"], &whole["batch"]), (&json!("https://mtls.example.com"), &json!("/batch/notes")));
    let expected = json!({
        "east1": {"url": "https://e1.example.com", "doc": "Regional Endpoint"},
        "east1-locational": {"url": "https://l.e1.example.com", "doc": "Locational Endpoint", "location": "east1"},
        "west-2": {"url": "https://w.example.com", "location": "West 2"},
    });
    assert_eq!(whole["endpoints"], expected);
    let expected = [
        ("/endpoints/2", "`endpointUrl` is left out: `ftp://x` is not a valid server URL"),
        ("/endpoints/4", "left out: missing `endpointUrl`"),
    ];
    assert_eq!(lost(&import), expected);
}

#[test]
fn invalid_document_is_an_error_with_location() {
    assert!(matches!(import("{\n  \"a\": ,"), Err(ImportError::Json { line: 2, column: 8, .. })));
    let twice = import("{\n  \"name\": \"a\",\n  \"name\": \"b\"}").expect_err("one of them would be lost");
    assert!(
        matches!(&twice, ImportError::Json { line: 3, problem, .. } if problem.contains("duplicate key `name`")),
        "{twice:?}"
    );
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for text in [
        "",
        "[]",
        "{}",
        "null",
        "\u{feff}{",
        &deep,
        r#"{"kind": "other", "name": "a"}"#,
        r#"{"schemas": {}}"#,
        r#"{"schemas": {}, "name": "../x"}"#.replace("../x", "///").as_str(),
        r#"{"schemas": {}, "name": "a", "servicePath": "../b"}"#,
    ] {
        let error = import(text).expect_err("no document").to_string();
        assert!(error.starts_with("line ") || error.starts_with('`'), "{error}");
    }
    // Each member of the wrong kind is a loss.
    let import = imported(json!({"schemas": 1, "resources": [], "auth": "x", "parameters": {"a": 3}}));
    assert!(import.losses.len() >= 3, "{:?}", import.losses);
}

#[test]
fn truncated_document_is_an_error() {
    let text =
        json!({"name": "a", "schemas": {"A": {"properties": {"é": {"type": "string", "enum": ["x"]}}}}}).to_string();
    assert!(import(&text).is_ok());
    for (end, _) in text.char_indices() {
        assert!(import(&text[..end]).is_err());
    }
}

#[test]
fn recursive_list_of_objects_is_a_type() {
    let import = schemas(json!({
        "Tree": { "type": "array", "items": { "type": "object", "properties": { "children": { "$ref": "Tree" } } } },
        "Forest": { "type": "object", "properties": { "trees": { "$ref": "Tree" } } },
    }));
    assert_eq!(lost(&import), []);
    let types = &read(&import)["resources"];
    assert_eq!(types["TreeItem"]["fields"]["children"]["type"], json!(["TreeItem"]), "{types}");
    assert_eq!(types["Forest"]["fields"]["trees"]["type"], json!(["TreeItem"]), "{types}");
}
