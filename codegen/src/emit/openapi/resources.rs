//! Schemas of resources and enums.

use super::catalogue::{Catalogue, Side};
use super::extensions;
use super::json::{Json, Object, object};
use super::values::{constraints, of_type};
use super::{literal, source, values, xml};
use crate::emit::docs;
use crate::model::{Deprecated, Enum, EnumValue, Field, Literal, OutputOnly, Required, Resource, ResourceId, Type};

/// Returns the schema of a resource on a side.
pub fn resource(of: &Catalogue<'_>, id: ResourceId, side: Side) -> Object {
    let resource = of.api.resource(id);
    let properties = resource.named().iter().map(|field| {
        let property = property(of, resource, field, side);
        (field.name.wire.clone(), property.into())
    });
    let required = resource.named().iter().filter(|field| is_required(of, id, field, side));
    object()
        .with_text("description", &description(of, id, resource, side))
        .with("type", "object")
        .with_members("properties", properties.collect())
        .with_all("required", required.map(|field| field.name.wire.as_str()))
        .with_true("additionalProperties", resource.preserves_unknown)
        .with_some("additionalProperties", resource.rest().map(|rest| self::rest(of, rest, side)))
        .with_true("deprecated", resource.deprecated.is_some())
        .and(xml::of_resource(resource, side != Side::Answer && of.api.xml.resources.contains(&id)))
        .and(extensions::resource(of, id, side))
        .and(if side == Side::Answer { source::resource(resource) } else { object() })
}

/// Returns the schema of the fields without a name of their own.
fn rest(of: &Catalogue<'_>, rest: &Field, side: Side) -> Object {
    let Type::Map(inner) = &rest.ty else { return object() };
    let schema = values::schema(of, inner, &rest.constraints, side, false);
    let schema = if matches!(side, Side::Patch(_)) { values::nullable(schema) } else { schema };
    let own = if side == Side::Answer { source::rest(of.api, rest) } else { object() };
    schema.with_text("description", &docs::markdown(&rest.doc)).and(own)
}

fn description(of: &Catalogue<'_>, id: ResourceId, resource: &Resource, side: Side) -> String {
    let doc = docs::markdown(&resource.doc);
    let more = match side {
        Side::Patch(_) => {
            "Merge patch (RFC 7396): absent keeps a field, null clears it, any other value sets it.".to_owned()
        }
        Side::Sent(operation) if of.differs(id, side) => {
            format!("As {} is sent it.", docs::code(&of.api.operation(operation).name))
        }
        Side::Sent(_) => "As it is sent.".to_owned(),
        _ => String::new(),
    };
    joined([doc, more, deprecation(resource.deprecated.as_ref())])
}

/// Joins sentences with a space, and paragraphs with a line break.
pub fn joined(parts: impl IntoIterator<Item = String>) -> String {
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts
        .reduce(|all, part| format!("{all}{}{part}", if all.contains('\n') { "\n\n" } else { " " }))
        .unwrap_or_default()
}

/// Describes the replacement of a deprecated item.
pub fn deprecation(deprecated: Option<&Deprecated>) -> String {
    let Some(deprecated) = deprecated else { return String::new() };
    let since = deprecated.since.as_ref().map(|since| format!("Deprecated since {}.", docs::paragraph(since)));
    let instead = deprecated.instead.as_ref().map(|instead| format!("Use {} instead.", docs::code(instead)));
    let doc = deprecated.doc.as_deref().map(docs::paragraph);
    joined([since, instead, doc].into_iter().flatten())
}

/// Returns the output-only behavior of a field that the server drops or rejects in a request.
fn is_the_servers(field: &Field, side: Side) -> Option<&OutputOnly> {
    let only = field.behavior.output_only.as_ref()?;
    match side {
        Side::Sent(operation) | Side::Patch(operation) => (!only.except.contains(&operation)).then_some(only),
        _ => None,
    }
}

fn is_required(of: &Catalogue<'_>, id: ResourceId, field: &Field, side: Side) -> bool {
    match (&field.behavior.required, side) {
        _ if is_the_servers(field, side).is_some() => false,
        (Required::Everywhere, Side::Answer) => !of.is_partial(id) && !field.behavior.input_only,
        (Required::Everywhere, Side::Sent(_)) => true,
        (Required::In(operations), Side::Sent(operation)) => operations.contains(&operation),
        _ => false,
    }
}

fn property(of: &Catalogue<'_>, resource: &Resource, field: &Field, side: Side) -> Object {
    let behavior = &field.behavior;
    let servers = is_the_servers(field, side);
    let read_only = if side == Side::Answer { behavior.output_only.is_some() } else { servers.is_some() };
    let doc = joined([docs::markdown(&field.doc), deprecation(field.deprecated.as_ref())]);
    xml::of_member(of.api, value(of, field, side), field)
        .with_text("description", &doc)
        .with_some("default", default(of, field, side))
        .with_all("examples", field.example.as_ref().map(|example| literal(of.api, &field.ty, example)))
        .with_true("readOnly", read_only)
        .with_true("writeOnly", behavior.input_only)
        .with_true("deprecated", field.deprecated.is_some())
        .and(extensions::field(of.api, resource, field))
        .and(if side == Side::Answer { source::field(of.api, field) } else { object() })
}

/// Returns the schema of a field's value.
fn value(of: &Catalogue<'_>, field: &Field, side: Side) -> Object {
    let (required, constraints) = (&field.behavior.required, &constraints(field, side));
    match (is_the_servers(field, side), side) {
        (Some(OutputOnly { refuse: true, .. }), _) => object().with("not", object()),
        // Dropped values are not validated.
        (Some(_), _) => object(),
        (None, Side::Sent(operation)) => {
            let required = match required {
                Required::Never => false,
                Required::Everywhere => true,
                Required::In(operations) => operations.contains(&operation),
            };
            let fills = required && !field.explicit_presence;
            let schema = values::schema(of, &field.ty, constraints, side, fills);
            if required && !field.nullable { schema } else { values::nullable(schema) }
        }
        (None, Side::Patch(operation)) => {
            let is_kept = match required {
                Required::Never => false,
                Required::Everywhere => true,
                Required::In(operations) => operations.contains(&operation),
            };
            let schema = values::schema(of, &field.ty, constraints, side, false);
            if is_kept && !field.nullable { schema } else { values::nullable(schema) }
        }
        (None, _) => {
            let schema = values::schema(of, &field.ty, constraints, side, false);
            if field.nullable { values::nullable(schema) } else { schema }
        }
    }
}

/// Returns the default of an absent field; an absent field of a patch keeps the stored value.
fn default(of: &Catalogue<'_>, field: &Field, side: Side) -> Option<Json> {
    let default = field.default.as_ref()?;
    let sendable = match default {
        Literal::Enum(id, index) => !of.api.enumeration(*id).value(*index).output_only,
        _ => true,
    };
    let told = side == Side::Answer || matches!(side, Side::Sent(_)) && sendable;
    told.then(|| literal(of.api, &field.ty, default))
}

/// Returns the response schema of an enum: the known values and any other.
pub fn answered_enum(definition: &Enum) -> Object {
    let values: Vec<&EnumValue> = definition.values.iter().filter(|value| !value.input_only).collect();
    let known = values.iter().map(|value| spelled(definition, &value.name.wire)).collect::<Vec<_>>();
    let known = object().with("enum", known);
    let other = of_type(definition).with("description", "A value of a later version.");
    enumeration(definition, &values).with("anyOf", vec![known, other]).and(source::enumeration(definition))
}

/// Returns the request schema of an enum, with all aliases.
pub fn sent_enum(definition: &Enum) -> Object {
    let values: Vec<&EnumValue> = definition.values.iter().filter(|value| !value.output_only).collect();
    let names = values.iter().map(|value| &value.name.wire);
    let aliases = values.iter().flat_map(|value| &value.aliases);
    let all = names.chain(aliases).map(|text| spelled(definition, text)).collect::<Vec<_>>();
    enumeration(definition, &values).and(of_type(definition)).with("enum", all)
}

/// Returns a value of an enum as JSON.
pub fn spelled(definition: &Enum, text: &str) -> Json {
    let json = || serde_json::from_str::<serde_json::Value>(text).ok();
    if let (Some(Type::Double | Type::Any), Some(value)) = (&definition.number, json()) {
        return Json::from(value);
    }
    match text.parse() {
        Ok(number) if definition.number.is_some() => super::json::whole(number),
        _ => Json::from(text),
    }
}

fn enumeration(definition: &Enum, values: &[&EnumValue]) -> Object {
    let aliases = values.iter().filter(|value| !value.aliases.is_empty());
    let aliases = aliases
        .map(|value| (value.name.wire.clone(), value.aliases.iter().map(String::as_str).collect::<Vec<_>>().into()));
    let deprecated = values.iter().filter(|value| value.deprecated.is_some());
    object()
        .with_text("description", &enum_description(definition, values))
        .with_true("deprecated", definition.deprecated.is_some())
        .with_members("x-wireform-aliases", aliases.collect())
        .with_all("x-wireform-deprecated", deprecated.map(|value| value.name.wire.as_str()))
}

/// Returns the description of an enum with a list of its values.
fn enum_description(definition: &Enum, values: &[&EnumValue]) -> String {
    let head = joined([docs::markdown(&definition.doc), deprecation(definition.deprecated.as_ref())]);
    let line = |value: &&EnumValue| {
        let doc = joined([docs::markdown(&value.doc), deprecation(value.deprecated.as_ref())]);
        format!("* {}: {doc}", docs::code(&value.name.wire))
    };
    format!("{head}\n\n{}", values.iter().map(line).collect::<Vec<_>>().join("\n")).trim().to_owned()
}
