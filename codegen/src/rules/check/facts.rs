//! What is known to be there: `has(a.b) && …`, `!has(a.b) || …`, `has(a.b) ? … : …`.

use crate::model::condition::{Expr, ExprKind, Root};

/// A member, by the way that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    from: Start,
    steps: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Start {
    Root(Root),
    Parameters,
    Variable(usize),
}

impl Path {
    /// The way that an expression is; none for the result of a function and the like.
    pub fn of(expr: &Expr) -> Option<Self> {
        match &expr.kind {
            ExprKind::Root(root) => Some(Self { from: Start::Root(*root), steps: Vec::new() }),
            ExprKind::Variable(variable) => Some(Self { from: Start::Variable(variable.number), steps: Vec::new() }),
            ExprKind::Parameter(index, _) => Some(Self { from: Start::Parameters, steps: vec![*index] }),
            ExprKind::Member { of, field, .. } => {
                let mut path = Self::of(of)?;
                path.steps.push(*field);
                Some(path)
            }
            _ => None,
        }
    }
}

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
