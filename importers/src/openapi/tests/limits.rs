//! Limits and defaults, where they have an effect and where they do not.

use serde_json::json;

use super::{lost, member, read, schemas};
use crate::nesting_limits::TOO_MANY_PATTERNS;

#[test]
fn violated_limits_of_enums_are_reported() {
    let kept = [
        json!({"type": "string", "enum": ["01", "02"], "minLength": 2, "maxLength": 2, "pattern": "^[0-9]+$"}),
        json!({"type": "integer", "enum": [1, 2], "minimum": 1, "maximum": 2}),
        json!({"type": "string", "const": "é", "maxLength": 1}),
    ];
    for schema in kept {
        let (_, lost) = member(schema.clone());
        assert_eq!(lost, [""; 0], "{schema}");
    }
    let broken = [
        (json!({"type": "string", "enum": ["a", "abc"], "maxLength": 2}), "abc"),
        (json!({"type": "string", "enum": ["a", "abc"], "minLength": 2}), "a"),
        (json!({"type": "string", "enum": ["a", "B"], "pattern": "^[a-z]$"}), "B"),
        (json!({"type": "integer", "enum": [1, 20], "maximum": 10}), "20"),
        (json!({"type": "integer", "enum": [1, 20], "minimum": 10}), "1"),
    ];
    for (schema, value) in broken {
        let (_, lost) = member(schema.clone());
        assert_eq!(lost, [format!("left out: the listed value `{value}` violates it")], "{schema}");
    }
    // Constraints on values of other types have no effect.
    let import = schemas(json!({ "Note": { "type": "object", "properties": {
        "text": { "type": "string", "maximum": 10 },
        "list": { "type": "array", "items": { "type": "string" }, "maxLength": 3 },
        "time": { "type": "string", "format": "date-time", "maxLength": 3 },
        "large": { "type": "string", "format": "int64", "minimum": 1 },
    } } }));
    let noted: Vec<&str> = import.notes.iter().filter_map(|note| note.at.rsplit('/').next()).collect();
    assert_eq!(noted, ["maxLength", "maximum"]);
    let at = "/components/schemas/Note/properties/time/maxLength";
    assert_eq!(lost(&import), [(at, "left out: not supported for this type")]);
}

#[test]
fn default_of_enum_applies_to_references() {
    let import = schemas(json!({
        "Colour": { "type": "string", "enum": ["red", "green"], "default": "red" },
        "Size": { "anyOf": [{ "type": "string", "enum": ["s", "m"], "default": "m" }, { "type": "null" }] },
        "Lone": { "type": "string", "enum": ["a", "b"], "default": "a" },
        "Overridden": { "type": "string", "enum": ["a", "b"], "default": "a" },
        "Note": { "type": "object", "properties": {
            "colour": { "$ref": "#/components/schemas/Colour" },
            "other": { "$ref": "#/components/schemas/Colour", "default": "green" },
            "colours": { "type": "array", "items": { "$ref": "#/components/schemas/Colour" } },
            "texts": { "type": "array", "items": { "type": "string", "default": "a" } },
            "size": { "$ref": "#/components/schemas/Size" },
            "overridden": { "$ref": "#/components/schemas/Overridden", "default": "b" },
            "lone": { "type": "array", "items": { "$ref": "#/components/schemas/Lone" } },
            "some": { "oneOf": [{ "type": "string", "default": "a" }, { "type": "integer" }] },
        } },
    }));
    let fields = read(&import)["resources"]["Note"]["fields"].clone();
    let defaults = ["colour", "other", "colours", "size"].map(|name| fields[name]["default"].clone());
    assert_eq!(json!(defaults), json!(["red", "green", null, "m"]));
    assert_eq!(
        lost(&import),
        [("/components/schemas/Note/properties/some/oneOf/0/default", "left out: variants of a union have no default"),]
    );
}

/// Patterns whose automata are too large take the longest, so that a document may not have any number of them.
#[test]
fn patterns_of_a_document_have_a_budget() {
    let patterns = |count: usize| {
        let large = |at: usize| {
            (format!("p{at}"), json!({ "type": "string", "pattern": format!("^((a{{1000}}){{1000}}){{1000}}{at}$") }))
        };
        let members: serde_json::Map<_, _> = (0..count)
            .map(large)
            .chain([("small".to_owned(), json!({ "type": "string", "pattern": "^z+$" }))])
            .collect();
        schemas(json!({ "Note": { "type": "object", "properties": members } }))
    };
    let (few, many) = (patterns(3), patterns(80));
    assert!(
        lost(&few).iter().all(|(_, what)| *what == "`pattern` is left out: the pattern compiles to too many states")
    );
    let compiled = lost(&many).iter().filter(|(_, what)| what.ends_with("too many states")).count();
    let others = lost(&many).iter().filter(|(_, what)| what.ends_with(TOO_MANY_PATTERNS)).count();
    assert_eq!((lost(&few).len(), compiled, compiled + others), (3, 64, 81));
}
