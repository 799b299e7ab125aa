//! Schemas of unions and their variants.

use super::catalogue::{Catalogue, PREFIX, SchemaUse};
use super::json::{Json, Object, object};
use super::resources::{deprecation, join_sentences};
use super::{source, values};
use crate::emit::docs;
use crate::model::{Type, Union, UnionId};

/// Returns the schema of a union for a use. With a discriminator each variant has a schema of its own, since a
/// mapping refers to schemas; without one a value may match several variants, and the first best match applies.
pub fn union(of: &Catalogue<'_>, id: UnionId, usage: SchemaUse) -> Object {
    let union = of.api.union(id);
    let head = object()
        .with_text("description", &description(union, usage))
        .with_true("deprecated", union.deprecated.is_some());
    let source = if usage == SchemaUse::Response { source::union(union) } else { object() };
    let Some(member) = &union.discriminator else {
        let variants = union.variants.iter().map(|variant| {
            let schema = values::unconstrained(of, &variant.ty, as_request(usage));
            with_description(schema, &variant.ty, &variant.doc)
        });
        return head
            .with_list("anyOf", variants)
            .with_true("x-wireform-open", usage == SchemaUse::Response)
            .merged(source);
    };
    let indices = 0..union.variants.len();
    let mapping = union.variants.iter().zip(indices.clone()).map(|(variant, index)| {
        let target = of.variant_reference(id, index, usage).get("$ref").cloned();
        (variant.name.wire.clone(), target.unwrap_or_else(|| Json::from(PREFIX)))
    });
    let discriminator = object().with("propertyName", member.as_str()).with_members("mapping", mapping.collect());
    head.with_list("oneOf", indices.map(|index| of.variant_reference(id, index, usage)))
        .with("discriminator", discriminator)
        .with_true("x-wireform-open", usage == SchemaUse::Response)
        .merged(source)
}

/// Returns the schema of a discriminated variant: its resource, and the discriminator with its one value.
pub fn variant(of: &Catalogue<'_>, id: UnionId, index: usize, usage: SchemaUse) -> Object {
    let union = of.api.union(id);
    let variant = union.variant(index);
    // Without a discriminator, the schema of the variant is that of its type.
    let Some(member) = &union.discriminator else { return object() };
    let held = values::unconstrained(of, &variant.ty, as_request(usage));
    let tag = object().with("const", union.tag.json(&variant.name.wire));
    let discriminator = object()
        .with("type", "object")
        .with("properties", object().with(member.as_str(), tag))
        .with_list("required", [member.as_str()]);
    object()
        .with_text(
            "description",
            &join_sentences([docs::markdown(&variant.doc), deprecation(variant.deprecated.as_ref())]),
        )
        .with_true("deprecated", variant.deprecated.is_some())
        .with_list("allOf", [held, discriminator])
}

/// Maps a patch to a request, since it replaces a union as a whole.
fn as_request(usage: SchemaUse) -> SchemaUse {
    match usage {
        SchemaUse::Patch(operation) => SchemaUse::Request(operation),
        usage => usage,
    }
}

/// Adds the description of a variant, unless its schema has one.
fn with_description(schema: Object, ty: &Type, doc: &str) -> Object {
    match ty {
        Type::Resource(_) | Type::Enum(_) | Type::Union(_) => schema,
        _ => schema.with_text("description", &docs::markdown(doc)),
    }
}

/// Returns the description of a union's schema; in responses it adds that the union is open.
fn description(union: &Union, usage: SchemaUse) -> String {
    let more = if usage == SchemaUse::Response { "A later version may have further variants." } else { "" };
    join_sentences([docs::markdown(&union.doc), deprecation(union.deprecated.as_ref()), more.to_owned()])
}
