//! Constant folding: `has()` of a parameter that is required, or of one that the operation does not have.

use crate::model::condition::{Expr, ExprKind, Literal};

/// Creates a boolean literal.
pub fn literal(value: bool) -> Expr {
    Expr::bool(ExprKind::Literal(Literal::Bool(value)))
}

fn constant_value(expr: &Expr) -> Option<bool> {
    match expr.kind {
        ExprKind::Literal(Literal::Bool(value)) => Some(value),
        _ => None,
    }
}

/// Folds logical operators with constant operands. An operand that is not evaluated cannot fail, as in CEL.
pub fn fold_constants(expr: Expr) -> Expr {
    match expr.kind {
        ExprKind::Not(inner) => {
            let inner = fold_constants(*inner);
            constant_value(&inner).map_or_else(|| Expr::bool(ExprKind::Not(Box::new(inner))), |value| literal(!value))
        }
        ExprKind::And(parts) => chain(parts, true),
        ExprKind::Or(parts) => chain(parts, false),
        ExprKind::If(condition, then, otherwise) => {
            let condition = fold_constants(*condition);
            let (then, otherwise) = (fold_constants(*then), fold_constants(*otherwise));
            match constant_value(&condition) {
                Some(true) => then,
                Some(false) => otherwise,
                None => {
                    let ty = then.ty.clone();
                    Expr::new(ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)), ty)
                }
            }
        }
        kind => Expr { kind, ty: expr.ty },
    }
}

/// Returns a chain of `&&`, whose neutral element is true, or of `||`.
fn chain(parts: Vec<Expr>, neutral: bool) -> Expr {
    let mut left = Vec::with_capacity(parts.len());
    for part in parts {
        let part = fold_constants(part);
        match constant_value(&part) {
            Some(value) if value == neutral => {}
            Some(_) => return literal(!neutral),
            None => left.push(part),
        }
    }
    match (left.pop(), left.is_empty()) {
        (None, _) => literal(neutral),
        (Some(one), true) => one,
        (Some(last), false) => {
            left.push(last);
            Expr::bool(if neutral { ExprKind::And(left) } else { ExprKind::Or(left) })
        }
    }
}
