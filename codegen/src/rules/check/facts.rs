//! Presence facts that narrow what follows: `has(a.b) && …`, `!has(a.b) || …`, `has(a.b) ? … : …`.

use crate::model::condition::{Expr, ExprKind, Path};

/// Collects the paths that are present if an expression is true, or if it is false.
pub fn of(expr: &Expr, truth: bool, found: &mut Vec<Path>) {
    match &expr.kind {
        ExprKind::Has(member) if truth => with_what_it_is_in(member, found),
        ExprKind::Not(inner) => of(inner, !truth, found),
        ExprKind::And(parts) if truth => parts.iter().for_each(|part| of(part, truth, found)),
        ExprKind::Or(parts) if !truth => parts.iter().for_each(|part| of(part, truth, found)),
        _ => {}
    }
}

/// Adds a field and its ancestors: if `a.b.c` is present, so is `a.b`.
fn with_what_it_is_in(member: &Expr, found: &mut Vec<Path>) {
    found.extend(Path::of(member));
    if let ExprKind::Member { of, .. } = &member.kind {
        with_what_it_is_in(of, found);
    }
}
