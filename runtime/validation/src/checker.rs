//! Checker that collects violations.
//!
//! A check that holds costs the comparison only: it is inlined, and violations are created in functions that are not.

mod deduplication;
mod lists;
mod numbers;
mod texts;
mod values;

use deduplication::Mode;
use wireform_runtime::__private::Condition;
use wireform_runtime::ConditionSet;
use wireform_runtime::operation::Operation;

use crate::constraint::Constraint;
use crate::context::ValidationContext;
use crate::location::Location;
use crate::violation::{Severity, Violation, ViolationKind};
use crate::violations::{Violations, Warnings};

pub(crate) use deduplication::KnownViolations;
pub use numbers::Number;
pub use values::AbsentField;

/// Rule id of a stored value with the wrong type.
const STORED_RULE: &str = "stored";

/// Collector of the violations of a value. Nothing is allocated while everything holds.
#[derive(Debug)]
pub struct Checker<'a> {
    context: ValidationContext<'a>,
    /// Conditions of `effective_when` that hold.
    effective: ConditionSet,
    violations: Vec<Violation>,
    /// Number of errors, including those that were not kept.
    errors: usize,
    /// Number of warnings among the kept violations.
    warnings: usize,
    omitted: usize,
    mode: Mode,
}

impl<'a> Checker<'a> {
    /// Creates a checker for a value in a context.
    #[inline]
    #[must_use]
    pub const fn new(context: ValidationContext<'a>) -> Self {
        Self {
            context,
            effective: ConditionSet::ALL,
            violations: Vec::new(),
            errors: 0,
            warnings: 0,
            omitted: 0,
            mode: Mode::Keep,
        }
    }

    /// Returns the index of the operation in the generated rules;
    /// [`NO_OPERATION`](crate::__private::NO_OPERATION) for a standalone value.
    #[inline]
    #[must_use]
    pub const fn operation_index(&self) -> u16 {
        self.context.index
    }

    /// Returns the index of the operation of a request; `None` for a response.
    #[inline]
    #[must_use]
    pub const fn request_operation_index(&self) -> Option<u16> {
        if self.context.is_request() { Some(self.context.index) } else { None }
    }

    /// Returns the index of the operation of a response; `None` for a request.
    #[inline]
    #[must_use]
    pub const fn response_operation_index(&self) -> Option<u16> {
        if self.context.is_request() { None } else { Some(self.context.index) }
    }

    /// Returns the operation.
    #[inline]
    #[must_use]
    pub const fn operation(&self) -> Option<&'static Operation> {
        self.context.operation
    }

    /// Returns whether the value is a request.
    #[inline]
    #[must_use]
    pub const fn is_request(&self) -> bool {
        self.context.is_request()
    }

    /// Returns whether the value is a request of an operation, instead of a standalone value: a server drops the kind
    /// of a resource in a request.
    #[inline]
    #[must_use]
    pub const fn is_operation_request(&self) -> bool {
        self.context.is_request() && self.context.operation.is_some()
    }

    /// Returns the stored value that a request changes, if it is known. A value of another type is an error: skipping
    /// the rules would let every change pass.
    #[inline]
    pub fn stored<T: 'static>(&mut self) -> Option<&'a T> {
        let stored = self.context.stored?;
        let found = stored.downcast_ref();
        if found.is_none() {
            self.wrong_stored_type(std::any::type_name::<T>());
        }
        found
    }

    /// Records once that rules cannot be checked because the stored value has another type.
    #[cold]
    fn wrong_stored_type(&mut self, expected: &'static str) {
        if self.violations.iter().all(|violation| violation.rule != STORED_RULE) {
            let expected = expected.rsplit("::").next().unwrap_or(expected);
            let message = format!("cannot be checked: the stored value does not have the type {expected}");
            self.push(Violation::new(Location::BODY.to_path(), STORED_RULE, ViolationKind::Schema, message));
        }
    }

    /// Records which conditions of `effective_when` and `ignored` hold. A condition that cannot be evaluated does not
    /// hold.
    #[inline]
    pub fn set_effective(&mut self, effective: ConditionSet) {
        self.effective = effective;
    }

    /// Returns whether a condition of `effective_when` holds; one that was not recorded does.
    #[inline]
    #[must_use]
    pub fn is_effective(&self, condition: Condition) -> bool {
        self.effective.holds(condition)
    }

    /// Returns the current number of violations. A part of a value is valid if the number is unchanged after its
    /// checks.
    #[inline]
    #[must_use]
    pub const fn violation_count(&self) -> usize {
        self.violations.len() + self.omitted
    }

    /// Returns whether there are no errors yet; there may be warnings.
    #[inline]
    pub(crate) const fn has_no_errors(&self) -> bool {
        self.errors == 0
    }

    /// Returns the result of the validation.
    ///
    /// # Errors
    /// Returns the violations if at least one of them is an error.
    #[inline]
    pub fn finish(self) -> Result<Warnings, Violations> {
        let passes = self.has_no_errors();
        let violations = self.into_violations();
        if passes { Ok(Warnings::new(violations)) } else { Err(violations) }
    }

    /// Returns the recorded violations, with the number of those that were omitted.
    #[inline]
    pub(crate) fn into_violations(self) -> Violations {
        Violations::new(self.violations, self.omitted, false)
    }

    /// Returns a mutable reference to the violations, to sort them before [`finish`](Self::finish).
    pub(crate) const fn violations_mut(&mut self) -> &mut Vec<Violation> {
        &mut self.violations
    }

    /// Adds a violation. If the limit is reached it is only counted.
    #[cold]
    #[inline(never)]
    pub fn push(&mut self, violation: Violation) {
        if self.mode.suppresses(&violation) {
            return;
        }
        self.errors += usize::from(violation.severity == Severity::Error);
        if self.violations.len() >= self.context.max_violations {
            self.omitted += 1;
            if violation.severity == Severity::Warning || !self.evict_warning() {
                return;
            }
        }
        self.warnings += usize::from(violation.severity == Severity::Warning);
        self.violations.push(violation);
    }

    /// Drops a warning to make room for an error, since errors are more important to the sender of a rejected value.
    fn evict_warning(&mut self) -> bool {
        let last = self.violations.iter().rposition(|known| known.severity == Severity::Warning);
        if let Some(last) = last.filter(|_| self.warnings > 0) {
            self.violations.remove(last);
            self.warnings -= 1;
        }
        last.is_some()
    }

    /// Returns the violations so far.
    pub(crate) fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Returns whether the next violation would only be counted or be ignored; then its message is not needed.
    fn is_full(&mut self, severity: Severity) -> bool {
        if severity == Severity::Warning && !self.context.reports_warnings {
            return true;
        }
        let room =
            self.violations.len() < self.context.max_violations || (severity == Severity::Error && self.warnings > 0);
        let full = !room && matches!(self.mode, Mode::Keep);
        if full {
            self.errors += usize::from(severity == Severity::Error);
            self.omitted += 1;
        }
        full
    }

    /// Records an error.
    #[cold]
    #[inline(never)]
    fn error(&mut self, at: Location<'_>, constraint: Constraint) {
        self.record(at, Severity::Error, constraint);
    }

    /// Records a warning.
    #[cold]
    #[inline(never)]
    fn warn(&mut self, at: Location<'_>, constraint: Constraint) {
        self.record(at, Severity::Warning, constraint);
    }

    /// Records a violation, or only counts it if the list is full. Values at a secret location are redacted.
    fn record(&mut self, at: Location<'_>, severity: Severity, mut constraint: Constraint) {
        if self.is_full(severity) {
            return;
        }
        if at.is_secret() {
            constraint.redact();
        }
        self.push(Violation::from_constraint(at.to_path(), severity, constraint));
    }
}

#[cfg(test)]
mod tests;
