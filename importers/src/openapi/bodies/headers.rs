//! Headers of responses.

use std::collections::BTreeMap;

use heck::ToSnakeCase as _;
use wireform_codegen::resolve::names::Casing;
use wireform_codegen::resolve::{is_reserved_response_header, is_token};
use wireform_codegen::schema::Named;
use wireform_codegen::schema::field::Parameter;
use wireform_codegen::schema::read::Raw;
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::yaml::Node as Yaml;

use crate::lowering::DefinitionPath;
use crate::names::{self, NameScope};
use crate::node::Node;
use crate::openapi::importer::Importer;
use crate::openapi::{enums, parameters};

/// Headers of the successes or the errors of an operation, by Rust name: headers of the same name are merged.
#[derive(Default)]
pub struct HeaderTypes(BTreeMap<String, (String, String)>);

impl HeaderTypes {
    /// Returns whether another response has a header of that name in another case, or of another type.
    fn differs(&mut self, wire: &str, parameter: &Parameter) -> bool {
        let own = (wire.to_owned(), parameter.ty.to_string());
        *self.0.entry(wire.to_snake_case()).or_insert_with(|| own.clone()) != own
    }
}

/// Returns the headers of a response.
pub fn headers<'d>(
    importer: &mut Importer<'d>,
    node: &Node<'d>,
    place: &DefinitionPath,
    known: &mut HeaderTypes,
) -> Named<Parameter> {
    if let Some(links) = node.get("links") {
        links.whole_note("left out: links do not affect the wire format");
    }
    let mut all = Named::default();
    let mut taken = NameScope::default();
    for (wire, written) in node.entries("headers") {
        let implied =
            importer.is_generated && written.value.reference().and_then(|to| to.component("headers")) == Some("ETag");
        let Some(header) = written.resolved(&importer.root).filter(|_| !implied) else { continue };
        if is_reserved_response_header(wire) {
            header.whole_note("left out: the header is controlled by the protocol");
            continue;
        }
        if !is_token(wire) {
            header.whole_loss("left out: invalid header name");
            continue;
        }
        let name = taken.explicit_name(wire, Casing::Member, "header", names::parameter);
        let mut parameter = parameters::parameter(importer, &header, &place.part(wire), name, "header");
        if wire.eq_ignore_ascii_case("Set-Cookie") && !importer.is_generated && parameter.ty.name() == Some("string") {
            header.note("becomes a list: each cookie has a line of its own");
            cookies(&header, &mut parameter);
        }
        if known.differs(wire, &parameter) {
            header.whole_loss("left out: another response declares the header with another type");
            continue;
        }
        all.insert(wire, parameter);
    }
    all
}

/// Makes a header a list of cookies, each with the constraints of the header.
fn cookies(header: &Node<'_>, parameter: &mut Parameter) {
    parameter.ty = TypeExpr::list_of(TypeExpr::named("string"));
    if let Some(constant) = parameter.constant.take() {
        parameter.pattern = enums::as_pattern(&constant).map(Into::into);
    }
    if parameter.default.take().is_some() {
        header.loss("the default is left out: a list of cookies has none");
    }
    parameter.example = parameter.example.take().map(|example| Raw(Yaml::list(vec![example.0])));
}
