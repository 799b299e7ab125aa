//! Resources, their members, and enums.

use serde_yaml::{Mapping, Value as Yaml};

use super::{copied, deprecated, known, long_running, rules, typed};
use crate::files::put;
use crate::node::Node;
use crate::openapi::enums::Listed;
use crate::value::Value;

/// What else is said of a resource. The member that tells its kind is not among its fields.
pub fn resource(root: &Node<'_>, name: &str, node: &Node<'_>, body: &mut Mapping) {
    copied(node, &[("x-wireform-name", "name"), ("x-wireform-outcome", "outcome")], body);
    for (name, property) in node.entries("properties").into_iter().filter(|(_, one)| one.flag("x-wireform-kind")) {
        let mut kind = Mapping::new();
        put(&mut kind, "value", property.text("const"));
        put(&mut kind, "member", (name != "kind").then_some(name));
        put(body, "kind", Some(kind));
        if let Some(Yaml::Mapping(fields)) = body.get_mut("fields") {
            fields.shift_remove(name);
        }
    }
    long_running::resource(root, name, node, body);
    rules(node, body);
    states(node, body);
    deprecated(node, body);
}

fn states(node: &Node<'_>, body: &mut Mapping) {
    let mut all = Mapping::new();
    for one in node.list("x-wireform-states") {
        let mut states = Mapping::new();
        copied(&one, &[("initial", "initial")], &mut states);
        let transitions: Vec<Yaml> = one.list("transitions").iter().map(transition).collect();
        if transitions.is_empty() {
            copied(&one, &[("otherwise", "transitions")], &mut states);
        } else {
            put(&mut states, "transitions", Some(transitions));
            copied(&one, &[("otherwise", "otherwise")], &mut states);
        }
        if let Some(member) = one.text("member") {
            all.insert(Yaml::from(member), Yaml::Mapping(states));
        }
    }
    put(body, "states", Some(all).filter(|all| !all.is_empty()));
}

fn transition(node: &Node<'_>) -> Yaml {
    let mut body = Mapping::new();
    let keys = [("from", "from"), ("to", "to"), ("on", "on"), ("when", "when"), ("description", "doc")];
    copied(node, &keys, &mut body);
    Yaml::Mapping(body)
}

/// What else is said of the members beside the named ones.
pub fn rest(node: &Node<'_>, body: &mut Mapping) {
    typed(node, node, body);
    if body.get("doc").and_then(Yaml::as_str) == Some("Members beside the named ones.") {
        body.shift_remove("doc");
    }
}

/// What else is said of a member.
pub fn field(node: &Node<'_>, body: &mut Mapping) {
    body.shift_remove("required");
    body.shift_remove("nullable");
    put(body, "nullable", node.flag("x-wireform-nullable").then_some(true));
    body.shift_remove("behavior");
    let mut behavior: Vec<Yaml> = Vec::new();
    if node.flag("readOnly") {
        behavior.push(match node.get("x-wireform-output-only") {
            Some(only) => [(Yaml::from("output_only"), only.value.to_yaml())].into_iter().collect::<Mapping>().into(),
            None => Yaml::from("output_only"),
        });
    }
    behavior.extend(node.flag("writeOnly").then(|| Yaml::from("input_only")));
    if node.flag("x-wireform-immutable") {
        behavior.push(if node.flag("x-wireform-ignores-change") {
            let ignore: Mapping = [(Yaml::from("ignore"), Yaml::from(true))].into_iter().collect();
            [(Yaml::from("immutable"), Yaml::from(ignore))].into_iter().collect::<Mapping>().into()
        } else {
            Yaml::from("immutable")
        });
    }
    behavior.extend(node.flag("x-wireform-identifier").then(|| Yaml::from("identifier")));
    put(body, "behavior", Some(behavior).filter(|list| !list.is_empty()));
    match node.get("x-wireform-required") {
        Some(required) if *required.value == Value::Bool(true) => put(body, "required", Some(required.value.to_yaml())),
        Some(required) => {
            let mut operations = Mapping::new();
            put(&mut operations, "in", Some(required.value.to_yaml()));
            put(&mut operations, "clearable", node.flag("x-wireform-clearable").then_some(true));
            put(body, "required", Some(operations));
        }
        None => {}
    }
    typed(node, node, body);
    known(node, body);
    let keys = [
        ("x-wireform-presence", "presence"),
        ("x-wireform-fill", "fill"),
        ("x-wireform-effective-when", "effective_when"),
        ("x-wireform-ignored", "ignored"),
    ];
    copied(node, &keys, body);
    if let Some(constrained) = node.get("x-wireform-constrained") {
        let keys = ["length", "pattern", "format", "schemes", "min", "max", "multiple_of"].map(|key| (key, key));
        copied(&constrained, &keys, body);
        let mut operations = Mapping::new();
        copied(&constrained, &[("in", "in")], &mut operations);
        put(body, "constrained", Some(operations));
    }
    deprecated(node, body);
}

/// The values of an enum, with all that is said of each.
pub fn values<'d>(node: &Node<'d>) -> Option<Vec<Listed<'d>>> {
    let value = |(wire, one): (&'d str, Node<'d>)| {
        let mut more = Mapping::new();
        copied(&one, &[("x-wireform-name", "name"), ("aliases", "aliases")], &mut more);
        let mut behavior = Vec::new();
        for (key, word) in [("x-wireform-output-only", "output_only"), ("x-wireform-input-only", "input_only")] {
            behavior.extend(one.flag(key).then_some(word));
        }
        put(&mut more, "behavior", Some(behavior).filter(|list| !list.is_empty()));
        deprecated(&one, &mut more);
        Listed {
            wire,
            number: None,
            doc: one.text("description").map(str::to_owned),
            name: None,
            deprecated: false,
            more,
        }
    };
    let all = node.get("x-wireform-values")?;
    Some(all.members().into_iter().map(value).collect())
}

/// What else is said of an enum.
pub fn enumeration(node: &Node<'_>, body: &mut Mapping) {
    body.shift_remove("doc");
    copied(node, &[("x-wireform-description", "doc"), ("x-wireform-name", "name")], body);
    // Beside the values that are known stands what they are.
    let number = node.list("anyOf").into_iter().find(|one| one.text_if("type") == Some("integer"));
    put(body, "type", number.and_then(|one| one.text("format")));
    copied(node, &[("x-wireform-default", "default")], body);
    deprecated(node, body);
}
