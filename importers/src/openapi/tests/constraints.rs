//! Reports of constraints that a type or the listed values contradict.

use serde_json::{Value, json};

use super::{read, schemas};
use crate::Loss;

#[test]
fn foreign_limits_of_enums_are_reported() {
    let nothing = "left out: it has no effect on a value of this type";
    let broken = |value: &str| format!("left out: the listed value `{value}` violates it");
    let table = [
        (json!({"type": "string", "enum": ["a", "b"], "minimum": 3}), None, Some(nothing)),
        (json!({"type": "string", "enum": ["a"], "minimum": 3}), None, Some(nothing)),
        (json!({"type": "integer", "enum": [1, 2], "minLength": 3}), None, Some(nothing)),
        (json!({"type": "integer", "enum": [4, 2], "exclusiveMinimum": 2}), Some(broken("2")), None),
        (json!({"type": "integer", "enum": [4, 2], "minimum": 2, "exclusiveMinimum": true}), Some(broken("2")), None),
        (json!({"type": "integer", "enum": [4, 2], "exclusiveMaximum": 5, "multipleOf": 2}), None, None),
        (json!({"type": "integer", "enum": [4, 3], "multipleOf": 2}), Some(broken("3")), None),
    ];
    for (schema, loss, note) in table {
        let import = schemas(json!({ "Note": { "type": "object", "properties": { "it": schema } }, "It": schema }));
        let what = |all: &[Loss]| {
            all.iter()
                .filter(|one| one.at.starts_with("/components/schemas/Note"))
                .map(|one| one.what.clone())
                .collect::<Vec<_>>()
        };
        let found = (what(&import.losses), what(&import.notes));
        assert_eq!(found, (Vec::from_iter(loss), Vec::from_iter(note.map(str::to_owned))), "{schema}");
    }
}

fn loss(what: &str) -> (Vec<String>, Vec<String>) {
    (vec![what.to_owned()], Vec::new())
}

fn note(what: &str) -> (Vec<String>, Vec<String>) {
    (Vec::new(), vec![what.to_owned()])
}

/// Schema, its field, and its losses and notes.
type Row = (Value, Value, (Vec<String>, Vec<String>));

fn assert_reports(table: Vec<Row>) {
    for (schema, expected, reported) in table {
        let import = schemas(json!({ "Note": { "type": "object", "properties": { "it": schema } } }));
        assert_eq!(read(&import)["resources"]["Note"]["fields"]["it"], expected, "{schema}");
        let what = |all: &[Loss]| all.iter().map(|one| one.what.clone()).collect::<Vec<_>>();
        assert_eq!((what(&import.losses), what(&import.notes)), reported, "{schema}");
    }
}

#[test]
fn bounds_that_exceed_types_are_reported() {
    assert_reports(vec![
        (
            json!({"type": "integer", "maximum": 1e30}),
            json!({"type": "int64"}),
            loss("`maximum: 1e+30` is left out: it exceeds the range of all integer types"),
        ),
        (
            json!({"type": "integer", "minimum": -1e30}),
            json!({"type": "int64"}),
            loss("`minimum: -1e+30` is left out: it exceeds the range of all integer types"),
        ),
        (
            json!({"type": "integer", "minimum": -5, "maximum": u64::MAX}),
            json!({"type": "int64", "min": -5}),
            loss("`maximum: 18446744073709551615` is left out: it exceeds the range of all integer types"),
        ),
        (
            json!({"type": "integer", "format": "int32", "maximum": 1e10}),
            json!({"type": "int32"}),
            note("`maximum: 10000000000.0` is left out: it exceeds the range of the format"),
        ),
        (
            json!({"type": "integer", "format": "big", "maximum": 1e30}),
            json!({"type": "int64"}),
            (
                vec!["`maximum: 1e+30` is left out: it exceeds the range of all integer types".to_owned()],
                vec!["the format `big` is left out: unknown format".to_owned()],
            ),
        ),
        // A type with the minimum 0 would lose negative numbers.
        (
            json!({"type": "integer", "maximum": u64::MAX}),
            json!({"type": "int64"}),
            loss("`maximum: 18446744073709551615` is left out: it exceeds the range of all integer types"),
        ),
        (
            json!({"type": "integer", "exclusiveMinimum": -1, "maximum": u64::MAX}),
            json!({"type": "uint64"}),
            (Vec::new(), Vec::new()),
        ),
        (
            json!({"type": "integer", "multipleOf": 1e30}),
            json!({"type": "int64"}),
            loss("`multipleOf: 1e+30` is left out: it is not a number of this type"),
        ),
    ]);
}

#[test]
fn constraints_that_constants_violate_are_reported() {
    let beyond = "the constraints are left out: the constant violates them";
    assert_reports(vec![
        (json!({"const": 5, "minimum": 10}), json!({"type": "int64", "const": 5}), loss(beyond)),
        (json!({"const": 5, "multipleOf": 2}), json!({"type": "int64", "const": 5}), loss(beyond)),
        (
            json!({"const": 5, "minimum": 5, "maximum": 9}),
            json!({"type": "int64", "const": 5}),
            (Vec::new(), Vec::new()),
        ),
        (
            json!({"type": "string", "const": "abc", "maxLength": 2}),
            json!({"type": "string", "const": "abc"}),
            loss(beyond),
        ),
        (
            json!({"type": "string", "const": "abc", "pattern": "^b"}),
            json!({"type": "string", "const": "abc"}),
            loss(beyond),
        ),
        (
            json!({"type": "string", "enum": ["abc"], "pattern": "^a", "minLength": 1}),
            json!({"type": "string", "const": "abc"}),
            (Vec::new(), Vec::new()),
        ),
    ]);
}

#[test]
fn ineffective_constraints_are_reported() {
    assert_reports(vec![
        (
            json!({"type": "boolean", "pattern": "x"}),
            json!({"type": "bool"}),
            note("left out: it has no effect on a value of this type"),
        ),
        (
            json!({"type": "string", "format": "binary"}),
            json!({"type": "string"}),
            note("the format `binary` is left out: JSON and fields of forms cannot contain raw bytes"),
        ),
        (
            json!({"type": "string", "format": "text"}),
            json!({"type": "string"}),
            note("the format `text` is left out: the type implies it"),
        ),
        (
            json!({"type": "string", "readOnly": true, "writeOnly": true}),
            json!({"type": "string", "behavior": ["output_only"]}),
            loss("`writeOnly` is left out: the field is `readOnly`"),
        ),
    ]);
}

#[test]
fn integers_are_exact_in_every_notation() {
    let table = [
        ("maximum: 9007199254740993.0", json!({"type": "int64", "max": 9_007_199_254_740_993_i64})),
        ("exclusiveMaximum: 9007199254740993.0", json!({"type": "int64", "max": 9_007_199_254_740_992_i64})),
        ("maximum: 9007199254740993.5", json!({"type": "int64", "max": 9_007_199_254_740_993_i64})),
        ("minimum: -9007199254740993.5", json!({"type": "int64", "min": -9_007_199_254_740_993_i64})),
        ("minimum: 90071992547409930e-1", json!({"type": "int64", "min": 9_007_199_254_740_993_i64})),
        ("default: 1e17", json!({"type": "int64", "default": 100_000_000_000_000_000_i64})),
        ("multipleOf: 9007199254740993.0", json!({"type": "int64", "multiple_of": 9_007_199_254_740_993_i64})),
    ];
    for (key, expected) in table {
        let text = format!(
            "openapi: 3.1.0\ninfo: {{ title: Notes, version: '1' }}\ncomponents:\n  schemas:\n    Note:\n      type: object\n      \
             properties:\n        it: {{ type: integer, {key} }}\n"
        );
        let import = super::read_back(&text);
        assert_eq!(read(&import)["resources"]["Note"]["fields"]["it"], expected, "{key}");
        assert_eq!(super::lost(&import), [], "{key}");
    }
    let import = super::read_back(
        "openapi: 3.1.0\ninfo: { title: Notes, version: '1' }\ncomponents: { schemas: { Note: { type: object, properties: { it: \
         { type: integer, minimum: 1e-1000000000, maximum: 1e1000000000 } } } } }\n",
    );
    assert_eq!(import.losses.len(), 1, "{:?}", import.losses);
}
