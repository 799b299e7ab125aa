//! Lists of violations.

use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};
use wireform_runtime::Value;

use crate::context::MAX_VIOLATIONS;
use crate::path::PathRoot;
use crate::violation::{Severity, Violation};

/// Violations of a rejected value, including warnings, in the order of the document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Violations {
    list: Vec<Violation>,
    omitted: usize,
    unfinished: bool,
}

/// Warnings about an accepted value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Warnings(Violations);

impl Violations {
    pub(crate) const fn new(list: Vec<Violation>, more: usize, unfinished: bool) -> Self {
        Self { list, omitted: more, unfinished }
    }

    /// Returns the violations that were kept.
    pub fn iter(&self) -> std::slice::Iter<'_, Violation> {
        self.list.iter()
    }

    /// Returns the violations as a slice.
    #[must_use]
    pub fn as_slice(&self) -> &[Violation] {
        &self.list
    }

    /// Returns the violations that reject the value.
    pub fn errors(&self) -> impl Iterator<Item = &Violation> {
        self.list.iter().filter(|violation| violation.severity == Severity::Error)
    }

    /// Returns the violations that do not reject the value.
    pub fn warnings(&self) -> impl Iterator<Item = &Violation> {
        self.list.iter().filter(|violation| violation.severity == Severity::Warning)
    }

    /// Returns the number of violations, including those beyond the limit.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.list.len() + self.omitted
    }

    /// Returns the number of violations that were counted but not kept.
    #[must_use]
    pub const fn omitted(&self) -> usize {
        self.omitted
    }

    /// Returns whether reading stopped early, so that there may be more violations than [`count`](Self::count).
    #[must_use]
    pub const fn is_incomplete(&self) -> bool {
        self.unfinished
    }

    /// Returns whether there are no violations.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty() && self.omitted == 0
    }

    /// Replaces the names of parameters and headers in the paths of violations, for example by those that the sender of
    /// the request used.
    pub fn rename_parameters(&mut self, name: impl Fn(PathRoot) -> PathRoot) {
        for violation in &mut self.list {
            violation.path.set_root(name(violation.path.root()));
        }
    }

    /// Returns the violations as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        // Every key is text and no number is NaN or infinite, so this does not fail.
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl Warnings {
    pub(crate) const fn new(violations: Violations) -> Self {
        Self(violations)
    }

    /// Returns the warnings that were kept.
    pub fn iter(&self) -> std::slice::Iter<'_, Violation> {
        self.0.iter()
    }

    /// Replaces the names of parameters and headers in the paths of warnings, for example by those that the sender of
    /// the request used.
    pub fn rename_parameters(&mut self, name: impl Fn(PathRoot) -> PathRoot) {
        self.0.rename_parameters(name);
    }

    /// Returns the number of warnings, including those beyond the limit.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.0.count()
    }

    /// Returns whether there are no warnings.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the warnings as violations, to display or to serialize them.
    #[must_use]
    pub const fn as_violations(&self) -> &Violations {
        &self.0
    }
}

impl<'v> IntoIterator for &'v Violations {
    type Item = &'v Violation;
    type IntoIter = std::slice::Iter<'v, Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Collects the violations that a program has found; those beyond [`MAX_VIOLATIONS`] are counted but not kept.
///
/// ```
/// use wireform_validation::{PathStep, Violation, Violations};
///
/// let steps = || vec![PathStep::Field("files".into()), PathStep::Index(1), PathStep::Field("source".into())];
/// let found = ["line 1 is wrong", "line 7 is wrong"];
/// let found: Violations = found.map(|text| Violation::for_field(steps(), "syntax", text)).into_iter().collect();
/// assert_eq!(found.as_slice()[1].to_string(), "files[1].source: line 7 is wrong (syntax)");
/// let many: Violations = (0..200).map(|_| Violation::for_field(steps(), "syntax", "is wrong")).collect();
/// assert_eq!((many.as_slice().len(), many.count()), (100, 200));
/// ```
impl FromIterator<Violation> for Violations {
    fn from_iter<I: IntoIterator<Item = Violation>>(found: I) -> Self {
        let mut found = found.into_iter();
        let list: Vec<Violation> = found.by_ref().take(MAX_VIOLATIONS).collect();
        Self::new(list, found.count(), false)
    }
}

impl IntoIterator for Violations {
    type Item = Violation;
    type IntoIter = std::vec::IntoIter<Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'v> IntoIterator for &'v Warnings {
    type Item = &'v Violation;
    type IntoIter = std::slice::Iter<'v, Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Formats a line for each violation.
impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, violation) in self.list.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            violation.fmt(f)?;
        }
        match (self.omitted, self.unfinished) {
            (0, false) => Ok(()),
            (0, true) => f.write_str("\nand possibly more"),
            (more, false) => write!(f, "\nand {more} more"),
            (more, true) => write!(f, "\nand at least {more} more"),
        }
    }
}

impl fmt::Display for Warnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Violations {}

impl Serialize for Violations {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("violations", &self.list)?;
        if self.omitted > 0 {
            map.serialize_entry("more", &self.omitted)?;
        }
        if self.unfinished {
            map.serialize_entry("unfinished", &true)?;
        }
        map.end()
    }
}
