//! Path items and operations.

use std::collections::{BTreeMap, BTreeSet};

use super::{Validator, elements, entries, is_empty, members, versions};
use crate::node::Node;
use crate::openapi::paths::METHODS;

/// Returns the names of the variables of a path.
fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name)
}

/// Reports a variable that occurs several times in a path.
pub fn variables(item: &Node<'_>, path: &str) {
    let mut seen = BTreeSet::new();
    for name in names(path).filter(|name| !seen.insert(*name)) {
        let name = name.escape_debug();
        item.loss(format!("the variable `{name}` occurs several times in the path: each is a parameter of its own"));
    }
}

/// Reports paths that differ only in the names of their variables.
pub fn equal(paths: &[(&str, Node<'_>)]) {
    let mut shapes: BTreeMap<String, &str> = BTreeMap::new();
    for (path, item) in paths {
        let mut shape = String::new();
        let mut rest = *path;
        while let Some((before, after)) = rest.split_once('{') {
            shape += before;
            shape.push('{');
            rest = after.split_once('}').map_or("", |(_, rest)| rest);
        }
        shape += rest;
        match shapes.get(&shape) {
            Some(other) => {
                item.note(format!("the path equals `{}` except for names of variables", other.escape_debug()))
            }
            None => drop(shapes.insert(shape, path)),
        }
    }
}

impl<'d> Validator<'d> {
    /// Checks a path item with its operations.
    pub(super) fn path_item(&self, item: &Node<'d>) {
        self.servers(item);
        elements(item, "parameters").iter().for_each(|parameter| self.parameter(parameter));
        for operation in METHODS.iter().filter_map(|method| item.get(method)) {
            self.operation(&operation);
        }
    }

    /// Checks an operation.
    fn operation(&self, operation: &Node<'d>) {
        self.servers(operation);
        if let Some(id) = operation.text_if("operationId") {
            let at = operation.at.clone();
            let known = self.ids.borrow_mut().entry(id).or_insert_with(|| at.clone()).clone();
            if known != at {
                operation.note(format!("another operation has the `operationId: {}`", id.escape_debug()));
            }
        }
        elements(operation, "parameters").iter().for_each(|parameter| self.parameter(parameter));
        operation.get("requestBody").iter().for_each(|body| self.request_body(body));
        if is_empty(operation, "responses") || versions::requires_responses(self.version) && !operation.has("responses")
        {
            operation.note("the operation declares no responses");
        }
        members(operation, "responses").iter().for_each(|(_, response)| self.response(response));
        for (_, callback) in members(operation, "callbacks") {
            entries(&callback).iter().for_each(|(_, item)| self.path_item(item));
        }
    }
}
