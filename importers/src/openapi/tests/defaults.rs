//! Defaults of every type.

use serde_json::{Value, json};

use super::{lost, member, read, schemas};

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
        (json!({ "oneOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] }), json!(["a"])),
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
        (json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"] }), json!({})),
        (json!({ "oneOf": [{ "type": "string" }, { "type": "string", "format": "date" }] }), json!("ab")),
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

#[test]
fn losses_of_defaults_say_what_was_expected() {
    let import = schemas(json!({
        "Inner": { "type": "object", "required": ["a"], "properties": { "a": { "type": "integer", "maximum": 5 } } },
        "Note": { "type": "object", "properties": {
            "lacking": { "allOf": [{ "$ref": "#/components/schemas/Inner" }], "default": {} },
            "above": { "allOf": [{ "$ref": "#/components/schemas/Inner" }], "default": { "a": 6 } },
            "valid": { "allOf": [{ "$ref": "#/components/schemas/Inner" }], "default": { "a": 5 } },
        } },
    }));
    let found = lost(&import);
    let of = |name: &str| {
        let at = format!("/components/schemas/Note/properties/{name}/default");
        found.iter().find(|(place, _)| *place == at).map(|(_, what)| what.to_string())
    };
    assert_eq!(of("lacking").as_deref(), Some("left out: the default lacks the required field `a` of `Inner`"));
    assert_eq!(of("above").as_deref(), Some("left out: the default 6 is above `max: 5`"));
    assert_eq!(of("valid"), None);
    assert_eq!(read(&import)["resources"]["Note"]["fields"]["valid"]["default"], json!({ "a": 5 }));
}

#[test]
fn defaults_of_empty_lists_are_kept_where_lists_can_be_absent() {
    let import = super::imported(
        json!({ "paths": { "/x": { "get": { "operationId": "notes.list", "responses": {}, "parameters": [
        { "name": "tags", "in": "query", "schema": { "type": "array", "items": { "type": "string" }, "default": [] } },
    ] } } } }),
    );
    assert_eq!(lost(&import), []);
    assert_eq!(read(&import)["operations"]["notes.list"]["query"]["tags"].get("default"), None);
}

#[test]
fn defaults_of_definitions_apply_to_references_without_their_own() {
    let import = schemas(json!({
        "Inner": { "type": "object", "default": { "a": 1 }, "properties": { "a": { "type": "integer" } } },
        "Other": { "type": "object", "default": { "b": 1 }, "properties": { "b": { "type": "integer" } } },
        "Color": { "enum": ["red", "blue"], "default": "red" },
        "Word": { "type": "string", "default": "a" },
        "Either": { "oneOf": [{ "type": "string" }, { "type": "integer" }], "default": 5 },
        "Note": { "type": "object", "properties": {
            "inner": { "$ref": "#/components/schemas/Inner" },
            "other": { "$ref": "#/components/schemas/Other", "default": { "b": 2 } },
            "color": { "$ref": "#/components/schemas/Color", "default": "blue" },
            "word": { "$ref": "#/components/schemas/Word", "default": "b" },
            "either": { "$ref": "#/components/schemas/Either" },
        } },
    }));
    assert_eq!(lost(&import), []);
    let fields = &read(&import)["resources"]["Note"]["fields"];
    let defaults = ["inner", "other", "color", "word", "either"].map(|name| fields[name]["default"].clone());
    assert_eq!(defaults, [json!({ "a": 1 }), json!({ "b": 2 }), json!("blue"), json!("b"), json!(5)]);
}

#[test]
fn numbers_of_json_documents_are_exact() {
    let document = |schema: &str| {
        format!(
            r#"{{"openapi":"3.1.0","info":{{"title":"Notes","version":"1"}},"components":{{"schemas":{{"Note":{{"properties":{{"it":{schema}}}}}}}}}}}"#
        )
    };
    for (schema, key, expected) in [
        (r#"{"type":"number","default":0.12345678901234567891}"#, "default", Some("0.12345678901234567891")),
        (r#"{"type":"number","maximum":12345678901234567890.5}"#, "max", Some("12345678901234567890.5")),
        (r#"{"default":[12345678901234567890123]}"#, "default", None),
        (r#"{"default":[0.12345678901234567891]}"#, "default", None),
        (r#"{"default":[18446744073709551615]}"#, "default", Some("18446744073709551615")),
    ] {
        let import = super::read_back(&document(schema));
        let text: String = import.files.values().cloned().collect();
        match expected {
            Some(digits) => assert_eq!((text.contains(digits), lost(&import)), (true, Vec::new()), "{text}"),
            None => assert_eq!((text.contains(&format!("{key}:")), import.losses.len()), (false, 1), "{text}"),
        }
    }
    let import = super::read_back(&document(r#"{"enum":[0.12345678901234567891,1]}"#));
    let what = "the value `0.12345678901234567891` becomes `0.12345678901234568`: values of enums have the precision of a double";
    assert_eq!(lost(&import), [("/components/schemas/Note/properties/it/enum/0", what)]);
}
