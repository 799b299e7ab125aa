//! Schemas of unions and their variants.

use super::catalogue::{Catalogue, PREFIX, Side};
use super::json::{Json, Object, object};
use super::resources::{deprecation, joined};
use super::{source, values};
use crate::emit::docs;
use crate::model::{Constraints, Type, Union, UnionId};

/// The schema of a union, looked at from a side. With a discriminator each variant has a schema of its own, since a
/// mapping refers to schemas; without one a value may fit several variants, and the first that fits best is meant.
pub fn union(of: &Catalogue<'_>, id: UnionId, side: Side) -> Object {
    let union = of.api.union(id);
    let head = object()
        .with_text("description", &description(union, side))
        .with_true("deprecated", union.deprecated.is_some());
    let source = if side == Side::Answer { source::union(union) } else { object() };
    let Some(member) = &union.discriminator else {
        let variants = union.variants.iter().map(|variant| {
            let schema = values::schema(of, &variant.ty, &Constraints::default(), sent(side), false);
            described(schema, &variant.ty, &variant.doc)
        });
        return head.with_all("anyOf", variants).with_true("x-wireform-open", side == Side::Answer).and(source);
    };
    let indices = 0..union.variants.len();
    let mapping = union.variants.iter().zip(indices.clone()).map(|(variant, index)| {
        let target = of.to_variant(id, index, side).get("$ref").cloned();
        (variant.name.wire.clone(), target.unwrap_or_else(|| Json::from(PREFIX)))
    });
    let discriminator = object().with("propertyName", member.as_str()).with_members("mapping", mapping.collect());
    head.with_all("oneOf", indices.map(|index| of.to_variant(id, index, side)))
        .with("discriminator", discriminator)
        .with_true("x-wireform-open", side == Side::Answer)
        .and(source)
}

/// A variant that the discriminator tells: its resource, and the member with its one value.
pub fn variant(of: &Catalogue<'_>, id: UnionId, index: usize, side: Side) -> Object {
    let union = of.api.union(id);
    let variant = union.variant(index);
    // Of others the schema of what they hold is that of the variant.
    let Some(member) = &union.discriminator else { return object() };
    let held = values::schema(of, &variant.ty, &Constraints::default(), sent(side), false);
    let told = object().with("const", variant.name.wire.as_str());
    let told = object()
        .with("type", "object")
        .with("properties", object().with(member.as_str(), told))
        .with_all("required", [member.as_str()]);
    object()
        .with_text("description", &joined([docs::markdown(&variant.doc), deprecation(variant.deprecated.as_ref())]))
        .with_true("deprecated", variant.deprecated.is_some())
        .with_all("allOf", [held, told])
}

/// A patch replaces a union as a whole.
fn sent(side: Side) -> Side {
    match side {
        Side::Patch(operation) => Side::Sent(operation),
        side => side,
    }
}

/// What a variant is, where its schema is not one that says so itself.
fn described(schema: Object, ty: &Type, doc: &str) -> Object {
    match ty {
        Type::Resource(_) | Type::Enum(_) | Type::Union(_) => schema,
        _ => schema.with_text("description", &docs::markdown(doc)),
    }
}

fn description(union: &Union, side: Side) -> String {
    let more = if side == Side::Answer { "A later version may have further variants." } else { "" };
    joined([docs::markdown(&union.doc), deprecation(union.deprecated.as_ref()), more.to_owned()])
}
