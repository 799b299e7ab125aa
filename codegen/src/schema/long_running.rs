//! Long-running operations (AIP-151).

use super::named::Named;
use super::read::{Kind, Read, Text};
use super::shape::{Short, Shorthand, shape};
use super::types::TypeExpr;
use super::write::Write;
use super::yaml::{Node, Value};
use crate::diagnostics::{Sink, Span};

shape! {
    /// The fields of a resource that describe a long-running operation, and how it is polled. An operation that changes
    /// something and returns the resource starts a long-running operation.
    LongRunning "long-running operation" {
        /// The field with the name of the long-running operation, by which it is polled.
        name "name": Text = "name";
        /// The field that is true when the long-running operation has ended: a boolean, or a field with its final
        /// values.
        done "done": Short<Done> = "done";
        /// The field with the result. Without this key the resource itself is the result.
        response "response": Option<Text> = "response";
        /// The field that is present if the long-running operation has failed.
        error "error": Option<Text> = "error";
        /// The field with the progress.
        metadata "metadata": Option<Text> = "metadata";
        /// The operation that reads the resource by name. If there are several, the one whose name has most in common
        /// with the name of the starting operation is used.
        poll "poll": PollOperations = "operations.get";
    }
}

shape! {
    /// The result of the long-running operation that an operation starts.
    LongRunningStartDef "start of a long-running operation" {
        /// The resource type of the result.
        response "response": Option<TypeExpr> = "Event";
        /// The resource type of the metadata.
        metadata "metadata": Option<TypeExpr> = "Event";
        /// The operation that polls, if it differs from the one that the resource declares.
        poll "poll": Option<Text> = "operations.get";
        /// The arguments of the polling operation: a field of the response, or `params.` followed by a parameter of
        /// this operation. By default a single parameter is the name; of several, those that this operation has too are
        /// passed on, and the remaining one is the name.
        with "with": Named<Text> = "{ operationId: name, projectId: params.projectId }";
    }
}

shape! {
    /// The values of a field that mean that the long-running operation has ended.
    Done "end of a long-running operation" {
        /// The field, a string or an enum.
        field "field": Text = "status";
        /// The final values.
        values "values": Vec<Text> = "[DONE]";
    }
}

impl Shorthand for Done {
    const KEY: &'static str = "field";
    type Short = Text;

    fn expand(field: Text, span: Span) -> Self {
        Self { span, field, values: Vec::new() }
    }
}

/// The operations that can poll; one of several is chosen by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PollOperations(pub Vec<Text>);

impl Write for PollOperations {
    fn write(&self) -> Node {
        match self.0.as_slice() {
            [one] => one.write(),
            _ => self.0.write(),
        }
    }
}

impl Read for PollOperations {
    fn kind() -> Kind {
        Kind::OneOf(vec![Kind::Text, Vec::<Text>::kind()])
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        match node.value {
            Value::List(_) => Vec::read(node, sink).map(Self),
            _ => Text::read(node, sink).map(|one| Self(vec![one])),
        }
    }
}
