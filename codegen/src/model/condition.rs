//! Conditions written in CEL, parsed and typed: what is emitted for them needs neither their text nor a look at the
//! names in it.

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

/// Every condition of an API, beside what it belongs to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conditions {
    /// The conditions of each resource's rules, in their order.
    pub resources: Vec<Vec<Condition>>,
    /// The conditions of each operation's rules, in their order.
    pub operations: Vec<Vec<Condition>>,
    /// The conditions under which the server takes a member, by resource, field and the operation that is sent it.
    pub effective: BTreeMap<(ResourceId, usize, OperationId), Condition>,
}

impl Conditions {
    /// The conditions of a resource's rules: `rules[n]` has the condition `[n]`.
    #[must_use]
    pub fn of_resource(&self, id: ResourceId) -> &[Condition] {
        self.resources.get(id.0).map_or(&[], Vec::as_slice)
    }

    /// The conditions of an operation's rules: `rules[n]` has the condition `[n]`.
    #[must_use]
    pub fn of_operation(&self, id: OperationId) -> &[Condition] {
        self.operations.get(id.0).map_or(&[], Vec::as_slice)
    }

    /// The condition under which the server takes a member in the body of an operation; none where it always does,
    /// and where the operation's body does not reach it.
    #[must_use]
    pub fn effective(&self, resource: ResourceId, field: usize, operation: OperationId) -> Option<&Condition> {
        self.effective.get(&(resource, field, operation))
    }
}

impl super::Api {
    /// Returns the number of the condition under which a member has an effect; each such member has its own.
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

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// What it is about.
    pub subject: Subject,
    /// Its value, a [`CelType::Bool`].
    pub value: Expr,
    /// The type of what is stored, where the condition needs it: for `old`, or for `new` of a merge patch.
    pub old: Option<ResourceId>,
}

/// What a condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// A value of a resource: `this`.
    Resource(ResourceId),
    /// A request of an operation: `params`, `body` and perhaps `old`.
    Request(OperationId),
}

impl Condition {
    /// What it always is, where it does not depend on any value: a condition on a parameter that the operation does
    /// not have is false.
    #[must_use]
    pub fn constant(&self) -> Option<bool> {
        match &self.value.kind {
            ExprKind::Literal(Literal::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    /// The fields of `this` that it reads, by index.
    #[must_use]
    pub fn reads(&self) -> BTreeSet<usize> {
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
