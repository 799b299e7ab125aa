//! The API as a whole.

use serde_yaml::{Mapping, Value as Yaml};

use super::copied;
use crate::draft::Place;
use crate::files::put;
use crate::node::Node;
use crate::openapi::draft::Draft;
use crate::openapi::parameters;

/// The set of the parameters that every operation takes.
const STANDARD: &str = "standard";

/// The name of the API.
pub fn name<'d>(root: &Node<'d>) -> Option<&'d str> {
    root.get("x-wireform-api")?.text_if("name")
}

/// What the errors of every operation look like.
pub fn errors(root: &Node<'_>) -> Option<Mapping> {
    let errors = root.get("x-wireform-api")?.get("errors")?;
    let mut body = Mapping::new();
    let keys = [
        "body",
        "message",
        "reason",
        "location",
        "location_type",
        "rule",
        "violation_message",
        "domain",
        "code",
        "status",
    ];
    let keys = keys.map(|key| (key, key));
    copied(&errors, &keys, &mut body);
    Some(body)
}

/// The names and the addresses of the scopes.
pub fn scopes<'d>(root: &Node<'d>) -> Vec<(&'d str, &'d str)> {
    let all = root.get("x-wireform-api").map(|api| api.list("scopes")).unwrap_or_default();
    all.iter().filter_map(|scope| Some((scope.text("name")?, scope.text("url")?))).collect()
}

/// Whether the description of an answer is that of what is answered, or none.
pub fn says_nothing(root: &Node<'_>, doc: &str) -> bool {
    let schemas = root.get("components").map(|components| components.entries("schemas")).unwrap_or_default();
    let is = |node: &Node<'_>| node.text_if("description") == Some(doc);
    doc == "The operation has succeeded."
        || doc == "The resource has changed."
        || schemas.iter().any(|(_, node)| is(node))
}

/// What else is said once.
pub fn api(root: &Node<'_>, file: &mut Mapping) {
    if file.get("title") == file.get("api") {
        file.shift_remove("title");
    }
    copied(root, &[("x-wireform-batch", "batch")], file);
    root.get("x-wireform-api").iter().for_each(|own| copied(own, &[("features", "features")], file));
    let mut scopes = Mapping::new();
    for scope in root.get("x-wireform-api").map(|api| api.list("scopes")).unwrap_or_default() {
        let Some(name) = scope.text("name") else { continue };
        let mut body = Mapping::new();
        copied(&scope, &[("description", "doc"), ("url", "url"), ("aliases", "aliases")], &mut body);
        scopes.insert(Yaml::from(name), Yaml::Mapping(body));
    }
    put(file, "scopes", Some(scopes).filter(|scopes| !scopes.is_empty()));
}

/// The parameters that every operation takes.
pub fn standard<'d>(draft: &mut Draft<'d>, file: &mut Mapping) {
    let root = draft.root.clone();
    let all = root.get("components").map(|components| components.entries("parameters")).unwrap_or_default();
    let mut set = Mapping::new();
    for (id, node) in all.into_iter().filter(|(id, _)| id.starts_with("standard.")) {
        let Some(wire) = node.text("name") else { continue };
        let place = Place::of_type("Standard").part(id);
        let mut body = parameters::parameter(draft, &node, &place, None, "query");
        super::parameter(&node, &mut body);
        let key = node.text_if("x-wireform-key").unwrap_or(wire);
        put(&mut body, "wire_name", (key != wire).then_some(wire));
        set.insert(Yaml::from(key), Yaml::Mapping(body));
    }
    if !set.is_empty() {
        put(file, "standard_parameters", Some(vec![STANDARD]));
        put(
            file,
            "parameter_sets",
            Some([(Yaml::from(STANDARD), Yaml::Mapping(set))].into_iter().collect::<Mapping>()),
        );
    }
}

/// Another address of the API.
pub fn endpoint(
    node: &Node<'_>,
    name: &str,
    url: String,
    doc: Option<String>,
    file: &mut Mapping,
    endpoints: &mut Mapping,
) {
    if node.flag("x-wireform-mtls") {
        return put(file, "mtls_root", Some(url));
    }
    let mut body = Mapping::new();
    put(&mut body, "url", Some(url));
    put(&mut body, "doc", doc);
    copied(node, &[("x-wireform-location", "location")], &mut body);
    endpoints.insert(Yaml::from(name), Yaml::Mapping(body));
}
