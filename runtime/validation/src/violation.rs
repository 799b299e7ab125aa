//! One thing that is wrong with a value.

use std::borrow::Cow;
use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::constraint::Constraint;
use crate::path::{Path, PathStep, Within};

/// What a violation leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The value is refused.
    Error,
    /// The value passes, and the violation is told.
    Warning,
}

/// What kind of violation it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A value of the right type breaks a rule of the schema.
    Schema,
    /// A value has not the type of its member.
    Type,
    /// The text is not JSON, or more than is read.
    Syntax,
}

/// One thing that is wrong with a value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Violation {
    /// The member at fault.
    pub path: Path,
    /// The id of the rule: that of the schema, or the key of the constraint.
    pub rule: &'static str,
    /// What it leads to.
    pub severity: Severity,
    /// What kind of violation it is.
    pub kind: Kind,
    /// The constraint with its figures, where the rule is one.
    pub constraint: Option<Constraint>,
    /// Where in the text it is, if there was one.
    pub place: Option<TextPlace>,
    /// The line of the schema that says so, such as `event.yaml:42`.
    pub schema: Option<&'static str>,
    /// What is wrong, where the constraint does not say it already.
    pub(crate) text: Option<Cow<'static, str>>,
    /// What the rule looked at, for a reader that has cut wrong members off.
    pub(crate) looked_at: LookedAt,
    /// Where in the text the value starts, for a reader that has it at hand.
    pub(crate) offset: Option<usize>,
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPlace {
    /// The line, from 1.
    pub line: usize,
    /// The column in bytes, from 1.
    pub column: usize,
}

/// Which members a verdict came from: a verdict about members that could not be read is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LookedAt {
    /// The value at the path, and nothing below it.
    Value,
    /// Which elements the value has.
    Elements,
    /// Whether the value is there.
    Presence,
    /// These members of the value that stands so many steps down the path; all of them if none is named.
    Members { owner: usize, reads: &'static [&'static str] },
}

impl Severity {
    /// As the schema spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

impl Kind {
    /// Returns a word for it.
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
    pub(crate) fn of_constraint(path: Path, severity: Severity, constraint: Constraint) -> Self {
        let looked_at = match constraint {
            Constraint::Required | Constraint::Kept => LookedAt::Presence,
            Constraint::Items(_) => LookedAt::Elements,
            _ => LookedAt::Value,
        };
        Self {
            path,
            rule: constraint.rule(),
            text: None,
            severity,
            kind: Kind::Schema,
            constraint: Some(constraint),
            place: None,
            schema: None,
            looked_at,
            offset: None,
        }
    }

    pub(crate) fn of_text(path: Path, rule: &'static str, kind: Kind, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            path,
            rule,
            text: Some(message.into()),
            severity: Severity::Error,
            kind,
            constraint: None,
            place: None,
            schema: None,
            looked_at: LookedAt::Value,
            offset: None,
        }
    }

    /// Creates an error of a member of the body, for a program that finds more than the rules of a schema can: `steps`
    /// lead to the member, and `rule` names what is broken.
    #[must_use]
    pub fn of_member(steps: Vec<PathStep>, rule: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::of_text(Path::from_steps(Within::Body, steps), rule, Kind::Schema, message)
    }

    /// What is wrong, one line in plain words. It says nothing of the value but its measures.
    ///
    /// The line is made when it is asked for: a value may have many violations, and a program may want the rules alone.
    #[must_use]
    pub fn message(&self) -> Cow<'_, str> {
        match (&self.text, &self.constraint) {
            (Some(text), _) => Cow::Borrowed(text),
            (None, Some(constraint)) => constraint.message(),
            (None, None) => Cow::Borrowed("is wrong"),
        }
    }

    /// Returns whether it refuses the value.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// One line: `attendees[3].email: must be a mail address`.
impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.severity == Severity::Warning {
            f.write_str("warning: ")?;
        }
        match self.path.within() {
            Within::Parameter(_) => write!(f, "parameter {}: ", self.path)?,
            Within::Header(_) => write!(f, "header {}: ", self.path)?,
            Within::Body if self.path.steps().is_empty() => {}
            Within::Body => write!(f, "{}: ", self.path)?,
        }
        f.write_str(&self.message())?;
        write!(f, " ({})", self.rule)?;
        if let Some(place) = self.place {
            write!(f, " at line {} column {}", place.line, place.column)?;
        }
        Ok(())
    }
}

impl Serialize for Violation {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        let within = match self.path.within() {
            Within::Parameter(_) => "parameter",
            Within::Header(_) => "header",
            Within::Body => "body",
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
        if let Some(TextPlace { line, column }) = self.place {
            map.serialize_entry("line", &line)?;
            map.serialize_entry("column", &column)?;
        }
        if let Some(schema) = self.schema {
            map.serialize_entry("schema", schema)?;
        }
        map.end()
    }
}
