//! Catalogue of the schemas of the emitted OpenAPI document: their names, and which one applies where.

use std::collections::{BTreeMap, BTreeSet};

use super::json::{Object, object};
use super::wire;
use crate::model::{
    Api, Body, BodyMode, EnumId, Field, OperationId, Required, Resource, ResourceId, Response, Role, Type, UnionId,
    nested_types,
};

/// Prefix of references to schemas.
pub const PREFIX: &str = "#/components/schemas/";

/// Where a value is transferred, which determines its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SchemaUse {
    /// In a response.
    Response,
    /// In the request body of an operation.
    Request(OperationId),
    /// In the merge patch that an operation takes.
    Patch(OperationId),
    /// In the path, the query, a header or a cookie.
    Parameter,
}

/// Definition that a schema of the document represents.
#[derive(Clone, Copy)]
pub enum Entry {
    Resource(ResourceId, SchemaUse),
    Enum(EnumId, SchemaUse),
    Union(UnionId, SchemaUse),
    Variant(UnionId, usize, SchemaUse),
    Wire(usize),
}

/// Schemas of the emitted OpenAPI document, by name.
pub struct Catalogue<'a> {
    /// API of the document.
    pub api: &'a Api,
    /// For each resource, whether its request schema depends on the operation.
    depends: Vec<bool>,
    /// For each resource, the operations whose bodies contain it.
    senders: Vec<Vec<OperationId>>,
    /// For each union, the operations whose bodies contain it.
    union_senders: Vec<Vec<OperationId>>,
    /// Resources of which the parameter `fields` can omit fields.
    partial: BTreeSet<usize>,
    /// Names, in the order of the document.
    order: Vec<String>,
    entries: BTreeMap<String, Entry>,
}

impl<'a> Catalogue<'a> {
    /// Creates the catalogue of all schemas that the document can refer to.
    pub fn new(api: &'a Api) -> Self {
        let inside = contained_resources(api);
        let selects = api.standard_parameter(Role::Fields).is_some();
        let types = api.operations.iter().flat_map(|operation| &operation.responses).flat_map(Response::types);
        let returned =
            types.filter(|_| selects).flat_map(|ty| api.resources_of(ty)).flat_map(|id| inside[id.0].clone());
        let partial = returned.collect();
        let (senders, union_senders) = senders(api, &inside);
        let depends = depends(api, &inside);
        let mut catalogue =
            Self { api, depends, senders, union_senders, partial, order: Vec::new(), entries: BTreeMap::new() };
        catalogue.collect();
        catalogue
    }

    /// Adds the schemas of all resources, enums, unions and wire formats.
    fn collect(&mut self) {
        for index in 0..self.api.resources.len() {
            let id = ResourceId(index);
            self.add(self.resource(id, SchemaUse::Response), Entry::Resource(id, SchemaUse::Response));
            for operation in self.senders[index].clone() {
                let patch = self.is_patched(operation).then_some(SchemaUse::Patch(operation));
                for usage in std::iter::once(SchemaUse::Request(operation)).chain(patch) {
                    self.add(self.resource(id, usage), Entry::Resource(id, usage));
                }
            }
        }
        for id in (0..self.api.enums.len()).map(EnumId) {
            for usage in [SchemaUse::Response, SchemaUse::Parameter] {
                self.add(self.enumeration(id, usage), Entry::Enum(id, usage));
            }
        }
        for id in (0..self.api.unions.len()).map(UnionId) {
            self.collect_union(id);
        }
        for (index, (name, _)) in wire::WIRE_SCHEMAS.iter().enumerate() {
            self.add((*name).to_owned(), Entry::Wire(index));
        }
    }

    /// Adds the schemas of a union and its variants.
    fn collect_union(&mut self, id: UnionId) {
        let sent = self.union_senders[id.0].iter().copied().map(SchemaUse::Request);
        for usage in std::iter::once(SchemaUse::Response).chain(sent).collect::<Vec<_>>() {
            self.add(self.union(id, usage), Entry::Union(id, usage));
            if self.api.union(id).discriminator.is_some() {
                for index in 0..self.api.union(id).variants.len() {
                    self.add(self.variant(id, index, usage), Entry::Variant(id, index, usage));
                }
            }
        }
    }

    /// Adds an entry unless the name exists; equal names have equal schemas.
    fn add(&mut self, name: String, entry: Entry) {
        if !self.entries.contains_key(&name) {
            self.order.push(name.clone());
            self.entries.insert(name, entry);
        }
    }

    /// Returns the names, in the order of the document.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.order.iter().cloned()
    }

    /// Returns what the schema with this name represents.
    pub fn entry(&self, name: &str) -> Option<Entry> {
        self.entries.get(name).copied()
    }

    /// Returns the response schemas of all definitions, whether or not a response uses them.
    pub fn response_schemas(&self) -> Vec<String> {
        let resources =
            (0..self.api.resources.len()).map(|index| self.resource(ResourceId(index), SchemaUse::Response));
        let enums = (0..self.api.enums.len()).map(|index| self.enumeration(EnumId(index), SchemaUse::Response));
        let unions = (0..self.api.unions.len()).map(|index| self.union(UnionId(index), SchemaUse::Response));
        resources.chain(enums).chain(unions).collect()
    }

    /// Returns a reference to the schema of a resource.
    pub fn resource_reference(&self, id: ResourceId, usage: SchemaUse) -> Object {
        let usage = match usage {
            SchemaUse::Patch(operation) if self.api.resource(id).patch.is_none() => SchemaUse::Request(operation),
            usage => usage,
        };
        reference(&self.resource(id, usage))
    }

    /// Returns a reference to the schema of an enum.
    pub fn enum_reference(&self, id: EnumId, usage: SchemaUse) -> Object {
        reference(&self.enumeration(id, usage))
    }

    /// Returns a reference to the schema of a union, which a patch replaces as a whole.
    pub fn union_reference(&self, id: UnionId, usage: SchemaUse) -> Object {
        reference(&self.union(id, usage))
    }

    /// Returns a reference to the schema of a variant.
    pub fn variant_reference(&self, id: UnionId, index: usize, usage: SchemaUse) -> Object {
        reference(&self.variant(id, index, usage))
    }

    /// Returns the schema name of a union: `Contact`, `Contact.Input`, `Contact.Input.people.insert`.
    fn union(&self, id: UnionId, usage: SchemaUse) -> String {
        let name = &self.api.union(id).name.wire;
        let (SchemaUse::Request(operation) | SchemaUse::Patch(operation)) = usage else { return name.clone() };
        let resources = self.api.resources_of(&Type::Union(id));
        if resources.iter().any(|id| self.has_operation_schema(*id, SchemaUse::Request(operation))) {
            format!("{name}.Input.{}", self.api.operation(operation).name)
        } else {
            format!("{name}.Input")
        }
    }

    /// Returns the schema name of a variant: `Contact.Variant.Person`.
    fn variant(&self, id: UnionId, index: usize, usage: SchemaUse) -> String {
        let variant = &self.api.union(id).variant(index).name.ident;
        format!("{}.Variant.{variant}", self.union(id, usage))
    }

    /// Returns whether the parameter `fields` can omit fields of a resource.
    pub fn is_partial(&self, id: ResourceId) -> bool {
        self.partial.contains(&id.0)
    }

    /// Returns the schema name of a resource: `Event`, `Event.Input`, `Event.Input.events.insert`, `Event.Patch`.
    fn resource(&self, id: ResourceId, usage: SchemaUse) -> String {
        let name = &self.api.resource(id).name.wire;
        let (kind, operation) = match usage {
            SchemaUse::Request(operation) => ("Input", operation),
            SchemaUse::Patch(operation) => ("Patch", operation),
            _ => return name.clone(),
        };
        if self.has_operation_schema(id, usage) {
            format!("{name}.{kind}.{}", self.api.operation(operation).name)
        } else {
            format!("{name}.{kind}")
        }
    }

    /// Returns whether operations differ in their request schema, so that each has its own.
    pub fn has_operation_schema(&self, id: ResourceId, usage: SchemaUse) -> bool {
        self.depends[id.0] && self.count_operations(id, usage) > 1
    }

    /// Returns whether a schema is used by only one operation.
    pub fn is_used_once(&self, id: ResourceId, usage: SchemaUse) -> bool {
        self.depends[id.0] || self.count_operations(id, usage) <= 1
    }

    /// Returns the number of operations that take it, as a whole or as a patch.
    fn count_operations(&self, id: ResourceId, usage: SchemaUse) -> usize {
        let patches = matches!(usage, SchemaUse::Patch(_));
        self.senders(id).filter(|other| !patches || self.is_patched(*other)).count()
    }

    /// Returns the schema name of an enum: `Color`, `Color.Input`.
    fn enumeration(&self, id: EnumId, usage: SchemaUse) -> String {
        let name = &self.api.enumeration(id).name.wire;
        if usage == SchemaUse::Response { name.clone() } else { format!("{name}.Input") }
    }

    /// Returns the operations whose bodies contain it.
    fn senders(&self, id: ResourceId) -> impl Iterator<Item = OperationId> {
        self.senders[id.0].iter().copied()
    }

    /// Returns whether the body of an operation is a whole value or a merge patch, which have different schemas.
    pub fn body_use(&self, id: OperationId, body: &Body) -> SchemaUse {
        match body.mode {
            BodyMode::MergePatch => SchemaUse::Patch(id),
            BodyMode::Whole | BodyMode::JsonPatch => SchemaUse::Request(id),
        }
    }

    /// Returns whether an operation takes a merge patch.
    fn is_patched(&self, id: OperationId) -> bool {
        self.api.operation(id).bodies().any(|body| body.mode == BodyMode::MergePatch)
    }
}

/// Returns `{ "$ref": "#/components/schemas/…" }`.
pub fn reference(name: &str) -> Object {
    object().with("$ref", format!("{PREFIX}{name}"))
}

/// Returns, for each resource and each union, the operations whose bodies contain it. Large APIs have thousands of
/// both, so each body is traversed once.
fn senders(api: &Api, inside: &[Vec<usize>]) -> (Vec<Vec<OperationId>>, Vec<Vec<OperationId>>) {
    let mut resources = vec![Vec::new(); api.resources.len()];
    let mut unions = vec![Vec::new(); api.unions.len()];
    let unions_of = |ty: &Type| -> Vec<usize> {
        let union = |part: &&Type| if let Type::Union(id) = part { Some(id.0) } else { None };
        nested_types(&api.unions, ty).iter().filter_map(union).collect()
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

/// Returns, for each resource, whether its request schema depends on the operation.
fn depends(api: &Api, inside: &[Vec<usize>]) -> Vec<bool> {
    let depends = |field: &Field| {
        let written = field.behavior.output_only.as_ref().is_some_and(|only| !only.except.is_empty());
        written || matches!(field.behavior.required, Required::In(_))
    };
    let own: Vec<bool> = api.resources.iter().map(|resource| resource.fields.iter().any(depends)).collect();
    inside.iter().map(|inside| inside.iter().any(|index| own[*index])).collect()
}

/// Returns, for each resource, the resources that it contains, including itself, in order.
fn contained_resources(api: &Api) -> Vec<Vec<usize>> {
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
