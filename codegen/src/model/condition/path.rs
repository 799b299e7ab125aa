//! Paths of fields in conditions.

use super::{Expr, ExprKind, Root};

/// Path of fields from a root, a parameter or a loop variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    from: PathStart,
    steps: Vec<usize>,
}

/// Start of a path. The first step of a path from `Parameters` is the index of the parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PathStart {
    Root(Root),
    Parameters,
    Variable(usize),
}

impl Path {
    /// Returns the path that an expression is, or `None` for other expressions, such as function calls.
    #[must_use]
    pub fn of(expr: &Expr) -> Option<Self> {
        match &expr.kind {
            ExprKind::Root(root) => Some(Self { from: PathStart::Root(*root), steps: Vec::new() }),
            ExprKind::Variable(variable) => {
                Some(Self { from: PathStart::Variable(variable.number), steps: Vec::new() })
            }
            ExprKind::Parameter(index, _) => Some(Self { from: PathStart::Parameters, steps: vec![*index] }),
            ExprKind::Member { of, field, .. } => {
                let mut path = Self::of(of)?;
                path.steps.push(*field);
                Some(path)
            }
            _ => None,
        }
    }
}
