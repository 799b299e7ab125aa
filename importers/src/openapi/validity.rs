//! Validity of a document. Contradictions to the specification are reported even if the document can be read: as an error of
//! the document if no reading is possible, and otherwise as a note or a loss.

mod parameters;
mod paths;
mod schemas;
mod versions;

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::bundle::Sources;
use crate::node::Node;
use crate::value::Value;
use versions::Version;

/// Walk over a document that reports what is invalid. It marks nothing as read.
struct Validator<'d> {
    root: Node<'d>,
    sources: &'d Sources,
    version: Version,
    /// Locations of the ids of operations.
    ids: RefCell<BTreeMap<&'d str, String>>,
}

/// Reports what is invalid in a document, apart from what cannot be converted, which is reported where it is converted.
pub fn check<'d>(root: &Node<'d>, sources: &'d Sources) {
    let validator = Validator { root: root.clone(), sources, version: Version::of(root), ids: RefCell::default() };
    versions::document(validator.version, root);
    validator.servers(root);
    for (path, item) in members(root, "paths") {
        validator.path_item(&item);
        paths::variables(&item, path);
    }
    paths::equal(&members(root, "paths"));
    members(root, "webhooks").iter().for_each(|(_, item)| validator.path_item(item));
    validator.components();
    COMPOSITIONS.iter().for_each(|keyword| schemas::cycles(root, keyword));
}

/// Keywords that combine schemas.
const COMPOSITIONS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// Returns the members of an object, without marking anything as read.
fn entries<'d>(node: &Node<'d>) -> Vec<(&'d str, Node<'d>)> {
    let Value::Object(members) = node.value else { return Vec::new() };
    members.iter().map(|(name, value)| (name.as_str(), node.child_at(name, value))).collect()
}

/// Returns the members of an object below a key, without marking anything as read.
fn members<'d>(node: &Node<'d>, key: &str) -> Vec<(&'d str, Node<'d>)> {
    node.get(key).as_ref().map(entries).unwrap_or_default()
}

/// Returns the elements of a list below a key, without marking anything as read.
fn elements<'d>(node: &Node<'d>, key: &str) -> Vec<Node<'d>> {
    let Some(inner) = node.get(key) else { return Vec::new() };
    let Value::List(items) = inner.value else { return Vec::new() };
    items.iter().enumerate().map(|(index, value)| inner.child_at(&index.to_string(), value)).collect()
}

/// Returns whether the value of a key is an empty object.
fn is_empty(node: &Node<'_>, key: &str) -> bool {
    matches!(node.value.get(key), Some(Value::Object(members)) if members.is_empty())
}

impl<'d> Validator<'d> {
    /// Checks the components: none can be null, and their names have few characters.
    fn components(&self) {
        let Some(components) = self.root.get("components") else { return };
        for (section, all) in entries(&components).iter().filter(|(section, _)| !section.starts_with("x-")) {
            // Parts of other files are not components there, and have any names.
            let is_own = |(_, one): &&(&str, Node<'_>)| !self.sources.origins.contains_key(&one.at);
            let components = entries(all);
            if *section == "pathItems" && (components.is_empty() || components.iter().any(|one| is_own(&one))) {
                versions::path_items(self.version, all);
            }
            for one in &components {
                let (name, component) = one;
                if *component.value == Value::Null {
                    component.error(format!("expected an object in `{section}`, found null"));
                }
                if is_own(&one) && !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte)) {
                    let what = "invalid name of a component: expected letters, digits, `.`, `-` and `_`";
                    component.note_once(&format!("component name in {section}"), what);
                }
                match *section {
                    "schemas" => self.schema(component),
                    "parameters" => self.parameter(component),
                    "headers" => self.header(component),
                    "requestBodies" => self.request_body(component),
                    "responses" => self.response(component),
                    "pathItems" => self.path_item(component),
                    "securitySchemes" => versions::security_scheme(self.version, component),
                    _ => {}
                }
            }
        }
    }

    /// Checks a body of a request.
    fn request_body(&self, body: &Node<'d>) {
        if body.value.is_object() && !body.has("$ref") && (!body.has("content") || is_empty(body, "content")) {
            body.note("the body of the request has no `content`, and is left out");
        }
        self.content(body);
    }

    /// Checks a response.
    fn response(&self, response: &Node<'d>) {
        members(response, "headers").iter().for_each(|(_, header)| self.header(header));
        self.content(response);
    }

    /// Checks the media types of a body.
    fn content(&self, body: &Node<'d>) {
        for (_, media) in members(body, "content") {
            media.get("schema").iter().for_each(|schema| self.schema(schema));
            let properties = self.properties(&media);
            for (name, part) in members(&media, "encoding") {
                if properties.as_ref().is_some_and(|all| all.get(name).is_none()) {
                    part.note("the body has no field with this name");
                }
                parameters::style(&part, &["form", "spaceDelimited", "pipeDelimited", "deepObject"], "a form");
                members(&part, "headers").iter().for_each(|(_, header)| self.header(header));
            }
        }
    }

    /// Returns the properties of the schema of a media type, if it declares all of them itself.
    fn properties(&self, media: &Node<'d>) -> Option<&'d Value> {
        let mut schema = media.value.get("schema")?;
        if let Some(name) = schema.component() {
            schema = self.root.value.get("components")?.get("schemas")?.get(name)?;
        }
        let is_composed = ["allOf", "anyOf", "oneOf", "$ref"].iter().any(|key| schema.get(key).is_some());
        schema.get("properties").filter(|_| !is_composed)
    }

    /// Checks the servers of the document, a path or an operation.
    fn servers(&self, node: &Node<'d>) {
        for (_, variable) in elements(node, "servers").iter().flat_map(|server| members(server, "variables")) {
            let values = elements(&variable, "enum");
            schemas::report_duplicates(&values);
            if let Some(default) = variable.get("default")
                && !values.is_empty()
                && values.iter().all(|value| value.value != default.value)
            {
                default.note("the default is not among the values of `enum`, of which the first is used");
            }
        }
    }
}
