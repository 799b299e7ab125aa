//! Verification of conditions: those that cannot be emitted as code.

use std::collections::BTreeSet;

use super::internal;
use crate::diagnostics::{Sink, Span};
use crate::model::condition::{CelType, Condition, Expr, ExprKind, Literal, Read, Root, Subject};
use crate::model::{self, Api};

/// Reports every condition that cannot be emitted, and every rule without a condition.
pub fn verify(api: &Api, sink: &mut Sink) {
    // Without its list the rules of a resource or an operation would not be checked at all.
    let counts = [
        ("resources", api.conditions.resources.len(), api.resources.len()),
        ("operations", api.conditions.operations.len(), api.operations.len()),
    ];
    for (what, found, expected) in counts.into_iter().filter(|(_, found, expected)| found != expected) {
        internal(sink, Span::default(), &format!("the rules of {found} of {expected} {what} were compiled"));
    }
    let resources = api.resources.iter().map(|it| &it.rules).zip(&api.conditions.resources);
    let operations = api.operations.iter().map(|it| &it.rules).zip(&api.conditions.operations);
    for (rules, conditions) in resources.chain(operations) {
        for rule in rules.iter().skip(conditions.len()) {
            internal(sink, rule.cel.span, &format!("the rule `{}` was not compiled", rule.id));
        }
        for (rule, found) in rules.iter().zip(conditions) {
            condition(api, found, rule.cel.span, &format!("the condition of the rule `{}`", rule.id), sink);
        }
    }
    members(api, sink);
}

/// Reports conditions of fields that cannot be emitted.
fn members(api: &Api, sink: &mut Sink) {
    for ((resource, index, operation), found) in &api.conditions.effective {
        let Some(resource) = api.resources.get(resource.0) else {
            let lost = format!("a condition refers to a field of the unknown resource {}", resource.0);
            internal(sink, Span::default(), &lost);
            continue;
        };
        let Some(field) = resource.fields.get(*index) else {
            internal(
                sink,
                resource.span,
                &format!("unknown field {index} of `{}` with a condition", resource.name.wire),
            );
            continue;
        };
        // Without one, the field has an effect in some operations and not in others, whatever the request.
        let span = field.effective_when.as_ref().map_or(field.span, |cel| cel.span);
        let subject = format!("the condition of the field `{}`", field.name.wire);
        if operation.0 >= api.operations.len() {
            let lost = format!("{subject} is for the operation {}, which the API does not have", operation.0);
            internal(sink, span, &lost);
        }
        condition(api, found, span, &subject, sink);
    }
}

/// Reports the first part of a condition that cannot be emitted.
fn condition(api: &Api, condition: &Condition, span: Span, subject: &str, sink: &mut Sink) {
    let mut reader = ConditionVerifier { api, condition, variables: BTreeSet::new() };
    if let Some(wrong) = reader.missing_subject().or_else(|| reader.violation(&condition.value)) {
        internal(sink, span, &format!("{subject} {wrong}"));
    }
}

/// Traversal of a condition in the order of the emitter.
struct ConditionVerifier<'a> {
    api: &'a Api,
    condition: &'a Condition,
    /// Variables of the enclosing loops.
    variables: BTreeSet<usize>,
}

impl ConditionVerifier<'_> {
    /// Returns the missing subject of the condition, as the end of a sentence.
    fn missing_subject(&self) -> Option<String> {
        let subject = match self.condition.subject {
            Subject::Resource(id) => Some(id),
            Subject::Request(id) if id.0 >= self.api.operations.len() => {
                return Some(format!("refers to the unknown operation {}", id.0));
            }
            Subject::Request(_) => None,
        };
        let mut lost = subject.into_iter().chain(self.condition.old).filter(|id| id.0 >= self.api.resources.len());
        lost.next().map(|id| format!("refers to the unknown resource {}", id.0))
    }

    /// Returns the violation in an expression, as the end of a sentence.
    fn violation(&mut self, expr: &Expr) -> Option<String> {
        if let ExprKind::Loop(each) = &expr.kind {
            let wrong = self.violation(&each.over);
            let is_new = self.variables.insert(each.variable.number);
            let inside = each.condition.iter().chain(&each.result);
            let wrong = wrong.or_else(|| inside.into_iter().find_map(|part| self.violation(part)));
            if is_new {
                self.variables.remove(&each.variable.number);
            }
            return wrong;
        }
        let takes_null = match &expr.kind {
            ExprKind::Equal(..) => true,
            ExprKind::List(items) => items.iter().all(is_null),
            _ => false,
        };
        let mut parts = expr.children().into_iter().filter(|part| !(takes_null && is_null(part)));
        self.own_violation(expr)
            .or_else(|| self.lost_type(&expr.ty))
            .or_else(|| parts.find_map(|part| self.violation(part)))
    }

    /// Returns the violation of an expression itself, without its children.
    fn own_violation(&self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::Variable(variable) if !self.variables.contains(&variable.number) => {
                Some(format!("reads the variable `{}` outside of its loop", variable.name))
            }
            ExprKind::Literal(Literal::Null) => Some("has null where a value cannot be null".to_owned()),
            ExprKind::Root(root) if !self.has_root(*root) => {
                Some(format!("reads {}, which is not in scope", name(*root)))
            }
            ExprKind::Member { of, field, read } => match of.ty {
                CelType::Resource(id) | CelType::Patch(id) => {
                    let Some(resource) = self.api.resources.get(id.0) else {
                        return Some(format!("reads a field of the unknown resource {}", id.0));
                    };
                    let Some(field) = resource.fields.get(*field) else {
                        return Some(format!("reads the unknown field {field} of `{}`", resource.name.wire));
                    };
                    lacks_default(*read, field.default.as_ref(), &field.name.wire)
                }
                _ => Some(format!("reads the field {field} of a value without fields")),
            },
            ExprKind::Parameter(index, read) => {
                let Subject::Request(id) = self.condition.subject else {
                    return Some(format!("reads the parameter {index} of a resource"));
                };
                let operation = self.api.operation(id);
                let Some(parameter) = operation.parameters.get(*index) else {
                    return Some(format!("reads the unknown parameter {index} of `{}`", operation.name));
                };
                lacks_default(*read, parameter.default.as_ref(), &parameter.name.wire)
            }
            ExprKind::Literal(Literal::Enum(id, index)) => {
                let Some(definition) = self.api.enums.get(id.0) else {
                    return Some(format!("refers to a value of the unknown enum {}", id.0));
                };
                let is_there = *index < definition.values.len();
                (!is_there).then(|| format!("refers to the unknown value {index} of `{}`", definition.name.wire))
            }
            ExprKind::In(_, list) => {
                let is_looked_in = matches!(list.ty, CelType::List(_) | CelType::Map(_) | CelType::Object);
                (!is_looked_in).then(|| "searches a value without elements".to_owned())
            }
            ExprKind::Has(of) if !matches!(of.kind, ExprKind::Member { .. } | ExprKind::Parameter(..)) => {
                Some("checks the presence of a value that is not a field".to_owned())
            }
            ExprKind::Equal(a, b) if is_null(a) && is_null(b) => Some("compares null with itself".to_owned()),
            _ => None,
        }
    }

    /// Returns the missing definition of a type, as the end of a sentence.
    fn lost_type(&self, ty: &CelType) -> Option<String> {
        let (what, index, count) = match ty {
            CelType::Resource(id) | CelType::Patch(id) => ("resource", id.0, self.api.resources.len()),
            CelType::Enum(id) => ("enum", id.0, self.api.enums.len()),
            CelType::List(inner) | CelType::Map(inner) => return self.lost_type(inner),
            CelType::Tuple(items) => return items.iter().find_map(|item| self.lost_type(item)),
            _ => return None,
        };
        (index >= count).then(|| format!("has a value of the {what} {index}, which the API does not have"))
    }

    /// Returns whether the condition's scope has a root.
    fn has_root(&self, root: Root) -> bool {
        match (root, self.condition.subject) {
            (Root::This, subject) => matches!(subject, Subject::Resource(_)),
            (Root::Body, Subject::Request(id)) => self.api.operation(id).body.is_some(),
            (Root::Body, Subject::Resource(_)) => false,
            (Root::Old | Root::New, _) => self.condition.old.is_some(),
        }
    }
}

fn is_null(expr: &Expr) -> bool {
    expr.kind == ExprKind::Literal(Literal::Null) && expr.ty == CelType::Any
}

/// Returns the violation of a value that is read with a default it does not have.
fn lacks_default(read: Read, default: Option<&model::Literal>, name: &str) -> Option<String> {
    let is_written = matches!(default, Some(literal) if !matches!(literal, model::Literal::Json(_)));
    (read == Read::Default && !is_written).then(|| format!("reads the default of `{name}`, which has no default"))
}

/// Returns a root as it is written, for messages.
fn name(root: Root) -> &'static str {
    match root {
        Root::This => "`this`",
        Root::Body => "`body`",
        Root::Old => "`old`",
        Root::New => "`new`",
    }
}
