//! Which schemas an API has, what they are called, and which of them is meant where.

use std::collections::{BTreeMap, BTreeSet};

use super::json::{Object, object};
use super::{resources, wire};
use crate::model::{Api, BodyMode, EnumId, Field, OperationId, Required, ResourceId, Type};

/// Where schemas stand in the document.
pub const PREFIX: &str = "#/components/schemas/";

/// From which side a value is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The server answers it.
    Answer,
    /// It is sent in the body of an operation.
    Sent(OperationId),
    /// It is, or stands in, the merge patch that an operation is sent.
    Patch(OperationId),
    /// It is sent although only the server writes it, and dropped.
    Dropped,
    /// It is sent in the path, the query, a header or a cookie.
    Parameter,
}

/// What a name among the schemas means.
#[derive(Clone, Copy)]
enum Entry {
    Resource(ResourceId, Side),
    Enum(EnumId, Side),
    Wire(usize),
}

/// The schemas that an API can have, by name.
pub struct Catalogue<'a> {
    /// The API.
    pub api: &'a Api,
    /// The resources in each resource, itself among them.
    inside: Vec<BTreeSet<usize>>,
    /// The resources of which the parameter `fields` can leave out members.
    partial: BTreeSet<usize>,
    /// The names, in the order of the document.
    order: Vec<String>,
    entries: BTreeMap<String, Entry>,
}

impl<'a> Catalogue<'a> {
    pub fn new(api: &'a Api) -> Self {
        let inside: Vec<BTreeSet<usize>> = (0..api.resources.len()).map(|index| inside(api, index)).collect();
        let selects = api.standard_parameters.iter().any(|parameter| parameter.name.wire == "fields");
        let answers = api.operations.iter().flat_map(|operation| &operation.responses).filter_map(|it| it.ty.as_ref());
        let answered = answers.filter(|_| selects).filter_map(resource).flat_map(|id| inside[id.0].clone());
        let partial = answered.collect();
        let mut catalogue = Self { api, inside, partial, order: Vec::new(), entries: BTreeMap::new() };
        catalogue.fill();
        catalogue
    }

    fn fill(&mut self) {
        for index in 0..self.api.resources.len() {
            let id = ResourceId(index);
            self.add(self.resource(id, Side::Answer), Entry::Resource(id, Side::Answer));
            for operation in (0..self.api.operations.len()).map(OperationId) {
                for side in BTreeSet::from([Side::Sent(operation), self.body(operation)]) {
                    if self.is_sent_to(id, operation) {
                        self.add(self.resource(id, side), Entry::Resource(id, side));
                    }
                }
            }
        }
        for id in (0..self.api.enums.len()).map(EnumId) {
            for side in [Side::Answer, Side::Parameter] {
                self.add(self.enumeration(id, side), Entry::Enum(id, side));
            }
        }
        for (index, (name, _)) in wire::ALL.iter().enumerate() {
            self.add((*name).to_owned(), Entry::Wire(index));
        }
    }

    /// The first of a name is the one: what the others would say is the same.
    fn add(&mut self, name: String, entry: Entry) {
        if !self.entries.contains_key(&name) {
            self.order.push(name.clone());
            self.entries.insert(name, entry);
        }
    }

    /// The names, in the order of the document.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.order.iter().cloned()
    }

    /// The definitions that no request reaches, which have a schema even if no answer does either.
    pub fn unsent(&self) -> Vec<String> {
        let ids = (0..self.api.resources.len()).map(ResourceId);
        let unsent = ids.filter(|id| self.senders(*id).next().is_none());
        let resources = unsent.map(|id| self.resource(id, Side::Answer));
        let enums = (0..self.api.enums.len()).map(EnumId).filter(|id| !self.is_sent(*id));
        resources.chain(enums.map(|id| self.enumeration(id, Side::Answer))).collect()
    }

    /// The schema of a name.
    pub fn schema(&self, name: &str) -> Option<Object> {
        Some(match *self.entries.get(name)? {
            Entry::Resource(id, side) => resources::resource(self, id, side),
            Entry::Enum(id, Side::Answer) => resources::answered_enum(self.api.enumeration(id)),
            Entry::Enum(id, _) => resources::sent_enum(self.api.enumeration(id)),
            Entry::Wire(index) => (wire::ALL[index].1)(),
        })
    }

    /// A reference to the schema of a resource.
    pub fn to_resource(&self, id: ResourceId, side: Side) -> Object {
        let side = match side {
            Side::Patch(operation) if self.api.resource(id).patch.is_none() => Side::Sent(operation),
            side => side,
        };
        reference(&self.resource(id, side))
    }

    /// A reference to the schema of an enum.
    pub fn to_enum(&self, id: EnumId, side: Side) -> Object {
        reference(&self.enumeration(id, side))
    }

    /// Whether the parameter `fields` can leave out members of it.
    pub fn is_partial(&self, id: ResourceId) -> bool {
        self.partial.contains(&id.0)
    }

    /// What a resource is called: `Event`, `Event.Input`, `Event.Input.events.insert`, `Event.Patch`.
    fn resource(&self, id: ResourceId, side: Side) -> String {
        let name = &self.api.resource(id).name.wire;
        let (kind, operation) = match side {
            Side::Sent(operation) => ("Input", operation),
            Side::Patch(operation) => ("Patch", operation),
            _ => return name.clone(),
        };
        if self.differs(id, side) {
            format!("{name}.{kind}.{}", self.api.operation(operation).name)
        } else {
            format!("{name}.{kind}")
        }
    }

    /// Whether what several operations are sent differs, so that each has a schema of its own.
    pub fn differs(&self, id: ResourceId, side: Side) -> bool {
        self.rivals(id, side) > 1 && self.depends(id)
    }

    /// Whether a schema is for one operation alone.
    pub fn is_of_one(&self, id: ResourceId, side: Side) -> bool {
        self.rivals(id, side) <= 1 || self.depends(id)
    }

    /// How many operations are sent it, as a whole or as a patch.
    fn rivals(&self, id: ResourceId, side: Side) -> usize {
        let patches = matches!(side, Side::Patch(_));
        self.senders(id).filter(|other| !patches || self.body(*other) == Side::Patch(*other)).count()
    }

    fn enumeration(&self, id: EnumId, side: Side) -> String {
        let name = &self.api.enumeration(id).name.wire;
        if side == Side::Answer { name.clone() } else { format!("{name}.Input") }
    }

    /// The operations whose bodies have it.
    fn senders(&self, id: ResourceId) -> impl Iterator<Item = OperationId> {
        (0..self.api.operations.len()).map(OperationId).filter(move |operation| self.is_sent_to(id, *operation))
    }

    /// Whether the body of an operation has it.
    fn is_sent_to(&self, id: ResourceId, operation: OperationId) -> bool {
        let body = self.api.operation(operation).body.as_ref().and_then(|body| resource(&body.ty));
        body.is_some_and(|body| self.inside[body.0].contains(&id.0))
    }

    /// Whether what may be sent depends on the operation.
    fn depends(&self, id: ResourceId) -> bool {
        let depends = |field: &Field| {
            let written = field.behavior.output_only.as_ref().is_some_and(|only| !only.except.is_empty());
            written || matches!(field.behavior.required, Required::In(_))
        };
        self.inside[id.0].iter().flat_map(|index| &self.api.resources[*index].fields).any(depends)
    }

    /// Whether requests have values of an enum.
    fn is_sent(&self, id: EnumId) -> bool {
        let is = |ty: &Type| *ty.innermost() == Type::Enum(id);
        let operations = self.api.operations.iter();
        let parameters = operations.flat_map(|operation| &operation.parameters).chain(&self.api.standard_parameters);
        let sent = (0..self.api.resources.len()).map(ResourceId).filter(|id| self.senders(*id).next().is_some());
        let mut fields = sent.flat_map(|id| &self.api.resource(id).fields);
        parameters.map(|parameter| &parameter.ty).any(is)
            || fields.any(|field| is(&field.ty))
            || self.api.operations.iter().filter_map(|operation| operation.body.as_ref()).any(|body| is(&body.ty))
    }

    /// The side from which the body of an operation is looked at.
    pub fn body(&self, id: OperationId) -> Side {
        match self.api.operation(id).body.as_ref().map(|body| body.mode) {
            Some(BodyMode::MergePatch) => Side::Patch(id),
            _ => Side::Sent(id),
        }
    }
}

/// `{ "$ref": "#/components/schemas/…" }`
pub fn reference(name: &str) -> Object {
    object().with("$ref", format!("{PREFIX}{name}"))
}

/// The resource in a type, below lists and maps.
fn resource(ty: &Type) -> Option<ResourceId> {
    match ty.innermost() {
        Type::Resource(id) => Some(*id),
        _ => None,
    }
}

/// The resources in a resource, itself among them.
fn inside(api: &Api, index: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open = vec![index];
    while let Some(index) = open.pop() {
        if found.insert(index) {
            open.extend(api.resources[index].fields.iter().filter_map(|field| resource(&field.ty)).map(|id| id.0));
        }
    }
    found
}
