//! Schemas that are one of several others, which the value of a member tells → unions.

use std::collections::BTreeSet;

use serde_yaml::{Mapping, Value};
use wireform_codegen::resolve::names::Casing;

use super::draft::{Draft, Target};
use super::types;
use crate::draft::Place;
use crate::files::{Kind, put};
use crate::names::{self, Names};
use crate::node::Node;
use crate::prose;

/// Whether a schema has no members of its own, and says which others it can be.
pub fn is_variant(node: &Node<'_>) -> bool {
    matches!(node.text("type"), None | Some("object"))
        && !node.has("properties")
        && node.child("variant").is_some_and(|variant| variant.text("discriminant").is_some() && variant.has("map"))
}

/// Writes one as a union.
pub fn write<'d>(draft: &mut Draft<'d>, node: &Node<'d>, place: &Place) {
    types::rest(node, "variants", &["type"]);
    let Some(variant) = node.child("variant") else { return };
    variant.only(&["discriminant", "map"]);
    let member = variant.text("discriminant").unwrap_or_default();
    let mut taken = Names::with(&["Unknown"]);
    let (mut seen, mut variants) = (BTreeSet::new(), Mapping::new());
    for one in variant.object_list("map") {
        one.only(&["$ref", "type_value"]);
        let (Some(value), Some(id)) = (one.text("type_value"), one.text("$ref")) else {
            one.whole_loss("left out: a value and a schema belong here");
            continue;
        };
        let Some(name) = held(draft, &one, id, member, value) else { continue };
        if !seen.insert(value) {
            one.whole_loss("left out: another variant has the same value");
            continue;
        }
        let code = taken.beside(value, Casing::Type, "variant", names::ident);
        one.note_name(code.as_deref());
        variants.insert(Value::from(value), said(name, code));
    }
    let mut body = Mapping::new();
    put(&mut body, "doc", node.text("description").and_then(prose::paragraph));
    if variants.is_empty() {
        variant.whole_loss("left out: none of the variants can be told; an object of any members is taken");
        put(&mut body, "unknown_members", Some("preserve"));
        return draft.made.add(place, Kind::Resource, place.name.clone(), body);
    }
    put(&mut body, "discriminator", Some(member));
    put(&mut body, "variants", Some(variants));
    put(&mut body, "deprecated", node.flag("deprecated").then_some(true));
    draft.made.add(place, Kind::Union, place.name.clone(), body);
}

fn said(ty: String, name: Option<String>) -> Value {
    let Some(name) = name else { return Value::String(ty) };
    let mut body = Mapping::new();
    put(&mut body, "type", Some(ty));
    put(&mut body, "name", Some(name));
    Value::Mapping(body)
}

/// The resource that a variant is, if its member can have the value.
fn held(draft: &Draft<'_>, one: &Node<'_>, id: &str, member: &str, value: &str) -> Option<String> {
    let target = draft.targets.get(id).cloned().zip(draft.schemas.get(id));
    let Some((Target::Resource(name), schema)) = target else {
        one.whole_loss(format!("left out: `{}` is no schema with members", id.escape_debug()));
        return None;
    };
    let told = schema.child("properties").and_then(|properties| properties.child(member));
    let fits = told.is_none_or(|told| {
        let listed = told.list("enum");
        let is_listed = listed.iter().any(|own| own.value.text() == Some(value));
        told.text("type") == Some("string") && if told.has("enum") { is_listed } else { !told.has("format") }
    });
    if !fits {
        one.whole_loss(format!("left out: `{}` of the schema cannot have this value", member.escape_debug()));
    }
    fits.then_some(name)
}
