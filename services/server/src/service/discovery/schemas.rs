//! Schemas of a Discovery document.
//!
//! A Discovery document has one schema for each resource: OpenAPI's variants of it for requests are left out. An
//! enumeration is part of the fields that have it.

use serde_json::{Map, Value, json};

/// Beginning of references to schemas.
const SCHEMAS: &str = "#/components/schemas/";
/// Formats of values in Discovery documents; clients refuse others or ignore them.
const FORMATS: [&str; 8] = ["byte", "date", "date-time", "double", "int32", "int64", "uint32", "uint64"];
/// Maximum number of references that are followed, and of lists and maps in each other.
const MAX_DEPTH: usize = 16;

/// Schemas of an OpenAPI document.
pub(super) struct Schemas<'d> {
    /// Name of the API in the identifiers of methods.
    api: &'d str,
    all: Option<&'d Map<String, Value>>,
}

impl<'d> Schemas<'d> {
    pub(super) fn new(api: &'d str, openapi: &'d Value) -> Self {
        Self { api, all: openapi["components"]["schemas"].as_object() }
    }

    fn all(&self) -> impl Iterator<Item = (&'d String, &'d Value)> {
        self.all.into_iter().flatten()
    }

    fn get(&self, reference: &str) -> &'d Value {
        let name = reference.strip_prefix(SCHEMAS).unwrap_or_default();
        self.all.and_then(|schemas| schemas.get(name)).unwrap_or(&Value::Null)
    }

    /// Returns the name of the resource that a reference leads to.
    pub(super) fn name<'r>(&self, reference: &'r str) -> &'r str {
        let name = reference.strip_prefix(SCHEMAS).unwrap_or(reference);
        name.split('.').next().unwrap_or(name)
    }

    /// Writes the schemas of all resources.
    pub(super) fn write(&self) -> Value {
        let resources = self.all().filter(|(name, schema)| is_resource(schema) && !name.contains('.'));
        let write = |(name, schema): (&String, &Value)| {
            let mut written = self.convert(schema);
            written["id"] = name.as_str().into();
            let fields = schema["properties"].as_object().into_iter().flatten();
            let fields = fields.map(|(name, field)| (name.clone(), self.field(field)));
            written["properties"] = Value::Object(fields.collect());
            (name.clone(), written)
        };
        Value::Object(resources.map(write).collect())
    }

    /// Converts a field, with the operations that require it.
    fn field(&self, field: &Value) -> Value {
        let mut written = self.convert(field);
        if let Some(operations) = field["x-wireform-required"].as_array() {
            let operations = operations.iter().filter_map(Value::as_str);
            let operations: Vec<_> = operations.map(|operation| format!("{}.{operation}", self.api)).collect();
            written["annotations"] = json!({ "required": operations });
        }
        written
    }

    /// Converts a schema other than that of a resource.
    pub(super) fn convert(&self, schema: &Value) -> Value {
        self.convert_to_depth(schema, MAX_DEPTH)
    }

    fn convert_to_depth(&self, schema: &Value, depth: usize) -> Value {
        if depth == 0 {
            return json!({ "type": "any" });
        }
        let mut written = match schema["$ref"].as_str() {
            Some(reference) if is_resource(self.get(reference)) => json!({ "$ref": self.name(reference) }),
            Some(reference) => self.convert_to_depth(self.get(reference), depth - 1),
            None => self.convert_type(schema, depth),
        };
        for key in ["description", "readOnly", "deprecated"] {
            if let Some(value) = schema.get(key) {
                written[key] = value.clone();
            }
        }
        if let Some(default) = schema.get("default") {
            written["default"] = as_text(default).into();
        }
        written
    }

    fn convert_type(&self, schema: &Value, depth: usize) -> Value {
        // An open enumeration is one of the known values or any other text; a lenient number is a text or a number.
        if let Some(first) = schema["anyOf"].get(0) {
            let mut written = self.convert_type(first, depth - 1);
            add_value_descriptions(&mut written, schema);
            return written;
        }
        let kind = match &schema["type"] {
            // Null and a type.
            Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null").unwrap_or(&Value::Null),
            kind => kind,
        };
        let mut written = match kind.as_str() {
            Some(kind) => json!({ "type": kind }),
            None if schema["enum"].is_array() || schema["const"].is_string() => json!({ "type": "string" }),
            None => json!({ "type": "any" }),
        };
        if let Some(format) = schema["format"].as_str().filter(|format| FORMATS.contains(format)) {
            written["format"] = format.into();
        }
        if let Some(values) = schema["enum"].as_array() {
            let mut known: Vec<String> = Vec::with_capacity(values.len());
            for value in values.iter().map(as_text) {
                // Aliases can have the name of another value.
                if !known.contains(&value) {
                    known.push(value);
                }
            }
            written["enum"] = known.into();
            add_value_descriptions(&mut written, schema);
        }
        if let Some(value) = schema.get("const") {
            written["default"] = as_text(value).into();
        }
        if let Some(items) = schema.get("items") {
            written["items"] = self.convert_to_depth(items, depth - 1);
        }
        if let Some(values) = schema.get("additionalProperties").filter(|values| values.is_object()) {
            written["additionalProperties"] = self.convert_to_depth(values, depth - 1);
        }
        for key in ["minimum", "maximum"] {
            if let Some(bound) = schema.get(key).filter(|_| kind != "string") {
                written[key] = as_text(bound).into();
            }
        }
        written
    }
}

/// Returns whether a schema is that of a resource, which is referred to by its name.
fn is_resource(schema: &Value) -> bool {
    schema["properties"].is_object() || (schema["type"] == "object" && !schema["additionalProperties"].is_object())
}

/// Adds the descriptions of the values of an enumeration, in their order.
fn add_value_descriptions(written: &mut Value, schema: &Value) {
    let (Some(values), Some(described)) = (written["enum"].as_array(), schema.get("x-wireform-values")) else { return };
    let description = |value: &Value| described[value.as_str().unwrap_or_default()]["description"].as_str();
    let descriptions: Vec<_> = values.iter().map(|value| description(value).unwrap_or_default()).collect();
    written["enumDescriptions"] = descriptions.into();
}

/// Returns a value as Discovery documents write defaults and bounds.
fn as_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
