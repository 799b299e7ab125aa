//! Conversion of the schemas of OpenAPI documents to JSON Schema 2020-12, in which `oneOf` is `anyOf`.

use serde_json::{Map, Value, json};

use crate::Direction;
use crate::document::decode;

/// Keywords of a schema whose values are schemas by name.
const NAMED: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
/// Keywords whose values are schemas.
const SINGLE: [&str; 8] = ["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"];
/// Keywords whose values are lists of schemas.
const LISTS: [&str; 3] = ["allOf", "anyOf", "prefixItems"];
/// Keywords that do not affect validity.
const ANNOTATIONS: [&str; 9] = [
    "example",
    "examples",
    "default",
    "xml",
    "externalDocs",
    "description",
    "title",
    "deprecated",
    "unevaluatedProperties",
];

/// Conversion of schemas to JSON Schema 2020-12.
pub struct Conversion<'d> {
    /// Document that references refer to.
    pub document: &'d Value,
    /// Direction, in which read-only or write-only properties are not required.
    pub direction: Direction,
    /// True if the schemas are those of OpenAPI 3.0.
    pub is_3_0: bool,
}

impl Conversion<'_> {
    /// Converts a schema.
    pub fn schema(&self, schema: &Value) -> Value {
        let Some(members) = schema.as_object() else { return schema.clone() };
        if self.is_3_0
            && let Some(target) = members.get("$ref")
        {
            // Version 3.0 ignores siblings of a reference.
            return json!({ "$ref": target });
        }
        let mut made = Map::new();
        for (key, value) in members {
            let value = match key.as_str() {
                key if NAMED.contains(&key) => {
                    let named = value.as_object().into_iter().flatten();
                    Value::Object(named.map(|(name, schema)| (name.clone(), self.schema(schema))).collect())
                }
                key if SINGLE.contains(&key) => self.schema(value),
                key if LISTS.contains(&key) || key == "oneOf" => self.schemas(value),
                key if ANNOTATIONS.contains(&key) || key.starts_with("x-") => continue,
                // What `boon` cannot compile is not judged.
                "pattern" if value.as_str().is_none_or(|it| regex_syntax::parse(it).is_err()) => continue,
                _ => value.clone(),
            };
            made.insert(key.clone(), value);
        }
        self.alternatives(&mut made);
        self.required(&mut made);
        if self.is_3_0 { self.of_3_0(made) } else { Value::Object(made) }
    }

    fn schemas(&self, list: &Value) -> Value {
        // An alternative that is nothing but nullable means null, as in `anyOf: [{ $ref: … }, { nullable: true }]`.
        let is_null = |schema: &Value| self.is_3_0 && *schema == json!({ "nullable": true });
        let convert = |schema| if is_null(schema) { json!({ "type": "null" }) } else { self.schema(schema) };
        list.as_array().into_iter().flatten().map(convert).collect()
    }

    /// Converts `oneOf` to `anyOf`.
    fn alternatives(&self, made: &mut Map<String, Value>) {
        let Some(one) = made.remove("oneOf") else { return };
        if made.contains_key("anyOf") {
            let all = made.entry("allOf").or_insert_with(|| json!([]));
            all.as_array_mut().into_iter().for_each(|all| all.push(json!({ "anyOf": one })));
        } else {
            made.insert("anyOf".to_owned(), one);
        }
    }

    /// Removes from the required properties those that this direction does not have.
    fn required(&self, made: &mut Map<String, Value>) {
        let absent = |name: &str| {
            made.get("properties")
                .and_then(|all| all.get(name))
                .is_some_and(|property| is_left_out(self.document, property, self.direction))
        };
        let kept: Vec<Value> = match made.get("required").and_then(Value::as_array) {
            Some(required) => {
                required.iter().filter(|name| !absent(name.as_str().unwrap_or_default())).cloned().collect()
            }
            None => return,
        };
        made.insert("required".to_owned(), Value::Array(kept));
    }

    /// Converts what version 3.0 has of its own.
    fn of_3_0(&self, mut made: Map<String, Value>) -> Value {
        for (bound, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
            if let Some(is_exclusive) = made.get(exclusive).and_then(Value::as_bool) {
                made.remove(exclusive);
                if is_exclusive && let Some(value) = made.remove(bound) {
                    made.insert(exclusive.to_owned(), value);
                }
            }
        }
        if made.remove("nullable") != Some(Value::Bool(true)) {
            return Value::Object(made);
        }
        let keyword = ["allOf", "anyOf", "not", "const"].iter().any(|key| made.contains_key(*key));
        match made.get("type").cloned() {
            Some(ty) if !keyword => {
                made.insert("type".to_owned(), json!([ty, "null"]));
                if let Some(values) = made.get_mut("enum").and_then(Value::as_array_mut)
                    && !values.contains(&Value::Null)
                {
                    values.push(Value::Null);
                }
                Value::Object(made)
            }
            _ => json!({ "anyOf": [Value::Object(made), { "type": "null" }] }),
        }
    }
}

/// Returns whether a property is left out of values in a direction, because it is read-only or write-only.
pub fn is_left_out(document: &Value, property: &Value, direction: Direction) -> bool {
    let key = match direction {
        Direction::Request => "readOnly",
        Direction::Response => "writeOnly",
    };
    let target = property["$ref"].as_str().and_then(|target| document.pointer(&decode(target.strip_prefix('#')?)));
    [Some(property), target].into_iter().flatten().any(|schema| schema[key] == true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_3_0_is_converted() {
        let table = [
            (json!({ "type": "string", "nullable": true }), json!({ "type": ["string", "null"] })),
            (
                json!({ "type": "string", "enum": ["a"], "nullable": true }),
                json!({ "type": ["string", "null"], "enum": ["a", null] }),
            ),
            (json!({ "minimum": 1, "exclusiveMinimum": true }), json!({ "exclusiveMinimum": 1 })),
            (json!({ "maximum": 1, "exclusiveMaximum": false }), json!({ "maximum": 1 })),
            (json!({ "$ref": "#/a", "nullable": true }), json!({ "$ref": "#/a" })),
            (
                json!({ "oneOf": [{ "$ref": "#/a" }, { "nullable": true }] }),
                json!({ "anyOf": [{ "$ref": "#/a" }, { "type": "null" }] }),
            ),
            (
                json!({ "required": ["a", "b"], "properties": { "a": { "readOnly": true }, "b": { "nullable": true } } }),
                json!({ "required": ["b"], "properties": { "a": { "readOnly": true }, "b": { "anyOf": [{}, { "type": "null" }] } } }),
            ),
        ];
        let conversion = Conversion { document: &Value::Null, direction: Direction::Request, is_3_0: true };
        for (schema, expected) in table {
            assert_eq!(conversion.schema(&schema), expected);
        }
    }
}
