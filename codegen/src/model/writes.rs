//! What writes store, and which of them are held against what is stored.

use std::collections::BTreeSet;

use super::{
    Api, Body, BodyMode, Conditional, Operation, OperationId, ResourceId, States, TransitionsOtherwise, Type, address,
};

impl Api {
    /// Returns the resource that is stored when the body of an operation was: what the operation answers, what is replaced
    /// as a whole, or what is patched.
    #[must_use]
    pub fn written(&self, write: &Operation) -> Option<ResourceId> {
        let mut bodies = write.bodies().map(|body| self.written_by(write, body));
        let first = bodies.next().flatten()?;
        // Of several alternatives all are the same resource, as a whole or as a merge patch.
        bodies.all(|other| other == Some(first)).then_some(first)
    }

    fn written_by(&self, write: &Operation, body: &Body) -> Option<ResourceId> {
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
                let is_answer = write.answer() == Some(&body.ty) && write.bodiless().is_none();
                is_answer || write.http.method == "PUT"
            }
            BodyMode::JsonPatch => false,
        };
        is_written.then_some(*id)
    }

    /// Returns whether an operation is answered with the proof that it was held against what is stored: it declares
    /// conditions, or rules over what is stored, or changes a resource with members that do not change.
    #[must_use]
    pub fn is_admitted(&self, id: OperationId) -> bool {
        let operation = self.operation(id);
        let changes =
            operation.http.method == "PUT" || operation.bodies().any(|body| body.mode == BodyMode::MergePatch);
        let compares = || self.conditions.of_operation(id).iter().any(|condition| condition.old.is_some());
        let settles = || changes && self.written(operation).is_some_and(|of| self.settles(of));
        !operation.safe && (operation.conditional.contains(&Conditional::IfMatch) || compares() || settles())
    }

    /// Returns the operation that reads what another one writes: a GET at the same path that answers a resource.
    #[must_use]
    pub fn reader(&self, write: &Operation) -> Option<&Operation> {
        let answers = |read: &Operation| matches!(read.answer(), Some(Type::Resource(_)));
        let mut reads = self.operations.iter().filter(|read| read.http.method == "GET" && answers(read));
        reads.find(|read| address(read) == address(write))
    }

    /// Whether a resource has members that do not change, or states that do not follow one another.
    fn settles(&self, id: ResourceId) -> bool {
        let refuses = |states: &States| states.otherwise == TransitionsOtherwise::Refused;
        let (mut seen, mut open) = (BTreeSet::new(), vec![id]);
        while let Some(id) = open.pop() {
            let resource = self.resource(id);
            if resource.fields.iter().any(|field| field.behavior.refuses_change())
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
