//! State of an import: the parsed document, and the definitions made from it.

use std::collections::BTreeMap;

use super::form::Form;
use crate::lowering::{DefinitionPath, Lowering};
use crate::node::Node;

/// Target of a schema name.
#[derive(Clone)]
pub enum Target {
    /// Resource by its name.
    Resource(String),
    /// Union by its name.
    Union(String),
    /// Schema that is not an object with members: it is inlined wherever it is used.
    Plain(Option<Form>),
}

/// Inline object, which becomes a resource.
pub struct Inline<'d> {
    /// Its schema.
    pub node: Node<'d>,
    /// Place of the resource.
    pub place: DefinitionPath,
}

/// Import in progress.
pub struct Importer<'d> {
    /// Schemas of the document.
    pub schemas: BTreeMap<&'d str, Node<'d>>,
    /// Targets of their names.
    pub targets: BTreeMap<&'d str, Target>,
    /// Definitions so far.
    pub lowering: Lowering,
    /// Operations by the ids of their methods.
    pub operations: BTreeMap<String, String>,
    /// Scopes by their URLs.
    pub scopes: BTreeMap<String, String>,
    /// True if every body is wrapped in the member `data` of an object.
    pub wraps_data: bool,
    /// Schemas that are being inlined, to detect cycles.
    pub open: Vec<&'d str>,
    /// Names of the unions that lists and maps become because they contain themselves, by schema.
    pub recursive: BTreeMap<&'d str, String>,
    /// Value descriptions of a list that apply to its elements.
    pub of_values: Vec<Node<'d>>,
    /// Inline objects that are not written as resources yet.
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
            recursive: BTreeMap::new(),
            of_values: Vec::new(),
            inline: Vec::new(),
        }
    }

    /// Renames the types whose names generation gives to merge patches, with a note for each.
    pub fn rename_like_patches(&mut self, document: &Node<'d>) {
        let renamed = self.lowering.rename_like_patches();
        let of_name = |(id, target): (&&'d str, &'_ Target)| match target {
            Target::Resource(name) | Target::Union(name) => Some((name.clone(), self.schemas.get(id)?)),
            Target::Plain(_) => None,
        };
        let places: BTreeMap<String, &Node<'d>> = self.targets.iter().filter_map(of_name).collect();
        for (owner, what) in renamed {
            places.get(&owner).copied().unwrap_or(document).note(what);
        }
    }
}
