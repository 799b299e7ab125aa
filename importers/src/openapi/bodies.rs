//! The bodies of requests and responses.

mod answers;
mod errors;
mod headers;
mod json_patch;
mod request;
mod successes;

use std::collections::BTreeMap;

use wireform_codegen::resolve::names::Casing;
use wireform_codegen::schema::Text;
use wireform_codegen::schema::field::Encoding;
use wireform_codegen::schema::read::Located;
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::xml::Xml;

use super::form::Form;
use super::importer::Importer;
use super::media::{Content, called};
use crate::inner::Inner;
use crate::lowering::{Key, Place};
use crate::names::{self, Names};
use crate::node::Node;
pub use answers::{Answers, answers};
pub use errors::errors;
pub use request::request;

/// The place of what stands within one of several alternatives.
fn alternative_place(place: &Place, content: &Content<'_>, several: bool, what: &str) -> Place {
    if several {
        let name = content.alternative.clone().unwrap_or_else(|| called(&content.types));
        place.part(&format!("{}{what}", names::pascal(&name)))
    } else {
        place.part(what)
    }
}

/// The name of an alternative, which is free among its like, and its Rust name where a document of ours says it.
fn alternative_name(content: &Content<'_>, taken: &mut Names, own: bool) -> (String, Option<Text>) {
    let name = content.alternative.clone().unwrap_or_else(|| called(&content.types));
    if own {
        return (name, content.node.text("x-wireform-name").map(Into::into));
    }
    (taken.free(&name, Casing::Type, names::ident).unwrap_or(name), None)
}

/// A type where nothing but its encoding can stand beside it.
fn unconstrained(node: &Node<'_>, mut form: Form<'_>) -> (TypeExpr, Option<Located<Encoding>>) {
    let lost = form.keys.retain(&[Key::Encoding]);
    if !lost.is_empty() {
        node.loss(format!("`{}` is left out: it is for members", lost.join("`, `")));
    }
    if form.nullable {
        node.loss("null is left out: it is no body");
    }
    (form.ty, form.keys.encoding)
}

/// The outermost element of an answer that can be XML.
fn element<'d>(importer: &mut Importer<'d>, content: &Content<'d>, form: &Form<'d>) -> Option<Xml> {
    let of = (&form.ty, resource(form).is_some());
    if content.has_xml() { importer.elements.body(of, content.schema.as_ref()) } else { None }
}

/// How often each resource is the body of an error.
pub fn count<'f>(all: impl Iterator<Item = &'f Answers<'f>>) -> BTreeMap<String, usize> {
    let mut often = BTreeMap::new();
    for answers in all {
        for failure in &answers.errors {
            if let Some(name) = failure.form.as_ref().and_then(resource) {
                *often.entry(name.to_owned()).or_insert(0) += 1;
            }
        }
    }
    often
}

/// The resource that a type is, by name.
pub fn resource<'f>(form: &'f Form<'_>) -> Option<&'f str> {
    if form.inner == Inner::Other && form.collection.is_none() { form.ty.name() } else { None }
}
