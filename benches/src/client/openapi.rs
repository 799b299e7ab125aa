//! An API of the repository as an OpenAPI 3.0 document, for generators that start from one.
//!
//! It has every resource with all of its fields, every enum, and every operation with its own parameters. Constraints
//! and the parameters that every operation takes are omitted: the generated crates have no code for them per field or
//! operation, so the peer should not have to.

use std::path::Path;

use anyhow::bail;
use fs_err as fs;
use serde_json::{Map, Value, json};
use wireform_codegen::model::{
    Api, Encoding, Enum, Field, Literal, Location, Number, Operation, Parameter, Required, Resource, Segment,
    SegmentPart, Type,
};
use wireform_codegen::{Source, load, with_includes};

use crate::place;

/// Returns the model of one of the repository's schemas.
pub fn model(name: &str) -> anyhow::Result<Api> {
    read(&place::root().join("schemas").join(name))
}

/// Returns the model of the schema in a folder.
pub fn read(folder: &Path) -> anyhow::Result<Api> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            sources.push(Source::from_bytes(path.display().to_string(), &fs::read(&path)?));
        }
    }
    let sources = with_includes(sources, |path| anyhow::Ok(Some(fs::read(path)?)))?;
    match load(&sources) {
        Ok(api) => Ok(api),
        Err(output) => bail!("the schema in `{}` has {} diagnostics", folder.display(), output.diagnostics.len()),
    }
}

/// Returns the document.
pub fn document(api: &Api) -> Value {
    let mut schemas = Map::new();
    schemas.extend(api.resources.iter().map(|resource| (resource.name.wire.clone(), object(api, resource))));
    schemas.extend(api.enums.iter().map(|one| (one.name.wire.clone(), enumeration(one))));
    let mut paths = Map::new();
    for one in &api.operations {
        let item = paths.entry(path(one)).or_insert_with(|| Value::Object(Map::new()));
        item[one.http.method.to_lowercase()] = operation(api, one);
    }
    let server = format!("{}{}", api.root.as_deref().unwrap_or_default(), api.base_path.path);
    json!({
        "openapi": "3.0.3",
        "info": { "title": api.title, "version": api.version, "description": api.doc },
        "servers": [{ "url": server }],
        "paths": paths,
        "components": { "schemas": schemas },
    })
}

fn object(api: &Api, resource: &Resource) -> Value {
    let required = resource.fields.iter().filter(|field| field.behavior.required == Required::Everywhere);
    let required: Vec<&str> = required.map(|field| field.name.wire.as_str()).collect();
    let properties: Map<String, Value> =
        resource.fields.iter().map(|field| (field.name.wire.clone(), property(api, field))).collect();
    let mut schema = json!({ "type": "object", "description": resource.doc, "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn property(api: &Api, field: &Field) -> Value {
    let mut schema = described(schema(api, &field.ty), &field.doc);
    let constant = field.constraints.constant.as_ref();
    // The default of an enum is part of the enum.
    if let Some(value) = constant.or(field.default.as_ref()).and_then(literal) {
        schema["default"] = value;
    }
    if field.behavior.output_only.is_some() {
        schema["readOnly"] = json!(true);
    }
    schema
}

/// Wraps a schema with a description: in OpenAPI 3.0 a reference cannot have siblings.
fn described(schema: Value, doc: &str) -> Value {
    if schema.get("$ref").is_some() {
        return json!({ "allOf": [schema], "description": doc });
    }
    let mut schema = schema;
    schema["description"] = json!(doc);
    schema
}

fn enumeration(one: &Enum) -> Value {
    let values: Vec<&str> = one.values.iter().map(|value| value.name.wire.as_str()).collect();
    let mut schema = json!({ "type": "string", "description": one.doc, "enum": values });
    if let Some(value) = one.default.and_then(|index| values.get(index)) {
        schema["default"] = json!(value);
    }
    schema
}

fn literal(literal: &Literal) -> Option<Value> {
    match literal {
        Literal::Bool(value) => Some(json!(value)),
        Literal::Number(Number::Int(value)) => i64::try_from(*value).ok().map(|value| json!(value)),
        Literal::Number(Number::Float(value)) => Some(json!(value)),
        Literal::Text(value) => Some(json!(value)),
        Literal::Number(Number::Decimal(_)) | Literal::Enum(..) | Literal::Json(_) => None,
    }
}

fn schema(api: &Api, ty: &Type) -> Value {
    let named = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let plain = |ty: &str| json!({ "type": ty });
    let formatted = |ty: &str, format: &str| json!({ "type": ty, "format": format });
    match ty {
        Type::Bool => plain("boolean"),
        Type::Int32 => formatted("integer", "int32"),
        Type::Int64(Encoding::Number) => formatted("integer", "int64"),
        Type::Uint32 => formatted("integer", "uint32"),
        Type::Uint64(Encoding::Number) => formatted("integer", "uint64"),
        Type::Int64(_) => formatted("string", "int64"),
        Type::Uint64(_) => formatted("string", "uint64"),
        Type::Float => formatted("number", "float"),
        Type::Double => formatted("number", "double"),
        Type::Number => plain("number"),
        Type::String => plain("string"),
        Type::Bytes(_) => formatted("string", "byte"),
        Type::Date => formatted("string", "date"),
        Type::DateTime => formatted("string", "date-time"),
        Type::Duration => formatted("string", "duration"),
        Type::Lexical(_) => plain("string"),
        Type::Any | Type::Union(_) | Type::Unresolved => json!({}),
        Type::Object => plain("object"),
        Type::Resource(id) => named(&api.resource(*id).name.wire),
        Type::Enum(id) => named(&api.enumeration(*id).name.wire),
        Type::Nullable(inner) => schema(api, inner),
        Type::List(inner) => json!({ "type": "array", "items": schema(api, inner) }),
        Type::Map(inner) => json!({ "type": "object", "additionalProperties": schema(api, inner) }),
    }
}

fn path(operation: &Operation) -> String {
    let mut path = String::new();
    let variable = |index: &usize| {
        let name = operation.parameters.get(*index).map_or("", |parameter| parameter.name.wire.as_str());
        format!("{{{name}}}")
    };
    for segment in &operation.http.segments {
        path.push('/');
        match segment {
            Segment::Literal(text) => path.push_str(text),
            Segment::Variable(index) | Segment::Rest(index) | Segment::ResourceName(index, _) => {
                path.push_str(&variable(index));
            }
            Segment::Parts(parts) => parts.iter().for_each(|part| match part {
                SegmentPart::Text(text) => path.push_str(text),
                SegmentPart::Variable(index) => path.push_str(&variable(index)),
            }),
        }
    }
    if let Some(verb) = &operation.http.verb {
        path.push_str(&format!(":{verb}"));
    }
    path
}

fn operation(api: &Api, one: &Operation) -> Value {
    let parameters: Vec<Value> = one.parameters.iter().map(|parameter| self::parameter(api, parameter)).collect();
    let mut value = json!({
        "operationId": one.name,
        "description": one.doc,
        "parameters": parameters,
        "responses": responses(api, one),
    });
    if let Some(body) = &one.body {
        value["requestBody"] = json!({ "required": body.required, "content": content(schema(api, &body.ty)) });
    }
    value
}

fn parameter(api: &Api, parameter: &Parameter) -> Value {
    let location = match parameter.location {
        Location::Path => "path",
        Location::Query => "query",
        Location::Header => "header",
        Location::Cookie => "cookie",
    };
    json!({
        "name": parameter.name.wire,
        "in": location,
        "description": parameter.doc,
        "required": parameter.required,
        "deprecated": parameter.deprecated.is_some(),
        "schema": schema(api, &parameter.ty),
    })
}

fn responses(api: &Api, one: &Operation) -> Value {
    let mut responses = Map::new();
    for response in &one.responses {
        let mut value = json!({ "description": response.doc });
        if let Some(ty) = &response.ty {
            value["content"] = content(schema(api, ty));
        }
        responses.insert(response.status.to_string(), value);
    }
    // A status can have several cases with the same body.
    for case in &one.errors {
        let mut value = json!({ "description": case.doc });
        if let Some(body) = api.error_body {
            value["content"] = content(schema(api, &Type::Resource(body)));
        }
        responses.insert(case.status.to_string(), value);
    }
    Value::Object(responses)
}

fn content(schema: Value) -> Value {
    json!({ "application/json": { "schema": schema } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(members) => {
                found.extend(members.get("$ref").and_then(Value::as_str).map(str::to_owned));
                members.values().for_each(|member| references(member, found));
            }
            Value::Array(elements) => elements.iter().for_each(|element| references(element, found)),
            _ => {}
        }
    }

    #[test]
    fn the_document_has_every_operation_and_every_schema_that_it_refers_to() {
        let document = document(&model("calendar").unwrap());
        let operations: usize =
            document["paths"].as_object().unwrap().values().map(|item| item.as_object().unwrap().len()).sum();
        assert_eq!(operations, 19);
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(found.len() > 50);
        for reference in found {
            assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
        }
    }
}
