//! The independent oracle: JSON Schema 2020-12 as `boon` implements it, with the schemas of OpenAPI 3.0 converted to it.
//!
//! `oneOf` is judged as `anyOf`, because a value that matches several alternatives is decoded as one of them. A discriminator
//! does not affect validity.

use std::collections::BTreeMap;

use boon::{Compiler, Draft, ErrorKind, Format, InstanceToken, SchemaIndex, Schemas, Type, ValidationError};
use serde_json::{Map, Value, json};

use crate::Direction;
use crate::document::{decode, encode};

/// URL of the converted document.
const URL: &str = "http://judge/document.json";

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

/// Verdicts about the values of a document in one direction.
pub struct Oracle {
    /// Converted document, with formats and discriminators.
    pub document: Value,
    strict: Compiled,
    lax: Compiled,
}

/// Compiled schemas of a document.
struct Compiled {
    compiler: Compiler,
    schemas: Schemas,
    known: BTreeMap<String, Option<SchemaIndex>>,
}

/// Keyword that a value violates, with the pointer of its schema.
pub struct Fault {
    /// Keyword, such as `minItems`.
    pub keyword: &'static str,
    /// Pointers of the violated schemas in the document.
    pub pointers: Vec<String>,
}

impl Oracle {
    /// Creates the oracle of a document.
    pub fn new(document: &Value, direction: Direction) -> anyhow::Result<Self> {
        let conversion = Conversion {
            document,
            direction,
            is_3_0: document["openapi"].as_str().is_some_and(|it| it.starts_with("3.0")),
        };
        let mut converted = document.clone();
        for (_, schema) in
            converted.pointer_mut("/components/schemas").and_then(Value::as_object_mut).into_iter().flatten()
        {
            *schema = conversion.schema(schema);
        }
        for (_, item) in converted["paths"].as_object_mut().into_iter().flatten() {
            for place in ["/put/requestBody", "/put/responses/200"] {
                let place = format!("{place}/content/application~1json/schema");
                if let Some(schema) = item.pointer_mut(&place) {
                    *schema = conversion.schema(schema);
                }
            }
        }
        let mut lax = converted.clone();
        without_formats(&mut lax);
        Ok(Self { strict: Compiled::new(&converted)?, lax: Compiled::new(&lax)?, document: converted })
    }

    /// Returns whether a value is valid with all formats; `None` if the schema cannot be compiled.
    pub fn is_valid(&mut self, pointer: &str, value: &Value) -> Option<bool> {
        let index = self.strict.index(pointer)?;
        Some(self.strict.schemas.validate(value, index).is_ok())
    }

    /// Returns what makes a value invalid, apart from formats.
    pub fn fault(&mut self, pointer: &str, value: &Value) -> Option<Fault> {
        let index = self.lax.index(pointer)?;
        let error = self.lax.schemas.validate(value, index).err()?;
        let mut pointers = Vec::new();
        let keyword = innermost(&error, &mut pointers);
        Some(Fault { keyword, pointers })
    }
}

impl Compiled {
    fn new(document: &Value) -> anyhow::Result<Self> {
        let mut compiler = Compiler::new();
        compiler.set_default_draft(Draft::V2020_12);
        compiler.enable_format_assertions();
        formats().into_iter().for_each(|format| compiler.register_format(format));
        compiler.add_resource(URL, document.clone()).map_err(|error| anyhow::anyhow!("{error}"))?;
        Ok(Self { compiler, schemas: Schemas::new(), known: BTreeMap::new() })
    }

    fn index(&mut self, pointer: &str) -> Option<SchemaIndex> {
        if let Some(known) = self.known.get(pointer) {
            return *known;
        }
        let compiled = self.compiler.compile(&format!("{URL}#{}", encode(pointer)), &mut self.schemas);
        let index = compiled.map_err(|error| eprintln!("not judged: {pointer}: {error}")).ok();
        self.known.insert(pointer.to_owned(), index);
        index
    }
}

/// Returns the keyword of the first innermost error, and collects the schemas on the way.
fn innermost(error: &ValidationError<'_, '_>, pointers: &mut Vec<String>) -> &'static str {
    let pointer = error.schema_url.split_once('#').map_or("", |(_, pointer)| pointer);
    pointers.push(decode(pointer));
    match (&error.kind, error.causes.first()) {
        // None of several alternatives matches: the choice itself is violated.
        (ErrorKind::AnyOf, _) => "anyOf",
        (_, Some(cause)) => innermost(cause, pointers),
        (ErrorKind::Type { got: Type::Null, .. }, None) => match error.instance_location.tokens.last() {
            Some(InstanceToken::Prop(_)) => "type (null of a member)",
            Some(InstanceToken::Item(_)) => "type (null of an element)",
            None => "type (null of a body)",
        },
        (kind, None) => keyword(kind),
    }
}

fn keyword(kind: &ErrorKind<'_, '_>) -> &'static str {
    match kind {
        ErrorKind::Type { .. } => "type",
        ErrorKind::Enum { .. } => "enum",
        ErrorKind::Const { .. } => "const",
        ErrorKind::Required { .. } => "required",
        ErrorKind::AdditionalProperties { .. } => "additionalProperties",
        ErrorKind::MinProperties { .. } => "minProperties",
        ErrorKind::MaxProperties { .. } => "maxProperties",
        ErrorKind::MinItems { .. } => "minItems",
        ErrorKind::MaxItems { .. } => "maxItems",
        ErrorKind::UniqueItems { .. } => "uniqueItems",
        ErrorKind::MinLength { .. } => "minLength",
        ErrorKind::MaxLength { .. } => "maxLength",
        ErrorKind::Pattern { .. } => "pattern",
        ErrorKind::Minimum { .. } => "minimum",
        ErrorKind::Maximum { .. } => "maximum",
        ErrorKind::ExclusiveMinimum { .. } => "exclusiveMinimum",
        ErrorKind::ExclusiveMaximum { .. } => "exclusiveMaximum",
        ErrorKind::MultipleOf { .. } => "multipleOf",
        ErrorKind::Not => "not",
        ErrorKind::DependentRequired { .. } => "dependentRequired",
        ErrorKind::PropertyName { .. } => "propertyNames",
        ErrorKind::FalseSchema => "false",
        _ => "another keyword",
    }
}

/// Returns the formats that JSON Schema does not define.
fn formats() -> Vec<Format> {
    fn check(is: bool) -> Result<(), Box<dyn std::error::Error>> {
        if is { Ok(()) } else { Err("not of the format".into()) }
    }
    macro_rules! integers {
        ($($name:literal: $ty:ty;)*) => {
            vec![$(Format {
                name: $name,
                func: |value| {
                    let fits = value.as_i64().is_some_and(|it| <$ty>::try_from(it).is_ok())
                        || value.as_u64().is_some_and(|it| <$ty>::try_from(it).is_ok());
                    check(!value.is_number() || fits)
                },
            },)*]
        };
    }
    let mut all = integers! {
        "int8": i8; "int16": i16; "int32": i32; "int64": i64; "uint8": u8; "uint16": u16; "uint32": u32; "uint64": u64;
    };
    all.push(Format { name: "byte", func: |value| check(value.as_str().is_none_or(|it| it.len() % 4 == 0)) });
    all
}

fn without_formats(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if members.get("format").is_some_and(Value::is_string) {
                members.remove("format");
            }
            members.values_mut().for_each(without_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(without_formats),
        _ => {}
    }
}

/// Conversion of schemas to JSON Schema 2020-12.
struct Conversion<'d> {
    document: &'d Value,
    direction: Direction,
    is_3_0: bool,
}

impl Conversion<'_> {
    fn schema(&self, schema: &Value) -> Value {
        let Some(members) = schema.as_object() else { return schema.clone() };
        if self.is_3_0
            && let Some(target) = members.get("$ref")
        {
            // Version 3.0 ignores what is beside a reference.
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
                "pattern" if !value.as_str().is_some_and(|it| regex_syntax::parse(it).is_ok()) => continue,
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
