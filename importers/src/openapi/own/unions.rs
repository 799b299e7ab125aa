//! Unions and their variants.

use serde_yaml::{Mapping, Value as Yaml};

use super::{copied, deprecated};
use crate::draft::Place;
use crate::files::{Kind, put};
use crate::node::Node;
use crate::openapi::draft::Draft;
use crate::openapi::types;
use crate::openapi::view::View;

/// What stands behind the description of a union that is answered.
const OPEN: &str = "A later version may have further variants.";

/// Writes a union as the schema had it; nothing where the document does not say so.
pub fn union<'d>(draft: &mut Draft<'d>, view: &View<'d>, place: &Place) -> Option<()> {
    let node = view.nodes.first()?;
    let written = node.get("x-wireform-variants")?.elements();
    let mut body = Mapping::new();
    let doc = node.text("description").map(|doc| doc.strip_suffix(OPEN).unwrap_or(doc));
    put(&mut body, "doc", doc.and_then(crate::prose::paragraph));
    copied(node, &[("x-wireform-name", "name")], &mut body);
    let member = node.get("discriminator").and_then(|told| told.text("propertyName"));
    put(&mut body, "discriminator", member);
    let schemas: Vec<Node<'d>> = node.list(if member.is_some() { "oneOf" } else { "anyOf" });
    let mut variants = Mapping::new();
    for (one, schema) in written.iter().zip(schemas) {
        let held = if member.is_some() { held(draft, &schema)? } else { schema };
        let form = types::form(draft, std::slice::from_ref(&held), &place.part("Variant"), 0);
        let mut variant = Mapping::new();
        put(&mut variant, "type", Some(form.ty));
        put(&mut variant, "encoding", form.keys.get("encoding").cloned());
        put(&mut variant, "doc", one.text("description"));
        copied(one, &[("x-wireform-name", "name")], &mut variant);
        deprecated(one, &mut variant);
        variants.insert(Yaml::from(one.text("variant")?), Yaml::Mapping(variant));
    }
    put(&mut body, "variants", Some(variants));
    deprecated(node, &mut body);
    draft.made.add(place, Kind::Union, place.name.clone(), body);
    Some(())
}

/// What a variant that is told by a member holds: its schema is that, and the value of the member.
fn held<'d>(draft: &Draft<'d>, schema: &Node<'d>) -> Option<Node<'d>> {
    schema.resolved(&draft.root)?.list("allOf").into_iter().next()
}
