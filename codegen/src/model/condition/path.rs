//! Members, by the ways that lead to them.

use super::{Expr, ExprKind, Root};

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
    #[must_use]
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
