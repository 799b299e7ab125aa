//! Unions and their variants.

use wireform_codegen::schema::Named;
use wireform_codegen::schema::Union;
use wireform_codegen::schema::union::{Variant, VariantDef};

use super::deprecated;
use super::keys::read;
use crate::lowering::{DefinitionPath, text};
use crate::node::Node;
use crate::openapi::importer::Importer;
use crate::openapi::types;
use crate::openapi::view::View;

/// Suffix of the description of a union in responses.
const OPEN: &str = "A later version may have further variants.";

/// Restores a union of the schema; `None` if the document does not describe one.
pub fn union<'d>(importer: &mut Importer<'d>, view: &View<'d>, place: &DefinitionPath) -> Option<()> {
    let node = view.nodes.first()?;
    let written = node.get("x-wireform-variants")?.elements();
    let doc = node.text("description").map(|doc| doc.strip_suffix(OPEN).unwrap_or(doc));
    let member = node.get("discriminator").and_then(|discriminator| discriminator.text("propertyName"));
    let schemas: Vec<Node<'d>> = node.list(if member.is_some() { "oneOf" } else { "anyOf" });
    let mut variants = Named::default();
    for (one, schema) in written.iter().zip(schemas) {
        let held = if member.is_some() { variant_contents(importer, &schema)? } else { schema };
        let form = types::form(importer, std::slice::from_ref(&held), &place.part("Variant"), 0);
        let variant = VariantDef {
            ty: form.ty,
            encoding: form.keys.encoding,
            doc: text(one.text("description")),
            name: read(one, "x-wireform-name"),
            deprecated: deprecated(one),
            ..VariantDef::default()
        };
        variants.insert(one.text("variant")?, Variant(variant));
    }
    let union = Union {
        doc: text(doc.and_then(|doc| crate::prose::markdown(doc, None))),
        name: read(node, "x-wireform-name"),
        discriminator: text(member),
        variants,
        deprecated: deprecated(node),
        ..Union::default()
    };
    importer.lowering.add(place, place.name.clone(), union);
    Some(())
}

/// Returns the contents of a variant with a discriminator: its schema combines them with the discriminator's value.
fn variant_contents<'d>(importer: &Importer<'d>, schema: &Node<'d>) -> Option<Node<'d>> {
    schema.resolved(&importer.root)?.list("allOf").into_iter().next()
}
