//! Schemas.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{Validator, elements, members, versions};
use crate::node::Node;
use crate::value::Value;

/// Keywords whose values map names to schemas.
const MAPS: [&str; 5] = ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];

/// Keywords whose values are schemas.
const SCHEMAS: [&str; 8] = ["additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"];

/// Keywords whose values are lists of schemas.
const LISTS: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/// Reports values that are listed several times.
pub fn report_duplicates(values: &[Node<'_>]) {
    let mut seen = HashSet::new();
    for value in values.iter().filter(|value| !seen.insert(format!("{:?}", value.value))) {
        value.note("the value is listed several times");
    }
}

/// Reports schemas of the components that contain themselves in a keyword alone, so that it says nothing about a value.
pub fn cycles<'d>(root: &Node<'d>, keyword: &str) {
    let schemas = root.get("components").map(|components| members(&components, "schemas")).unwrap_or_default();
    let parts = |node: &Node<'d>| -> Vec<&'d str> {
        match node.value.get(keyword) {
            Some(Value::List(parts)) => parts.iter().filter_map(Value::component).collect(),
            _ => Vec::new(),
        }
    };
    let graph: BTreeMap<&str, (&Node<'_>, Vec<&str>)> =
        schemas.iter().map(|(name, node)| (*name, (node, parts(node)))).collect();
    let (mut done, mut reported) = (BTreeSet::new(), BTreeSet::new());
    for name in graph.keys() {
        let (mut path, mut open) = (vec![(*name, 0)], BTreeSet::from([*name]));
        while let Some((name, next)) = path.last_mut() {
            let all = graph.get(*name).filter(|_| !done.contains(*name));
            let Some(part) = all.and_then(|(_, parts)| parts.get(*next).copied()) else {
                open.remove(*name);
                done.insert(*name);
                path.pop();
                continue;
            };
            *next += 1;
            if open.insert(part) {
                path.push((part, 0));
            } else if reported.insert(part)
                && let Some((node, _)) = graph.get(part)
            {
                let what = format!("the schema contains itself in `{keyword}`, where it is left out");
                // Next to other parts, a schema in itself constrains nothing in `allOf`.
                if keyword == "allOf" && !is_alone(node, keyword) { node.note(what) } else { node.loss(what) }
            }
        }
    }
}

/// Returns whether a schema consists of a keyword with one part.
fn is_alone(node: &Node<'_>, keyword: &str) -> bool {
    let is_only = matches!(node.value, Value::Object(members) if members.len() == 1);
    is_only && elements(node, keyword).len() == 1
}

/// Returns the types that a schema declares.
fn types<'d>(schema: &Node<'d>) -> Vec<&'d str> {
    match schema.value.get("type") {
        Some(Value::Text(ty)) => vec![ty],
        Some(Value::List(types)) => types.iter().filter_map(Value::text).collect(),
        _ => Vec::new(),
    }
}

/// Returns whether a value has a type.
fn has_type(value: &Value, ty: &str) -> bool {
    match value {
        Value::Null => ty == "null",
        Value::Bool(_) => ty == "boolean",
        Value::Number(text) => {
            ty == "number" || ty == "integer" && text.parse::<f64>().is_ok_and(|it| it.fract() == 0.0)
        }
        Value::Text(_) | Value::Reference(_) => ty == "string",
        Value::List(_) => ty == "array",
        Value::Object(_) => ty == "object",
    }
}

impl<'d> Validator<'d> {
    /// Checks a schema, and all schemas in it.
    pub(super) fn schema(&self, schema: &Node<'d>) {
        if !schema.value.is_object() {
            return;
        }
        versions::schema(self.version, &self.root, schema);
        report_values(schema);
        report_null_default(schema);
        for (_, inner) in MAPS.iter().flat_map(|key| members(schema, key)) {
            self.schema(&inner);
        }
        SCHEMAS.iter().filter_map(|key| schema.get(key)).for_each(|inner| self.schema(&inner));
        LISTS.iter().flat_map(|key| elements(schema, key)).for_each(|inner| self.schema(&inner));
    }
}

/// Reports listed values that the type of the schema excludes, or that are listed several times.
fn report_values(schema: &Node<'_>) {
    let (values, types) = (elements(schema, "enum"), types(schema));
    report_duplicates(&values);
    if types.is_empty() {
        return;
    }
    let is_nullable = schema.value.get("nullable") == Some(&Value::Bool(true)) || types.contains(&"null");
    let declared = types.join("` or `");
    for value in values.iter().filter(|value| !types.iter().any(|ty| has_type(value.value, ty))) {
        match value.value {
            Value::Null if is_nullable => {}
            Value::Null => value.note("the value is nullable: null is listed, although the type does not include it"),
            Value::Number(_) | Value::Bool(_) if types.contains(&"string") => {
                value.note("becomes a string, which is the type of the schema");
            }
            _ => value.loss(format!("the type `{declared}` is left out: the listed value does not have it")),
        }
    }
}

/// Reports null as the default of a value that cannot be null.
fn report_null_default(schema: &Node<'_>) {
    let types = types(schema);
    let is_null = schema.value.get("default") == Some(&Value::Null);
    let is_nullable = schema.value.get("nullable") == Some(&Value::Bool(true)) || types.contains(&"null");
    if is_null && !types.is_empty() && !is_nullable {
        schema.note("`default: null` is left out: the value cannot be null");
    }
}
