//! Validation of requests before they are sent, and of responses.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use wireform_runtime::Naming;
use wireform_runtime::operation::{Operation, Parameter, ParameterLocation};
use wireform_validation::{CheckRequests, DriftReport, PathRoot, Violations, Warnings};

/// Handling of a request that violates a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Tier {
    /// Requests are not validated.
    Off,
    /// Requests are validated and sent; violations are logged and passed to the observer.
    Observe,
    /// A request that violates a rule is not sent; the call fails with the violations.
    #[default]
    Deny,
}

/// Observer of violations.
pub trait ObserveViolations: Send + Sync + 'static {
    /// Reports that a request violates rules. It is sent nevertheless, unless the tier is [`Tier::Deny`].
    fn violations(&self, operation: &'static Operation, violations: &Violations) {
        let _ = (operation, violations);
    }

    /// Reports that a request violates no rule, but has warnings.
    fn warnings(&self, operation: &'static Operation, warnings: &Warnings) {
        let _ = (operation, warnings);
    }

    /// Reports that a response does not match the schema: the service has changed, or the schema is wrong. The caller
    /// receives the response as usual. Responses are checked only if [`observes_responses`](Self::observes_responses)
    /// returns true.
    fn drift(&self, operation: &'static Operation, report: &DriftReport) {
        let _ = (operation, report);
    }

    /// Returns whether responses are compared with the schema, which takes about as long as decoding them.
    fn observes_responses(&self) -> bool {
        false
    }
}

/// Validation of a client's requests.
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

    /// Sets the function that is called with violations.
    pub(crate) fn with_observer(mut self, observer: Arc<dyn ObserveViolations>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Validates a request. Returns the violations because of which it is not sent.
    pub(crate) fn check(
        &self,
        operation: &'static Operation,
        options: (Option<Tier>, Naming),
        request: &dyn Any,
        stored: Option<&dyn Any>,
    ) -> Option<Box<Violations>> {
        let (tier, names) = (options.0.unwrap_or(self.tier), options.1);
        if tier == Tier::Off {
            return None;
        }
        let name = |within| name_in_request(operation, names, within);
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
                    "invalid request"
                );
                if let Some(observer) = &self.observer {
                    observer.violations(operation, &violations);
                }
                (tier == Tier::Deny).then(|| Box::new(violations))
            }
        }
    }

    /// Returns whether an observer wants responses to be compared with the schema.
    pub(crate) fn observes_responses(&self) -> bool {
        self.observer.as_ref().is_some_and(|observer| observer.observes_responses())
    }

    /// Compares a response with the schema.
    pub(crate) fn check_response(&self, operation: &'static Operation, response: &[u8]) {
        let Some(observer) = &self.observer else { return };
        if let Some(report) = self.rules.check_response(operation, response)
            && !report.is_empty()
        {
            observer.drift(operation, &report);
        }
    }
}

/// Renames a parameter to its name in the request.
fn name_in_request(operation: &'static Operation, names: Naming, within: PathRoot) -> PathRoot {
    let spelled = |name, in_header| {
        let is = |parameter: &&Parameter| {
            let at = matches!(parameter.location, ParameterLocation::Header | ParameterLocation::Cookie);
            at == in_header && parameter.name.matches(name)
        };
        operation.parameters.iter().find(is).map_or(name, |parameter| parameter.name.name_in(names))
    };
    match within {
        PathRoot::Parameter(name) => PathRoot::Parameter(spelled(name, false)),
        PathRoot::Header(name) => PathRoot::Header(spelled(name, true)),
        PathRoot::Body => PathRoot::Body,
    }
}

impl fmt::Debug for Validation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Validation").field("tier", &self.tier).finish_non_exhaustive()
    }
}
