//! Types of single values and simple collections.

use serde_json::{Value, json};

use super::{imported, lost, member, read, schemas};

/// Checks the fields that schemas become, without losses.
fn assert_fields(table: &[(Value, Value)]) {
    for (schema, expected) in table {
        let (found, lost) = member(schema.clone());
        assert_eq!(found, *expected, "{schema}");
        assert_eq!(lost, [""; 0], "{schema}");
    }
}

#[test]
fn numbers_and_booleans_have_types() {
    assert_fields(&[
        (json!({"type": "boolean", "default": true}), json!({"type": "bool", "default": true})),
        (
            json!({"type": "integer", "format": "int32", "minimum": -1, "maximum": 9}),
            json!({"type": "int32", "min": -1, "max": 9}),
        ),
        (json!({"type": "integer", "format": "int32", "minimum": -2_147_483_648_i64}), json!({"type": "int32"})),
        (json!({"type": "integer"}), json!({"type": "int64"})),
        (json!({"type": "integer", "minimum": 0, "maximum": u64::MAX}), json!({"type": "uint64"})),
        (json!({"type": "integer", "format": "uint8", "minimum": 0}), json!({"type": "uint32", "max": 255})),
        (json!({"type": "integer", "exclusiveMinimum": 0}), json!({"type": "int64", "min": 1})),
        (json!({"type": "integer", "minimum": 0, "exclusiveMinimum": true}), json!({"type": "int64", "min": 1})),
        (json!({"type": "integer", "default": 1e3}), json!({"type": "int64", "default": 1000})),
        (json!({"type": "integer", "default": 2.0, "maximum": 9}), json!({"type": "int64", "max": 9, "default": 2})),
        (json!({"type": "number", "exclusiveMinimum": 0}), json!({"type": "number", "min": {"exclusive": 0}})),
        (
            json!({"type": "number", "maximum": 0.5, "exclusiveMaximum": true}),
            json!({"type": "number", "max": {"exclusive": 0.5}}),
        ),
        (
            json!({"type": "number", "minimum": 1, "allOf": [{"exclusiveMinimum": 1}, {"exclusiveMinimum": 0}]}),
            json!({"type": "number", "min": {"exclusive": 1}}),
        ),
        (
            json!({"type": "array", "items": {"type": "number", "exclusiveMinimum": 0.5}}),
            json!({"type": ["number"], "min": {"exclusive": 0.5}}),
        ),
        (json!({"type": "number", "multipleOf": 0.5}), json!({"type": "number", "multiple_of": 0.5})),
        (json!({"type": "number", "format": "float", "maximum": 1}), json!({"type": "double", "max": 1})),
        (json!({"const": 3}), json!({"type": "int64", "const": 3})),
        (json!({"enum": [3.5]}), json!({"type": "number", "const": 3.5})),
        (json!({"type": "integer", "nullable": true}), json!({"type": "int64", "nullable": true})),
    ]);
}

#[test]
fn strings_have_types() {
    assert_fields(&[
        (json!({"type": "string"}), json!({"type": "string"})),
        (
            json!({"type": "string", "minLength": 1, "maxLength": 8, "default": "a"}),
            json!({"type": "string", "length": "1..=8", "default": "a"}),
        ),
        (json!({"type": "string", "pattern": "^[a-z]+$"}), json!({"type": "string", "pattern": "[a-z]+"})),
        (
            json!({"type": "string", "pattern": "^a|b$"}),
            json!({"type": "string", "pattern": "(?s:.*)(?:^a|b$)(?s:.*)"}),
        ),
        (json!({"type": "string", "pattern": "^a\\/b"}), json!({"type": "string", "pattern": "(?:a/b)(?s:.*)"})),
        (json!({"type": "string", "format": "date"}), json!({"type": "date"})),
        (json!({"type": "string", "format": "date-time"}), json!({"type": "datetime"})),
        (json!({"type": "string", "format": "uuid"}), json!({"type": "string", "format": "uuid"})),
        (json!({"type": "string", "format": "byte"}), json!({"type": "bytes", "encoding": "base64"})),
        (json!({"type": "string", "example": 12}), json!({"type": "string", "example": "12"})),
        (json!({"type": "string", "format": "date", "example": "2024-13-01"}), json!({"type": "date"})),
        (json!({"type": "string", "enum": ["only"]}), json!({"type": "string", "const": "only"})),
        (json!({"type": "string", "readOnly": true}), json!({"type": "string", "behavior": ["output_only"]})),
        (json!({"type": "string", "writeOnly": true}), json!({"type": "string", "behavior": ["input_only"]})),
        (json!({"type": ["string", "null"]}), json!({"type": "string", "nullable": true})),
        (
            json!({"type": "string", "anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]}),
            json!({"type": "string", "format": "ip"}),
        ),
    ]);
}

#[test]
fn collections_have_types() {
    assert_fields(&[
        (json!({"type": "object"}), json!({"type": "object"})),
        (json!({"type": "array", "items": {"type": ["string", "null"]}}), json!({"type": ["string?"]})),
        (
            json!({"type": "array", "items": {}, "anyOf": [{"maxItems": 0}, {"minItems": 2}]}),
            json!({"type": ["any"], "items": "2.."}),
        ),
        (json!({}), json!({"type": "any", "nullable": true})),
        (
            json!({"type": "array", "items": {"type": "string", "maxLength": 3}, "maxItems": 2, "uniqueItems": true}),
            json!({"type": ["string"], "length": "..=3", "items": "..=2", "unique": true}),
        ),
        (
            json!({"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 2}),
            json!({"type": {"string": "int64"}, "items": "..=2"}),
        ),
    ]);
}

#[test]
fn elements_that_are_collections_have_their_own_counts() {
    let texts = |least: u64| json!({"type": "array", "items": {"type": "string"}, "minItems": least});
    let numbers = json!({"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 4});
    assert_fields(&[
        (
            json!({"type": "array", "items": texts(1), "maxItems": 9}),
            json!({"type": [["string"]], "items": "..=9", "elements": {"items": "1.."}}),
        ),
        (
            json!({"type": "object", "additionalProperties": {"allOf": [texts(2), {"uniqueItems": true}]}}),
            json!({"type": {"string": ["string"]}, "elements": {"items": "2..", "unique": true}}),
        ),
        (
            json!({"type": "array", "items": numbers}),
            json!({"type": [{"string": "int64"}], "elements": {"items": "..=4"}}),
        ),
        (
            json!({"type": "array", "items": {"type": "array", "items": texts(3)}}),
            json!({"type": [[["string"]]], "elements": {"elements": {"items": "3.."}}}),
        ),
    ]);
}

#[test]
fn further_members_that_are_collections_have_counts() {
    let texts = json!({"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": true});
    let lists = json!({"type": "array", "items": texts, "maxItems": 3});
    let import = imported(json!({
        "paths": {"/a": {"get": {"responses": {"200": {"description": "It.", "content": {"application/json": {
            "schema": {"$ref": "#/components/schemas/A"},
        }}}}}}},
        "components": {"schemas": {"A": {
            "type": "object", "properties": {"n": {"type": "string"}}, "additionalProperties": lists,
        }}},
    }));
    let expected = json!({"type": [["string"]], "items": "..=3", "elements": {"items": "1..", "unique": true}});
    assert_eq!(read(&import)["resources"]["A"]["rest"], expected);
    assert_eq!(lost(&import), []);
}

#[test]
fn impossible_schemas_are_reported() {
    let table = [
        (json!({"type": "array", "items": {}, "minItems": 3, "maxItems": 2}), json!({"type": ["any"]})),
        (
            json!({"type": "object", "additionalProperties": true, "minProperties": 3, "maxProperties": 2}),
            json!({"type": "object"}),
        ),
        (json!({"type": "integer", "exclusiveMinimum": 5, "maximum": 5}), json!({"type": "int64"})),
        (json!({"type": "number", "minimum": 5, "exclusiveMaximum": 5}), json!({"type": "number"})),
        (json!({"type": "integer", "format": "int32", "const": 5_000_000_000_u64}), json!({"type": "int32"})),
        (json!({"type": "integer", "const": 0.5}), json!({"type": "int64"})),
        (json!({"type": "integer", "oneOf": [{"minimum": 5}, {"maximum": 2}]}), json!({"type": "int64"})),
        (json!({"type": "string", "minLength": 5, "maxLength": 4}), json!({"type": "string", "length": "..=4"})),
    ];
    for (schema, expected) in table {
        let (found, lost) = member(schema.clone());
        assert_eq!(found, expected, "{schema}");
        let places = ["oneOf", "minProperties"].iter().any(|key| schema.get(key).is_some());
        assert_eq!(lost.len(), if places { 2 } else { 1 }, "{schema}: {lost:?}");
    }
}

#[test]
fn null_is_a_value_of_any_type_and_a_constant() {
    let any = json!({"type": "any", "nullable": true});
    let null = json!({"type": "any", "nullable": true, "const": null});
    assert_fields(&[
        (json!({}), any.clone()),
        (json!(true), any.clone()),
        (json!({"nullable": true}), any.clone()),
        (json!({"allOf": [{}, true]}), any),
        (json!({"const": null}), null.clone()),
        (json!({"type": "null"}), null.clone()),
        (json!({"type": ["null"], "enum": [null]}), null.clone()),
        (json!({"enum": [null]}), null),
        (json!({"type": "array", "items": {}}), json!({"type": ["any"]})),
    ]);
    let import = schemas(json!({
        "Anything": {},
        "Everything": true,
        "Nothing": { "type": "null" },
        "Note": { "type": "object", "required": ["a"], "properties": {
            "a": { "$ref": "#/components/schemas/Anything" },
            "b": { "$ref": "#/components/schemas/Everything" },
            "c": { "$ref": "#/components/schemas/Nothing" },
        } },
    }));
    let fields = read(&import)["resources"]["Note"]["fields"].clone();
    assert_eq!(fields["a"], json!({"type": "any", "required": true, "nullable": true}));
    assert_eq!(fields["b"], json!({"type": "any", "nullable": true}));
    assert_eq!((&fields["c"]["nullable"], fields["c"].get("const")), (&json!(true), Some(&json!(null))));
    assert!(import.losses.is_empty(), "{:?}", import.losses);
}

#[test]
fn numbers_keep_their_digits() {
    for (more, expected) in [
        (json!({}), json!({"type": "number"})),
        (json!({"format": "decimal"}), json!({"type": "number"})),
        (json!({"format": "money"}), json!({"type": "number"})),
        (json!({"format": "double"}), json!({"type": "double"})),
        (json!({"minimum": 0.5, "default": 1e3}), json!({"type": "number", "min": 0.5, "default": 1000})),
        (
            json!({"multipleOf": 0.1, "maximum": u64::MAX}),
            json!({"type": "number", "multiple_of": 0.1, "max": u64::MAX}),
        ),
    ] {
        let mut schema = json!({"type": "number"});
        schema.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let import = schemas(json!({"Note": {"type": "object", "properties": {"it": schema}}}));
        assert_eq!(read(&import)["resources"]["Note"]["fields"]["it"], expected);
        let notes = usize::from(more["format"] == "money");
        assert_eq!((lost(&import), import.notes.len()), (vec![], notes), "{more}: {:?}", import.notes);
    }
    let (field, lost) = member(json!({"type": "number", "maximum": f64::MAX}));
    assert_eq!((field["max"].as_f64(), lost.len()), (Some(f64::MAX), 0));
}
