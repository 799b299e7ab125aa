//! Domains of fields and parameters, as the schema declares them.

use super::domain::Domain;
use crate::model::condition::{CelType, Expr, ExprKind, Function, Literal, Root, Subject};
use crate::model::{Api, Constraints, Literal as Written, Number, Range, Type};

/// Returns the domain of an operand, from its type, and from its constraints where they apply.
pub fn domain(api: &Api, subject: Subject, expr: &Expr) -> Domain {
    let mut domain = Domain::default();
    if let ExprKind::Call(Function::Size, of, _) = &expr.kind {
        domain.between(Some(0), None);
        if let Some((ty, constraints)) = member(api, subject, of) {
            let range = if ty.is_collection() { constraints.items } else { constraints.length };
            if let Some(Range { min, max }) = range {
                domain.between(min.map(i128::from), max.map(i128::from));
            }
        }
        return domain;
    }
    match &expr.ty {
        CelType::Int => domain.between(Some(i128::from(i64::MIN)), Some(i128::from(i64::MAX))),
        CelType::Uint => domain.between(Some(0), Some(i128::from(u64::MAX))),
        _ => {}
    }
    if let Some((ty, constraints)) = member(api, subject, expr) {
        constrain(&mut domain, ty, constraints);
    }
    domain
}

/// Narrows a domain to the values that a type and its constraints permit.
fn constrain(domain: &mut Domain, ty: &Type, constraints: &Constraints) {
    match ty {
        Type::Int32 => domain.between(Some(i128::from(i32::MIN)), Some(i128::from(i32::MAX))),
        Type::Uint32 => domain.between(Some(0), Some(i128::from(u32::MAX))),
        // Constraints on elements do not apply to the list.
        Type::List(_) | Type::Map(_) => return,
        _ => {}
    }
    for (number, is_least) in [(constraints.min, true), (constraints.max, false)] {
        match (number, is_least) {
            (Some(Number::Int(number)), true) => domain.between(Some(number), None),
            (Some(Number::Int(number)), false) => domain.between(None, Some(number)),
            (Some(Number::Float(number)), true) => domain.between_floats(Some(number), None),
            (Some(Number::Float(number)), false) => domain.between_floats(None, Some(number)),
            // Rounding to the nearest double keeps the order.
            (Some(Number::Decimal(number)), true) => domain.between_floats(Some(number.nearest()), None),
            (Some(Number::Decimal(number)), false) => domain.between_floats(None, Some(number.nearest())),
            (None, _) => {}
        }
    }
    if let Some(Range { min, max }) = constraints.length.filter(|_| *ty == Type::String) {
        domain.length(min.unwrap_or(0), max.unwrap_or(u64::MAX));
    }
    if let Some(Written::Text(text)) = constraints.constant.as_ref().filter(|_| *ty == Type::String) {
        domain.restrict_to(vec![Literal::String(text.clone())], true);
    }
}

/// Returns the type and the constraints of a field or parameter, if they are certain to hold: not for the stored
/// resource, which may be older than the schema, nor for ignored values.
fn member<'a>(api: &'a Api, subject: Subject, expr: &Expr) -> Option<(&'a Type, &'a Constraints)> {
    match &expr.kind {
        ExprKind::Parameter(index, _) => {
            let Subject::Request(operation) = subject else { return None };
            let parameter = api.operation(operation).parameters.get(*index)?;
            Some((&parameter.ty, &parameter.constraints))
        }
        ExprKind::Member { of, field, .. } => {
            let (CelType::Resource(id) | CelType::Patch(id)) = of.ty else { return None };
            let field = api.resource(id).fields.get(*field)?;
            let holds = field.constrained.is_none() && !field.is_conditional() && is_sent(of);
            holds.then_some((&field.ty, &field.constraints))
        }
        _ => None,
    }
}

/// Returns whether an expression is a part of the request.
fn is_sent(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Root(root) => matches!(root, Root::This | Root::Body),
        ExprKind::Member { of, .. } => is_sent(of),
        _ => false,
    }
}
