//! Restores the API as a whole.

use wireform_codegen::schema::Named;
use wireform_codegen::schema::endpoints::EndpointDef;
use wireform_codegen::schema::file::{Errors, File, Scope};
use wireform_codegen::schema::shape::Short;

use super::keys::{of_node, read};
use crate::lowering::{DefinitionPath, text, texts};
use crate::node::Node;
use crate::openapi::importer::Importer;
use crate::openapi::parameters;

/// Name of the set of parameters that every operation takes.
const STANDARD: &str = "standard";

/// Returns the name of the API.
pub fn name<'d>(root: &Node<'d>) -> Option<&'d str> {
    root.get("x-wireform-api")?.text_if("name")
}

/// Returns the error format of every operation.
pub fn errors(root: &Node<'_>) -> Option<Errors> {
    of_node(&root.get("x-wireform-api")?.get("errors")?)
}

/// Returns the names and URLs of the scopes.
pub fn scopes<'d>(root: &Node<'d>) -> Vec<(&'d str, &'d str)> {
    let all = root.get("x-wireform-api").map(|api| api.list("scopes")).unwrap_or_default();
    all.iter().filter_map(|scope| Some((scope.text("name")?, scope.text("url")?))).collect()
}

/// Returns whether the description of a response is that of its body, or a placeholder.
pub fn is_generated_description(root: &Node<'_>, doc: &str) -> bool {
    let schemas = root.get("components").map(|components| components.entries("schemas")).unwrap_or_default();
    let is = |node: &Node<'_>| node.text_if("description") == Some(doc);
    doc == "The operation has succeeded."
        || doc == "The resource has changed."
        || doc == "The operation has failed."
        || doc == "Any other error."
        || schemas.iter().any(|(_, node)| is(node))
}

/// Restores the other API-wide keys.
pub fn api(root: &Node<'_>, file: &mut File) {
    if file.title == file.api {
        file.title = None;
    }
    file.batch = read(root, "x-wireform-batch");
    let Some(own) = root.get("x-wireform-api") else { return };
    file.features = read(&own, "features");
    file.profile = read(&own, "profile");
    file.unimplemented = read(&own, "unimplemented").unwrap_or_default();
    let scope = |scope: &Node<'_>| {
        let (doc, url) = (read(scope, "description"), read(scope, "url"));
        let aliases = read(scope, "aliases").unwrap_or_default();
        Some((scope.text("name")?.to_owned(), Scope { doc, url, aliases, ..Scope::default() }.into()))
    };
    file.scopes = own.list("scopes").iter().filter_map(scope).collect();
}

/// Restores the parameters that every operation takes.
pub fn standard<'d>(importer: &mut Importer<'d>, file: &mut File) {
    let root = importer.root.clone();
    let all = root.get("components").map(|components| components.entries("parameters")).unwrap_or_default();
    let mut set = Named::default();
    for (id, node) in all.into_iter().filter(|(id, _)| id.starts_with("standard.")) {
        let Some(wire) = node.text("name") else { continue };
        let place = DefinitionPath::of_type("Standard").part(id);
        let mut parameter = parameters::parameter(importer, &node, &place, None, "query");
        let key = node.text_if("x-wireform-key").unwrap_or(wire);
        parameter.wire_name = text((key != wire).then_some(wire));
        parameter.role = read(&node, "x-wireform-role");
        set.insert(key, parameter);
    }
    if !set.is_empty() {
        file.standard_parameters = texts([STANDARD]);
        file.parameter_sets.insert(STANDARD, set);
    }
}

/// Restores an endpoint.
pub fn endpoint(
    node: &Node<'_>,
    name: &str,
    url: String,
    doc: Option<String>,
    file: &mut File,
    endpoints: &mut Named<Short<EndpointDef>>,
) {
    if node.flag("x-wireform-mtls") {
        file.mtls_root = Some(url.into());
        return;
    }
    let location = read(node, "x-wireform-location");
    let endpoint = EndpointDef { url: url.into(), doc: text(doc), location, ..EndpointDef::default() };
    endpoints.insert(name, endpoint.into());
}
