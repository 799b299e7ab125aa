//! Paths and their operations.

use std::collections::BTreeMap;

use super::catalogue::Catalogue;
use super::json::{Json, Object, object};
use super::operation;
use super::template::{Template, Variable};
use crate::model::OperationId;

/// Returns the paths in the order of the schema, each with its operations by method.
pub fn paths(of: &Catalogue<'_>) -> Object {
    // Paths that differ only in the names of variables are one path in OpenAPI; the first one provides the names.
    let mut named: BTreeMap<String, Template> = BTreeMap::new();
    let mut paths: Vec<(String, Object)> = Vec::new();
    for id in (0..of.api.operations.len()).map(OperationId) {
        let operation = of.api.operation(id);
        let own = Template::of(operation);
        let first = named.entry(own.anonymous.clone()).or_insert_with(|| Template::of(operation));
        let text = first.text();
        let renamed = |(own, first): (&Variable, &Variable)| Variable { name: first.name.clone(), ..own.clone() };
        let variables: Vec<Variable> = own.variables.iter().zip(&first.variables).map(renamed).collect();
        let made = operation::operation(of, id, &variables, &text);
        let method = operation.http.method.to_ascii_lowercase();
        match paths.iter_mut().find(|(path, item)| *path == text && item.get(&method).is_none()) {
            Some((_, item)) => *item = item.clone().with(method, made),
            None => {
                // A template cannot distinguish a variable with slashes from one without.
                let taken = paths.iter().any(|(path, _)| *path == text);
                let path = if taken { format!("{text}#{}", operation.name) } else { text };
                paths.push((path, object().with(method, made)));
            }
        }
    }
    paths.into_iter().map(|(path, item)| (path, Json::from(item))).collect()
}
