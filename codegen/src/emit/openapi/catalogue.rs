//! Which schemas an API has, what they are called, and which of them is meant where.

use std::collections::{BTreeMap, BTreeSet};

use super::json::{Object, object};
use super::wire;
use crate::model::{
    Api, Body, BodyMode, EnumId, Field, OperationId, Required, Resource, ResourceId, Response, Role, Type, UnionId,
    parts_of,
};

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
    /// It is sent in the path, the query, a header or a cookie.
    Parameter,
}

/// What a name among the schemas means.
#[derive(Clone, Copy)]
pub enum Entry {
    Resource(ResourceId, Side),
    Enum(EnumId, Side),
    Union(UnionId, Side),
    Variant(UnionId, usize, Side),
    Wire(usize),
}

/// The schemas that an API can have, by name.
pub struct Catalogue<'a> {
    /// The API.
    pub api: &'a Api,
    /// Whether what may be sent depends on the operation, by resource.
    depends: Vec<bool>,
    /// The operations whose bodies have a resource, by resource.
    senders: Vec<Vec<OperationId>>,
    /// The operations whose bodies have a union, by union.
    union_senders: Vec<Vec<OperationId>>,
    /// The resources of which the parameter `fields` can leave out members.
    partial: BTreeSet<usize>,
    /// The names, in the order of the document.
    order: Vec<String>,
    entries: BTreeMap<String, Entry>,
}

impl<'a> Catalogue<'a> {
    pub fn new(api: &'a Api) -> Self {
        let inside = inside(api);
        let selects = api.standard(Role::Fields).is_some();
        let answers = api.operations.iter().flat_map(|operation| &operation.responses).flat_map(Response::types);
        let answered =
            answers.filter(|_| selects).flat_map(|ty| api.resources_of(ty)).flat_map(|id| inside[id.0].clone());
        let partial = answered.collect();
        let (senders, union_senders) = senders(api, &inside);
        let depends = depends(api, &inside);
        let mut catalogue =
            Self { api, depends, senders, union_senders, partial, order: Vec::new(), entries: BTreeMap::new() };
        catalogue.fill();
        catalogue
    }

    fn fill(&mut self) {
        for index in 0..self.api.resources.len() {
            let id = ResourceId(index);
            self.add(self.resource(id, Side::Answer), Entry::Resource(id, Side::Answer));
            for operation in self.senders[index].clone() {
                let patch = self.is_patched(operation).then_some(Side::Patch(operation));
                for side in std::iter::once(Side::Sent(operation)).chain(patch) {
                    self.add(self.resource(id, side), Entry::Resource(id, side));
                }
            }
        }
        for id in (0..self.api.enums.len()).map(EnumId) {
            for side in [Side::Answer, Side::Parameter] {
                self.add(self.enumeration(id, side), Entry::Enum(id, side));
            }
        }
        for id in (0..self.api.unions.len()).map(UnionId) {
            self.fill_union(id);
        }
        for (index, (name, _)) in wire::ALL.iter().enumerate() {
            self.add((*name).to_owned(), Entry::Wire(index));
        }
    }

    fn fill_union(&mut self, id: UnionId) {
        let sent = self.union_senders[id.0].iter().copied().map(Side::Sent);
        for side in std::iter::once(Side::Answer).chain(sent).collect::<Vec<_>>() {
            self.add(self.union(id, side), Entry::Union(id, side));
            if self.api.union(id).discriminator.is_some() {
                for index in 0..self.api.union(id).variants.len() {
                    self.add(self.variant(id, index, side), Entry::Variant(id, index, side));
                }
            }
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

    /// What a name means.
    pub fn entry(&self, name: &str) -> Option<Entry> {
        self.entries.get(name).copied()
    }

    /// The definitions as they are answered, whether or not something answers them.
    pub fn answered(&self) -> Vec<String> {
        let resources = (0..self.api.resources.len()).map(|index| self.resource(ResourceId(index), Side::Answer));
        let enums = (0..self.api.enums.len()).map(|index| self.enumeration(EnumId(index), Side::Answer));
        let unions = (0..self.api.unions.len()).map(|index| self.union(UnionId(index), Side::Answer));
        resources.chain(enums).chain(unions).collect()
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

    /// A reference to the schema of a union, which a patch replaces as a whole.
    pub fn to_union(&self, id: UnionId, side: Side) -> Object {
        reference(&self.union(id, side))
    }

    /// A reference to the schema of a variant.
    pub fn to_variant(&self, id: UnionId, index: usize, side: Side) -> Object {
        reference(&self.variant(id, index, side))
    }

    /// What a union is called: `Contact`, `Contact.Input`, `Contact.Input.people.insert`.
    fn union(&self, id: UnionId, side: Side) -> String {
        let name = &self.api.union(id).name.wire;
        let (Side::Sent(operation) | Side::Patch(operation)) = side else { return name.clone() };
        let resources = self.api.resources_of(&Type::Union(id));
        if resources.iter().any(|id| self.differs(*id, Side::Sent(operation))) {
            format!("{name}.Input.{}", self.api.operation(operation).name)
        } else {
            format!("{name}.Input")
        }
    }

    fn variant(&self, id: UnionId, index: usize, side: Side) -> String {
        let variant = &self.api.union(id).variant(index).name.ident;
        format!("{}.Variant.{variant}", self.union(id, side))
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
        self.depends[id.0] && self.rivals(id, side) > 1
    }

    /// Whether a schema is for one operation alone.
    pub fn is_of_one(&self, id: ResourceId, side: Side) -> bool {
        self.depends[id.0] || self.rivals(id, side) <= 1
    }

    /// How many operations are sent it, as a whole or as a patch.
    fn rivals(&self, id: ResourceId, side: Side) -> usize {
        let patches = matches!(side, Side::Patch(_));
        self.senders(id).filter(|other| !patches || self.is_patched(*other)).count()
    }

    fn enumeration(&self, id: EnumId, side: Side) -> String {
        let name = &self.api.enumeration(id).name.wire;
        if side == Side::Answer { name.clone() } else { format!("{name}.Input") }
    }

    /// The operations whose bodies have it.
    fn senders(&self, id: ResourceId) -> impl Iterator<Item = OperationId> {
        self.senders[id.0].iter().copied()
    }

    /// The side from which a body of an operation is looked at.
    pub fn side(&self, id: OperationId, body: &Body) -> Side {
        match body.mode {
            BodyMode::MergePatch => Side::Patch(id),
            BodyMode::Whole | BodyMode::JsonPatch => Side::Sent(id),
        }
    }

    /// Whether an operation is sent a merge patch.
    fn is_patched(&self, id: OperationId) -> bool {
        self.api.operation(id).bodies().any(|body| body.mode == BodyMode::MergePatch)
    }
}

/// `{ "$ref": "#/components/schemas/…" }`
pub fn reference(name: &str) -> Object {
    object().with("$ref", format!("{PREFIX}{name}"))
}

/// The operations whose bodies have each resource and each union. Large APIs have thousands of both: each body is
/// walked through once.
fn senders(api: &Api, inside: &[Vec<usize>]) -> (Vec<Vec<OperationId>>, Vec<Vec<OperationId>>) {
    let mut resources = vec![Vec::new(); api.resources.len()];
    let mut unions = vec![Vec::new(); api.unions.len()];
    let unions_of = |ty: &Type| -> Vec<usize> {
        let union = |part: &&Type| if let Type::Union(id) = part { Some(id.0) } else { None };
        parts_of(&api.unions, ty).iter().filter_map(union).collect()
    };
    let of_resource = |resource: &Resource| -> BTreeSet<usize> {
        resource.fields.iter().flat_map(|field| unions_of(&field.ty)).collect()
    };
    let by_resource: Vec<_> = api.resources.iter().map(of_resource).collect();
    for (index, operation) in api.operations.iter().enumerate() {
        let bodies = operation.bodies().flat_map(|body| api.resources_of(&body.ty));
        let held: BTreeSet<usize> = bodies.flat_map(|id| inside[id.0].iter().copied()).collect();
        let mut held_unions: BTreeSet<usize> = operation.bodies().flat_map(|body| unions_of(&body.ty)).collect();
        held_unions.extend(held.iter().flat_map(|resource| &by_resource[*resource]));
        held.into_iter().for_each(|resource| resources[resource].push(OperationId(index)));
        held_unions.into_iter().for_each(|union| unions[union].push(OperationId(index)));
    }
    (resources, unions)
}

/// Whether what may be sent of each resource depends on the operation.
fn depends(api: &Api, inside: &[Vec<usize>]) -> Vec<bool> {
    let depends = |field: &Field| {
        let written = field.behavior.output_only.as_ref().is_some_and(|only| !only.except.is_empty());
        written || matches!(field.behavior.required, Required::In(_))
    };
    let own: Vec<bool> = api.resources.iter().map(|resource| resource.fields.iter().any(depends)).collect();
    inside.iter().map(|inside| inside.iter().any(|index| own[*index])).collect()
}

/// The resources in each resource, itself among them, in their order.
fn inside(api: &Api) -> Vec<Vec<usize>> {
    let beneath = |resource: &Resource| -> Vec<usize> {
        let direct = resource.fields.iter().flat_map(|field| api.resources_of(&field.ty)).map(|id| id.0);
        direct.collect::<BTreeSet<_>>().into_iter().collect()
    };
    let beneath: Vec<Vec<usize>> = api.resources.iter().map(beneath).collect();
    let reached = |index| {
        let (mut found, mut open) = (vec![false; beneath.len()], vec![index]);
        while let Some(index) = open.pop() {
            if !std::mem::replace(&mut found[index], true) {
                open.extend(&beneath[index]);
            }
        }
        (0..beneath.len()).filter(|index| found[*index]).collect()
    };
    (0..beneath.len()).map(reached).collect()
}
