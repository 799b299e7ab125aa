//! Work that goes on after the answer.

use std::collections::BTreeSet;

use serde_yaml::{Mapping, Value as Yaml};

use super::{copied, definition};
use crate::files::put;
use crate::node::Node;
use crate::openapi::view::component;

const KEY: &str = "x-wireform-long-running";

/// By which members a resource tells of work, and what is asked for it.
pub fn resource(root: &Node<'_>, name: &str, node: &Node<'_>, body: &mut Mapping) {
    let Some(work) = node.get(KEY) else { return };
    let mut own = Mapping::new();
    copied(&work, &[("name", "name"), ("done", "done")], &mut own);
    let values = work.texts("doneValues");
    if !values.is_empty() {
        let mut end = Mapping::new();
        put(&mut end, "field", work.text("done"));
        put(&mut end, "values", Some(values));
        put(&mut own, "done", Some(end));
    }
    copied(&work, &[("response", "response"), ("error", "error"), ("metadata", "metadata")], &mut own);
    put(&mut own, "poll", Some(polls(root, name)));
    put(body, "long_running", Some(own));
}

/// The operations that are asked for the work. Where none starts any, each that reads it can be asked.
fn polls(root: &Node<'_>, name: &str) -> Vec<String> {
    let (mut asked, mut reads) = (BTreeSet::new(), BTreeSet::new());
    for (_, item) in root.entries("paths") {
        for (method, operation) in item.members().into_iter().filter(|(_, one)| answers(one, name)) {
            if let Some(started) = operation.get(KEY) {
                asked.extend(started.text("poll").map(str::to_owned));
            } else if method == "get" {
                reads.extend(operation.text("operationId").map(str::to_owned));
            }
        }
    }
    if asked.is_empty() { reads.into_iter().collect() } else { asked.into_iter().collect() }
}

/// Whether an operation answers a resource.
fn answers(operation: &Node<'_>, name: &str) -> bool {
    let Some(operation) = operation.object() else { return false };
    let schema = |answer: Node<'_>| {
        let content = answer.get("content")?.get("application/json")?;
        content.get("schema")?.text_if("$ref").and_then(component).map(|to| to == name)
    };
    operation
        .entries("responses")
        .into_iter()
        .any(|(status, answer)| status.starts_with('2') && schema(answer) == Some(true))
}

/// What comes of the work that an operation starts.
pub fn operation(node: &Node<'_>, body: &mut Mapping) {
    let Some(started) = node.get(KEY) else { return };
    let mut own = Mapping::new();
    copied(&started, &[("poll", "poll"), ("with", "with")], &mut own);
    for key in ["response", "metadata"] {
        if let Some(to) = started.get(key).and_then(|schema| schema.text("$ref").and_then(component)) {
            put(&mut own, key, Some(Yaml::from(definition(to))));
        }
    }
    put(body, "long_running", Some(own));
}
