//! Checks of what is sent, before it is, and of what comes back.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use wireform_runtime::Names;
use wireform_runtime::operation::{Location, Operation, Parameter};
use wireform_validation::{CheckRequests, DriftReport, Violations, Warnings, Within};

/// What becomes of a request that breaks a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Tier {
    /// Requests are not checked.
    Off,
    /// They are checked and sent; what is wrong is told by an event and to the hook.
    Observe,
    /// One that breaks a rule is not sent; the call fails with what is wrong.
    #[default]
    Deny,
}

/// Something that wants to know of violations.
pub trait ObserveViolations: Send + Sync + 'static {
    /// A request breaks rules. It is sent all the same, unless the tier is [`Tier::Deny`].
    fn violations(&self, operation: &'static Operation, violations: &Violations) {
        let _ = (operation, violations);
    }

    /// A request breaks no rule, but leaves doubts.
    fn warnings(&self, operation: &'static Operation, warnings: &Warnings) {
        let _ = (operation, warnings);
    }

    /// An answer is not what the schema says: the service has moved on, or the schema is wrong. It is given to the
    /// caller as ever. Answers are looked at only if [`wants_answers`](Self::wants_answers) says so.
    fn drift(&self, operation: &'static Operation, report: &DriftReport) {
        let _ = (operation, report);
    }

    /// Whether answers are compared with the schema, which takes about as long as reading them.
    fn wants_answers(&self) -> bool {
        false
    }
}

/// How a client checks.
#[derive(Clone)]
pub(crate) struct Validation {
    rules: Arc<dyn CheckRequests>,
    tier: Tier,
    observer: Option<Arc<dyn ObserveViolations>>,
}

impl Validation {
    pub(crate) fn new(rules: impl CheckRequests + 'static, tier: Tier) -> Self {
        Self { rules: Arc::new(rules), tier, observer: None }
    }

    pub(crate) fn observed(mut self, observer: Arc<dyn ObserveViolations>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Checks a request. Gives the violations for which it is not sent.
    pub(crate) fn check(
        &self,
        operation: &'static Operation,
        options: (Option<Tier>, Names),
        request: &dyn Any,
        stored: Option<&dyn Any>,
    ) -> Option<Box<Violations>> {
        let (tier, names) = (options.0.unwrap_or(self.tier), options.1);
        if tier == Tier::Off {
            return None;
        }
        let name = |within| named(operation, names, within);
        match self.rules.check_request(operation, request, stored)? {
            Ok(mut warnings) => {
                warnings.rename_parameters(name);
                if let (false, Some(observer)) = (warnings.is_empty(), &self.observer) {
                    observer.warnings(operation, &warnings);
                }
                None
            }
            Err(mut violations) => {
                violations.rename_parameters(name);
                tracing::warn!(
                    operation = operation.name,
                    violations = violations.count(),
                    sent = tier == Tier::Observe,
                    "the request breaks rules"
                );
                if let Some(observer) = &self.observer {
                    observer.violations(operation, &violations);
                }
                (tier == Tier::Deny).then(|| Box::new(violations))
            }
        }
    }

    /// Whether anybody wants to know of answers that are not what the schema says.
    pub(crate) fn wants_answers(&self) -> bool {
        self.observer.as_ref().is_some_and(|observer| observer.wants_answers())
    }

    /// Compares an answer with the schema.
    pub(crate) fn observe(&self, operation: &'static Operation, answer: &[u8]) {
        let Some(observer) = &self.observer else { return };
        if let Some(report) = self.rules.check_answer(operation, answer)
            && !report.is_empty()
        {
            observer.drift(operation, &report);
        }
    }
}

/// Names a parameter as the client sends it.
fn named(operation: &'static Operation, names: Names, within: Within) -> Within {
    let spelled = |name, in_header| {
        let is = |parameter: &&Parameter| {
            let at = matches!(parameter.location, Location::Header | Location::Cookie);
            at == in_header && parameter.name.is(name)
        };
        operation.parameters.iter().find(is).map_or(name, |parameter| parameter.name.spelled(names))
    };
    match within {
        Within::Parameter(name) => Within::Parameter(spelled(name, false)),
        Within::Header(name) => Within::Header(spelled(name, true)),
        Within::Body => Within::Body,
    }
}

impl fmt::Debug for Validation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Validation").field("tier", &self.tier).finish_non_exhaustive()
    }
}
