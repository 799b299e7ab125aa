//! Parameters of requests, and headers of responses.

use std::collections::BTreeMap;

use super::{Constraints, Deprecated, Doc, Literal, Name, ParameterRole, Role, Type};

/// Parameter of an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Key in the schema, which conditions use as its name.
    pub key: String,
    /// Name.
    pub name: Name,
    /// Setter of the call.
    pub setter: String,
    /// Location in the request.
    pub location: Location,
    /// Description.
    pub doc: Doc,
    /// Type.
    pub ty: Type,
    /// True if every request must have it.
    pub required: bool,
    /// Default for an absent value.
    pub default: Option<Literal>,
    /// Example.
    pub example: Option<Literal>,
    /// Constraints on its values.
    pub constraints: Constraints,
    /// Serialization of lists and structured values.
    pub style: ListStyle,
    /// Role, if it is a standard parameter that clients and servers know.
    pub role: Option<ParameterRole>,
    /// Alternative names that are accepted.
    pub aliases: Vec<String>,
    /// Deprecation.
    pub deprecated: Option<Deprecated>,
    /// Source of the fact, if it is not the specification.
    pub origin: Option<String>,
    /// Sources of single facts that differ from `origin`, by their keys in the schema.
    pub origins: BTreeMap<String, String>,
}

/// Location of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// Path.
    Path,
    /// Query.
    Query,
    /// Header.
    Header,
    /// Cookie.
    Cookie,
}

/// Serialization of lists and structured values in a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListStyle {
    /// Repeated parameter.
    Repeat,
    /// One parameter with comma-separated values.
    Comma,
    /// One parameter with space-separated values.
    Space,
    /// One parameter with values separated by vertical bars.
    Pipe,
    /// One parameter for each field of a resource, with the field's name in brackets.
    Deep,
    /// One parameter for each leaf value, with its path in brackets.
    Brackets,
    /// One parameter that holds JSON.
    Json,
    /// One parameter with comma-separated names and values of fields.
    Pairs,
    /// One parameter with comma-separated `name=value` pairs.
    Assigned,
    /// One parameter for each field of a resource or entry of a map, with its name.
    Members,
    /// Path label: a dot before the value, or before each value.
    Label {
        /// True if the dot is before each value.
        each: bool,
    },
    /// Path matrix: a semicolon and the name before the value, or before each value.
    Matrix {
        /// True if they are before each value.
        each: bool,
    },
}

impl Parameter {
    /// Returns whether it is constant and sent automatically: request structs have no field for it.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.constraints.constant.is_some()
    }

    /// Returns whether it has a role.
    #[must_use]
    pub fn has_role(&self, role: Role) -> bool {
        self.role.as_ref().is_some_and(|own| own.role == role)
    }

    /// Returns whether it serializes a structured value instead of texts.
    #[must_use]
    pub fn is_structured(&self) -> bool {
        match self.style {
            ListStyle::Deep
            | ListStyle::Brackets
            | ListStyle::Json
            | ListStyle::Pairs
            | ListStyle::Assigned
            | ListStyle::Members => true,
            ListStyle::Label { .. } | ListStyle::Matrix { .. } => matches!(self.ty, Type::Resource(_) | Type::Map(_)),
            ListStyle::Repeat | ListStyle::Comma | ListStyle::Space | ListStyle::Pipe => false,
        }
    }
}
