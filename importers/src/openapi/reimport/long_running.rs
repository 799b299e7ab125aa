//! Long-running operations.

use std::collections::BTreeSet;

use wireform_codegen::schema::long_running::{Done, LongRunning, LongRunningStartDef, PollOperations};
use wireform_codegen::schema::types::TypeExpr;

use super::definition;
use super::keys::read;
use crate::lowering::texts;
use crate::node::Node;

/// Extension with the declaration of a long-running operation in a document that was generated from a schema.
const KEY: &str = "x-wireform-long-running";

/// Returns the members by which a resource represents work, and the operations that poll it.
pub fn resource(root: &Node<'_>, name: &str, node: &Node<'_>) -> Option<LongRunning> {
    let work = node.get(KEY)?;
    let done = Done { field: read(&work, "done")?, values: texts(work.texts("doneValues")), ..Done::default() };
    Some(LongRunning {
        name: read(&work, "name")?,
        done: done.into(),
        response: read(&work, "response"),
        error: read(&work, "error"),
        metadata: read(&work, "metadata"),
        poll: PollOperations(texts(polls(root, name))),
        ..LongRunning::default()
    })
}

/// Returns the operations that poll the work. If no operation starts any, each operation that reads it can be used.
fn polls(root: &Node<'_>, name: &str) -> Vec<String> {
    let (mut declared, mut reads) = (BTreeSet::new(), BTreeSet::new());
    for (_, item) in root.entries("paths") {
        for (method, operation) in item.members().into_iter().filter(|(_, one)| responds_with(one, name)) {
            if let Some(started) = operation.get(KEY) {
                declared.extend(started.text("poll").map(str::to_owned));
            } else if method == "get" {
                reads.extend(operation.text("operationId").map(str::to_owned));
            }
        }
    }
    if declared.is_empty() { reads.into_iter().collect() } else { declared.into_iter().collect() }
}

/// Returns whether an operation responds with a resource.
fn responds_with(operation: &Node<'_>, name: &str) -> bool {
    let Some(operation) = operation.object() else { return false };
    let schema = |response: Node<'_>| {
        let content = response.get("content")?.get("application/json")?;
        content.get("schema")?.component().map(|to| to == name)
    };
    operation
        .entries("responses")
        .into_iter()
        .any(|(status, response)| status.starts_with('2') && schema(response) == Some(true))
}

/// Returns the result of the work that an operation starts.
pub fn operation(node: &Node<'_>) -> Option<LongRunningStartDef> {
    let started = node.get(KEY)?;
    let ty = |key: &str| {
        let to = started.get(key).and_then(|schema| schema.component())?;
        Some(TypeExpr::named(definition(to)))
    };
    Some(LongRunningStartDef {
        response: ty("response"),
        metadata: ty("metadata"),
        poll: read(&started, "poll"),
        with: read(&started, "with").unwrap_or_default(),
        ..LongRunningStartDef::default()
    })
}
