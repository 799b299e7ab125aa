//! Parts of a condition that are constant because of bounds: those that contradict each other, or the schema's
//! constraints on a field.
//!
//! A part is assumed to be true, and then to be false. Every comparison with a literal narrows the domain of its
//! operand; if a domain becomes empty, the assumption was wrong. Unsupported expressions narrow nothing, so the
//! analysis is sound but incomplete.

mod declared;
mod domain;

use crate::model::Api;
use crate::model::condition::{CelType, Comparison, Condition, Expr, ExprKind, Function, Literal, Path, Subject};
use domain::Domain;

/// Operand that is compared with literals: a field or a parameter, or its size.
#[derive(Clone, Debug, PartialEq)]
struct Operand {
    path: Path,
    is_size: bool,
}

/// Range analysis of conditions on one subject.
pub struct Ranges<'a> {
    api: &'a Api,
    subject: Subject,
}

impl<'a> Ranges<'a> {
    /// Creates the analysis for the conditions on a subject.
    pub fn new(api: &'a Api, subject: Subject) -> Self {
        Self { api, subject }
    }

    /// Returns the value of an expression, if its bounds make it constant.
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

    /// Returns the value of a constant part of a condition that is not constant itself.
    pub fn part(&self, condition: &Condition) -> Option<bool> {
        let mut found = None;
        condition.value.walk(&mut |expr| {
            if found.is_none() {
                found = self.value(expr);
            }
        });
        found
    }

    /// Returns whether an expression cannot have a truth value.
    fn contradicts(&self, expr: &Expr, truth: bool) -> bool {
        let mut known = Assumptions { ranges: self, list: Vec::new() };
        known.assume(expr, truth);
        known.list.iter().any(|(_, domain)| domain.is_empty())
    }
}

/// Domains of operands under an assumption.
struct Assumptions<'r, 'a> {
    ranges: &'r Ranges<'a>,
    list: Vec<(Operand, Domain)>,
}

impl Assumptions<'_, '_> {
    /// Narrows the domains by assuming that a boolean expression has a truth value.
    fn assume(&mut self, expr: &Expr, truth: bool) {
        match (&expr.kind, truth) {
            (ExprKind::Not(inner), _) => self.assume(inner, !truth),
            (ExprKind::And(parts), true) | (ExprKind::Or(parts), false) => {
                parts.iter().for_each(|part| self.assume(part, truth));
            }
            (ExprKind::Compare(comparison, a, b), _) => {
                self.compare(*comparison, a, b, truth);
                self.compare(comparison.mirrored(), b, a, truth);
            }
            (ExprKind::Equal(a, b), _) => {
                self.restrict_to(a, std::slice::from_ref(b.as_ref()), truth);
                self.restrict_to(b, std::slice::from_ref(a.as_ref()), truth);
            }
            (ExprKind::In(element, list), _) => {
                if let ExprKind::List(items) = &list.kind {
                    self.restrict_to(element, items, truth);
                }
            }
            _ => {}
        }
    }

    /// Narrows the domain of an operand by its comparison with a literal; other comparisons are ignored.
    fn compare(&mut self, comparison: Comparison, of: &Expr, with: &Expr, truth: bool) {
        let ExprKind::Literal(value) = &with.kind else { return };
        let is_float = of.ty == CelType::Double;
        // A float that is not less than a number may be NaN.
        if is_float && !truth || is_float != matches!(value, Literal::Double(_)) {
            return;
        }
        let comparison = if truth { comparison } else { comparison.negated() };
        if let Some(domain) = self.domain(of) {
            domain.bound(comparison, value);
        }
    }

    fn restrict_to(&mut self, of: &Expr, with: &[Expr], truth: bool) {
        let values = with.iter().map(|expr| match &expr.kind {
            // Two different texts can be the same timestamp.
            ExprKind::Literal(Literal::Timestamp(_)) => None,
            ExprKind::Literal(value) if expr.ty == of.ty => Some(value.clone()),
            _ => None,
        });
        let Some(values) = values.collect::<Option<Vec<_>>>() else { return };
        if let Some(domain) = self.domain(of) {
            domain.restrict_to(values, truth);
        }
    }

    /// Returns the domain of an operand, which starts with the declared constraints.
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
