//! Checks of presence, of enum values, and of rules.

use wireform_runtime::__private::unions::OpenUnion;
use wireform_runtime::{__private::Condition, OpenEnum};

use super::Checker;
use crate::cel::{EvalError, EvalResult};
use crate::constraint::Constraint;
use crate::location::Location;
use crate::rule::Rule;
use crate::violation::{Dependency, RuleSource, Severity, Violation, ViolationKind};

/// Meaning of an absent field in a value that replaces another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbsentField {
    /// The field was omitted, and the stored value is kept.
    Keep,
    /// The field is removed.
    Clear,
}

impl AbsentField {
    /// Returns whether a field must be compared with the stored one.
    #[inline]
    #[must_use]
    pub fn must_compare(self, present: bool) -> bool {
        present || self == Self::Clear
    }
}

impl Checker<'_> {
    /// Checks that the field is present.
    #[inline]
    pub fn required(&mut self, at: Location<'_>, present: bool) {
        if !present {
            self.error(at, Constraint::Required);
        }
    }

    /// Checks that null in a merge patch does not remove a required field.
    #[inline]
    pub fn required_in_patch(&mut self, at: Location<'_>, removed: bool) {
        if removed {
            self.error(at, Constraint::RequiredInPatch);
        }
    }

    /// Checks that the value is the only allowed one; `shown` is that value as JSON.
    #[inline]
    pub fn constant<T, U>(&mut self, at: Location<'_>, found: &T, expected: &U, shown: &'static str)
    where
        T: PartialEq<U> + ?Sized,
        U: ?Sized,
    {
        if found != expected {
            self.constant_violation(at, shown);
        }
    }

    /// Checks the field that names the kind of a resource; `shown` is its value as JSON. It may be absent, since a
    /// server fills it in.
    #[inline]
    pub fn kind(&mut self, at: Location<'_>, found: Option<&str>, expected: &str, shown: &'static str) {
        if found.is_some_and(|found| found != expected) {
            self.constant_violation(at, shown);
        }
    }

    /// Checks that the schema knows the enum value. This is an error in a request only; drift detection also reports
    /// responses.
    #[inline]
    pub fn enum_known<E: OpenEnum>(&mut self, at: Location<'_>, value: &E) {
        if let Some(unknown) = value.as_unknown()
            && (self.is_request() || self.context.detects_drift)
        {
            self.unknown_value(at, E::NAME, unknown.as_str());
        }
    }

    /// Checks that the schema knows the variant of the value. This is an error in a request only; drift detection also
    /// reports responses.
    #[inline]
    pub fn variant_known<U: OpenUnion>(&mut self, at: Location<'_>, value: &U) {
        if value.as_unknown().is_some() && (self.is_request() || self.context.detects_drift) {
            self.unknown_variant::<U>(at);
        }
    }

    /// Checks that the discriminator of an object is the name of its variant; `shown` is that name as JSON. If the
    /// field is absent the union writes it.
    #[inline]
    pub fn discriminator(&mut self, at: Location<'_>, found: Option<&str>, expected: &str, shown: &'static str) {
        self.kind(at, found, expected, shown);
    }

    /// Checks that the value is not one that only the server sets; `is` is true if it is `value`.
    #[inline]
    pub fn enum_not_sendable(&mut self, at: Location<'_>, is: bool, value: &'static str) {
        if is && self.is_request() {
            self.error(at, Constraint::NotSendable(value));
        }
    }

    /// Warns of a deprecated value in a request; `is` is true if the value is `value`.
    #[inline]
    pub fn deprecated_value(&mut self, at: Location<'_>, is: bool, value: &'static str, instead: Option<&'static str>) {
        if is && self.is_request() {
            self.warn(at, Constraint::Deprecated { value: Some(value), instead });
        }
    }

    /// Warns of a deprecated field in a request.
    #[inline]
    pub fn deprecated(&mut self, at: Location<'_>, present: bool, instead: Option<&'static str>) {
        if present && self.is_request() {
            self.warn(at, Constraint::Deprecated { value: None, instead });
        }
    }

    /// Checks that the field keeps the stored value; `same` is true if it does.
    #[inline]
    pub fn immutable(&mut self, at: Location<'_>, same: bool) {
        if !same {
            self.error(at, Constraint::Immutable);
        }
    }

    /// Checks that a request does not contain the output-only field.
    #[inline]
    pub fn output_only_rejected(&mut self, at: Location<'_>, present: bool) {
        if present && self.is_request() {
            self.error(at, Constraint::OutputOnly);
        }
    }

    /// Warns of a field that has no effect because its condition does not hold. `unless` is the text of the condition,
    /// or `None` if the field never has an effect in this operation.
    #[inline]
    pub fn ignored(&mut self, at: Location<'_>, present: bool, condition: Condition, unless: Option<&'static str>) {
        if present && self.is_request() && !self.is_effective(condition) {
            self.warn(at, Constraint::Ignored { unless });
        }
    }

    /// Checks that a parameter is not given together with `other`, which excludes it; `both` is true if it is.
    #[inline]
    pub fn excludes(&mut self, at: Location<'_>, both: bool, other: &'static str) {
        if both {
            self.error(at, Constraint::Excludes { other, value: None });
        }
    }

    /// Checks that a parameter does not have one value, which is `shown` as JSON, together with `other`, which excludes
    /// it; `both` is true if it has.
    #[inline]
    pub fn excludes_value(&mut self, at: Location<'_>, both: bool, other: &'static str, shown: &'static str) {
        if both {
            self.error(at, Constraint::Excludes { other, value: Some(shown) });
        }
    }

    /// Checks that the state may follow the stored one.
    #[inline]
    pub fn transition(&mut self, at: Location<'_>, allowed: bool) {
        if !allowed {
            self.error(at, Constraint::Transition);
        }
    }

    /// Checks that a rule holds. `at` is the location of the value that the rule applies to; the rule gives the path of
    /// the offending field. A rule with a missing operand is skipped, since that is a violation of its own.
    #[inline]
    pub fn rule(&mut self, at: Location<'_>, rule: &'static Rule, evaluated: EvalResult) {
        match evaluated {
            Ok(true) | Err(EvalError::MissingOperand) => {}
            Ok(false) => self.rule_not_satisfied(at, rule),
            Err(fault) => self.rule_unevaluated(at, rule, fault),
        }
    }

    /// Records that a value is not the constant `shown`.
    #[cold]
    #[inline(never)]
    fn constant_violation(&mut self, at: Location<'_>, shown: &'static str) {
        self.error(at, Constraint::Constant(shown));
    }

    /// Records that the enum `of` does not know the value: an error in requests, a warning in responses.
    #[cold]
    #[inline(never)]
    fn unknown_value(&mut self, at: Location<'_>, of: &'static str, found: &str) {
        let severity = if self.is_request() { Severity::Error } else { Severity::Warning };
        self.record(at, severity, Constraint::known(of, found, at.is_secret()));
    }

    /// Records that a union does not know the variant: an error in requests, a warning in responses.
    #[cold]
    #[inline(never)]
    fn unknown_variant<U: OpenUnion>(&mut self, at: Location<'_>) {
        const MAX_VARIANTS: usize = 12;
        let severity = if self.is_request() { Severity::Error } else { Severity::Warning };
        let variants = U::VARIANTS.iter().take(MAX_VARIANTS).map(|variant| variant.name).collect();
        self.record(at, severity, Constraint::KnownVariant { of: U::NAME, discriminator: U::DISCRIMINATOR, variants });
    }

    /// Records that a rule does not hold, with the rule's message.
    #[cold]
    #[inline(never)]
    fn rule_not_satisfied(&mut self, at: Location<'_>, rule: &'static Rule) {
        self.rule_violation(at, rule, None);
    }

    /// Records that the condition of a rule cannot be evaluated.
    #[cold]
    #[inline(never)]
    fn rule_unevaluated(&mut self, at: Location<'_>, rule: &'static Rule, fault: EvalError) {
        self.rule_violation(at, rule, Some(Constraint::NotEvaluated(fault.to_string())));
    }

    /// Records a violation of a rule; without a constraint it has the rule's message.
    fn rule_violation(&mut self, at: Location<'_>, rule: &'static Rule, constraint: Option<Constraint>) {
        if self.is_full(rule.severity) {
            return;
        }
        let path = at.path_to(rule.at);
        let owner = path.steps().len().saturating_sub(rule.at.len());
        self.push(Violation {
            path,
            rule: rule.id,
            reason: rule.reason,
            text: constraint.is_none().then_some(rule.message.into()),
            severity: rule.severity,
            kind: ViolationKind::Schema,
            constraint,
            position: None,
            source: if rule.schema.is_empty() { RuleSource::Unknown } else { RuleSource::Line(rule.schema) },
            depends_on: Dependency::Members { owner, reads: rule.reads },
            offset: None,
        });
    }
}
