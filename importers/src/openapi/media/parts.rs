//! Named schemas that represent the parts of a form, some of which can be files.

use std::collections::{BTreeMap, HashSet};

use super::{Media, media};
use crate::node::Node;
use crate::openapi::view::is_structural;
use crate::value::Value;

/// Returns the schemas that represent the parts of a form, and whether they have no other use: JSON cannot contain
/// files.
pub fn parts<'d>(root: &Node<'d>) -> BTreeMap<&'d str, bool> {
    let schemas = follow_references(root, forms(root));
    let mut found: BTreeMap<&'d str, bool> =
        schemas.iter().filter_map(|schema| Some((schema.component()?, true))).collect();
    let of_forms: HashSet<*const Value> = schemas.iter().map(|schema| std::ptr::from_ref(schema.value)).collect();
    let mut open = vec![root.value];
    while let Some(value) = open.pop() {
        let to = value.component();
        if let Some(only) = to.and_then(|to| found.get_mut(to)) {
            *only &= of_forms.contains(&std::ptr::from_ref(value));
        }
        match value {
            Value::Object(members) => open.extend(members.iter().map(|(_, value)| value)),
            Value::List(items) => open.extend(items),
            _ => {}
        }
    }
    found
}

/// Adds the schemas that these merely refer to.
fn follow_references<'d>(root: &Node<'d>, mut schemas: Vec<Node<'d>>) -> Vec<Node<'d>> {
    let mut seen: HashSet<*const Value> = schemas.iter().map(|schema| std::ptr::from_ref(schema.value)).collect();
    let mut next = 0;
    while let Some(schema) = schemas.get(next).cloned() {
        next += 1;
        let target = schema.component().and_then(|name| root.schema(name));
        let all = schema.get("allOf").map(|all| all.elements()).unwrap_or_default();
        let is_constrained = is_structural(&schema) || all.iter().any(is_structural);
        let one = all.into_iter().filter(|one| one.has("$ref") && !is_constrained);
        schemas.extend(target.into_iter().chain(one).filter(|one| seen.insert(std::ptr::from_ref(one.value))));
    }
    schemas
}

/// Returns the schemas of multipart bodies.
fn forms<'d>(root: &Node<'d>) -> Vec<Node<'d>> {
    let bodies = root.entries("paths").into_iter().filter_map(|(_, item)| item.resolved(root));
    let operations = bodies.flat_map(|item| item.members().into_iter().map(|(_, node)| node).collect::<Vec<_>>());
    let shared = root.get("components").map(|components| components.entries("requestBodies")).unwrap_or_default();
    let bodies = operations.filter_map(|operation| operation.object()?.get("requestBody"));
    let all = bodies.chain(shared.into_iter().map(|(_, body)| body)).filter_map(|body| body.object()?.get("content"));
    all.filter_map(|content| {
        content.object()?.get("multipart/form-data")?.get("schema").filter(|_| is_only_multipart(&content))
    })
    .collect()
}

/// Returns whether no JSON or form content has the schema of the multipart content, so that its parts are imported.
fn is_only_multipart(content: &Node<'_>) -> bool {
    let own = content.get("multipart/form-data").and_then(|inner| Some(inner.get("schema")?.value));
    let is_other = |(written, inner): &(&str, Node<'_>)| {
        let schema = inner.get("schema");
        matches!(media(written, schema.as_ref(), false), Some(Media::Json | Media::Form))
            && schema.map(|schema| schema.value) == own
    };
    !content.members().iter().any(is_other)
}
