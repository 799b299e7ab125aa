//! Reachability of checks: values of types without any need not be traversed.

use crate::model::{Api, Body, BodyMode, Constraints, Field, Format, Operation, ResourceId, Type};

/// Resources that have checks, in themselves or in their contents.
pub struct CheckedTypes {
    checked: Vec<bool>,
    /// Resources whose merge patches have checks, in themselves or in nested patches.
    checked_patches: Vec<bool>,
    /// Resources of requests with immutable fields or restricted state transitions, in themselves or in nested objects.
    immutable: Vec<bool>,
}

impl CheckedTypes {
    /// Computes the reachability for an API.
    pub fn of(api: &Api) -> Self {
        let own = |at: usize| {
            let resource = &api.resources[at];
            !resource.rules.is_empty() || resource.fields.iter().any(has_checks)
        };
        let checked = transitive(api, own, |field| match field.ty.innermost_type() {
            Type::Resource(ResourceId(index)) => Some(*index),
            _ => None,
        });
        let own_of_patch =
            |at: usize| api.resources[at].fields.iter().any(|field| has_patch_checks(api, &checked, field));
        let checked_patches = transitive(api, own_of_patch, |field| nested_patch(api, field));
        let immutable = |at: usize| {
            let resource = &api.resources[at];
            let states = resource.states.iter().any(super::unchanged::rejects_transitions);
            resource.outcome.is_none()
                && (states || resource.fields.iter().any(|field| field.behavior.rejects_changes()))
        };
        let unchanging = transitive(api, immutable, nested_object);
        let compared = compared(api);
        let unchanging =
            unchanging.iter().zip(compared).map(|(unchanging, compared)| *unchanging && compared).collect();
        Self { checked, checked_patches, immutable: unchanging }
    }

    /// Returns whether a resource has anything to check.
    pub fn is_checked(&self, ResourceId(index): ResourceId) -> bool {
        self.checked[index]
    }

    /// Returns whether the merge patch of a resource has anything to check.
    pub fn is_patch_checked(&self, ResourceId(index): ResourceId) -> bool {
        self.checked_patches[index]
    }

    /// Returns whether two versions of a resource are compared: it, or a nested object, has immutable fields or
    /// restricted state transitions, and it occurs in a request.
    pub fn has_immutable(&self, ResourceId(index): ResourceId) -> bool {
        self.immutable[index]
    }
}

/// Returns the object of a field whose versions are compared field by field; an immutable one is compared as a whole.
fn nested_object(field: &Field) -> Option<usize> {
    match &field.ty {
        Type::Resource(ResourceId(index)) if !field.behavior.immutable => Some(*index),
        _ => None,
    }
}

/// Returns the resources of which two versions can be available: those in requests, and their nested objects.
fn compared(api: &Api) -> Vec<bool> {
    let mut found = vec![false; api.resources.len()];
    let body = |body: &Body| match &body.ty {
        Type::Resource(ResourceId(index)) => Some(*index),
        _ => None,
    };
    let bodies = api.operations.iter().flat_map(Operation::bodies).filter_map(body);
    let patched = api.operations.iter().filter_map(|operation| api.json_patched_resource(operation)).map(|id| id.0);
    let mut open: Vec<usize> = bodies.chain(patched).collect();
    while let Some(index) = open.pop() {
        if let Some(seen) = found.get_mut(index)
            && !std::mem::replace(seen, true)
        {
            open.extend(api.resources[index].fields.iter().filter_map(nested_object));
        }
    }
    found
}

/// Returns the resources with a property, in themselves or in reachable ones.
fn transitive(api: &Api, own: impl Fn(usize) -> bool, below: impl Fn(&Field) -> Option<usize>) -> Vec<bool> {
    let mut holds: Vec<bool> = (0..api.resources.len()).map(own).collect();
    loop {
        let reaches = |at: usize| api.resources[at].fields.iter().filter_map(&below).any(|to| holds[to]);
        let next: Vec<bool> = (0..holds.len()).map(|at| holds[at] || reaches(at)).collect();
        if next == holds {
            return holds;
        }
        holds = next;
    }
}

/// Returns whether a field has checks besides those of its resource.
fn has_checks(field: &Field) -> bool {
    let behavior = &field.behavior;
    behavior.required != crate::model::Required::Never
        || behavior.output_only.as_ref().is_some_and(|only| only.reject)
        || field.is_kind
        || field.is_conditional()
        || field.deprecated.is_some()
        || is_constrained(&field.ty, &field.constraints)
}

/// Returns whether values of a type have checks of their own. It must agree with [`super::members::value`]: a
/// recursive resource that is wrongly considered checked would only be traversed.
fn is_constrained(ty: &Type, constraints: &Constraints) -> bool {
    // Destructured, so that a new constraint does not compile until it is considered here: a clamp lowers values and
    // does not reject them, exclusive ends accompany a minimum or maximum, schemes accompany a format, and known values are documentation.
    let Constraints {
        length,
        pattern,
        format,
        schemes: _,
        min,
        max,
        exclusive: _,
        clamp: _,
        multiple_of,
        items,
        keys,
        unique,
        // Those of the type's elements are considered with its inner type.
        elements: _,
        constant,
        known: _,
    } = constraints;
    let sized = match ty {
        Type::List(_) => items.is_some() || *unique,
        Type::Map(_) => items.is_some() || keys.is_some(),
        _ => false,
    };
    sized
        || match ty {
            Type::List(inner) | Type::Map(inner) | Type::Nullable(inner) => {
                is_constrained(inner, &constraints.for_elements())
            }
            Type::Enum(_) | Type::Union(_) => true,
            Type::String => {
                let untold = [Format::PageToken, Format::SyncToken, Format::Html];
                constant.is_some()
                    || length.is_some()
                    || pattern.is_some()
                    || format.is_some_and(|format| !untold.contains(&format))
            }
            Type::Lexical(lexical) if lexical.is_text() => {
                constant.is_some() || length.is_some() || pattern.is_some() || min.is_some() || max.is_some()
            }
            Type::Bytes(_) => length.is_some(),
            Type::Int32
            | Type::Int64(_)
            | Type::Uint32
            | Type::Uint64(_)
            | Type::Float
            | Type::Double
            | Type::Number => constant.is_some() || min.is_some() || max.is_some() || multiple_of.is_some(),
            Type::Bool | Type::Any => constant.is_some(),
            _ => false,
        }
}

/// Returns whether a merge patch has checks for a field, besides nested patches. Rules across fields, deprecation and
/// output-only values are not checked on patches, so a resource can have checks although its patch has none.
fn has_patch_checks(api: &Api, checked: &[bool], field: &Field) -> bool {
    if is_dropped(field) {
        return false;
    }
    let is_whole = |ty: &Type| match ty.innermost_type() {
        Type::Resource(ResourceId(index)) => checked[*index],
        _ => false,
    };
    let value = |ty: &Type, constraints: &Constraints| is_constrained(ty, constraints) || is_whole(ty);
    let set = match &field.ty {
        Type::Map(_) if field.constraints.keys.is_some() => true,
        _ if field.is_kind || nested_patch(api, field).is_some() => false,
        Type::Map(inner) if matches!(**inner, Type::Map(_)) => false,
        Type::Map(inner) => value(inner, &field.constraints.for_elements()),
        ty => value(ty, &field.constraints),
    };
    let kept = match &field.behavior.required {
        crate::model::Required::Never => false,
        crate::model::Required::Everywhere => true,
        crate::model::Required::In(operations) => operations.iter().any(|id| is_patch(api, *id)),
    };
    let refused = field.behavior.output_only.as_ref().is_some_and(|only| only.reject);
    (kept && !field.nullable) || refused || field.is_conditional() || set
}

/// Returns the resource of the nested patch of a field.
fn nested_patch(api: &Api, field: &Field) -> Option<usize> {
    let ty = if let Type::Map(inner) = &field.ty { inner.non_null() } else { &field.ty };
    match ty {
        Type::Resource(id) if !is_dropped(field) && api.resource(*id).patch.is_some() => Some(id.0),
        _ => None,
    }
}

/// Returns whether a patch loses a field before it is checked.
fn is_dropped(field: &Field) -> bool {
    field.behavior.output_only.as_ref().is_some_and(|only| !only.reject && only.except.is_empty())
}

/// Returns whether an operation takes a merge patch.
pub fn is_patch(api: &Api, id: crate::model::OperationId) -> bool {
    api.operation(id).bodies().any(|body| patched_by(api, body).is_some())
}

/// Returns the resource that a body patches, if it is a merge patch.
pub fn patched_by(api: &Api, body: &Body) -> Option<ResourceId> {
    match &body.ty {
        Type::Resource(id) if body.mode == BodyMode::MergePatch && api.resource(*id).patch.is_some() => Some(*id),
        _ => None,
    }
}
