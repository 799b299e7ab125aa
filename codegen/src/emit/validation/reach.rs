//! Which types there is something to check of: a value that nothing is said of need not be walked.

use crate::model::{Api, BodyMode, Field, ResourceId, Type};

/// The resources that have checks, in themselves or in what they hold.
pub struct Reach {
    checked: Vec<bool>,
    /// Those with members that do not change after creation, in themselves or in the objects they hold.
    unchanging: Vec<bool>,
}

impl Reach {
    /// Of an API.
    pub fn of(api: &Api) -> Self {
        let own = |at: usize| {
            let resource = &api.resources[at];
            !resource.rules.is_empty() || resource.fields.iter().any(has_checks)
        };
        let checked = closed(api, own, |field| match field.ty.innermost() {
            Type::Resource(ResourceId(index)) => Some(*index),
            _ => None,
        });
        let immutable = |at: usize| {
            let resource = &api.resources[at];
            let states = resource.states.iter().any(super::unchanged::refuses);
            resource.outcome.is_none() && (states || resource.fields.iter().any(|field| field.behavior.immutable))
        };
        let unchanging = closed(api, immutable, within);
        let compared = compared(api);
        let unchanging =
            unchanging.iter().zip(compared).map(|(unchanging, compared)| *unchanging && compared).collect();
        Self { checked, unchanging }
    }

    /// Whether there is something to check of a resource.
    pub fn is_checked(&self, ResourceId(index): ResourceId) -> bool {
        self.checked.get(index).copied().unwrap_or_default()
    }

    /// Whether there is something in a resource that does not change.
    pub fn is_unchanging(&self, ResourceId(index): ResourceId) -> bool {
        self.unchanging.get(index).copied().unwrap_or_default()
    }
}

/// The object that a member is, if its versions are compared member by member: one that does not change at all is
/// compared as a whole.
fn within(field: &Field) -> Option<usize> {
    match &field.ty {
        Type::Resource(ResourceId(index)) if !field.behavior.immutable => Some(*index),
        _ => None,
    }
}

/// The resources of which two versions can be at hand: those that are sent, and the objects in them.
fn compared(api: &Api) -> Vec<bool> {
    let mut found = vec![false; api.resources.len()];
    let body = |operation: &crate::model::Operation| match operation.body.as_ref().map(|body| &body.ty) {
        Some(Type::Resource(ResourceId(index))) => Some(*index),
        _ => None,
    };
    let mut open: Vec<usize> = api.operations.iter().filter_map(body).collect();
    while let Some(index) = open.pop() {
        if let Some(seen) = found.get_mut(index)
            && !std::mem::replace(seen, true)
        {
            open.extend(api.resources[index].fields.iter().filter_map(within));
        }
    }
    found
}

/// What holds for a resource by itself, or for one that it reaches.
fn closed(api: &Api, own: impl Fn(usize) -> bool, below: impl Fn(&Field) -> Option<usize>) -> Vec<bool> {
    let mut holds: Vec<bool> = (0..api.resources.len()).map(own).collect();
    loop {
        let reaches = |at: usize| {
            api.resources[at].fields.iter().filter_map(&below).any(|to| holds.get(to).copied().unwrap_or_default())
        };
        let next: Vec<bool> = (0..holds.len()).map(|at| holds[at] || reaches(at)).collect();
        if next == holds {
            return holds;
        }
        holds = next;
    }
}

/// Whether there is something to check of a member apart from the resource it may be.
fn has_checks(field: &Field) -> bool {
    let behavior = &field.behavior;
    behavior.required != crate::model::Required::Never
        || behavior.output_only.as_ref().is_some_and(|only| only.refuse)
        || field.is_kind
        || field.effective_when.is_some()
        || field.deprecated.is_some()
        || field.constraints != crate::model::Constraints::default()
        || matches!(field.ty.innermost(), Type::Enum(_) | Type::Union(_))
}

/// The resource that the merge patch of an operation changes.
pub fn patched(api: &Api, operation: &crate::model::Operation) -> Option<ResourceId> {
    let body = operation.body.as_ref().filter(|body| body.mode == BodyMode::MergePatch)?;
    match &body.ty {
        Type::Resource(id) if api.resource(*id).patch.is_some() => Some(*id),
        _ => None,
    }
}
