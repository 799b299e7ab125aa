//! Report of a comparison with the schema.

use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};

use wireform_runtime::Value;

use crate::path::Path;

/// Deviation of a response from the schema.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Drift {
    /// Kind of the drift.
    pub kind: DriftKind,
    /// Path of the first field with this drift.
    pub path: Path,
    /// Number of fields with this drift: `items[].attendees[].email` is one drift.
    pub occurrences: usize,
    /// Name of the resource with the field, if the schema knows it.
    pub resource: Option<&'static str>,
    /// Message.
    pub message: String,
    /// Id of the violated rule.
    pub rule: Option<&'static str>,
    /// Relevant line of the schema, such as `event.yaml:42`.
    pub schema: Option<&'static str>,
}

/// Kind of difference between a response and the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DriftKind {
    /// The schema does not define the field.
    UnknownField,
    /// The schema does not define the value of an enum, or the variant of a union.
    UnknownValue,
    /// A rule of the schema does not hold.
    BrokenRule,
    /// The value has the wrong type.
    WrongType,
    /// The response is not JSON, or exceeds the limits.
    Unreadable,
}

/// Drifts of a response from the schema.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DriftReport {
    drifts: Vec<Drift>,
    more: usize,
}

impl DriftKind {
    /// Returns the name of the kind, such as `unknown field`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UnknownField => "unknown field",
            Self::UnknownValue => "unknown value",
            Self::BrokenRule => "broken rule",
            Self::WrongType => "wrong type",
            Self::Unreadable => "unreadable",
        }
    }
}

impl DriftReport {
    pub(super) const fn new(drifts: Vec<Drift>, more: usize) -> Self {
        Self { drifts, more }
    }

    /// Returns the drifts, in alphabetical order of their paths without indices and keys.
    pub fn iter(&self) -> std::slice::Iter<'_, Drift> {
        self.drifts.iter()
    }

    /// Returns the number of drifts, differences between a response and the schema, that were only counted because
    /// there were too many to keep.
    #[must_use]
    pub const fn omitted(&self) -> usize {
        self.more
    }

    /// Returns whether there are no drifts.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.drifts.is_empty() && self.more == 0
    }

    /// Returns the report as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        // Every key is text and no number is NaN or infinite, so this does not fail.
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl<'r> IntoIterator for &'r DriftReport {
    type Item = &'r Drift;
    type IntoIter = std::slice::Iter<'r, Drift>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Formats one line: `unknown field: items[3].mood: `Event` has no such field, 12 times (see event.yaml:3)`.
impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.kind.name())?;
        if !self.path.steps().is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)?;
        if self.occurrences > 1 {
            write!(f, ", {} times", self.occurrences)?;
        }
        self.schema.map_or(Ok(()), |line| write!(f, " (see {line})"))
    }
}

/// Formats a line for each drift.
impl fmt::Display for DriftReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, drift) in self.drifts.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            drift.fmt(f)?;
        }
        if self.more > 0 { write!(f, "\nand {} more", self.more) } else { Ok(()) }
    }
}

impl Serialize for Drift {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("kind", self.kind.name())?;
        map.serialize_entry("path", &self.path.to_string())?;
        map.serialize_entry("count", &self.occurrences)?;
        map.serialize_entry("message", &self.message)?;
        let facts = [("resource", self.resource), ("rule", self.rule), ("schema", self.schema)];
        for (name, fact) in facts {
            fact.iter().try_for_each(|fact| map.serialize_entry(name, fact))?;
        }
        map.end()
    }
}

impl Serialize for DriftReport {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("drifts", &self.drifts)?;
        if self.more > 0 {
            map.serialize_entry("more", &self.more)?;
        }
        map.end()
    }
}
