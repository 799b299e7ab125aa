//! References to the same part of a document are equal, however their pointers are encoded.

use serde_json::{Value, json};

use super::{import_as, imported, lost, read};
use crate::Options;

/// Returns a document with one schema of each kind that is compared by its name; `to` writes the references.
fn document(to: &dyn Fn(&str) -> Value) -> Value {
    let text = |text: &Value| text["$ref"].clone();
    let json_body = |schema: Value| json!({ "content": { "application/json": { "schema": schema } } });
    let response = |schema: Value| json!({ "200": { "description": "It.", "content": { "application/json": { "schema": schema } } } });
    let form = json!({ "content": { "multipart/form-data": { "schema": to("Form") } } });
    let xml = json!({ "content": { "application/xml": { "schema": { "type": "array", "items": to("Base") } } } });
    json!({
        "paths": {
            "/a": { "get": { "operationId": "a", "responses": response(to("Tree")) }, "post": { "operationId": "post_a", "requestBody": form, "responses": response(to("Base")) } },
            "/b": { "get": { "operationId": "b", "responses": response(to("Either")) }, "post": { "operationId": "post_b", "requestBody": json_body(to("Nullable")), "responses": response(to("Alias")) } },
            "/c": { "post": { "operationId": "post_c", "requestBody": xml, "responses": response(to("Both")) } },
        },
        "components": { "schemas": {
            "Tree": { "type": "object", "properties": { "left": to("Tree"), "children": { "type": "array", "items": to("Tree") } } },
            "Base": { "type": "object", "required": ["kind"], "properties": { "kind": { "type": "string" } },
                "discriminator": { "propertyName": "kind", "mapping": { "one": text(&to("One")), "two": text(&to("Two")) } } },
            "One": { "allOf": [to("Base"), { "properties": { "x": to("Color") } }] },
            "Two": { "allOf": [to("Base"), { "properties": { "y": to("Limited") } }] },
            "Either": { "oneOf": [to("One"), to("Tree")] },
            "Alias": to("Tree"),
            "Color": { "type": "string", "enum": ["red", "blue"] },
            "Limited": { "type": "string", "maxLength": 3 },
            "Nullable": { "anyOf": [to("Tree"), { "type": "null" }] },
            "Both": { "type": "object", "properties": { "it": { "allOf": [to("Tree"), to("Tree")] } } },
            "Form": { "type": "object", "properties": { "file": { "type": "string", "format": "binary" }, "to": to("Color") } },
        } },
    })
}

#[test]
fn keywords_next_to_a_reference_apply_too() {
    let to = |name: &str, keys: Value| {
        let mut schema = json!({ "$ref": format!("#/components/schemas/{name}") });
        schema.as_object_mut().expect("an object").extend(keys.as_object().expect("keys").clone());
        schema
    };
    let import = imported(json!({ "components": { "schemas": {
        "X": { "type": "object", "properties": { "a": { "type": "string" } } },
        "Y": { "properties": { "a": { "type": "string" } } },
        "Colour": { "type": "string", "enum": ["red", "green"] },
        "Text": { "type": "string", "minLength": 3, "maxLength": 9 },
        "Note": { "type": "object", "properties": {
            "object": to("X", json!({ "type": ["object", "null"] })),
            "other": to("Y", json!({ "type": ["object", "null"], "description": "Another." })),
            "plain": to("X", json!({ "type": "object", "readOnly": true })),
            "colour": to("Colour", json!({ "type": ["string", "null"], "default": "red", "deprecated": true })),
            "longer": to("Text", json!({ "minLength": 5, "maxLength": 20 })),
            "shorter": to("Text", json!({ "minLength": 1, "maxLength": 7, "type": ["string", "null"] })),
        } },
    } } }));
    assert!(import.losses.is_empty(), "{:?}", import.losses);
    let found = read(&import);
    let names: Vec<&String> = found["resources"].as_object().expect("resources").keys().collect();
    assert_eq!(names, ["Note", "X", "Y"]);
    assert_eq!(
        found["resources"]["Note"]["fields"],
        json!({
            "object": { "type": "X", "nullable": true },
            "other": { "type": "Y", "nullable": true, "doc": "Another." },
            "plain": { "type": "X", "behavior": ["output_only"] },
            "colour": { "type": "Colour", "nullable": true, "default": "red", "deprecated": true },
            "longer": { "type": "string", "length": "5..=9" },
            "shorter": { "type": "string", "length": "3..=7", "nullable": true },
        })
    );
}

#[test]
fn encoded_references_are_the_same_references() {
    let plain = imported(document(&|name| json!({ "$ref": format!("#/components/schemas/{name}") })));
    let escaped = |name: &str| {
        let (first, rest) = name.split_at(1);
        let first: String = first.bytes().map(|byte| format!("%{byte:02x}")).collect();
        format!("{first}{rest}")
    };
    let encoded = imported(document(&|name| json!({ "$ref": format!("#/components/%73chemas/{}", escaped(name)) })));
    let every = std::cell::Cell::new(0);
    let mixed = imported(document(&|name| {
        every.set(every.get() + 1);
        let name = if every.get() % 2 == 0 { escaped(name) } else { name.to_owned() };
        json!({ "$ref": format!("#/components/schemas/{name}") })
    }));
    let whole = imported(document(&|name| json!({ "$ref": format!("#%2Fcomponents%2Fschemas%2F{name}") })));
    for other in [encoded, mixed, whole] {
        assert_eq!(other.files, plain.files);
        assert_eq!((lost(&other), &other.notes), (lost(&plain), &plain.notes));
    }
}

/// Names that pointers escape are compared like others.
#[test]
fn escaped_names_are_the_same_references() {
    let names = [("a~0b", "a~b"), ("a~1b", "a/b"), ("Page%C2%ABNote%C2%BB", "Page«Note»"), ("100%25", "100%")];
    for (pointer, name) in names {
        let to = json!({ "$ref": format!("#/components/schemas/{pointer}") });
        let import = imported(json!({ "components": { "schemas": {
            name: { "type": "object", "required": ["kind"], "properties": { "kind": { "type": "string" }, "next": to },
                "discriminator": { "propertyName": "kind", "mapping": { "x": "#/components/schemas/Sub" } } },
            "Sub": { "allOf": [to, { "properties": { "y": { "type": "string" } } }] },
            "Holder": { "type": "object", "properties": { "one": to, "many": { "type": "array", "items": to } } },
        } } }));
        let found = read(&import);
        assert_eq!(lost(&import), [], "{name}");
        assert_eq!(found["unions"].as_object().map(|all| all.len()), Some(1), "{name}: {:?}", import.files);
        let union = found["unions"].as_object().and_then(|all| all.keys().next()).cloned().unwrap_or_default();
        assert_eq!(found["unions"][&union]["variants"], json!({ "x": "Sub" }), "{name}");
        assert_eq!(found["resources"]["Holder"]["fields"]["one"]["type"], json!(union), "{name}");
        assert_eq!(found["resources"]["Holder"]["fields"]["many"]["type"], json!([union]), "{name}");
    }
}

#[test]
fn anchors_and_misplaced_references_are_losses() {
    let import = imported(json!({ "components": { "schemas": {
        "Note": { "type": "object", "properties": { "a": { "$ref": "#note" }, "b": { "$ref": 3 } } },
        "Other": { "type": "object", "properties": { "c": { "type": "string", "example": { "$ref": "#/none" } } } },
    } } }));
    let at = "/components/schemas/Note/properties";
    assert_eq!(
        lost(&import),
        [
            (&*format!("{at}/a"), "left out: `#note` is not a JSON pointer, and anchors are not supported"),
            (&*format!("{at}/b/$ref"), "left out: expected a string"),
        ]
    );
}

/// The target of a reference can be where OpenAPI has no references.
#[test]
fn references_in_extensions_are_followed() {
    let import = imported(json!({
        "x-schemas": { "Size": { "allOf": [{ "$ref": "#/x%2dschemas/Number" }] }, "Number": { "type": "integer", "maximum": 9 } },
        "components": { "schemas": {
            "Note": { "type": "object", "properties": { "size": { "$ref": "#/x-schemas/Size" } } },
        } },
    }));
    assert_eq!(lost(&import), []);
    assert_eq!(read(&import)["resources"]["Note"]["fields"]["size"], json!({ "type": "int64", "max": 9 }));
}

#[test]
fn keywords_next_to_a_reference_are_reported_in_version_3_0() {
    let reference = |more: Value| {
        let mut schema = json!({ "$ref": "#/components/schemas/Text" });
        schema.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        schema
    };
    let document = |version: &str| {
        let document = json!({
            "openapi": version,
            "info": { "title": "Notes", "version": "1" },
            "paths": {},
            "components": { "schemas": {
                "Text": { "type": "string" },
                "Note": { "type": "object", "properties": {
                    "a": reference(json!({ "description": "A.", "example": "a", "title": "A", "deprecated": true })),
                    "b": reference(json!({ "nullable": true, "maxLength": 5 })),
                    "c": reference(json!({ "type": "string", "nullable": false, "readOnly": false })),
                    "d": { "type": "array", "items": reference(json!({ "nullable": true })) },
                    "e": reference(json!({ "default": "x", "readOnly": true })),
                } },
            } },
        });
        let options = Options { keeps_unreferenced: true, ..Options::default() };
        let import = import_as(&document.to_string(), &options, None).expect("a document");
        let notes = import.notes.into_iter().filter(|note| note.what.contains("next to `$ref`"));
        notes.map(|note| (note.at, note.what)).collect::<Vec<_>>()
    };
    let note = |key: &str, at: &str, more: &str| {
        let what = format!("`{key}` next to `$ref` is read as in OpenAPI 3.1; in version 3.0 it is ignored{more}");
        (format!("/components/schemas/Note/properties/{at}"), what)
    };
    let expected = [
        note("maxLength", "b", ""),
        note("nullable", "b", " (and in 1 more place)"),
        note("default", "e", ""),
        note("readOnly", "e", ""),
    ];
    assert_eq!(document("3.0.3"), expected);
    assert_eq!(document("3.1.0"), []);
}
