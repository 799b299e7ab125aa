//! Long-running operations: what is answered at once, and what comes of it later (AIP-151).

use super::named::Named;
use super::read::{Kind, Read, Text};
use super::shape::{Short, Shorthand, shape};
use super::types::TypeExpr;
use super::write::Write;
use super::yaml::{Node, Value};
use crate::diagnostics::{Sink, Span};

shape! {
    /// What the fields of a resource say of work that goes on after the answer, and how to ask for it again. Operations that change something and answer the resource start such work.
    LongRunning "long-running operation" {
        /// The field that names the work, which is what it is asked for by.
        name "name": Text = "name";
        /// The field that says whether the work has ended: a boolean, or a field with the values that say so.
        done "done": Short<Done> = "done";
        /// The field with what came of it. Without one it is the resource itself.
        response "response": Option<Text> = "response";
        /// The field that is there when the work has failed.
        error "error": Option<Text> = "error";
        /// The field that tells how far the work is.
        metadata "metadata": Option<Text> = "metadata";
        /// The operation that reads the resource by its name. Of several, the one whose name has the most in common with that of the operation that starts the work.
        poll "poll": Polls = "operations.get";
    }
}

shape! {
    /// What comes of the work that an operation starts.
    StartedDef "start of a long-running operation" {
        /// The resource that the response becomes.
        response "response": Option<TypeExpr> = "Event";
        /// The resource that the metadata are.
        metadata "metadata": Option<TypeExpr> = "Event";
        /// The operation that is asked how it goes, where it is another than the resource says.
        poll "poll": Option<Text> = "operations.get";
        /// What the parameters of that operation are: fields of the answer, or `params.` and a parameter of this operation. Unless said, the only parameter is the name; of several, those that this operation has too are the same, and the one that is left is the name.
        with "with": Named<Text> = "{ operationId: name, projectId: params.projectId }";
    }
}

shape! {
    /// The values of a field that say that the work has ended.
    Done "end of a long-running operation" {
        /// The field: a text or an enum.
        field "field": Text = "status";
        /// Its values that say so.
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

/// One operation, or several of which one is chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polls(pub Vec<Text>);

impl Write for Polls {
    fn write(&self) -> Node {
        match self.0.as_slice() {
            [one] => one.write(),
            _ => self.0.write(),
        }
    }
}

impl Read for Polls {
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
