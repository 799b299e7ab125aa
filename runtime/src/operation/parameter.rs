//! Parameters of an operation.

use std::borrow::Cow;

use super::Role;
use crate::from_parameter::FromParameter;
use crate::naming::AliasedName;

/// Parameter of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name on the wire.
    pub name: AliasedName,
    /// Location of the parameter.
    pub location: ParameterLocation,
    /// Delimiter of the values of a list in one parameter; without it the parameter is repeated.
    pub delimiter: Option<Delimiter>,
    /// True if each field of a resource is a separate parameter, with its name in brackets.
    pub deep_object: bool,
    /// Style of its values, if it is not the default of the location.
    pub expansion: Option<Expansion>,
    /// Constant value that is always sent: requests have no field for it.
    pub constant: Option<Constant>,
    /// Role of a standard parameter, by which clients and servers know it.
    pub role: Option<Role>,
}

/// Style of values, or of fields with their names, in one or several parameters (RFC 6570, section 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// Names and values of fields, separated by commas: `size,3,open,true`.
    Pairs,
    /// Fields, separated by commas: `size=3,open=true`.
    Assignments,
    /// Separate query parameter for each field: these, or if empty, all that are not the name of another parameter.
    Members(&'static [&'static str]),
    /// Values with a leading dot: `.a,b`, or `.a.b`.
    Label {
        /// True if a dot precedes each value.
        explode: bool,
    },
    /// Values with a leading semicolon and name: `;ids=a,b`, or `;ids=a;ids=b`.
    Matrix {
        /// True if they precede each value.
        explode: bool,
    },
}

/// Description of the only value that a parameter may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Decoded text on the wire; the value of an enum can have aliases.
    pub text: AliasedName,
    /// Type by which texts are compared.
    pub kind: ConstantKind,
    /// True if every request must have it.
    pub required: bool,
}

/// Type by which the texts of a constant parameter are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantKind {
    /// Exact text: strings, integers and enum values have one text for each alias.
    Text,
    /// `true` or `false` in any case, or `1` and `0`, as for other parameters.
    Bool,
    /// Number with an optional fraction: `1`, `1.0` and `1e0` are equal.
    Float,
}

impl Constant {
    /// Returns whether a text is this value, parsed like any other parameter of its type.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        self.text.matches(text)
            || match self.kind {
                ConstantKind::Text => false,
                ConstantKind::Bool => parse_equal::<bool>(self.text.name, text),
                ConstantKind::Float => parse_equal::<f64>(self.text.name, text),
            }
    }
}

/// Returns whether two texts parse to equal values, such as `1` and `1.0`; false if either is invalid.
fn parse_equal<T: FromParameter + PartialEq>(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|text| T::from_parameter(Cow::Borrowed(text)).ok());
    one.is_some() && one == other
}

impl Parameter {
    /// Creates a parameter with a name and a location, whose lists are repeated.
    #[must_use]
    pub const fn new(location: ParameterLocation, name: &'static str) -> Self {
        Self {
            name: AliasedName::new(name),
            location,
            delimiter: None,
            deep_object: false,
            expansion: None,
            constant: None,
            role: None,
        }
    }

    /// Creates a path parameter.
    #[must_use]
    pub const fn path(name: &'static str) -> Self {
        Self::new(ParameterLocation::Path, name)
    }

    /// Creates a query parameter.
    #[must_use]
    pub const fn query(name: &'static str) -> Self {
        Self::new(ParameterLocation::Query, name)
    }

    /// Creates a header parameter.
    #[must_use]
    pub const fn header(name: &'static str) -> Self {
        Self::new(ParameterLocation::Header, name)
    }

    /// Creates a cookie parameter.
    #[must_use]
    pub const fn cookie(name: &'static str) -> Self {
        Self::new(ParameterLocation::Cookie, name)
    }

    /// Creates parameters that have only a name: the first `in_path` in the path, and the others in the query. A list
    /// of texts compiles faster than a call for each.
    #[must_use]
    pub const fn of_path_and_query<const N: usize>(in_path: usize, names: [&'static str; N]) -> [Self; N] {
        let mut parameters = [Self::query(""); N];
        let mut index = 0;
        while index < N {
            parameters[index].name.name = names[index];
            if index < in_path {
                parameters[index].location = ParameterLocation::Path;
            }
            index += 1;
        }
        parameters
    }

    /// Sets the further accepted names of the parameter.
    #[must_use]
    pub const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.name.aliases = aliases;
        self
    }

    /// Sets the role that clients and servers know the parameter by.
    #[must_use]
    pub const fn role(mut self, role: Role) -> Self {
        self.role = Some(role);
        self
    }

    /// Makes each field of a resource a separate parameter.
    #[must_use]
    pub const fn deep_object(mut self) -> Self {
        self.deep_object = true;
        self
    }

    /// Sets the style of its values.
    #[must_use]
    pub const fn with_expansion(mut self, expansion: Expansion) -> Self {
        self.expansion = Some(expansion);
        self
    }

    /// Sets the constant value, which is always sent, and whether every request must have it.
    #[must_use]
    pub const fn constant(mut self, text: &'static str, required: bool) -> Self {
        self.constant = Some(Constant { text: AliasedName::new(text), kind: ConstantKind::Text, required });
        self
    }

    /// Sets the aliases of the constant value.
    #[must_use]
    pub const fn constant_aliases(mut self, aliases: &'static [&'static str]) -> Self {
        if let Some(constant) = &mut self.constant {
            constant.text.aliases = aliases;
        }
        self
    }

    /// Sets how the constant value is compared: as text, as a boolean or as a number.
    #[must_use]
    pub const fn constant_kind(mut self, kind: ConstantKind) -> Self {
        if let Some(constant) = &mut self.constant {
            constant.kind = kind;
        }
        self
    }

    /// Joins the values of a list with commas.
    #[must_use]
    pub const fn commas(mut self) -> Self {
        self.delimiter = Some(Delimiter::Comma);
        self
    }

    /// Joins the values of a list with spaces.
    #[must_use]
    pub const fn spaces(mut self) -> Self {
        self.delimiter = Some(Delimiter::Space);
        self
    }

    /// Joins the values of a list with vertical bars.
    #[must_use]
    pub const fn pipes(mut self) -> Self {
        self.delimiter = Some(Delimiter::Pipe);
        self
    }
}

/// Delimiter of the values of a list in one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// Comma, not encoded on the wire: an encoded one is part of a value (RFC 6570, section 3.2.1).
    Comma,
    /// Space, encoded on the wire (RFC 3986, section 2), which no value can contain.
    Space,
    /// Vertical bar, which no value can contain. It is encoded on the wire, though some senders do not encode it.
    Pipe,
}

impl Delimiter {
    /// Returns the character that separates the values, before it is percent-encoded.
    #[must_use]
    pub const fn character(self) -> char {
        match self {
            Self::Comma => ',',
            Self::Space => ' ',
            Self::Pipe => '|',
        }
    }
}

/// Location of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterLocation {
    /// Path.
    Path,
    /// Query.
    Query,
    /// Header.
    Header,
    /// Cookie.
    Cookie,
}
