//! Constraints on the keys of maps.

use serde_json::{Value, json};

use super::{imported, lost, member, read};

#[test]
fn constraints_of_keys_are_kept() {
    let number = json!({ "type": "integer" });
    for (schema, expected) in [
        (
            json!({ "patternProperties": { "^[a-z]+$": number }, "additionalProperties": false }),
            json!({ "type": { "string": "int64" }, "keys": { "pattern": "[a-z]+" } }),
        ),
        (
            json!({ "patternProperties": { "^[a-z]+$": number }, "additionalProperties": number }),
            json!({ "type": { "string": "int64" } }),
        ),
        (
            json!({ "additionalProperties": number, "propertyNames": { "pattern": "^a$", "maxLength": 9 } }),
            json!({ "type": { "string": "int64" }, "keys": { "pattern": "a", "length": "..=9" } }),
        ),
        (
            json!({ "propertyNames": { "enum": ["a.b", "c"] } }),
            json!({ "type": { "string": "any" }, "keys": { "pattern": r"a\.b|c" } }),
        ),
        (
            json!({ "additionalProperties": number, "propertyNames": { "type": "string", "minLength": 2 }, "minProperties": 1 }),
            json!({ "type": { "string": "int64" }, "items": "1..", "keys": { "length": "2.." } }),
        ),
        (
            json!({ "type": "array", "items": { "additionalProperties": number, "propertyNames": { "maxLength": 1 } } }),
            json!({ "type": [{ "string": "int64" }], "elements": { "keys": { "length": "..=1" } } }),
        ),
        (
            json!({ "propertyNames": { "pattern": "^a$" }, "additionalProperties": { "type": "object",
                "patternProperties": { "^b$": number }, "additionalProperties": false } }),
            json!({ "type": { "string": { "string": "int64" } }, "keys": { "pattern": "a" }, "elements": { "keys": { "pattern": "b" } } }),
        ),
        (json!({ "patternProperties": { "^x-": {} }, "type": "object" }), json!({ "type": { "string": "any" } })),
    ] {
        let (field, lost) = member(schema.clone());
        assert_eq!((field, lost), (expected, Vec::new()), "{schema}");
    }
}

#[test]
fn other_constraints_of_keys_are_losses() {
    let number = json!({ "type": "integer" });
    for (schema, ty) in [
        (json!({ "patternProperties": { "^[a-z]+$": number } }), json!({ "string": "int64" })),
        (
            json!({ "patternProperties": { "(a)\\1": number }, "additionalProperties": false }),
            json!({ "string": "int64" }),
        ),
        (json!({ "type": "object", "patternProperties": { "^a": number, "^b": number } }), json!("object")),
        (
            json!({ "patternProperties": { "^a": number }, "additionalProperties": { "type": "string" } }),
            json!({ "string": "string" }),
        ),
        (
            json!({ "additionalProperties": number, "propertyNames": { "format": "uuid" } }),
            json!({ "string": "int64" }),
        ),
        (
            json!({ "properties": { "a": number }, "additionalProperties": number, "propertyNames": { "maxLength": 1 } }),
            json!("NoteIt"),
        ),
    ] {
        let (field, lost) = member(schema.clone());
        assert_eq!((&field["type"], lost.len(), &field["keys"]), (&ty, 1, &Value::Null), "{schema}: {lost:?}");
    }
}

#[test]
fn constraints_of_keys_are_kept_in_parameters_bodies_and_other_members() {
    let map = json!({ "type": "object", "additionalProperties": { "type": "string" }, "propertyNames": { "pattern": "^[a-z]+$" } });
    let content = json!({ "content": { "application/json": { "schema": map } } });
    let import = imported(json!({
        "paths": { "/x": { "post": {
            "operationId": "notes.set",
            "parameters": [{ "name": "filter", "in": "query", "style": "deepObject", "schema": map }],
            "requestBody": content,
            "responses": { "200": { "description": "It.", "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Note" } } } } },
        } } },
        "components": { "schemas": { "Note": { "properties": { "a": { "type": "string" } }, "additionalProperties": map } } },
    }));
    assert_eq!(lost(&import), []);
    let (found, keys) = (read(&import), json!({ "pattern": "[a-z]+" }));
    let operation = &found["operations"]["notes.set"];
    assert_eq!((&operation["query"]["filter"]["keys"], &operation["body"]["keys"]), (&keys, &keys));
    assert_eq!(found["resources"]["Note"]["rest"]["keys"], keys);
}
