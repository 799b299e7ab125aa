//! Rules of the schema: metadata of a condition.

use crate::violation::Severity;

/// Metadata of a rule of the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Id of the rule: `event.one_identifier`.
    pub id: &'static str,
    /// Message of a violation.
    pub message: &'static str,
    /// Severity of a violation.
    pub severity: Severity,
    /// Reason of a violation in an error body, if it is not that of an invalid value.
    pub reason: Option<&'static str>,
    /// Path from the value that the rule applies to, to the offending field: `["start", "timeZone"]`.
    pub at: &'static [&'static str],
    /// Fields of the value that the condition reads; empty for all of them. A violation that depends on a field that
    /// could not be decoded is dropped.
    pub reads: &'static [&'static str],
    /// Line of the schema: `event.yaml:42`.
    pub schema: &'static str,
}

impl Rule {
    /// Creates a rule with errors that apply to the value as a whole.
    #[must_use]
    pub const fn new(id: &'static str, message: &'static str) -> Self {
        Self { id, message, severity: Severity::Error, reason: None, at: &[], reads: &[], schema: "" }
    }

    /// Makes violations warnings.
    #[must_use]
    pub const fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// Sets the reason of a violation in an error body.
    #[must_use]
    pub const fn reason(mut self, reason: &'static str) -> Self {
        self.reason = Some(reason);
        self
    }

    /// Sets the path of the offending field.
    #[must_use]
    pub const fn at(mut self, at: &'static [&'static str]) -> Self {
        self.at = at;
        self
    }

    /// Sets the fields that the condition reads.
    #[must_use]
    pub const fn reads(mut self, reads: &'static [&'static str]) -> Self {
        self.reads = reads;
        self
    }

    /// Sets the line of the schema.
    #[must_use]
    pub const fn schema(mut self, line: &'static str) -> Self {
        self.schema = line;
        self
    }
}
