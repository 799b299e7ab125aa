//! Origins: a construct without one inherits that of its container.

use std::collections::BTreeMap;

use crate::diagnostics::{Code, Sink, nearest};
use crate::schema::shape::Short;
use crate::schema::write::Write;
use crate::schema::yaml::{Node, Value};
use crate::schema::{File, Named, Operation, Text};

/// Sets a missing origin to that of the container.
fn inherit(own: &mut Option<Text>, outer: Option<&Text>) {
    if own.is_none() {
        *own = outer.cloned();
    }
}

/// Passes the origin of a file to its definitions, and theirs to their fields.
pub fn of_file(file: &mut File, sink: &mut Sink) {
    inherit_in_definitions(file);
    for (_, resource) in &mut file.resources.0 {
        let outer = resource.origin.as_ref();
        resource.fields.0.iter_mut().for_each(|(_, field)| inherit(&mut field.origin, outer));
        resource.rules.iter_mut().for_each(|rule| inherit(&mut rule.origin, outer));
        resource.states.0.iter_mut().for_each(|(_, states)| inherit(&mut states.origin, outer));
        resource.kind.iter_mut().for_each(|Short(kind)| inherit(&mut kind.origin, outer));
    }
    for (_, definition) in &mut file.enums.0 {
        let outer = definition.origin.as_ref();
        definition.values.0.iter_mut().for_each(|(_, Short(value))| inherit(&mut value.origin, outer));
    }
    for (_, union) in &mut file.unions.0 {
        let outer = union.origin.as_ref();
        union.variants.0.iter_mut().for_each(|(_, variant)| inherit(&mut variant.0.origin, outer));
    }
    single_facts(file, sink);
}

/// Assigns the origins of single facts to the operations of a file; reports those of facts that no operation states.
fn single_facts(file: &mut File, sink: &mut Sink) {
    if file.origins.is_empty() {
        return;
    }
    let nodes: Vec<Node> = file.operations.0.iter().map(|(_, operation)| operation.write()).collect();
    for (key, origin) in &file.origins.0 {
        let mut is_stated = false;
        for ((_, operation), node) in file.operations.0.iter_mut().zip(&nodes) {
            if has_fact(node, &key.text) {
                is_stated = true;
                let has_origin = operation.origins.get(&key.text).is_some();
                let is_same = operation.origin.as_ref().is_some_and(|own| own.text == origin.text);
                if !has_origin && !is_same {
                    operation.origins.0.push((key.clone(), origin.clone()));
                }
            }
        }
        if !is_stated {
            let message = format!("unknown key `{}`: no operation in this file has it", key.text.escape_debug());
            let (part, keys) = similar_keys(&nodes, &key.text);
            sink.report(Code::UnknownMember, key.span, message)
                .suggest_key((&key.text, part), keys, |key| file.origins.get(key).is_some());
        }
    }
}

/// Returns whether a construct states a fact, by its dotted key.
fn has_fact(node: &Node, key: &str) -> bool {
    key.split('.').try_fold(node, |node, part| node.get(part)).is_some()
}

/// Returns the first part of an unknown dotted key that is missing in all of these nodes. The keys of the innermost
/// mapping that could be meant are returned alone and as whole keys.
fn similar_keys<'n, 'k>(nodes: &'n [Node], key: &'k str) -> (&'k str, Vec<(&'n str, String)>) {
    let parts: Vec<&str> = key.split('.').collect();
    let mut mappings: Vec<&Node> = nodes.iter().collect();
    let mut known = 0;
    for part in &parts {
        let inner: Vec<&Node> = mappings.iter().filter_map(|node| node.get(part)).collect();
        if inner.is_empty() {
            break;
        }
        mappings = inner;
        known += 1;
    }
    let rest = parts.get(known + 1..).unwrap_or_default();
    let whole = |node: &Node, own: &str| {
        let start = parts.iter().take(known).copied().chain([own]).collect::<Vec<_>>().join(".");
        complete(node.get(own), start, rest)
    };
    let mut all: Vec<_> =
        mappings.into_iter().flat_map(|node| keys(node).map(move |own| (own, whole(node, own)))).collect();
    // Of several whole keys, the last one is suggested.
    all.sort_by_key(|(_, whole)| whole.len());
    (parts.get(known).copied().unwrap_or(key), all)
}

/// Appends the keys that are nearest to further parts of a dotted key, as far as the node has any.
fn complete(mut node: Option<&Node>, mut key: String, parts: &[&str]) -> String {
    for part in parts {
        let Some(near) = node.and_then(|node| nearest(part, keys(node))) else { break };
        node = node.and_then(|node| node.get(near));
        key = format!("{key}.{near}");
    }
    key
}

/// Returns the keys of a mapping, except those of origins; none for other nodes.
fn keys(node: &Node) -> impl Iterator<Item = &str> {
    let entries = if let Value::Map(entries) = &node.value { entries.as_slice() } else { &[] };
    entries.iter().map(|entry| entry.key.as_str()).filter(|key| !matches!(*key, "origin" | "origins"))
}

/// Resolves the origins of single facts of a construct; reports those of facts that it does not state, and those that
/// change nothing.
pub fn of_facts<T: Write>(
    construct: &T,
    origins: &Named<Text>,
    own: Option<&Text>,
    sink: &mut Sink,
) -> BTreeMap<String, String> {
    if origins.is_empty() {
        return BTreeMap::new();
    }
    let node = construct.write();
    for (key, origin) in &origins.0 {
        if !has_fact(&node, &key.text) {
            let message = format!("unknown key `{}` in `origins`", key.text.escape_debug());
            let (part, keys) = similar_keys(std::slice::from_ref(&node), &key.text);
            sink.report(Code::UnknownMember, key.span, message)
                .suggest_key((&key.text, part), keys, |key| is_written(origins, key));
        } else if own.map_or("spec", |own| own.text.as_str()) == origin.text {
            let message = format!("redundant origin of `{}`", key.text);
            sink.report(Code::IdleOverride, key.span, message).help("remove it");
        }
    }
    origins.0.iter().map(|(key, origin)| (key.text.clone(), origin.text.clone())).collect()
}

/// Returns whether a construct itself has an origin for this key. Those of its file follow its own, which are all in
/// one mapping, and most files have theirs at the top.
fn is_written(origins: &Named<Text>, key: &str) -> bool {
    let first = origins.0.first().map(|(first, _)| first.span);
    origins.0.iter().any(|(own, _)| own.text == key && Some(own.span) >= first)
}

/// Sets the missing origins of all definitions to that of the file, if it has one.
fn inherit_in_definitions(file: &mut File) {
    let Some(origin) = file.origin.clone() else { return };
    let outer = Some(&origin);
    file.resources.0.iter_mut().for_each(|(_, definition)| inherit(&mut definition.origin, outer));
    file.enums.0.iter_mut().for_each(|(_, definition)| inherit(&mut definition.origin, outer));
    file.unions.0.iter_mut().for_each(|(_, definition)| inherit(&mut definition.origin, outer));
    file.operations.0.iter_mut().for_each(|(_, definition)| inherit(&mut definition.origin, outer));
    file.scopes.0.iter_mut().for_each(|(_, definition)| inherit(&mut definition.0.origin, outer));
    file.error_sets.0.iter_mut().for_each(|(_, definition)| inherit(&mut definition.0.origin, outer));
    file.rule_sets.0.iter_mut().for_each(|(_, definition)| inherit(&mut definition.0.origin, outer));
    for (_, set) in file.parameter_sets.0.iter_mut().chain(&mut file.path_parameters.0) {
        set.0.iter_mut().for_each(|(_, parameter)| inherit(&mut parameter.origin, outer));
    }
}

/// Passes the origin of an operation to its parameters, errors and rules.
pub fn of_operation(operation: &mut Operation) {
    let Some(origin) = operation.origin.clone() else { return };
    let outer = Some(&origin);
    for set in [&mut operation.path, &mut operation.query, &mut operation.headers, &mut operation.cookies] {
        set.0.iter_mut().for_each(|(_, parameter)| inherit(&mut parameter.origin, outer));
    }
    operation.errors.0.iter_mut().for_each(|(_, Short(error))| inherit(&mut error.origin, outer));
    operation.rules.iter_mut().for_each(|rule| inherit(&mut rule.origin, outer));
}
