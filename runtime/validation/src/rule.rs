//! A rule of the schema: what generated code knows of a condition beside the condition.

use crate::violation::Severity;

/// A rule of the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its id: `event.one_identifier`.
    pub id: &'static str,
    /// What is wrong when it does not hold.
    pub message: &'static str,
    /// What that leads to.
    pub severity: Severity,
    /// The members on the way from the value that the rule is about to the one at fault: `["start", "timeZone"]`.
    pub at: &'static [&'static str],
    /// The members of that value which the condition reads; all of them if none is named. A verdict about a member
    /// that could not be read is not told.
    pub reads: &'static [&'static str],
    /// The line of the schema: `event.yaml:42`.
    pub schema: &'static str,
}

impl Rule {
    /// Creates a rule that refuses; it speaks of the value as a whole.
    #[must_use]
    pub const fn new(id: &'static str, message: &'static str) -> Self {
        Self { id, message, severity: Severity::Error, at: &[], reads: &[], schema: "" }
    }

    /// As a warning.
    #[must_use]
    pub const fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// At a member.
    #[must_use]
    pub const fn at(mut self, at: &'static [&'static str]) -> Self {
        self.at = at;
        self
    }

    /// Reading these members.
    #[must_use]
    pub const fn reads(mut self, reads: &'static [&'static str]) -> Self {
        self.reads = reads;
        self
    }

    /// On that line of the schema.
    #[must_use]
    pub const fn schema(mut self, line: &'static str) -> Self {
        self.schema = line;
        self
    }
}
