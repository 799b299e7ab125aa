//! What is being made of a document.

use std::collections::BTreeMap;

use super::types::Form;
use crate::draft::Definitions;
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

/// The schema so far.
pub struct Draft<'d> {
    /// The schemas of the document.
    pub schemas: BTreeMap<&'d str, Node<'d>>,
    /// What their names stand for.
    pub targets: BTreeMap<&'d str, Target>,
    /// What has been written.
    pub made: Definitions,
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
}

impl<'d> Draft<'d> {
    /// The draft of a document of which nothing is written.
    pub fn new(document: &Node<'d>) -> Self {
        Self {
            schemas: document.objects("schemas").into_iter().collect(),
            targets: BTreeMap::new(),
            made: Definitions::new(|_| true),
            operations: BTreeMap::new(),
            scopes: BTreeMap::new(),
            wraps_data: super::api::wraps_data(document),
            open: Vec::new(),
            of_values: Vec::new(),
        }
    }
}
