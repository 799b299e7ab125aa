//! Presence facts that narrow what follows: `has(a.b) && …`, `!has(a.b) || …`, `has(a.b) ? … : …`.

use crate::model::condition::{Expr, ExprKind, Path};

/// Collects the paths that are present if an expression is true, or if it is false.
pub fn collect_facts(expr: &Expr, truth: bool, found: &mut Vec<Path>) {
    match &expr.kind {
        ExprKind::Has(member) if truth => add_with_ancestors(member, found),
        ExprKind::Not(inner) => collect_facts(inner, !truth, found),
        ExprKind::And(parts) if truth => parts.iter().for_each(|part| collect_facts(part, truth, found)),
        ExprKind::Or(parts) if !truth => parts.iter().for_each(|part| collect_facts(part, truth, found)),
        _ => {}
    }
}

/// Adds a field and its ancestors: if `a.b.c` is present, so is `a.b`.
fn add_with_ancestors(member: &Expr, found: &mut Vec<Path>) {
    found.extend(Path::of(member));
    if let ExprKind::Member { of, .. } = &member.kind {
        add_with_ancestors(of, found);
    }
}
