//! Violations of the rules of a value.

use std::borrow::Cow;
use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};
use wireform_runtime::fields::Shape;

use crate::constraint::Constraint;
use crate::path::{Path, PathRoot, PathStep};
use crate::source_lines::{SourceLines, owning_field};

/// Severity of a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The value is rejected.
    Error,
    /// The value is accepted, and the violation is reported.
    Warning,
}

/// Kind of a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ViolationKind {
    /// A value of the right type breaks a rule of the schema.
    Schema,
    /// A value has the wrong type.
    Type,
    /// The text is not JSON, or exceeds the limits.
    Syntax,
}

/// Violation of a rule by a value.
#[derive(Clone)]
#[non_exhaustive]
pub struct Violation {
    /// Path of the offending field.
    pub path: Path,
    /// Id of the rule: that of the schema, or the key of the constraint.
    pub rule: &'static str,
    /// Reason in an error body, if it is not that of an invalid value.
    pub(crate) reason: Option<&'static str>,
    /// Severity of the violation.
    pub severity: Severity,
    /// Kind of the violation.
    pub kind: ViolationKind,
    /// Constraint with its parameters, if the rule is one.
    pub constraint: Option<Constraint>,
    /// Position in the text, if there was one.
    pub position: Option<TextPosition>,
    /// Definition of the rule in the schema.
    pub(crate) source: RuleSource,
    /// Message, if the constraint does not provide it.
    pub(crate) text: Option<Cow<'static, str>>,
    /// Values that the rule depends on, for lenient reading.
    pub(crate) depends_on: Dependency,
    /// Offset of the value in the text, if lenient reading knows it.
    pub(crate) offset: Option<usize>,
}

/// Definition of a rule in the schema. Its line is looked up on demand: many programs report only the rules.
#[derive(Clone, Copy)]
pub(crate) enum RuleSource {
    /// Unknown, or outside of the schema.
    Unknown,
    /// Known line.
    Line(&'static str),
    /// Line of the field at the path of the violation, in the body of this shape.
    Field(&'static Shape, &'static SourceLines),
}

/// Line and column of a value in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPosition {
    /// Line, from 1.
    pub line: usize,
    /// Column in bytes, from 1.
    pub column: usize,
}

/// Values that a violation depends on: one that depends on a value that could not be decoded is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dependency {
    /// Value at the path, including its content.
    Value,
    /// Set of elements of the value.
    Elements,
    /// Presence of the value.
    Presence,
    /// Fields of the value after `owner` steps of the path; empty for all of them.
    Members { owner: usize, reads: &'static [&'static str] },
}

impl Severity {
    /// Returns the name of the severity in a schema.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

impl ViolationKind {
    /// Returns the name of the kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Type => "type",
            Self::Syntax => "syntax",
        }
    }
}

impl Violation {
    pub(crate) fn from_constraint(path: Path, severity: Severity, constraint: Constraint) -> Self {
        let depends_on = match constraint {
            Constraint::Required | Constraint::RequiredInPatch => Dependency::Presence,
            Constraint::Items(_) => Dependency::Elements,
            _ => Dependency::Value,
        };
        Self {
            path,
            rule: constraint.rule_id(),
            reason: None,
            text: None,
            severity,
            kind: ViolationKind::Schema,
            constraint: Some(constraint),
            position: None,
            source: RuleSource::Unknown,
            depends_on,
            offset: None,
        }
    }

    pub(crate) fn new(
        path: Path,
        rule: &'static str,
        kind: ViolationKind,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            path,
            rule,
            reason: None,
            text: Some(message.into()),
            severity: Severity::Error,
            kind,
            constraint: None,
            position: None,
            source: RuleSource::Unknown,
            depends_on: Dependency::Value,
            offset: None,
        }
    }

    /// Creates an error of a field of the body, for a program with checks beyond the rules of a schema: `steps` is the
    /// path of the field, and `rule` names the violated rule.
    #[must_use]
    pub fn for_field(steps: Vec<PathStep>, rule: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Path::from_steps(PathRoot::Body, steps), rule, ViolationKind::Schema, message)
    }

    /// Returns the message, one line in plain words. It contains measurements of the value, not the value, except the
    /// unknown value of an enum that is not secret, escaped and truncated.
    ///
    /// The message is created on demand: a value may have many violations, and a program may need only the rules.
    #[must_use]
    pub fn message(&self) -> Cow<'_, str> {
        match (&self.text, &self.constraint) {
            (Some(text), _) => Cow::Borrowed(text),
            (None, Some(constraint)) => constraint.message(),
            (None, None) => Cow::Borrowed("is invalid"),
        }
    }

    /// Returns the line of the schema that defines the rule, such as `event.yaml:42`. It is looked up by the path.
    #[must_use]
    pub fn schema(&self) -> Option<&'static str> {
        match self.source {
            RuleSource::Unknown => None,
            RuleSource::Line(line) => Some(line),
            RuleSource::Field(shape, sources) => {
                let (resource, member) = owning_field(shape, &self.path);
                sources.line(resource, member)
            }
        }
    }

    /// Looks up the line of the schema, before the path gets names that are not those of the schema.
    pub(crate) fn resolve_source(&mut self) {
        self.source = self.schema().map_or(RuleSource::Unknown, RuleSource::Line);
    }

    /// Returns whether the violation rejects the value.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl PartialEq for Violation {
    fn eq(&self, other: &Self) -> bool {
        let Self { path, rule, reason, severity, kind, constraint, position, source: _, text, depends_on, offset } =
            self;
        *path == other.path
            && *rule == other.rule
            && *reason == other.reason
            && *severity == other.severity
            && *kind == other.kind
            && *constraint == other.constraint
            && *position == other.position
            && *text == other.text
            && *depends_on == other.depends_on
            && *offset == other.offset
            && self.schema() == other.schema()
    }
}

impl fmt::Debug for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Violation")
            .field("path", &self.path)
            .field("rule", &self.rule)
            .field("severity", &self.severity)
            .field("kind", &self.kind)
            .field("constraint", &self.constraint)
            .field("position", &self.position)
            .field("schema", &self.schema())
            .field("message", &self.message())
            .finish_non_exhaustive()
    }
}

/// Formats one line: `attendees[3].email: must be a mail address (format) at line 1 column 9`.
impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.severity == Severity::Warning {
            f.write_str("warning: ")?;
        }
        match self.path.root() {
            PathRoot::Parameter(_) => write!(f, "parameter {}: ", self.path)?,
            PathRoot::Header(_) => write!(f, "header {}: ", self.path)?,
            PathRoot::Body if self.path.steps().is_empty() => {}
            PathRoot::Body => write!(f, "{}: ", self.path)?,
        }
        f.write_str(&self.message())?;
        write!(f, " ({})", self.rule)?;
        if let Some(place) = self.position {
            write!(f, " at line {} column {}", place.line, place.column)?;
        }
        Ok(())
    }
}

impl Serialize for Violation {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        let within = match self.path.root() {
            PathRoot::Parameter(_) => "parameter",
            PathRoot::Header(_) => "header",
            PathRoot::Body => "body",
        };
        map.serialize_entry("in", within)?;
        map.serialize_entry("path", &self.path.to_string())?;
        map.serialize_entry("rule", self.rule)?;
        map.serialize_entry("message", &self.message())?;
        map.serialize_entry("severity", self.severity.name())?;
        map.serialize_entry("kind", self.kind.name())?;
        if let Some(constraint) = &self.constraint {
            map.serialize_entry("constraint", constraint)?;
        }
        if let Some(TextPosition { line, column }) = self.position {
            map.serialize_entry("line", &line)?;
            map.serialize_entry("column", &column)?;
        }
        if let Some(schema) = self.schema() {
            map.serialize_entry("schema", schema)?;
        }
        map.end()
    }
}
