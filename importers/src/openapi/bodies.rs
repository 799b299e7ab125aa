//! Bodies of requests and responses.

mod errors;
mod headers;
mod json_patch;
mod ranges;
mod request;
mod responses;
mod successes;

use std::collections::BTreeMap;

use wireform_codegen::resolve::names::Casing;
use wireform_codegen::schema::Text;
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::xml::Xml;

use super::form::Form;
use super::importer::Importer;
use super::media::{Content, default_alternative_name};
use crate::lowering::{Constraints, DefinitionPath, Key};
use crate::names::{self, NameScope};
use crate::node::Node;
use crate::value_kind::ValueKind;
pub use errors::errors;
pub use request::request;
pub use responses::{Responses, responses};

/// Returns the place of the contents of an alternative.
fn alternative_place(place: &DefinitionPath, content: &Content<'_>, several: bool, what: &str) -> DefinitionPath {
    if several {
        let name = content.alternative.clone().unwrap_or_else(|| default_alternative_name(&content.types));
        place.part(&format!("{}{what}", names::pascal(&name)))
    } else {
        place.part(what)
    }
}

/// Returns a unique name of an alternative, and its Rust name if a generated document gives it.
fn alternative_name(content: &Content<'_>, taken: &mut NameScope, own: bool) -> (String, Option<Text>) {
    let name = content.alternative.clone().unwrap_or_else(|| default_alternative_name(&content.types));
    if own {
        return (name, content.node.text("x-wireform-name").map(Into::into));
    }
    (taken.reserve_free(&name, Casing::Type, names::ident).unwrap_or(name), None)
}

/// Returns the type of a body, with the constraints that bodies have: those on lists and maps. `no_null` is the reason
/// why the body cannot be null.
fn body_type(node: &Node<'_>, mut form: Form<'_>, no_null: Option<&str>) -> (TypeExpr, Constraints) {
    let lost = form.keys.retain(&[Key::Items, Key::Keys, Key::Unique, Key::Elements, Key::Encoding]);
    if !lost.is_empty() {
        node.loss(format!("`{}` is left out: supported for fields only", lost.join("`, `")));
    }
    let ty = match form.ty {
        TypeExpr::Name(name) if form.nullable && no_null.is_none() && name.text != "any" => TypeExpr::Nullable(name),
        ty => {
            if form.nullable && ty.name() != Some("any") {
                let why = no_null.unwrap_or("a list or a map as a body cannot be null");
                node.loss(format!("null is left out: {why}"));
            }
            ty
        }
    };
    (ty, form.keys)
}

/// Returns the root element of a response that can be XML.
fn element<'d>(importer: &mut Importer<'d>, content: &Content<'d>, form: &Form<'d>) -> Option<Xml> {
    let of = (&form.ty, resource(form).is_some());
    if content.has_xml() { importer.elements.body(of, content.schema.as_ref()) } else { None }
}

/// Counts the uses of each resource as an error body.
pub fn count<'f>(all: impl Iterator<Item = &'f Responses<'f>>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for responses in all {
        for failure in &responses.errors {
            if let Some(name) = failure.form.as_ref().and_then(resource) {
                *counts.entry(name.to_owned()).or_insert(0) += 1;
            }
        }
    }
    counts
}

/// Returns the name of the resource that a type is, if it is one.
pub fn resource<'f>(form: &'f Form<'_>) -> Option<&'f str> {
    if form.inner == ValueKind::Other && form.collection.is_none() { form.ty.name() } else { None }
}
