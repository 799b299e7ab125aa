//! Writes: the resource that is stored, and checks against it.

use std::collections::BTreeSet;

use super::{
    Api, Body, BodyMode, Conditional, Operation, OperationId, ResourceId, States, TransitionPolicy, Type, path_key,
};

impl Api {
    /// Returns the resource that the body of an operation writes: the response, if it is the same resource, the
    /// resource that is replaced as a whole, or the one that is patched.
    #[must_use]
    pub fn written_resource(&self, write: &Operation) -> Option<ResourceId> {
        let mut bodies = write.bodies().map(|body| self.resource_written_by(write, body));
        let first = bodies.next().flatten()?;
        // All alternatives must be the same resource, whole or as a merge patch.
        bodies.all(|other| other == Some(first)).then_some(first)
    }

    fn resource_written_by(&self, write: &Operation, body: &Body) -> Option<ResourceId> {
        if write.safe || write.watch.is_some() || body.raw().is_some() {
            return None;
        }
        let Type::Resource(id) = &body.ty else { return None };
        if self.resource(*id).outcome.is_some() {
            return None;
        }
        let is_written = match body.mode {
            BodyMode::MergePatch => self.resource(*id).patch.is_some(),
            BodyMode::Whole => {
                let returns_body_type = write.response_type() == Some(&body.ty) && write.bodiless_status().is_none();
                returns_body_type || write.http.method == "PUT"
            }
            BodyMode::JsonPatch => false,
        };
        is_written.then_some(*id)
    }

    /// Returns the resource to which a JSON Patch of an operation is applied: the response, if a merge patch of the
    /// same operation or a GET at its path has that resource as well. Otherwise the stored resource may be another one.
    #[must_use]
    pub fn json_patched_resource(&self, write: &Operation) -> Option<ResourceId> {
        let Some(ty @ Type::Resource(id)) = write.response_type() else { return None };
        let is_merged = || write.bodies().any(|body| body.mode == BodyMode::MergePatch && body.ty == *ty);
        let is_read = || self.read_operation(write).is_some_and(|read| read.response_type() == Some(ty));
        let takes_patch = write.bodies().any(|body| body.mode == BodyMode::JsonPatch);
        (takes_patch && self.resource(*id).outcome.is_none() && (is_merged() || is_read())).then_some(*id)
    }

    /// Returns whether an implementation must prove that it checked the write against the stored resource: the
    /// operation supports `If-Match`, has rules over the stored resource, or replaces or patches a resource with
    /// immutable fields or restricted state transitions.
    #[must_use]
    pub fn requires_admission(&self, id: OperationId) -> bool {
        let operation = self.operation(id);
        let changes =
            operation.http.method == "PUT" || operation.bodies().any(|body| body.mode == BodyMode::MergePatch);
        let compares = || self.conditions.of_operation(id).iter().any(|condition| condition.old.is_some());
        let written = || self.written_resource(operation).filter(|_| changes);
        let changed = || written().or_else(|| self.json_patched_resource(operation));
        let is_restricted = || changed().is_some_and(|id| self.has_restricted_changes(id));
        !operation.safe && (operation.conditional.contains(&Conditional::IfMatch) || compares() || is_restricted())
    }

    /// Returns the operation that reads what another one writes: a GET of a resource at the same path.
    #[must_use]
    pub fn read_operation(&self, write: &Operation) -> Option<&Operation> {
        let returns_resource = |read: &Operation| matches!(read.response_type(), Some(Type::Resource(_)));
        let mut reads = self.operations.iter().filter(|read| read.http.method == "GET" && returns_resource(read));
        reads.find(|read| path_key(read) == path_key(write))
    }

    /// Returns whether a resource or a nested one has immutable fields, or states with restricted transitions.
    pub fn has_restricted_changes(&self, id: ResourceId) -> bool {
        let refuses = |states: &States| states.unlisted == TransitionPolicy::Refused;
        let (mut seen, mut open) = (BTreeSet::new(), vec![id]);
        while let Some(id) = open.pop() {
            let resource = self.resource(id);
            if resource.fields.iter().any(|field| field.behavior.rejects_changes())
                || resource.states.iter().any(refuses)
            {
                return true;
            }
            if seen.insert(id) {
                open.extend(resource.fields.iter().filter_map(|field| match &field.ty {
                    Type::Resource(id) => Some(*id),
                    _ => None,
                }));
            }
        }
        false
    }
}
