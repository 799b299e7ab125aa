//! Defaults of every type.

use serde_json::{Value, json};

use super::{lost, member, read};

#[test]
fn defaults_of_every_type_are_kept() {
    let list = |items: Value| json!({ "type": "array", "items": items });
    let map = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    for (mut schema, default) in [
        (json!({ "type": "string", "format": "date" }), json!("2026-02-28")),
        (json!({ "type": "string", "format": "date-time" }), json!("2026-02-28T09:30:00Z")),
        (json!({ "type": "string", "format": "time" }), json!("09:30:00")),
        (json!({ "type": "string", "format": "duration" }), json!("P1D")),
        (json!({ "type": "string", "format": "byte" }), json!("YQ==")),
        (list(json!({ "type": "string" })), json!([])),
        (list(json!({ "type": "string" })), json!(["a", "b"])),
        (list(json!({ "type": "integer" })), json!([1, 2])),
        (list(json!({ "enum": ["a", "b"] })), json!(["b"])),
        (list(json!({ "type": "string", "nullable": true })), json!([null, "a"])),
        (list(list(json!({ "type": "string", "format": "date" }))), json!([["2026-02-28"], []])),
        (map.clone(), json!({ "a": 1 })),
        (map, json!({})),
        (json!({ "type": "object" }), json!({ "a": [1, { "b": true }] })),
        (json!({ "type": "object", "properties": { "a": { "type": "string" } } }), json!({})),
        (json!({}), json!({ "a": [1] })),
    ] {
        schema["default"] = default.clone();
        let (field, lost) = member(schema.clone());
        assert_eq!((&field["default"], lost), (&default, Vec::new()), "{schema}");
    }
}

#[test]
fn invalid_defaults_are_losses() {
    let list = |items: Value| json!({ "type": "array", "items": items });
    for (mut schema, default) in [
        (json!({ "type": "string", "format": "date" }), json!("today")),
        (json!({ "type": "string", "format": "date-time" }), json!("2026-02-28")),
        (list(json!({ "type": "string" })), json!({})),
        (list(json!({ "type": "integer" })), json!(["a"])),
        (list(json!({ "type": "string", "maxLength": 1 })), json!(["ab"])),
        (json!({ "type": "array", "items": { "type": "string" }, "maxItems": 1 }), json!(["a", "b"])),
        (json!({ "type": "object", "additionalProperties": { "type": "integer" } }), json!({ "a": "b" })),
        (json!({ "type": "object", "properties": { "a": { "type": "string" } } }), json!({ "a": 1 })),
    ] {
        schema["default"] = default;
        let (field, lost) = member(schema.clone());
        assert_eq!((&field["default"], lost.len()), (&Value::Null, 1), "{schema}");
    }
}

#[test]
fn defaults_of_parameters_are_kept() {
    let import = super::imported(
        json!({ "paths": { "/x": { "get": { "operationId": "notes.list", "responses": {}, "parameters": [
        { "name": "since", "in": "query", "schema": { "type": "string", "format": "date", "default": "2026-02-28" } },
        { "name": "tags", "in": "query", "schema": { "type": "array", "items": { "type": "string" }, "default": ["a"] } },
    ] } } } }),
    );
    assert_eq!(lost(&import), []);
    let query = &read(&import)["operations"]["notes.list"]["query"];
    assert_eq!((&query["since"]["default"], &query["tags"]["default"]), (&json!("2026-02-28"), &json!(["a"])));
}
