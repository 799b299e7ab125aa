//! Requests with invalid parameters: parsing errors and violations of the rules in one list.
//!
//! An invalid parameter is replaced with a placeholder: violations of a placeholder are dropped, and so are those of
//! several parameters if one of them is a placeholder. A body that cannot be read has a placeholder too, so that the
//! parameters are checked nevertheless.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use wireform_runtime::FromWire;
use wireform_runtime::json::{self, DecodeError};

use crate::checker::Checker;
use crate::constraint::Constraint;
use crate::context::{MAX_VIOLATIONS, ValidationContext};
use crate::lenient::{self, ReadOptions};
use crate::location::Location;
use crate::path::{Path, PathRoot, PathStep};
use crate::shapes;
use crate::source_lines::SourceLines;
use crate::validates::Validates;
use crate::violation::{Dependency, Severity, Violation, ViolationKind};
use crate::violations::{Violations, Warnings};

/// Candidates for the placeholder of a body; the first one that decodes is used.
const BODY_PLACEHOLDERS: [&[u8]; 6] = [b"{}", b"null", b"[]", b"\"\"", b"0", b"false"];

/// Errors of reading a request. Nothing is allocated while there are none.
#[derive(Debug)]
pub struct RequestReader {
    list: Vec<Violation>,
    omitted: usize,
    max_violations: usize,
    /// Parameters with a placeholder.
    placeholders: Vec<PathRoot>,
    reports_warnings: bool,
}

impl Default for RequestReader {
    fn default() -> Self {
        Self::with_max_violations(MAX_VIOLATIONS)
    }
}

impl RequestReader {
    /// Creates an empty list. The first `max_violations` errors are kept, further ones are counted.
    #[must_use]
    pub const fn with_max_violations(max_violations: usize) -> Self {
        Self { list: Vec::new(), omitted: 0, max_violations, placeholders: Vec::new(), reports_warnings: true }
    }

    /// Disables the warnings of the rules.
    #[must_use]
    pub const fn without_warnings(mut self) -> Self {
        self.reports_warnings = false;
        self
    }

    /// Returns the context of the rules, without warnings if these are disabled.
    const fn context<R, V: Validates<R>>(&self) -> ValidationContext<'static> {
        if self.reports_warnings { V::CONTEXT } else { V::CONTEXT.without_warnings() }
    }

    /// Returns whether there are no errors so far.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty() && self.omitted == 0
    }

    /// Returns the number of errors so far.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.list.len() + self.omitted
    }

    /// Adds an error of something that the rules do not check, such as a header that is not a parameter. The message is
    /// one line that repeats no value.
    #[cold]
    pub fn reject(&mut self, at: Location<'_>, rule: &'static str, message: impl Into<Cow<'static, str>>) {
        self.push(Violation::new(at.to_path(), rule, ViolationKind::Type, message));
    }

    /// Adds an error of a parameter that is replaced with a placeholder.
    #[cold]
    pub fn reject_parameter(&mut self, at: Location<'_>, rule: &'static str, message: impl Into<Cow<'static, str>>) {
        self.reject(at, rule, message);
        self.add_placeholder(at);
    }

    /// Adds the error of a missing parameter, which is replaced with a placeholder.
    #[cold]
    pub fn missing_parameter(&mut self, at: Location<'_>) {
        self.push(Violation::from_constraint(at.to_path(), Severity::Error, Constraint::Required));
        self.add_placeholder(at);
    }

    /// Adds the error of a parameter that the operation does not have; `suggestion` is one with a similar name.
    #[cold]
    pub fn unknown_parameter(&mut self, name: &str, suggestion: Option<&'static str>) {
        let mut path = Path::new(PathRoot::Parameter(""));
        path.push(PathStep::parameter(name));
        let message = match suggestion {
            Some(known) => Cow::Owned(format!("is unknown: did you mean `{known}`?")),
            None => Cow::Borrowed("is unknown"),
        };
        self.push(Violation::new(path, "unknown_parameter", ViolationKind::Type, message));
    }

    /// Marks a parameter whose value stands for one that could not be read, so that it is not validated.
    fn add_placeholder(&mut self, at: Location<'_>) {
        let within = at.to_path().root();
        if !self.placeholders.contains(&within) {
            self.placeholders.push(within);
        }
    }

    /// Adds a violation, or counts it as omitted if the maximum is reached.
    fn push(&mut self, violation: Violation) {
        if self.list.len() < self.max_violations {
            self.list.push(violation);
        } else {
            self.omitted += 1;
        }
    }

    /// Validates a request without a body, whose parameters were parsed.
    ///
    /// # Errors
    /// Returns all violations, those of the parameters in the order of the operation, if at least one of them is an
    /// error.
    #[inline]
    pub fn check<R, V: Validates<R>>(self, rules: &V, request: &R) -> Result<Warnings, Violations> {
        let found = rules.validate(request, self.context::<R, V>());
        if self.is_empty() {
            return found;
        }
        Err(self.merge(all_violations(found), Violations::default(), V::CONTEXT, V::SOURCES))
    }

    /// Reads a body, builds the request in `slot` and validates it. `make` parses the parameters, and reports their
    /// errors; it boxes the request, which may be large, so that it is not moved again. An empty body counts as missing.
    ///
    /// # Errors
    /// Returns all violations, those of the parameters in the order of the operation and before those of the body, if
    /// at least one of them is an error.
    pub fn read<B, R, V>(
        mut self,
        rules: &V,
        bytes: &[u8],
        slot: &mut Option<Box<R>>,
        make: impl FnOnce(&mut Self, B) -> Box<R>,
    ) -> Result<Warnings, Violations>
    where
        B: for<'de> FromWire<'de>,
        V: Validates<R>,
    {
        if bytes.is_empty() {
            self.push(Violation::from_constraint(Location::BODY.to_path(), Severity::Error, Constraint::Required));
            return Err(self.check_parameters_only(rules, make));
        }
        let reading = ReadOptions::for_type::<R, V>(self.context::<R, V>()).without_warning_positions();
        let body = match json::from_slice(bytes) {
            Ok(body) => body,
            Err(error) => return self.read_invalid(rules, (bytes, &error), &reading, slot, make),
        };
        let request = slot.insert(make(&mut self, body));
        let mut checker = Checker::new(reading.context);
        rules.check(request, Location::BODY, &mut checker);
        let found = lenient::finish(checker, bytes, &reading);
        if found.is_ok() && self.is_empty() {
            return found;
        }
        Err(self.merge(all_violations(found), Violations::default(), V::CONTEXT, V::SOURCES))
    }

    /// Reads a body that does not decode.
    #[cold]
    fn read_invalid<B, R, V>(
        mut self,
        rules: &V,
        (bytes, error): (&[u8], &DecodeError),
        reading: &ReadOptions<'_>,
        slot: &mut Option<Box<R>>,
        make: impl FnOnce(&mut Self, B) -> Box<R>,
    ) -> Result<Warnings, Violations>
    where
        B: for<'de> FromWire<'de>,
        V: Validates<R>,
    {
        let mut make = Some(make);
        let found = lenient::read_invalid(bytes, error, reading, &mut |body: B, checker| {
            if let Some(make) = make.take() {
                rules.check(slot.insert(make(&mut self, body)), Location::BODY, checker);
            }
        });
        if found.is_ok() && make.is_none() && self.is_empty() {
            return found;
        }
        let parameter_violations = match make {
            // Nothing of the body could be read.
            Some(make) => self.without_body(rules, make),
            None => Violations::default(),
        };
        Err(self.merge(all_violations(found), parameter_violations, V::CONTEXT, V::SOURCES))
    }

    /// Validates the parameters alone: the body is not read, and its error was [reported](Self::reject) before.
    #[cold]
    pub fn check_parameters_only<B, R, V>(mut self, rules: &V, make: impl FnOnce(&mut Self, B) -> Box<R>) -> Violations
    where
        B: for<'de> FromWire<'de>,
        V: Validates<R>,
    {
        let parameter_violations = self.without_body(rules, make);
        self.merge(Violations::default(), parameter_violations, V::CONTEXT, V::SOURCES)
    }

    /// Builds the request without its body, and returns the violations of single parameters.
    #[cold]
    fn without_body<B, R, V>(&mut self, rules: &V, make: impl FnOnce(&mut Self, B) -> Box<R>) -> Violations
    where
        B: for<'de> FromWire<'de>,
        V: Validates<R>,
    {
        for placeholder in BODY_PLACEHOLDERS {
            if let Ok(body) = json::from_slice::<B>(placeholder) {
                let request = make(self, body);
                let mut checker = Checker::new(self.context::<R, V>());
                rules.check(&request, Location::BODY, &mut checker);
                return of_single_parameters(checker.into_violations());
            }
        }
        Violations::default()
    }

    /// Merges the errors of reading and the violations of the rules.
    #[cold]
    fn merge(
        mut self,
        found: Violations,
        parameter_violations: Violations,
        context: ValidationContext<'_>,
        sources: &'static SourceLines,
    ) -> Violations {
        let (mut more, unfinished) = (self.omitted + found.omitted(), found.is_incomplete());
        let kept: Vec<Violation> =
            found.into_iter().chain(parameter_violations).filter(|found| self.is_kept(found)).collect();
        let all = std::mem::take(&mut self.list).into_iter().chain(kept);
        let (mut list, body): (Vec<_>, Vec<_>) = all.partition(|violation| violation.path.root() != PathRoot::Body);
        shapes::sort_and_annotate(&mut list, context.operation(), None, sources);
        // The violations of the body are already in the order of its text.
        list.extend(body);
        let max_violations = self.max_violations.max(1);
        more += list.len().saturating_sub(max_violations);
        list.truncate(max_violations);
        Violations::new(list, more, unfinished)
    }

    /// Returns whether a violation does not depend on a placeholder.
    fn is_kept(&self, violation: &Violation) -> bool {
        match (violation.path.root(), violation.depends_on) {
            (PathRoot::Body, _) => true,
            (_, Dependency::Members { .. }) => self.placeholders.is_empty(),
            (within, _) => !self.placeholders.contains(&within),
        }
    }
}

/// Returns the violations of single parameters, without those of several ones and of the body.
fn of_single_parameters(found: Violations) -> Violations {
    let single = |violation: &Violation| {
        violation.path.root() != PathRoot::Body && !matches!(violation.depends_on, Dependency::Members { .. })
    };
    Violations::new(found.into_iter().filter(single).collect(), 0, false)
}

/// Returns all violations, including warnings.
fn all_violations(found: Result<Warnings, Violations>) -> Violations {
    found.map_or_else(|violations| violations, |warnings| warnings.as_violations().clone())
}
