//! What is known to be there: `has(a.b) && …`, `!has(a.b) || …`, `has(a.b) ? … : …`.

use crate::model::condition::{Expr, ExprKind, Path};

/// What is there when an expression is true, or when it is false.
pub fn of(expr: &Expr, truth: bool, found: &mut Vec<Path>) {
    match &expr.kind {
        ExprKind::Has(member) if truth => with_what_it_is_in(member, found),
        ExprKind::Not(inner) => of(inner, !truth, found),
        ExprKind::And(parts) if truth => parts.iter().for_each(|part| of(part, truth, found)),
        ExprKind::Or(parts) if !truth => parts.iter().for_each(|part| of(part, truth, found)),
        _ => {}
    }
}

/// With `a.b.c`, `a.b` is there too.
fn with_what_it_is_in(member: &Expr, found: &mut Vec<Path>) {
    found.extend(Path::of(member));
    if let ExprKind::Member { of, .. } = &member.kind {
        with_what_it_is_in(of, found);
    }
}
