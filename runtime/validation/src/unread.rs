//! Requests with invalid parameters: parsing errors and violations of the rules in one list.
//!
//! An invalid parameter is replaced with a placeholder: violations of a placeholder are dropped, and so are those of
//! several parameters if one of them is a placeholder. A body that cannot be read has a placeholder too, so that the
//! parameters are checked nevertheless.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use wireform_runtime::{FromWire, json};

use crate::at::At;
use crate::checker::Checker;
use crate::constraint::Constraint;
use crate::context::{Context, MAX_VIOLATIONS};
use crate::lenient::{self, Reading};
use crate::path::{Path, PathStep, Within};
use crate::shapes;
use crate::validates::Validates;
use crate::violation::{Dependency, Kind, Severity, Violation};
use crate::violations::{Violations, Warnings};

/// Candidates for the placeholder of a body; the first one that decodes is used.
const BODY_PLACEHOLDERS: [&[u8]; 6] = [b"{}", b"null", b"[]", b"\"\"", b"0", b"false"];

/// Errors of reading a request. Nothing is allocated while there are none.
#[derive(Debug)]
pub struct Unread {
    list: Vec<Violation>,
    more: usize,
    max_violations: usize,
    /// Parameters with a placeholder.
    placeholders: Vec<Within>,
    warns: bool,
}

impl Default for Unread {
    fn default() -> Self {
        Self::keeping(MAX_VIOLATIONS)
    }
}

impl Unread {
    /// Creates an empty list. The first `max_violations` errors are kept, further ones are counted.
    #[must_use]
    pub const fn keeping(max_violations: usize) -> Self {
        Self { list: Vec::new(), more: 0, max_violations, placeholders: Vec::new(), warns: true }
    }

    /// Disables the warnings of the rules.
    #[must_use]
    pub const fn without_warnings(mut self) -> Self {
        self.warns = false;
        self
    }

    const fn context<R, V: Validates<R>>(&self) -> Context<'static> {
        if self.warns { V::CONTEXT } else { V::CONTEXT.without_warnings() }
    }

    /// Returns whether there are no errors so far.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty() && self.more == 0
    }

    /// Returns the number of errors so far.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.list.len() + self.more
    }

    /// Adds an error of something that the rules do not check, such as a header that is not a parameter. The message is
    /// one line that repeats no value.
    #[cold]
    pub fn refuse(&mut self, at: At<'_>, rule: &'static str, message: impl Into<Cow<'static, str>>) {
        self.push(Violation::of_text(at.to_path(), rule, Kind::Type, message));
    }

    /// Adds an error of a parameter that is replaced with a placeholder.
    #[cold]
    pub fn unreadable(&mut self, at: At<'_>, rule: &'static str, message: impl Into<Cow<'static, str>>) {
        self.refuse(at, rule, message);
        self.add_placeholder(at);
    }

    /// Adds the error of a missing parameter, which is replaced with a placeholder.
    #[cold]
    pub fn missing(&mut self, at: At<'_>) {
        self.push(Violation::of_constraint(at.to_path(), Severity::Error, Constraint::Required));
        self.add_placeholder(at);
    }

    /// Adds the error of a parameter that the operation does not have; `suggestion` is one with a similar name.
    #[cold]
    pub fn unknown(&mut self, name: &str, suggestion: Option<&'static str>) {
        let mut path = Path::new(Within::Parameter(""));
        path.push(PathStep::Key(name.to_owned()));
        let message = match suggestion {
            Some(known) => Cow::Owned(format!("is unknown: did you mean `{known}`?")),
            None => Cow::Borrowed("is unknown"),
        };
        self.push(Violation::of_text(path, "unknown_parameter", Kind::Type, message));
    }

    fn add_placeholder(&mut self, at: At<'_>) {
        let within = at.to_path().within();
        if !self.placeholders.contains(&within) {
            self.placeholders.push(within);
        }
    }

    fn push(&mut self, violation: Violation) {
        if self.list.len() < self.max_violations {
            self.list.push(violation);
        } else {
            self.more += 1;
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
        if self.is_empty() { found } else { Err(self.merge::<R, V>(all_violations(found), Violations::default())) }
    }

    /// Reads a body, builds the request and validates it. `make` parses the parameters, and reports their errors. An
    /// empty body counts as missing.
    ///
    /// # Errors
    /// Returns all violations, those of the parameters in the order of the operation and before those of the body, if
    /// at least one of them is an error.
    pub fn read<B, R, V>(
        mut self,
        rules: &V,
        bytes: &[u8],
        make: impl FnOnce(&mut Self, B) -> R,
    ) -> Result<(R, Warnings), Violations>
    where
        B: for<'de> FromWire<'de>,
        V: Validates<R>,
    {
        if bytes.is_empty() {
            self.push(Violation::of_constraint(At::BODY.to_path(), Severity::Error, Constraint::Required));
            return Err(self.lost(rules, make));
        }
        let mut make = Some(make);
        let reading = Reading::of::<R, V>(self.context::<R, V>()).without_warning_positions();
        let read = lenient::read(bytes, &reading, |body: B, checker| {
            let request = make.take()?(&mut self, body);
            rules.check(&request, At::BODY, checker);
            Some(request)
        });
        match (read, make) {
            (Ok((Some(request), warnings)), _) if self.is_empty() => Ok((request, warnings)),
            (read, None) => {
                Err(self.merge::<R, V>(all_violations(read.map(|(_, warnings)| warnings)), Violations::default()))
            }
            // Nothing of the body could be read.
            (read, Some(make)) => {
                let parameter_violations = self.without_body(rules, make);
                Err(self.merge::<R, V>(all_violations(read.map(|(_, warnings)| warnings)), parameter_violations))
            }
        }
    }

    /// Validates the parameters alone: the body is not read, and its error was [reported](Self::refuse) before.
    #[cold]
    pub fn lost<B, R, V>(mut self, rules: &V, make: impl FnOnce(&mut Self, B) -> R) -> Violations
    where
        B: for<'de> FromWire<'de>,
        V: Validates<R>,
    {
        let parameter_violations = self.without_body(rules, make);
        self.merge::<R, V>(Violations::default(), parameter_violations)
    }

    /// Builds the request without its body, and returns the violations of single parameters.
    #[cold]
    fn without_body<B, R, V>(&mut self, rules: &V, make: impl FnOnce(&mut Self, B) -> R) -> Violations
    where
        B: for<'de> FromWire<'de>,
        V: Validates<R>,
    {
        let placeholder = BODY_PLACEHOLDERS.iter().find_map(|text| json::from_slice::<B>(text).ok());
        let Some(body) = placeholder else { return Violations::default() };
        let request = make(self, body);
        let mut checker = Checker::new(self.context::<R, V>());
        rules.check(&request, At::BODY, &mut checker);
        let found = checker.into_violations();
        let single = |violation: &Violation| {
            violation.path.within() != Within::Body && !matches!(violation.depends_on, Dependency::Members { .. })
        };
        Violations::new(found.into_iter().filter(single).collect(), 0, false)
    }

    /// Merges the errors of reading and the violations of the rules.
    #[cold]
    fn merge<R, V: Validates<R>>(mut self, found: Violations, parameter_violations: Violations) -> Violations {
        let (mut more, unfinished) = (self.more + found.more(), found.is_unfinished());
        let kept: Vec<Violation> =
            found.into_iter().chain(parameter_violations).filter(|found| self.is_kept(found)).collect();
        let all = std::mem::take(&mut self.list).into_iter().chain(kept);
        let (mut list, body): (Vec<_>, Vec<_>) = all.partition(|violation| violation.path.within() != Within::Body);
        shapes::sort_and_annotate(&mut list, V::CONTEXT.operation(), None, V::SOURCES);
        // The violations of the body are already in the order of its text.
        list.extend(body);
        let max_violations = self.max_violations.max(1);
        more += list.len().saturating_sub(max_violations);
        list.truncate(max_violations);
        Violations::new(list, more, unfinished)
    }

    /// Returns whether a violation does not depend on a placeholder.
    fn is_kept(&self, violation: &Violation) -> bool {
        match (violation.path.within(), violation.depends_on) {
            (Within::Body, _) => true,
            (_, Dependency::Members { .. }) => self.placeholders.is_empty(),
            (within, _) => !self.placeholders.contains(&within),
        }
    }
}

/// Returns all violations, including warnings.
fn all_violations(found: Result<Warnings, Violations>) -> Violations {
    found.map_or_else(|violations| violations, |warnings| warnings.as_violations().clone())
}
