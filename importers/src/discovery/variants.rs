//! Conversion of schemas with variants, distinguished by the value of a member, to unions.

use std::collections::BTreeSet;

use wireform_codegen::resolve::names::Casing;
use wireform_codegen::schema::Named;
use wireform_codegen::schema::resource::UnknownMembers;
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::union::{Variant, VariantDef};
use wireform_codegen::schema::{Resource, Union};

use super::importer::{Importer, Target};
use super::types;
use crate::lowering::{DefinitionPath, deprecated, text};
use crate::names::{self, NameScope};
use crate::node::Node;

/// Returns whether a schema has no members of its own, and lists variants.
pub fn is_variant(node: &Node<'_>) -> bool {
    matches!(node.text("type"), None | Some("object"))
        && !node.has("properties")
        && node.child("variant").is_some_and(|variant| variant.text("discriminant").is_some() && variant.has("map"))
}

/// Writes a schema with variants as a union.
pub fn write<'d>(importer: &mut Importer<'d>, node: &Node<'d>, place: &DefinitionPath) {
    types::report_other_keys(node, "variants", &["type"]);
    let Some(variant) = node.child("variant") else { return };
    variant.report_unknown(&["discriminant", "map"]);
    let member = variant.text("discriminant").unwrap_or_default();
    let mut taken = NameScope::with(&["Unknown"]);
    let (mut seen, mut variants) = (BTreeSet::new(), Named::default());
    for one in variant.object_list("map") {
        one.report_unknown(&["$ref", "type_value"]);
        let (Some(value), Some(id)) = (one.text("type_value"), one.text("$ref")) else {
            one.whole_loss("left out: expected `type_value` and `$ref`");
            continue;
        };
        let Some(name) = variant_resource(importer, &one, id, member, value) else { continue };
        if !seen.insert(value) {
            one.whole_loss("left out: another variant has the same value");
            continue;
        }
        let code = taken.explicit_name(value, Casing::Type, "variant", names::ident);
        one.note_name(code.as_deref());
        let variant = VariantDef { ty: TypeExpr::named(name), name: text(code), ..VariantDef::default() };
        variants.push(value, Variant(variant));
    }
    node.set_definition(&place.name);
    let doc = text(node.prose("description"));
    if variants.is_empty() {
        variant.whole_loss("left out: no variant is supported, so that the type becomes an object with any members");
        let resource = Resource { doc, unknown_members: Some(UnknownMembers::Preserve), ..Resource::default() };
        return importer.lowering.add(place, place.name.clone(), resource);
    }
    let union = Union {
        doc,
        discriminator: text(Some(member)),
        variants,
        deprecated: deprecated(node.flag("deprecated")),
        ..Union::default()
    };
    importer.lowering.add(place, place.name.clone(), union);
}

/// Returns the resource of a variant, if its member can have the value.
fn variant_resource(importer: &Importer<'_>, one: &Node<'_>, id: &str, member: &str, value: &str) -> Option<String> {
    let target = importer.targets.get(id).cloned().zip(importer.schemas.get(id));
    let Some((Target::Resource(name), schema)) = target else {
        one.whole_loss(format!("left out: `{}` is not a schema with members", id.escape_debug()));
        return None;
    };
    let discriminator = schema.child("properties").and_then(|properties| properties.child(member));
    let fits = discriminator.is_none_or(|discriminator| {
        let listed = discriminator.list("enum");
        let is_listed = listed.iter().any(|own| own.value.text() == Some(value));
        discriminator.text("type") == Some("string")
            && if discriminator.has("enum") { is_listed } else { !discriminator.has("format") }
    });
    if !fits {
        one.whole_loss(format!(
            "left out: the member `{}` of the schema cannot have this value",
            member.escape_debug()
        ));
    }
    fits.then_some(name)
}
