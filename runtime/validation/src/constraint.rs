//! Constraints of values with their parameters, as messages for people and objects for machines.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use serde::ser::{Serialize, Serializer};

mod wire;

use crate::formats::Format;
use crate::path::quote_truncated;

/// Violated constraint. It contains the parameters of the schema and measurements of the value, not the value, except
/// the unknown value of an enum: escaped, truncated, and omitted if it is secret.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Constraint {
    /// Number of code points.
    Length(Bounds),
    /// Number of bytes.
    Bytes(Bounds),
    /// Number of elements.
    Items(Bounds),
    /// Pattern that the whole text must match.
    Pattern(&'static str),
    /// Format of a text.
    Format(Format),
    /// Allowed schemes of a URI.
    Schemes(&'static [&'static str]),
    /// Range of a number.
    Range {
        /// Minimum.
        min: Option<SchemaNumber>,
        /// Maximum.
        max: Option<SchemaNumber>,
    },
    /// Number that the value must be greater than.
    Above(SchemaNumber),
    /// Number that the value must be less than.
    Below(SchemaNumber),
    /// Divisor of the number.
    MultipleOf(SchemaNumber),
    /// Distinct elements of a list.
    Unique {
        /// Index of the element that this one duplicates.
        duplicate_of: usize,
    },
    /// Required field.
    Required,
    /// Required field that null in a merge patch must not remove.
    RequiredInPatch,
    /// Constant value, as JSON.
    Constant(&'static str),
    /// Known value of an enum.
    KnownValue {
        /// Name of the enum.
        of: &'static str,
        /// Value, truncated and escaped, unless it is secret.
        found: Option<String>,
    },
    /// Known variant of a union.
    KnownVariant {
        /// Name of the union.
        of: &'static str,
        /// Discriminator; `None` if the shape determines the variant.
        discriminator: Option<&'static str>,
        /// Names of the first variants.
        variants: Vec<&'static str>,
    },
    /// Value that a client must not send.
    NotSendable(&'static str),
    /// Deprecated value or field.
    Deprecated {
        /// Value; `None` for the field.
        value: Option<&'static str>,
        /// Replacement.
        instead: Option<&'static str>,
    },
    /// Field that cannot change after creation.
    Immutable,
    /// Output-only field.
    OutputOnly,
    /// Field without effect: the server ignores its value.
    Ignored {
        /// Condition under which the field has an effect; `None` if it never has one in this operation.
        unless: Option<&'static str>,
    },
    /// Parameter that excludes another one.
    Excludes {
        /// Name of the other parameter.
        other: &'static str,
        /// Excluded value, as JSON; `None` for any value.
        value: Option<&'static str>,
    },
    /// Disallowed transition from one state to another.
    Transition,
    /// Condition that cannot be evaluated, with the reason.
    NotEvaluated(String),
}

/// Inclusive range, with the measured value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Minimum.
    pub min: usize,
    /// Maximum; `usize::MAX` if there is none.
    pub max: usize,
    /// Measured value, unless it is secret.
    pub actual: Option<usize>,
}

/// Number of any type in the schema, such as a minimum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SchemaNumber {
    /// Integer.
    Int(i64),
    /// Integer that is not negative.
    Uint(u64),
    /// Floating-point number.
    Float(f64),
    /// Decimal number, as its text.
    Decimal(&'static str),
}

impl fmt::Display for SchemaNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            Self::Uint(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
            Self::Decimal(value) => value.fmt(f),
        }
    }
}

impl Serialize for SchemaNumber {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Int(value) => s.serialize_i64(*value),
            Self::Uint(value) => s.serialize_u64(*value),
            Self::Float(value) => s.serialize_f64(*value),
            Self::Decimal(value) => s.serialize_str(value),
        }
    }
}

/// Formats the range as in the schema: `5..=1024`, `1..`, `..=40`.
impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.min > 0 {
            self.min.fmt(f)?;
        }
        f.write_str("..")?;
        if self.max < usize::MAX { write!(f, "={}", self.max) } else { Ok(()) }
    }
}

impl Constraint {
    /// Returns the id of the rule, which is the key in the schema if there is one.
    #[must_use]
    pub const fn rule_id(&self) -> &'static str {
        match self {
            Self::Length(_) | Self::Bytes(_) => "length",
            Self::Items(_) => "items",
            Self::Pattern(_) => "pattern",
            Self::Format(_) => "format",
            Self::Schemes(_) => "schemes",
            Self::Range { min: Some(_), max: Some(_) } => "range",
            Self::Range { max: None, .. } | Self::Above(_) => "min",
            Self::Range { min: None, .. } | Self::Below(_) => "max",
            Self::MultipleOf(_) => "multiple_of",
            Self::Unique { .. } => "unique",
            Self::Required | Self::RequiredInPatch => "required",
            Self::Constant(_) => "constant",
            Self::KnownValue { .. } => "known_value",
            Self::KnownVariant { .. } => "known_variant",
            Self::NotSendable(_) => "sendable_value",
            Self::Deprecated { .. } => "deprecated",
            Self::Immutable => "immutable",
            Self::OutputOnly => "output_only",
            Self::Ignored { .. } => "effective_when",
            Self::Excludes { .. } => "forbids",
            Self::Transition => "states",
            Self::NotEvaluated(_) => "unevaluated",
        }
    }

    /// Returns the message.
    pub(crate) fn message(&self) -> Cow<'static, str> {
        let fixed = match self {
            Self::Required => "is required",
            Self::RequiredInPatch => "cannot be null: it is required, and null removes it",
            Self::Immutable => "cannot be changed after creation",
            Self::OutputOnly => "is set by the server and cannot be sent",
            Self::Ignored { unless: None } => "has no effect in this operation: the server ignores it",
            Self::Transition => "cannot change to this state",
            Self::Format(format) => format.message(),
            _ => return Cow::Owned(self.parameter_message()),
        };
        Cow::Borrowed(fixed)
    }

    /// Formats the message of a constraint that has values of its own, such as bounds.
    fn parameter_message(&self) -> String {
        match self {
            Self::Length(bounds) => bounds.message_of("must have", "character", "characters"),
            Self::Bytes(bounds) => bounds.message_of("must have", "byte", "bytes"),
            Self::Items(bounds) => bounds.message_of("must have", "element", "elements"),
            Self::Pattern(pattern) => format!("must match the pattern `{pattern}`"),
            Self::Schemes(schemes) => format!("must be a URI whose scheme is {}", alternatives(schemes)),
            Self::Range { min: Some(min), max: Some(max) } => format!("must be {min} to {max}"),
            Self::Range { min: Some(min), .. } => format!("must be at least {min}"),
            Self::Range { max: Some(max), .. } => format!("must be at most {max}"),
            Self::Above(end) => format!("must be greater than {end}"),
            Self::Below(end) => format!("must be less than {end}"),
            Self::MultipleOf(of) => format!("must be a multiple of {of}"),
            Self::Unique { duplicate_of: copy_of } => format!("must be unique, but equals element {copy_of}"),
            Self::Constant(value) => format!("must be {value}"),
            Self::KnownValue { of, found: Some(found) } => format!("{found} is not a value of {of}"),
            Self::KnownValue { of, found: None } => format!("is not a value of {of}"),
            Self::KnownVariant { discriminator: Some(member), variants, .. } => {
                format!("must have a field `{member}` that is {}", alternatives(variants))
            }
            Self::KnownVariant { discriminator: None, of, variants } => {
                format!("is not a value of {of}: it must be {}", alternatives(variants))
            }
            Self::NotSendable(value) => format!("must not be `{value}` in a request"),
            Self::Deprecated { value, instead } => deprecated(*value, *instead),
            Self::Ignored { unless: Some(condition) } => {
                format!("has no effect unless `{condition}`: the server ignores it")
            }
            Self::Excludes { other, value: None } => format!("cannot be combined with `{other}`"),
            Self::Excludes { other, value: Some(value) } => {
                format!("cannot be {value} in combination with `{other}`")
            }
            Self::NotEvaluated(fault) => format!("the condition cannot be evaluated: {fault}"),
            _ => String::from("is invalid"),
        }
    }

    /// Creates the constraint of an unknown value of an enum.
    pub(crate) fn known(of: &'static str, found: &str, secret: bool) -> Self {
        Self::KnownValue { of, found: (!secret).then(|| quote_truncated(found)) }
    }

    /// Removes the measurements.
    pub(crate) fn redact(&mut self) {
        match self {
            Self::Length(bounds) | Self::Bytes(bounds) | Self::Items(bounds) => bounds.actual = None,
            Self::KnownValue { found, .. } => *found = None,
            _ => {}
        }
    }
}

/// Formats the message about a deprecated field, or a deprecated value of it, with its replacement if there is one.
fn deprecated(value: Option<&str>, instead: Option<&str>) -> String {
    let mut text = value.map_or_else(|| "is deprecated".to_owned(), |value| format!("the value {value} is deprecated"));
    if let Some(instead) = instead {
        // Writing to a string does not fail.
        let _ = write!(text, ": use {instead}");
    }
    text
}

/// Joins words: `http`, `http or https`, `a, b or c`.
fn alternatives(words: &[&str]) -> String {
    match words {
        [] => "none".to_owned(),
        [only] => (*only).to_owned(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}

impl Bounds {
    /// Formats a message such as `must have 1 to 5 characters, found 9`, with the unit in singular and plural.
    fn message_of(&self, verb: &str, one: &str, many: &str) -> String {
        let Self { min, max, actual: found } = *self;
        let unit = |count: usize| if count == 1 { one } else { many };
        let mut text = match (min, max) {
            (min, max) if min == max => format!("{verb} {min} {}", unit(min)),
            (min, usize::MAX) => format!("{verb} at least {min} {}", unit(min)),
            (0, max) => format!("{verb} at most {max} {}", unit(max)),
            (min, max) => format!("{verb} {min} to {max} {many}"),
        };
        if let Some(found) = found {
            // Writing to a string does not fail.
            let _ = write!(text, ", found {found}");
        }
        text
    }
}

#[cfg(test)]
mod tests;
