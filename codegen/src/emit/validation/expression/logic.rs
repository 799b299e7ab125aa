//! Logical operators, and the presence facts that they imply.
//!
//! Conditions are normalized so that `!` applies to simple tests only. In a chain of `&&` a presence test then binds
//! the field for the following tests; in a chain of `||` an absence test does.

use std::collections::VecDeque;

use crate::model::condition::{Expr, ExprKind, Literal, Path, Read};

/// Boolean expression in normal form.
#[derive(Clone, Debug)]
pub enum Logic<'e> {
    /// Constant.
    Known(bool),
    /// Conjunction.
    All(Vec<Logic<'e>>),
    /// Disjunction.
    Any(Vec<Logic<'e>>),
    /// Presence of a field, whose ancestors are present.
    Present(&'e Expr),
    /// Absence of a field, whose ancestors are present.
    Missing(&'e Expr),
    /// Conditional: condition, then, else.
    Choice(Box<Logic<'e>>, Box<Logic<'e>>, Box<Logic<'e>>),
    /// Test, or its negation.
    Test(&'e Expr, bool),
}

impl<'e> Logic<'e> {
    /// Normalizes an expression, or its negation.
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
            ExprKind::If(condition, then, otherwise) => {
                Self::choice(Self::of(condition, true), Self::of(then, truth), Self::of(otherwise, truth))
            }
            _ => Self::Test(expr, truth),
        }
    }

    /// Creates a chain of `&&` or of `||`, merging nested chains of the same kind. Facts of a part apply to the
    /// following ones: a second test of the same presence would leave its name unused.
    fn chain(parts: impl Iterator<Item = Self>, all: bool) -> Self {
        let mut left: VecDeque<Self> = parts.collect();
        let mut list = Vec::new();
        while let Some(part) = left.pop_front() {
            match part {
                Self::All(inner) if all => inner.into_iter().rev().for_each(|part| left.push_front(part)),
                Self::Any(inner) if !all => inner.into_iter().rev().for_each(|part| left.push_front(part)),
                Self::Known(value) if value == all => {}
                Self::Known(_) => return Self::Known(!all),
                other => {
                    if let Some((path, present)) = other.presence() {
                        left = left.into_iter().map(|part| part.simplify_with(&path, present == all)).collect();
                    }
                    list.push(other);
                }
            }
        }
        Self::join_chain(list, all)
    }

    /// Returns the parts as a chain, or a single part itself.
    fn join_chain(mut list: Vec<Self>, all: bool) -> Self {
        match (list.pop(), list.is_empty()) {
            (None, _) => Self::Known(all),
            (Some(one), true) => one,
            (Some(last), false) => {
                list.push(last);
                if all { Self::All(list) } else { Self::Any(list) }
            }
        }
    }

    /// Returns the field of a presence test, and whether the test is for presence.
    fn presence(&self) -> Option<(Path, bool)> {
        match self {
            Self::Present(member) => Some((Path::of(member)?, true)),
            Self::Missing(member) => Some((Path::of(member)?, false)),
            _ => None,
        }
    }

    /// Simplifies the logic, given whether a field is present.
    fn simplify_with(self, path: &Path, is_there: bool) -> Self {
        match self {
            Self::All(parts) => Self::simplify_chain_with(parts, path, is_there, true),
            Self::Any(parts) => Self::simplify_chain_with(parts, path, is_there, false),
            Self::Choice(condition, then, otherwise) => {
                let (then, otherwise) = (then.simplify_with(path, is_there), otherwise.simplify_with(path, is_there));
                Self::simplify_choice(condition.simplify_with(path, is_there), then, otherwise)
            }
            part => match part.presence() {
                Some((found, holds)) if found == *path => Self::Known(holds == is_there),
                _ => part,
            },
        }
    }

    /// Simplifies a chain whose parts have already been simplified by each other.
    fn simplify_chain_with(parts: Vec<Self>, path: &Path, is_there: bool, all: bool) -> Self {
        let mut list = Vec::new();
        for part in parts {
            match part.simplify_with(path, is_there) {
                Self::Known(value) if value == all => {}
                Self::Known(_) => return Self::Known(!all),
                Self::All(inner) if all => list.extend(inner),
                Self::Any(inner) if !all => list.extend(inner),
                other => list.push(other),
            }
        }
        Self::join_chain(list, all)
    }

    /// Creates a conditional whose branches are simplified by the facts of the condition.
    fn choice(condition: Self, then: Self, otherwise: Self) -> Self {
        let given = |branch: Self, holds: bool| {
            condition
                .implied_presence(holds)
                .into_iter()
                .fold(branch, |branch, (path, is_there)| branch.simplify_with(&path, is_there))
        };
        let (then, otherwise) = (given(then, true), given(otherwise, false));
        Self::simplify_choice(condition, then, otherwise)
    }

    /// Creates a conditional, simplified if the condition or a branch is constant.
    fn simplify_choice(condition: Self, then: Self, otherwise: Self) -> Self {
        match (condition, then, otherwise) {
            (Self::Known(value), then, otherwise) => {
                if value {
                    then
                } else {
                    otherwise
                }
            }
            // A condition that can fail is always evaluated.
            (condition, then, otherwise) if condition.has_test() => {
                Self::Choice(Box::new(condition), Box::new(then), Box::new(otherwise))
            }
            (condition, Self::Known(true), otherwise) => Self::chain([condition, otherwise].into_iter(), false),
            (condition, Self::Known(false), otherwise) => {
                Self::chain([condition.negate(), otherwise].into_iter(), true)
            }
            (condition, then, Self::Known(true)) => Self::chain([condition.negate(), then].into_iter(), false),
            (condition, then, Self::Known(false)) => Self::chain([condition, then].into_iter(), true),
            (condition, then, otherwise) => Self::Choice(Box::new(condition), Box::new(then), Box::new(otherwise)),
        }
    }

    /// Returns whether it has tests other than presence.
    fn has_test(&self) -> bool {
        match self {
            Self::Test(..) => true,
            Self::Known(_) | Self::Present(_) | Self::Missing(_) => false,
            Self::All(parts) | Self::Any(parts) => parts.iter().any(Self::has_test),
            Self::Choice(a, b, c) => a.has_test() || b.has_test() || c.has_test(),
        }
    }

    /// Returns the fields whose presence is known if it holds, or if it does not.
    fn implied_presence(&self, holds: bool) -> Vec<(Path, bool)> {
        match self {
            Self::All(parts) if holds => parts.iter().flat_map(|part| part.implied_presence(holds)).collect(),
            Self::Any(parts) if !holds => parts.iter().flat_map(|part| part.implied_presence(holds)).collect(),
            part => part.presence().map(|(path, present)| (path, present == holds)).into_iter().collect(),
        }
    }

    /// Returns the negation.
    pub fn negate(self) -> Self {
        match self {
            Self::Known(value) => Self::Known(!value),
            Self::All(parts) => Self::Any(parts.into_iter().map(Self::negate).collect()),
            Self::Any(parts) => Self::All(parts.into_iter().map(Self::negate).collect()),
            Self::Present(member) => Self::Missing(member),
            Self::Missing(member) => Self::Present(member),
            Self::Choice(condition, then, otherwise) => {
                Self::Choice(condition, Box::new(then.negate()), Box::new(otherwise.negate()))
            }
            Self::Test(expr, truth) => Self::Test(expr, !truth),
        }
    }

    /// Returns whether it reads a field, or something in it.
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

/// Returns the tests of `has(a.b.c)`: of `a.b`, then of `a.b.c`.
fn steps(member: &Expr) -> Vec<&Expr> {
    let mut list = match &member.kind {
        ExprKind::Member { of, .. } if is_step(of) => steps(of),
        _ => Vec::new(),
    };
    list.push(member);
    list
}

/// Returns whether an expression is a field access that needs a presence test.
fn is_step(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Member { read: Read::Presence, .. } | ExprKind::Parameter(_, Read::Presence))
}

/// Returns whether an expression reads a field, or something in it. A presence test does not read it.
pub fn mentions(expr: &Expr, path: &Path) -> bool {
    match &expr.kind {
        ExprKind::Has(member) if Path::of(member).as_ref() == Some(path) => false,
        _ if Path::of(expr).as_ref() == Some(path) => true,
        _ => expr.children().into_iter().any(|part| mentions(part, path)),
    }
}
