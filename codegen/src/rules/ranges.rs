//! Parts of a condition that are the same for every value: bounds that contradict each other, or what the schema says of
//! a member.
//!
//! A part is assumed to be true, and then to be false. Every comparison with a value that is written out narrows what its
//! member can be; where nothing is left for one of them, the assumption was wrong. What is not understood narrows nothing,
//! so that an answer is right and may be missing.

mod declared;
mod domain;

use crate::model::Api;
use crate::model::condition::{CelType, Comparison, Condition, Expr, ExprKind, Function, Literal, Path, Subject};
use domain::Domain;

/// What values are compared with: a member or a parameter, or the size of one.
#[derive(Clone, Debug, PartialEq)]
struct Operand {
    path: Path,
    is_size: bool,
}

/// Finds parts of conditions on one subject.
pub struct Ranges<'a> {
    api: &'a Api,
    subject: Subject,
}

impl<'a> Ranges<'a> {
    /// Creates one for the conditions on a subject.
    pub fn new(api: &'a Api, subject: Subject) -> Self {
        Self { api, subject }
    }

    /// Returns what an expression always is, where its bounds decide that.
    pub fn value(&self, expr: &Expr) -> Option<bool> {
        let is_compared = matches!(
            expr.kind,
            ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Compare(..) | ExprKind::Equal(..) | ExprKind::In(..)
        );
        if !is_compared {
            return None;
        }
        if self.contradicts(expr, true) {
            return Some(false);
        }
        self.contradicts(expr, false).then_some(true)
    }

    /// Returns what a part of a condition always is, where the condition itself depends on values.
    pub fn part(&self, condition: &Condition) -> Option<bool> {
        let mut found = None;
        condition.value.walk(&mut |expr| {
            if found.is_none() {
                found = self.value(expr);
            }
        });
        found
    }

    /// Whether an expression cannot have a truth value.
    fn contradicts(&self, expr: &Expr, truth: bool) -> bool {
        let mut known = Known { ranges: self, list: Vec::new() };
        known.assume(expr, truth);
        known.list.iter().any(|(_, domain)| domain.is_empty())
    }
}

/// What operands can be under an assumption.
struct Known<'r, 'a> {
    ranges: &'r Ranges<'a>,
    list: Vec<(Operand, Domain)>,
}

impl Known<'_, '_> {
    fn assume(&mut self, expr: &Expr, truth: bool) {
        match (&expr.kind, truth) {
            (ExprKind::Not(inner), _) => self.assume(inner, !truth),
            (ExprKind::And(parts), true) | (ExprKind::Or(parts), false) => {
                parts.iter().for_each(|part| self.assume(part, truth));
            }
            (ExprKind::Compare(comparison, a, b), _) => {
                self.compare(*comparison, a, b, truth);
                self.compare(mirrored(*comparison), b, a, truth);
            }
            (ExprKind::Equal(a, b), _) => {
                self.one_of(a, std::slice::from_ref(b.as_ref()), truth);
                self.one_of(b, std::slice::from_ref(a.as_ref()), truth);
            }
            (ExprKind::In(element, list), _) => {
                if let ExprKind::List(items) = &list.kind {
                    self.one_of(element, items, truth);
                }
            }
            _ => {}
        }
    }

    fn compare(&mut self, comparison: Comparison, of: &Expr, with: &Expr, truth: bool) {
        let ExprKind::Literal(value) = &with.kind else { return };
        let is_float = of.ty == CelType::Double;
        // What is not less than a number can be no number at all.
        if is_float && !truth || is_float != matches!(value, Literal::Double(_)) {
            return;
        }
        let comparison = if truth { comparison } else { opposite(comparison) };
        if let Some(domain) = self.domain(of) {
            domain.bound(comparison, value);
        }
    }

    fn one_of(&mut self, of: &Expr, with: &[Expr], truth: bool) {
        let values = with.iter().map(|expr| match &expr.kind {
            // Two texts can be one point in time.
            ExprKind::Literal(Literal::Timestamp(_)) => None,
            ExprKind::Literal(value) if expr.ty == of.ty => Some(value.clone()),
            _ => None,
        });
        let Some(values) = values.collect::<Option<Vec<_>>>() else { return };
        if let Some(domain) = self.domain(of) {
            domain.one_of(values, truth);
        }
    }

    /// The domain of an operand, which begins as what the schema declares.
    fn domain(&mut self, expr: &Expr) -> Option<&mut Domain> {
        let operand = match &expr.kind {
            ExprKind::Call(Function::Size, of, _) => Operand { path: Path::of(of)?, is_size: true },
            _ => Operand { path: Path::of(expr)?, is_size: false },
        };
        let at = match self.list.iter().position(|(known, _)| *known == operand) {
            Some(at) => at,
            None => {
                let domain = declared::domain(self.ranges.api, self.ranges.subject, expr);
                self.list.push((operand, domain));
                self.list.len() - 1
            }
        };
        self.list.get_mut(at).map(|(_, domain)| domain)
    }
}

fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
    }
}

fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::GreaterOrEqual,
        Comparison::LessOrEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessOrEqual,
        Comparison::GreaterOrEqual => Comparison::Less,
    }
}
