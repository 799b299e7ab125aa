//! The state of an import: what is known of the document, and what has been made of it.

use std::collections::BTreeMap;

use super::form::Form;
use crate::lowering::{Lowering, Place};
use crate::node::Node;

/// What the name of a schema stands for.
#[derive(Clone)]
pub enum Target {
    /// A resource by its name.
    Resource(String),
    /// A union by its name.
    Union(String),
    /// A schema that is no object with members: it is written out wherever it is used.
    Plain(Option<Form>),
}

/// An object in a type, which becomes a resource of its own.
pub struct Inline<'d> {
    /// Its schema.
    pub node: Node<'d>,
    /// Where it stands, under the name of the resource.
    pub place: Place,
}

/// An import that is under way.
pub struct Importer<'d> {
    /// The schemas of the document.
    pub schemas: BTreeMap<&'d str, Node<'d>>,
    /// What their names stand for.
    pub targets: BTreeMap<&'d str, Target>,
    /// The definitions so far.
    pub lowering: Lowering,
    /// The operations by the ids of their methods.
    pub operations: BTreeMap<String, String>,
    /// The scopes by their addresses.
    pub scopes: BTreeMap<String, String>,
    /// Whether every body is the member `data` of an object.
    pub wraps_data: bool,
    /// The schemas that are being written out, which must not lead back to themselves.
    pub open: Vec<&'d str>,
    /// What a list says of the values of its elements, which are looked at next.
    pub of_values: Vec<Node<'d>>,
    /// The objects in the types so far that are no resources yet.
    pub inline: Vec<Inline<'d>>,
}

impl<'d> Importer<'d> {
    /// Creates the importer of a document.
    pub fn new(document: &Node<'d>, wraps_data: bool) -> Self {
        Self {
            schemas: document.objects("schemas").into_iter().collect(),
            targets: BTreeMap::new(),
            lowering: Lowering::new(|_| true),
            operations: BTreeMap::new(),
            scopes: BTreeMap::new(),
            wraps_data,
            open: Vec::new(),
            of_values: Vec::new(),
            inline: Vec::new(),
        }
    }
}
