//! Logical operators, and what they tell of the presence of members.
//!
//! A condition is brought into a form in which `!` stands before simple tests alone. In a chain of `&&` a test for
//! presence then names what it has found for the tests after it; in a chain of `||` a test for absence does.

use crate::model::condition::{Expr, ExprKind, Literal, Path, Read};

/// A boolean expression.
#[derive(Clone, Debug)]
pub enum Logic<'e> {
    /// It is known.
    Known(bool),
    /// All hold.
    All(Vec<Logic<'e>>),
    /// One holds.
    Any(Vec<Logic<'e>>),
    /// A member is there. What it is in is there already.
    Present(&'e Expr),
    /// A member is not there. What it is in is.
    Missing(&'e Expr),
    /// One or the other.
    Choice(Box<Logic<'e>>, Box<Logic<'e>>, Box<Logic<'e>>),
    /// A test, or its opposite.
    Test(&'e Expr, bool),
}

impl<'e> Logic<'e> {
    /// An expression, or its opposite.
    pub fn of(expr: &'e Expr, truth: bool) -> Self {
        match &expr.kind {
            ExprKind::Literal(Literal::Bool(value)) => Self::Known(*value == truth),
            ExprKind::Not(inner) => Self::of(inner, !truth),
            ExprKind::And(parts) => Self::chain(parts.iter().map(|part| Self::of(part, truth)), truth),
            ExprKind::Or(parts) => Self::chain(parts.iter().map(|part| Self::of(part, truth)), !truth),
            ExprKind::Has(member) => {
                let steps = steps(member).into_iter();
                let steps = steps.map(|step| if truth { Self::Present(step) } else { Self::Missing(step) });
                Self::chain(steps, truth)
            }
            ExprKind::If(condition, then, otherwise) => Self::Choice(
                Box::new(Self::of(condition, true)),
                Box::new(Self::of(then, truth)),
                Box::new(Self::of(otherwise, truth)),
            ),
            _ => Self::Test(expr, truth),
        }
    }

    /// A chain of `&&` or of `||`; chains of the same kind within it are part of it.
    fn chain(parts: impl Iterator<Item = Self>, all: bool) -> Self {
        let mut list = Vec::new();
        for part in parts {
            match part {
                Self::All(inner) if all => list.extend(inner),
                Self::Any(inner) if !all => list.extend(inner),
                Self::Known(value) if value == all => {}
                Self::Known(_) => return Self::Known(!all),
                other => list.push(other),
            }
        }
        match (list.pop(), list.is_empty()) {
            (None, _) => Self::Known(all),
            (Some(one), true) => one,
            (Some(last), false) => {
                list.push(last);
                if all { Self::All(list) } else { Self::Any(list) }
            }
        }
    }

    /// The opposite.
    pub fn negated(self) -> Self {
        match self {
            Self::Known(value) => Self::Known(!value),
            Self::All(parts) => Self::Any(parts.into_iter().map(Self::negated).collect()),
            Self::Any(parts) => Self::All(parts.into_iter().map(Self::negated).collect()),
            Self::Present(member) => Self::Missing(member),
            Self::Missing(member) => Self::Present(member),
            Self::Choice(condition, then, otherwise) => {
                Self::Choice(condition, Box::new(then.negated()), Box::new(otherwise.negated()))
            }
            Self::Test(expr, truth) => Self::Test(expr, !truth),
        }
    }

    /// Whether it reads a member, or something in it.
    pub fn mentions(&self, path: &Path) -> bool {
        match self {
            Self::Known(_) => false,
            Self::All(parts) | Self::Any(parts) => parts.iter().any(|part| part.mentions(path)),
            Self::Present(member) | Self::Missing(member) => mentions(member, path),
            Self::Choice(a, b, c) => a.mentions(path) || b.mentions(path) || c.mentions(path),
            Self::Test(expr, _) => mentions(expr, path),
        }
    }
}

/// The tests that `has(a.b.c)` is: of `a.b`, then of `a.b.c`.
fn steps(member: &Expr) -> Vec<&Expr> {
    let mut list = match &member.kind {
        ExprKind::Member { of, .. } if is_step(of) => steps(of),
        _ => Vec::new(),
    };
    list.push(member);
    list
}

/// Whether an expression is on the way to a member whose presence is asked for.
fn is_step(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Member { read: Read::Presence, .. } | ExprKind::Parameter(_, Read::Presence))
}

/// Whether an expression reads a member, or something in it.
pub fn mentions(expr: &Expr, path: &Path) -> bool {
    expr.any(&|part| Path::of(part).as_ref() == Some(path))
}
