//! JSON Schema of the schema language, with which editors complete and validate schema files.

use serde_json::{Map, Value, json};

use super::{one_line, shapes};
use crate::resolve::BUILTINS;
use crate::schema::read::{Key, Kind, Shape};

/// Returns the JSON Schema (draft 2020-12) of a schema file as formatted text.
#[must_use]
pub fn json_schema() -> String {
    let mut defs: Map<String, Value> =
        shapes().into_iter().map(|shape| (definition_name(shape), construct_schema(shape))).collect();
    defs.insert("type".into(), type_schema());
    let root = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Wireform schema",
        "$ref": "#/$defs/schema-file",
        "$defs": defs,
    });
    format!("{root:#}\n")
}

fn definition_name(shape: &Shape) -> String {
    shape.name.replace(' ', "-")
}

fn construct_schema(shape: &Shape) -> Value {
    let required: Vec<&str> = shape.keys.iter().filter(|key| (key.required)()).map(|key| key.name).collect();
    let properties: Map<String, Value> =
        shape.keys.iter().map(|key| (key.name.to_owned(), property_schema(key))).collect();
    json!({
        "type": "object",
        "description": one_line(shape.doc),
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn property_schema(key: &Key) -> Value {
    let mut value = kind_schema(&(key.kind)());
    if let Value::Object(object) = &mut value {
        object.insert("description".into(), one_line(key.doc).into());
    }
    value
}

fn kind_schema(of: &Kind) -> Value {
    // A text of the language can look like a number or a boolean to an editor that types plain scalars: `version: 3`,
    // `deprecated` values, status keys.
    let scalar = || json!({ "type": ["string", "number", "boolean"] });
    match of {
        Kind::Text => scalar(),
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Int => json!({ "type": "integer" }),
        Kind::Any => json!({}),
        Kind::Type => json!({ "$ref": "#/$defs/type" }),
        Kind::Range => json!({ "type": ["string", "integer"] }),
        Kind::Words(words) => json!({ "enum": words.iter().map(|(word, _)| word).collect::<Vec<_>>() }),
        Kind::Shape(shape) => json!({ "$ref": format!("#/$defs/{}", definition_name(shape)) }),
        Kind::List(inner) => json!({ "type": "array", "items": kind_schema(inner) }),
        Kind::Map(_, inner) => json!({ "type": "object", "additionalProperties": kind_schema(inner) }),
        Kind::OneOf(kinds) => json!({ "anyOf": kinds.iter().map(kind_schema).collect::<Vec<_>>() }),
    }
}

/// Returns the schema of a type: a name, a list of one type, or a map from strings. Built-in types are offered first.
fn type_schema() -> Value {
    let builtins: Vec<&str> = BUILTINS.iter().map(|(name, _)| *name).collect();
    json!({
        "description": "A built-in type, a resource or an enum; a list of one; a map from strings.",
        "anyOf": [
            { "enum": builtins },
            { "type": "string" },
            { "type": "array", "items": { "$ref": "#/$defs/type" }, "minItems": 1, "maxItems": 1 },
            {
                "type": "object",
                "properties": { "string": { "$ref": "#/$defs/type" } },
                "required": ["string"],
                "additionalProperties": false,
            },
        ],
    })
}
