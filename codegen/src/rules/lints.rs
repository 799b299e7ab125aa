//! Lints for conditions that are constant, and for required fields that a merge patch can remove.

use std::collections::BTreeSet;

use super::ConditionError;
use super::check::constant_analysis;
use super::ranges::Ranges;
use crate::diagnostics::{Code, Sink};
use crate::model::condition::{CelType, Condition, Conditions, Expr, ExprKind, Root};
use crate::model::{
    Api, Body, BodyMode, Cel, Field, Operation, OperationId, OutputOnly, Required, ResourceId, RuleSeverity, Type,
};

/// Returns the value of a condition that is the same for all inputs.
pub fn constant(api: &Api, condition: &Condition) -> Option<bool> {
    let ranges = Ranges::new(api, condition.subject);
    constant_analysis::value(&condition.value, &|expr| ranges.value(expr))
}

/// Returns a warning that a part of a condition is constant, although the whole is not.
pub fn constant_part(api: &Api, cel: &Cel, condition: &Condition) -> Option<ConditionError> {
    let holds = Ranges::new(api, condition.subject).part(condition)?;
    let so = if holds { "is always true" } else { "is always false" };
    let message = format!("a part of the condition {so}");
    let error = ConditionError::new(Code::ConstantCondition, 0..cel.text.len(), message);
    Some(error.help("check for bounds and values that the schema does not allow or that contradict each other"))
}

/// Returns a warning that a condition is constant; `so` states its value and the consequence.
pub fn constant_warning(cel: &Cel, so: &str) -> ConditionError {
    ConditionError::new(Code::ConstantCondition, 0..cel.text.len(), format!("the condition {so}"))
        .help("check for comparisons of a value with itself, and for `has()` of a field that is always present")
        .help("check for bounds and values that the schema does not allow or that contradict each other")
}

/// Warns of fields that some operations require but a merge patch can remove.
pub fn check_cleared(api: &Api, conditions: &Conditions, sink: &mut Sink) {
    let mut fields = api.resources.iter().flat_map(|resource| &resource.fields);
    // Most APIs have no such fields, and then patches are not traversed.
    if !fields.any(|field| matches!(field.behavior.required, Required::In(_))) {
        return;
    }
    let mut reported = BTreeSet::new();
    for (index, operation) in api.operations.iter().enumerate() {
        let id = OperationId(index);
        let patched = operation.bodies().filter(|body| body.mode == BodyMode::MergePatch);
        for resource in patched.flat_map(|body| reachable_resources(api, body)) {
            for (at, field) in api.resource(resource).fields.iter().enumerate() {
                let Some(requiring) = removed_by(field, id) else { continue };
                if !is_removal_rejected(api, conditions, id, (resource, at)) && reported.insert((resource, at)) {
                    report(field, api.operation(requiring), operation, sink);
                }
            }
        }
    }
}

/// Returns the resources that a merge patch can change, through fields and the values of maps.
fn reachable_resources(api: &Api, body: &Body) -> BTreeSet<ResourceId> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&Type> = vec![&body.ty];
    while let Some(ty) = open.pop() {
        match ty {
            Type::Map(inner) => open.push(inner),
            Type::Resource(id) if found.insert(*id) => {
                open.extend(api.resource(*id).fields.iter().map(|field| &field.ty));
            }
            _ => {}
        }
    }
    found
}

/// Returns an operation that requires the field, if the patch may set it to null and the schema does not permit this
/// explicitly.
fn removed_by(field: &Field, patch: OperationId) -> Option<OperationId> {
    let behavior = &field.behavior;
    let Required::In(operations) = &behavior.required else { return None };
    let is_written = |only: &OutputOnly| only.except.contains(&patch);
    let may_write = behavior.output_only.as_ref().is_none_or(is_written);
    let is_meant = behavior.clearable || behavior.immutable || field.nullable;
    operations.first().copied().filter(|_| may_write && !is_meant && !operations.contains(&patch))
}

/// Returns whether a rule rejects a patch that removes the field.
fn is_removal_rejected(api: &Api, conditions: &Conditions, patch: OperationId, member: (ResourceId, usize)) -> bool {
    let (resource, at) = member;
    let without = |expr: &Expr| is_presence(expr, resource, at).then_some(false);
    let own = api.resource(resource).rules.iter().zip(conditions.of_resource(resource));
    let own = own.filter(|(rule, _)| rule.operations.is_empty() || rule.operations.contains(&patch));
    let mut all = own.chain(api.operation(patch).rules.iter().zip(conditions.of_operation(patch)));
    all.any(|(rule, condition)| {
        rule.severity == RuleSeverity::Error && constant_analysis::value(&condition.value, &without) == Some(false)
    })
}

/// Returns whether an expression tests the presence of the field, in the resource of a rule or in the result of the
/// patch.
fn is_presence(expr: &Expr, resource: ResourceId, at: usize) -> bool {
    let ExprKind::Has(member) = &expr.kind else { return false };
    let ExprKind::Member { of, field, .. } = &member.kind else { return false };
    let is_whole = matches!(of.kind, ExprKind::Root(Root::This | Root::New));
    is_whole && of.ty == CelType::Resource(resource) && *field == at
}

/// Warns that a patch can remove a field that another operation requires.
fn report(field: &Field, requiring: &Operation, patch: &Operation, sink: &mut Sink) {
    let (name, patch) = (&field.name.wire, &patch.name);
    let message = format!("`{patch}` can remove `{name}`, which `{}` requires", requiring.name);
    sink.report(Code::ClearedRequired, field.span, message)
        .help(format!("add `{patch}` to `in:`, so that it rejects null"))
        .help("add `clearable: true` next to `in:` if clients may remove the field");
}
