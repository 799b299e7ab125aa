//! Documents that were made of a schema: what `x-wireform-…` says is read back, so that the schema is the same again.

mod api;
mod long_running;
mod operations;
mod resources;
mod text;
mod unions;

use serde_yaml::{Mapping, Value as Yaml};

pub use api::{api, endpoint, errors, name, says_nothing, scopes, standard};
pub use operations::{is_unchanged, operation, parameter};
pub use resources::{enumeration, field, resource, rest, values};
pub use text::plain;
pub use unions::union;

use super::types::Form;
use crate::inner::Inner;
use crate::node::Node;
use crate::value::Value;

/// Whether a document was made of a schema.
pub fn is_own(root: &Node<'_>) -> bool {
    root.has("x-wireform-api")
}

/// A path without what tells it from another one that OpenAPI takes for the same.
pub fn path<'d>(root: &Node<'d>, path: &'d str) -> &'d str {
    if is_own(root) { path.split('#').next().unwrap_or(path) } else { path }
}

/// The name of the definition of which a schema is a side: `Event` of `Event.Input.events.insert`.
pub fn definition(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// The type of a text of the wire that several members have.
pub fn wire<'d>(name: &str) -> Option<Form<'d>> {
    let decimal = |name: &str| {
        let mut form = Form::plain(name, Inner::Scalar);
        form.keys.insert(Yaml::from("encoding"), Yaml::from("decimal_string"));
        form
    };
    match name.strip_prefix("Wire.")?.split('.').next()? {
        "Int64" => Some(decimal("int64")),
        "Uint64" => Some(decimal("uint64")),
        "DateTime" => Some(Form::plain("datetime", Inner::DateTime)),
        "Duration" => Some(Form::plain("duration", Inner::Scalar)),
        _ => None,
    }
}

/// Copies members of an extension, by the names that a schema has for them.
fn copied(from: &Node<'_>, keys: &[(&str, &str)], into: &mut Mapping) {
    for (theirs, ours) in keys {
        if let Some(node) = from.get(theirs) {
            into.insert(Yaml::from(*ours), node.value.to_yaml());
        }
    }
}

/// How something deprecated is replaced.
fn deprecated(node: &Node<'_>, into: &mut Mapping) {
    if let Some(parts) = node.get("x-wireform-deprecation") {
        into.insert(Yaml::from("deprecated"), parts.value.to_yaml());
    } else if node.flag("deprecated") {
        into.insert(Yaml::from("deprecated"), Yaml::Bool(true));
    }
}

/// The rules of a resource or an operation.
fn rules(node: &Node<'_>, into: &mut Mapping) {
    let rule = |rule: Node<'_>| {
        let mut body = Mapping::new();
        copied(&rule, &[("id", "id"), ("cel", "cel"), ("message", "message"), ("at", "at")], &mut body);
        copied(&rule, &[("operations", "operations")], &mut body);
        if rule.text_if("severity") == Some("warning") {
            copied(&rule, &[("severity", "severity")], &mut body);
        }
        Yaml::Mapping(body)
    };
    let rules: Vec<Yaml> = node.list("x-wireform-rules").into_iter().map(rule).collect();
    if !rules.is_empty() {
        into.insert(Yaml::from("rules"), Yaml::Sequence(rules));
    }
}

/// Values that mean something special.
fn known(node: &Node<'_>, into: &mut Mapping) {
    let mut values = Mapping::new();
    for (name, value) in node.entries("x-wireform-known-values") {
        let mut body = Mapping::new();
        copied(&value, &[("description", "doc"), ("aliases", "aliases")], &mut body);
        values.insert(Yaml::from(name), Yaml::Mapping(body));
    }
    if !values.is_empty() {
        into.insert(Yaml::from("known_values"), Yaml::Mapping(values));
    }
}

/// The type and the constraints that a schema has beside what JSON Schema says of them.
fn typed(node: &Node<'_>, schema: &Node<'_>, into: &mut Mapping) {
    let keys = [
        ("x-wireform-name", "name"),
        ("x-wireform-type", "type"),
        ("x-wireform-encoding", "encoding"),
        ("x-wireform-pattern", "pattern"),
        ("x-wireform-schemes", "schemes"),
        ("x-wireform-aliases", "aliases"),
        ("x-wireform-clamp", "clamp"),
    ];
    if node.has("x-wireform-schemes") && !node.has("x-wireform-pattern") {
        into.shift_remove("pattern");
    }
    copied(node, &keys, into);
    let counted = into.shift_remove("items").and_then(|items| items.as_str().map(str::to_owned));
    if let Some(items) = node.get("x-wireform-items") {
        into.insert(Yaml::from("items"), items.value.to_yaml());
    } else if let Some((_, most)) = counted.as_deref().and_then(|items| items.split_once("..=")) {
        // That a required list has an element says that it is there.
        into.insert(Yaml::from("items"), Yaml::from(format!("..={most}")));
    }
    if let Some(range) = node.get("x-wireform-range") {
        copied(&range, &[("min", "min"), ("max", "max")], into);
    }
    let bytes =
        schema.get("x-wireform-bytes").or_else(|| schema.get("items").and_then(|of| of.get("x-wireform-bytes")));
    if let Some(bytes) = bytes {
        let range = super::constraints::range(bytes.count("min"), bytes.count("max"));
        into.extend(range.map(|range| (Yaml::from("length"), range)));
    }
    if node.has("x-wireform-type") {
        numbers(node, schema, into);
    }
}

/// Values of 64 bits, which are texts on the wire and numbers in a schema.
fn numbers(node: &Node<'_>, schema: &Node<'_>, into: &mut Mapping) {
    let number = |value: &Value| match value {
        Value::Text(text) | Value::Number(text) => crate::value::number(text),
        _ => None,
    };
    let is_number = node.has("x-wireform-encoding");
    for (ours, theirs) in [("default", "default"), ("const", "const"), ("example", "examples"), ("example", "example")]
    {
        let found = schema.get(theirs).or_else(|| node.get(theirs));
        let Some(found) = found.and_then(|found| found.first_or_self()) else { continue };
        let value = if is_number { number(&found) } else { Some(found.to_yaml()) };
        into.extend(value.map(|value| (Yaml::from(ours), value)));
    }
}

impl Node<'_> {
    /// The first element of a list, or what is no list.
    fn first_or_self(&self) -> Option<Value> {
        match self.value {
            Value::List(items) => items.first().cloned(),
            value => Some(value.clone()),
        }
    }
}
