//! Schemas of resources and enums.

use super::catalogue::{Catalogue, SchemaUse};
use super::extensions;
use super::json::{Json, Object, object};
use super::values::{Empty, constraints, enum_type};
use super::{literal, source, values, xml};
use crate::emit::docs;
use crate::model::{Deprecated, Enum, EnumValue, Field, Literal, OutputOnly, Required, Resource, ResourceId, Type};

/// Returns the schema of a resource for a use.
pub fn resource(of: &Catalogue<'_>, id: ResourceId, usage: SchemaUse) -> Object {
    let resource = of.api.resource(id);
    let properties = resource.named_fields().iter().map(|field| {
        let property = property(of, resource, field, usage);
        (field.name.wire.clone(), property.into())
    });
    let required = resource.named_fields().iter().filter(|field| is_required(of, id, field, usage));
    object()
        .with_text("description", &description(of, id, resource, usage))
        .with("type", "object")
        .with_members("properties", properties.collect())
        .with_list("required", required.map(|field| field.name.wire.as_str()))
        .with_true("additionalProperties", resource.preserves_unknown)
        .with_some("additionalProperties", resource.rest_field().map(|rest| self::rest(of, rest, usage)))
        .with_true("deprecated", resource.deprecated.is_some())
        .merged(xml::of_resource(resource, usage != SchemaUse::Response && of.api.xml.resources.contains(&id)))
        .merged(extensions::resource(of, id, usage))
        .merged(if usage == SchemaUse::Response { source::resource(resource) } else { object() })
}

/// Returns the schema of the fields without a name of their own.
fn rest(of: &Catalogue<'_>, rest: &Field, usage: SchemaUse) -> Object {
    let Type::Map(inner) = &rest.ty else { return object() };
    let schema = values::schema(of, inner, &rest.constraints.for_elements(), usage, Empty::Value);
    let schema = if matches!(usage, SchemaUse::Patch(_)) { values::nullable(schema) } else { schema };
    let own = if usage == SchemaUse::Response { source::rest(of.api, rest) } else { object() };
    schema.with_text("description", &docs::markdown(&rest.doc)).merged(own)
}

/// Returns the description of a resource's schema, which says how it differs from the schema of responses.
fn description(of: &Catalogue<'_>, id: ResourceId, resource: &Resource, usage: SchemaUse) -> String {
    let doc = docs::markdown(&resource.doc);
    let more = match usage {
        SchemaUse::Patch(_) => {
            "Merge patch (RFC 7396): absent keeps a field, null clears it, any other value sets it.".to_owned()
        }
        SchemaUse::Request(operation) if of.has_operation_schema(id, usage) => {
            format!("As {} is sent it.", docs::code_span(&of.api.operation(operation).name))
        }
        SchemaUse::Request(_) => "As it is sent.".to_owned(),
        _ => String::new(),
    };
    join_sentences([doc, more, deprecation(resource.deprecated.as_ref())])
}

/// Joins sentences with a space, and paragraphs with a line break.
pub fn join_sentences(parts: impl IntoIterator<Item = String>) -> String {
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts
        .reduce(|all, part| format!("{all}{}{part}", if all.contains('\n') { "\n\n" } else { " " }))
        .unwrap_or_default()
}

/// Describes the replacement of a deprecated item.
pub fn deprecation(deprecated: Option<&Deprecated>) -> String {
    let Some(deprecated) = deprecated else { return String::new() };
    let since = deprecated.since.as_ref().map(|since| format!("Deprecated since {}.", docs::paragraph(since)));
    let instead = deprecated.replacement.as_ref().map(|instead| format!("Use {} instead.", docs::code_span(instead)));
    let doc = deprecated.doc.as_deref().map(docs::paragraph);
    join_sentences([since, instead, doc].into_iter().flatten())
}

/// Returns the output-only behavior of a field that the server drops or rejects in a request.
fn server_owned(field: &Field, usage: SchemaUse) -> Option<&OutputOnly> {
    let only = field.behavior.output_only.as_ref()?;
    match usage {
        SchemaUse::Request(operation) | SchemaUse::Patch(operation) => {
            (!only.except.contains(&operation)).then_some(only)
        }
        _ => None,
    }
}

fn is_required(of: &Catalogue<'_>, id: ResourceId, field: &Field, usage: SchemaUse) -> bool {
    match (&field.behavior.required, usage) {
        _ if server_owned(field, usage).is_some() => false,
        (Required::Everywhere, SchemaUse::Response) => !of.is_partial(id) && !field.behavior.input_only,
        (Required::Everywhere, SchemaUse::Request(_)) => true,
        (Required::In(operations), SchemaUse::Request(operation)) => operations.contains(&operation),
        _ => false,
    }
}

/// Returns the schema of a field as a property of its resource, for one use, with annotations and extensions.
fn property(of: &Catalogue<'_>, resource: &Resource, field: &Field, usage: SchemaUse) -> Object {
    let behavior = &field.behavior;
    let servers = server_owned(field, usage);
    let read_only = if usage == SchemaUse::Response { behavior.output_only.is_some() } else { servers.is_some() };
    let doc = join_sentences([docs::markdown(&field.doc), deprecation(field.deprecated.as_ref())]);
    xml::of_member(of.api, value(of, field, usage), field)
        .with_text("description", &doc)
        .with_some("default", default(of, field, usage))
        .with_list("examples", field.example.as_ref().map(|example| literal(of.api, &field.ty, example)))
        .with_true("readOnly", read_only)
        .with_true("writeOnly", behavior.input_only)
        .with_true("deprecated", field.deprecated.is_some())
        .merged(extensions::field(of.api, resource, field))
        .merged(if usage == SchemaUse::Response { source::field(of.api, field) } else { object() })
}

/// Returns the schema of a field's value.
fn value(of: &Catalogue<'_>, field: &Field, usage: SchemaUse) -> Object {
    let (required, constraints) = (&field.behavior.required, &constraints(field, usage));
    match (server_owned(field, usage), usage) {
        (Some(OutputOnly { reject: true, .. }), _) => object().with("not", object()),
        // Dropped values are not validated.
        (Some(_), _) => object(),
        (None, SchemaUse::Request(operation)) => {
            let required = match required {
                Required::Never => false,
                Required::Everywhere => true,
                Required::In(operations) => operations.contains(&operation),
            };
            let schema = values::schema(of, &field.ty, constraints, usage, Empty::of_field(field, required));
            if required && !field.nullable { schema } else { values::nullable(schema) }
        }
        (None, SchemaUse::Patch(operation)) => {
            let is_kept = match required {
                Required::Never => false,
                Required::Everywhere => true,
                Required::In(operations) => operations.contains(&operation),
            };
            let schema = values::schema(of, &field.ty, constraints, usage, Empty::of_field(field, false));
            if is_kept && !field.nullable { schema } else { values::nullable(schema) }
        }
        (None, _) => {
            let schema = values::schema(of, &field.ty, constraints, usage, Empty::of_field(field, false));
            if field.nullable { values::nullable(schema) } else { schema }
        }
    }
}

/// Returns the default of an absent field; an absent field of a patch keeps the stored value.
fn default(of: &Catalogue<'_>, field: &Field, usage: SchemaUse) -> Option<Json> {
    let default = field.default.as_ref()?;
    let sendable = match default {
        Literal::Enum(id, index) => !of.api.enumeration(*id).value(*index).output_only,
        _ => true,
    };
    let is_described = usage == SchemaUse::Response || matches!(usage, SchemaUse::Request(_)) && sendable;
    is_described.then(|| literal(of.api, &field.ty, default))
}

/// Returns the response schema of an enum: the known values and any other.
pub fn response_enum(definition: &Enum) -> Object {
    let values: Vec<&EnumValue> = definition.values.iter().filter(|value| !value.input_only).collect();
    let known = values.iter().map(|value| enum_value(definition, &value.name.wire)).collect::<Vec<_>>();
    let known = object().with("enum", known);
    let other = enum_type(definition).with("description", "A value of a later version.");
    enumeration(definition, &values).with("anyOf", vec![known, other]).merged(source::enumeration(definition))
}

/// Returns the request schema of an enum, with all aliases.
pub fn request_enum(definition: &Enum) -> Object {
    let values: Vec<&EnumValue> = definition.values.iter().filter(|value| !value.output_only).collect();
    let names = values.iter().map(|value| &value.name.wire);
    let aliases = values.iter().flat_map(|value| &value.aliases);
    let all = names.chain(aliases).map(|text| enum_value(definition, text)).collect::<Vec<_>>();
    enumeration(definition, &values).merged(enum_type(definition)).with("enum", all)
}

/// Returns a value of an enum as JSON.
pub fn enum_value(definition: &Enum, text: &str) -> Json {
    let json = || serde_json::from_str::<serde_json::Value>(text).ok();
    if let (Some(Type::Double | Type::Any), Some(value)) = (&definition.wire_type, json()) {
        return Json::from(value);
    }
    match text.parse() {
        Ok(number) if definition.wire_type.is_some() => super::json::integer(number),
        _ => Json::from(text),
    }
}

/// Returns the description and extensions of an enum's schema; the caller adds the type and the values.
fn enumeration(definition: &Enum, values: &[&EnumValue]) -> Object {
    let aliases = values.iter().filter(|value| !value.aliases.is_empty());
    let aliases = aliases
        .map(|value| (value.name.wire.clone(), value.aliases.iter().map(String::as_str).collect::<Vec<_>>().into()));
    let deprecated = values.iter().filter(|value| value.deprecated.is_some());
    object()
        .with_text("description", &enum_description(definition, values))
        .with_true("deprecated", definition.deprecated.is_some())
        .with_members("x-wireform-aliases", aliases.collect())
        .with_list("x-wireform-deprecated", deprecated.map(|value| value.name.wire.as_str()))
}

/// Returns the description of an enum with a list of its values.
fn enum_description(definition: &Enum, values: &[&EnumValue]) -> String {
    let head = join_sentences([docs::markdown(&definition.doc), deprecation(definition.deprecated.as_ref())]);
    let line = |value: &&EnumValue| {
        let doc = join_sentences([docs::markdown(&value.doc), deprecation(value.deprecated.as_ref())]);
        format!("* {}: {doc}", docs::code_span(&value.name.wire))
    };
    format!("{head}\n\n{}", values.iter().map(line).collect::<Vec<_>>().join("\n")).trim().to_owned()
}
