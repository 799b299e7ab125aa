//! Paths, and the operations at each.

use std::collections::BTreeMap;

use super::catalogue::Catalogue;
use super::json::{Json, Object, object};
use super::operation;
use crate::model::{Http, Operation, OperationId, Segment};

/// The paths in the order of the schema, each with its operations by method.
pub fn paths(of: &Catalogue<'_>) -> Object {
    // Paths that differ in the names of their variables alone are one path to OpenAPI: the first names them.
    let mut named: BTreeMap<String, OperationId> = BTreeMap::new();
    let mut paths: Vec<(String, Object)> = Vec::new();
    for id in (0..of.api.operations.len()).map(OperationId) {
        let operation = of.api.operation(id);
        let first = of.api.operation(*named.entry(anonymous(&operation.http)).or_insert(id));
        let text = template(first);
        let rename = |index: usize| {
            let place = crate::model::place(operation, index)?;
            let variable = crate::model::variable(first, place)?;
            first.parameters.get(variable).map(|parameter| parameter.name.wire.clone())
        };
        let made = operation::operation(of, id, &rename);
        let method = operation.http.method.to_ascii_lowercase();
        match paths.iter_mut().find(|(path, item)| *path == text && item.get(&method).is_none()) {
            Some((_, item)) => *item = item.clone().with(method, made),
            None => {
                // A variable that holds slashes, beside one that does not, is told apart by no template.
                let taken = paths.iter().any(|(path, _)| *path == text);
                let path = if taken { format!("{text}#{}", operation.name) } else { text };
                paths.push((path, object().with(method, made)));
            }
        }
    }
    paths.into_iter().map(|(path, item)| (path, Json::from(item))).collect()
}

/// `/scripts/{scriptId}:run`
fn template(operation: &Operation) -> String {
    written(&operation.http, &|index| operation.parameters.get(index).map_or("", |parameter| &parameter.name.wire))
}

/// The same without the names of variables.
fn anonymous(http: &Http) -> String {
    written(http, &|_| "")
}

fn written<'n>(http: &Http, name: &dyn Fn(usize) -> &'n str) -> String {
    let mut text = String::new();
    for segment in &http.segments {
        text.push('/');
        match segment {
            Segment::Literal(literal) => text.push_str(literal),
            Segment::Variable(index) | Segment::Rest(index) => text.push_str(&format!("{{{}}}", name(*index))),
        }
    }
    if text.is_empty() {
        text.push('/');
    }
    text.extend(http.verb.iter().flat_map(|verb| [":", verb.as_str()]));
    text
}
