//! Conditions written in CEL, parsed and typed: emitting code for them requires neither their text nor name
//! resolution.

mod expr;
mod function;
mod path;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use super::{Field, OperationId, Resource, ResourceId};

pub use expr::{Arithmetic, Comparison, Expr, ExprKind, Literal, Loop, LoopKind, Read, Root, Variable};
pub use function::{Function, TimePart};
pub use path::Path;
pub use types::CelType;

/// All conditions of an API, by what they belong to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conditions {
    /// Conditions of the rules of each resource, in order.
    pub resources: Vec<Vec<Condition>>,
    /// Conditions of the rules of each operation, in order.
    pub operations: Vec<Vec<Condition>>,
    /// Values of `effective_when`, by resource, field and the operation whose body has the field.
    pub effective: BTreeMap<(ResourceId, usize, OperationId), Condition>,
}

impl Conditions {
    /// Returns the conditions of a resource's rules: `rules[n]` has the condition `[n]`.
    #[must_use]
    pub fn of_resource(&self, id: ResourceId) -> &[Condition] {
        self.resources.get(id.0).map_or(&[], Vec::as_slice)
    }

    /// Returns the conditions of an operation's rules: `rules[n]` has the condition `[n]`.
    #[must_use]
    pub fn of_operation(&self, id: OperationId) -> &[Condition] {
        self.operations.get(id.0).map_or(&[], Vec::as_slice)
    }

    /// Returns the condition under which a field has an effect in the body of an operation. Returns `None` if it
    /// always has one, or if the operation's body does not reach the field.
    #[must_use]
    pub fn effective(&self, resource: ResourceId, field: usize, operation: OperationId) -> Option<&Condition> {
        self.effective.get(&(resource, field, operation))
    }
}

impl super::Api {
    /// Returns the number of the condition under which a field has an effect; each such field has its own.
    #[must_use]
    pub fn condition_number(&self, resource: &Resource, field: &Field) -> Option<u32> {
        if !field.is_conditional() {
            return None;
        }
        let members = self.resources.iter().flat_map(|of| {
            let conditional = of.fields.iter().filter(|member| member.is_conditional());
            conditional.map(move |member| (&of.name.wire, &member.name.wire))
        });
        let at = members.into_iter().position(|names| names == (&resource.name.wire, &field.name.wire))?;
        u32::try_from(at).ok()
    }
}

/// Typed condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Subject of the condition.
    pub subject: Subject,
    /// Expression of type [`CelType::Bool`].
    pub value: Expr,
    /// Type of the stored resource, if the condition reads it: for `old`, or for `new` of a merge patch.
    pub old: Option<ResourceId>,
}

/// Subject of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// Value of a resource: `this`.
    Resource(ResourceId),
    /// Request of an operation: `params`, `body` and optionally `old`.
    Request(OperationId),
}

impl Condition {
    /// Returns the value of the condition if it does not depend on any input: a condition on a parameter that the
    /// operation does not have is false.
    #[must_use]
    pub fn constant(&self) -> Option<bool> {
        match &self.value.kind {
            ExprKind::Literal(Literal::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    /// Returns the indices of the fields of `this` that the condition reads.
    #[must_use]
    pub fn read_fields(&self) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        self.value.walk(&mut |expr| {
            if let ExprKind::Member { of, field, .. } = &expr.kind
                && of.kind == ExprKind::Root(Root::This)
            {
                found.insert(*field);
            }
        });
        found
    }
}
