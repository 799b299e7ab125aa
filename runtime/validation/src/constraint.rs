//! What a value must satisfy, with the figures: for people a sentence, for machines an object.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use serde::ser::{Serialize, Serializer};

mod wire;

use crate::formats::Format;
use crate::path::quoted;

/// What a value does not satisfy. It holds the figures of the schema and measures of the value, never the value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Constraint {
    /// So many code points.
    Length(Bounds),
    /// So many bytes.
    Bytes(Bounds),
    /// So many elements.
    Items(Bounds),
    /// A pattern that all of the text matches.
    Pattern(&'static str),
    /// What the text is.
    Format(Format),
    /// The schemes that a URI can have.
    Schemes(&'static [&'static str]),
    /// The least and the greatest number.
    Range {
        /// The least.
        min: Option<Figure>,
        /// The greatest.
        max: Option<Figure>,
    },
    /// The number is a multiple of this one.
    MultipleOf(Figure),
    /// No element occurs twice.
    Unique {
        /// The element of which this one is a copy.
        copy_of: usize,
    },
    /// The member must be there.
    Required,
    /// The member stays: null in a merge patch does not remove it.
    Kept,
    /// The only value, as JSON writes it.
    Constant(&'static str),
    /// One of the values that the schema knows.
    Known {
        /// The name of the enum.
        of: &'static str,
        /// The value, cut and escaped, unless it is secret.
        found: Option<String>,
    },
    /// One of the variants of a union that the schema knows.
    Variant {
        /// The name of the union.
        of: &'static str,
        /// The member whose value tells the variant; none if the shape does.
        discriminator: Option<&'static str>,
        /// The first of the variants, by name.
        variants: Vec<&'static str>,
    },
    /// A value that a client does not send.
    NotSendable(&'static str),
    /// A value or a member on its way out.
    Deprecated {
        /// The value; none if it is the member.
        value: Option<&'static str>,
        /// What takes its place.
        instead: Option<&'static str>,
    },
    /// The member keeps the value that it had when the resource was made.
    Immutable,
    /// The member is the server's alone.
    OutputOnly,
    /// The server keeps what is stored.
    Ignored,
    /// A parameter that does not go with another one.
    Forbidden {
        /// The other one.
        beside: &'static str,
        /// The value that does not, as JSON writes it; none if it is any.
        value: Option<&'static str>,
    },
    /// A step from one state to another that does not happen.
    Transition,
    /// A condition that cannot be evaluated, and why.
    Unevaluated(String),
}

/// A range with both ends inside, and what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The least.
    pub least: usize,
    /// The greatest; `usize::MAX` if there is none.
    pub most: usize,
    /// What the value has, unless it is secret.
    pub found: Option<usize>,
}

/// A number of the schema.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// An integer.
    Int(i64),
    /// An integer that is not negative.
    Uint(u64),
    /// A floating-point number.
    Float(f64),
    /// A decimal number, as it is written.
    Decimal(&'static str),
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            Self::Uint(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
            Self::Decimal(value) => value.fmt(f),
        }
    }
}

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Int(value) => s.serialize_i64(*value),
            Self::Uint(value) => s.serialize_u64(*value),
            Self::Float(value) => s.serialize_f64(*value),
            Self::Decimal(value) => s.serialize_str(value),
        }
    }
}

/// The range as the schema writes it: `5..=1024`, `1..`, `..=40`.
impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.least > 0 {
            self.least.fmt(f)?;
        }
        f.write_str("..")?;
        if self.most < usize::MAX { write!(f, "={}", self.most) } else { Ok(()) }
    }
}

impl Constraint {
    /// Returns the id of the rule, which is the key in the schema where there is one.
    #[must_use]
    pub const fn rule(&self) -> &'static str {
        match self {
            Self::Length(_) | Self::Bytes(_) => "length",
            Self::Items(_) => "items",
            Self::Pattern(_) => "pattern",
            Self::Format(_) => "format",
            Self::Schemes(_) => "schemes",
            Self::Range { min: Some(_), max: Some(_) } => "range",
            Self::Range { max: None, .. } => "min",
            Self::Range { min: None, .. } => "max",
            Self::MultipleOf(_) => "multiple_of",
            Self::Unique { .. } => "unique",
            Self::Required | Self::Kept => "required",
            Self::Constant(_) => "constant",
            Self::Known { .. } => "known_value",
            Self::Variant { .. } => "known_variant",
            Self::NotSendable(_) => "sendable_value",
            Self::Deprecated { .. } => "deprecated",
            Self::Immutable => "immutable",
            Self::OutputOnly => "output_only",
            Self::Ignored => "effective_when",
            Self::Forbidden { .. } => "forbids",
            Self::Transition => "states",
            Self::Unevaluated(_) => "unevaluated",
        }
    }

    /// What is wrong, in words.
    pub(crate) fn message(&self) -> Cow<'static, str> {
        let fixed = match self {
            Self::Required => "is required",
            Self::Kept => "cannot be null: it is required, and null removes it",
            Self::Immutable => "cannot be changed after creation",
            Self::OutputOnly => "is set by the server and cannot be sent",
            Self::Ignored => "has no effect here: the server keeps what is stored",
            Self::Transition => "cannot change to this state",
            Self::Format(format) => format.message(),
            _ => return Cow::Owned(self.figures()),
        };
        Cow::Borrowed(fixed)
    }

    fn figures(&self) -> String {
        match self {
            Self::Length(bounds) => bounds.sentence("must have", "character", "characters"),
            Self::Bytes(bounds) => bounds.sentence("must have", "byte", "bytes"),
            Self::Items(bounds) => bounds.sentence("must have", "element", "elements"),
            Self::Pattern(pattern) => format!("must match the pattern `{pattern}`"),
            Self::Schemes(schemes) => format!("must be a URI whose scheme is {}", alternatives(schemes)),
            Self::Range { min: Some(min), max: Some(max) } => format!("must be {min} to {max}"),
            Self::Range { min: Some(min), .. } => format!("must be at least {min}"),
            Self::Range { max: Some(max), .. } => format!("must be at most {max}"),
            Self::MultipleOf(of) => format!("must be a multiple of {of}"),
            Self::Unique { copy_of } => format!("occurs twice: it is the same as element {copy_of}"),
            Self::Constant(value) => format!("must be {value}"),
            Self::Known { of, found: Some(found) } => format!("{found} is not a value of {of}"),
            Self::Known { of, found: None } => format!("is not a value of {of}"),
            Self::Variant { discriminator: Some(member), variants, .. } => {
                format!("must have a member `{member}` that is {}", alternatives(variants))
            }
            Self::Variant { discriminator: None, of, variants } => {
                format!("is not a value of {of}: it must be {}", alternatives(variants))
            }
            Self::NotSendable(value) => format!("the value {value} is set by the server and cannot be sent"),
            Self::Deprecated { value, instead } => deprecated(*value, *instead),
            Self::Forbidden { beside, value: None } => format!("cannot be given beside `{beside}`"),
            Self::Forbidden { beside, value: Some(value) } => format!("cannot be {value} beside `{beside}`"),
            Self::Unevaluated(fault) => format!("the condition cannot be evaluated: {fault}"),
            _ => String::from("is wrong"),
        }
    }

    /// Creates the constraint of a value of an enum that is not known.
    pub(crate) fn known(of: &'static str, found: &str, secret: bool) -> Self {
        Self::Known { of, found: (!secret).then(|| quoted(found)) }
    }

    /// Forgets what was measured.
    pub(crate) fn redact(&mut self) {
        match self {
            Self::Length(bounds) | Self::Bytes(bounds) | Self::Items(bounds) => bounds.found = None,
            Self::Known { found, .. } => *found = None,
            _ => {}
        }
    }
}

fn deprecated(value: Option<&str>, instead: Option<&str>) -> String {
    let mut text = value.map_or_else(|| "is deprecated".to_owned(), |value| format!("the value {value} is deprecated"));
    if let Some(instead) = instead {
        // Writing to a string does not fail.
        let _ = write!(text, ": use {instead}");
    }
    text
}

/// `http`, `http or https`, `a, b or c`.
fn alternatives(words: &[&str]) -> String {
    match words {
        [] => "none".to_owned(),
        [only] => (*only).to_owned(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}

impl Bounds {
    fn sentence(&self, verb: &str, one: &str, many: &str) -> String {
        let Self { least, most, found } = *self;
        let unit = |count: usize| if count == 1 { one } else { many };
        let mut text = match (least, most) {
            (least, most) if least == most => format!("{verb} {least} {}", unit(least)),
            (least, usize::MAX) => format!("{verb} at least {least} {}", unit(least)),
            (0, most) => format!("{verb} at most {most} {}", unit(most)),
            (least, most) => format!("{verb} {least} to {most} {many}"),
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
