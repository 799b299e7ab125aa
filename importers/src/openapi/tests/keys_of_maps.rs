//! Constraints on the keys of maps.

use serde_json::{Value, json};

use super::member;

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
            json!({ "type": "array", "items": { "additionalProperties": number, "propertyNames": { "maxLength": 1 } } }),
            json!([{ "string": "int64" }]),
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
