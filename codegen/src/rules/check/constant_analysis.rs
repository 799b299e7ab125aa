//! Constant analysis for warnings; the emitted code does not depend on it.

use crate::model::condition::{CelType, Comparison, Expr, ExprKind, Function, Literal};

/// Returns the value of a boolean expression that does not depend on its inputs; `given` supplies the values of some
/// parts.
pub fn value(expr: &Expr, given: &dyn Fn(&Expr) -> Option<bool>) -> Option<bool> {
    if let Some(value) = given(expr) {
        return Some(value);
    }
    match &expr.kind {
        ExprKind::Literal(Literal::Bool(value)) => Some(*value),
        ExprKind::Not(inner) => value(inner, given).map(|value| !value),
        ExprKind::And(parts) => chain(parts, true, given),
        ExprKind::Or(parts) => chain(parts, false, given),
        ExprKind::If(condition, then, otherwise) => match value(condition, given) {
            Some(true) => value(then, given),
            Some(false) => value(otherwise, given),
            None => value(then, given).filter(|then| value(otherwise, given) == Some(*then)),
        },
        ExprKind::Equal(a, b) => equal(a, b),
        ExprKind::Compare(comparison, a, b) => compare(*comparison, a, b),
        _ => None,
    }
}

/// Returns the value of a chain of `&&`, whose neutral element is true, or of `||`.
fn chain(parts: &[Expr], neutral: bool, given: &dyn Fn(&Expr) -> Option<bool>) -> Option<bool> {
    let values: Vec<Option<bool>> = parts.iter().map(|part| value(part, given)).collect();
    let is_opposite = |part: &Expr| matches!(&part.kind, ExprKind::Not(inner) if parts.contains(inner));
    if values.contains(&Some(!neutral)) || parts.iter().any(is_opposite) {
        return Some(!neutral);
    }
    values.iter().all(|value| *value == Some(neutral)).then_some(neutral)
}

/// Returns whether two expressions are equal; `None` if that depends on inputs.
fn equal(a: &Expr, b: &Expr) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    match (&a.kind, &b.kind) {
        // Two different texts can be the same timestamp, and two durations can be equal.
        (ExprKind::Literal(Literal::Timestamp(_)), _) | (_, ExprKind::Literal(Literal::Timestamp(_))) => None,
        (ExprKind::Literal(_), ExprKind::Literal(_)) if a.ty == b.ty => Some(false),
        _ => None,
    }
}

/// Returns the value of a comparison; `None` if it depends on inputs.
fn compare(comparison: Comparison, a: &Expr, b: &Expr) -> Option<bool> {
    if a == b {
        return Some(matches!(comparison, Comparison::LessOrEqual | Comparison::GreaterOrEqual));
    }
    let order = match (&a.kind, &b.kind) {
        (ExprKind::Literal(Literal::Int(a)), ExprKind::Literal(Literal::Int(b))) => a.cmp(b),
        (ExprKind::Literal(Literal::Uint(a)), ExprKind::Literal(Literal::Uint(b))) => a.cmp(b),
        (ExprKind::Literal(Literal::String(a)), ExprKind::Literal(Literal::String(b))) => a.cmp(b),
        // A count is never negative.
        _ if is_zero(b) && is_count(a) => return compare_with_zero(comparison),
        _ if is_zero(a) && is_count(b) => return compare_with_zero(comparison.mirrored()),
        _ => return None,
    };
    Some(match comparison {
        Comparison::Less => order.is_lt(),
        Comparison::LessOrEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::GreaterOrEqual => order.is_ge(),
    })
}

/// Returns the value of comparisons like `x >= 0` and `x < 0` for a value that is zero or more.
fn compare_with_zero(comparison: Comparison) -> Option<bool> {
    match comparison {
        Comparison::GreaterOrEqual => Some(true),
        Comparison::Less => Some(false),
        Comparison::LessOrEqual | Comparison::Greater => None,
    }
}

fn is_zero(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(Literal::Int(0) | Literal::Uint(0)))
}

fn is_count(expr: &Expr) -> bool {
    expr.ty == CelType::Uint || matches!(expr.kind, ExprKind::Call(Function::Size, ..))
}
