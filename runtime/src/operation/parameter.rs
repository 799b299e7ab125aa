//! Parameters of an operation.

use std::borrow::Cow;

use super::Role;
use crate::names::Spelling;
use crate::request::FromParameter;

/// A parameter of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name on the wire.
    pub name: Spelling,
    /// Where it stands.
    pub location: Location,
    /// What stands between the values of a list that share one parameter; without it the parameter is repeated.
    pub delimiter: Option<Delimiter>,
    /// Whether each member of a resource has a parameter of its own, with its name in brackets.
    pub deep: bool,
    /// How its values are written, where it is not as in other parameters of its place.
    pub expansion: Option<Expansion>,
    /// The one value that it has, where it is sent unasked: requests have no member for it.
    pub constant: Option<Constant>,
    /// What clients and servers know it as, where every operation takes it.
    pub role: Option<Role>,
}

/// How values, or members with their names, are written in one parameter or in several (RFC 6570, section 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// Names and values of members with commas between them: `size,3,open,true`.
    Pairs,
    /// Members with commas between them: `size=3,open=true`.
    Assigned,
    /// A parameter of the query for each member: these, or all that no other parameter is where there are none.
    Members(&'static [&'static str]),
    /// A dot in front: `.a,b`, or `.a.b`.
    Label {
        /// Whether one stands in front of each value.
        each: bool,
    },
    /// A semicolon and the name in front: `;ids=a,b`, or `;ids=a;ids=b`.
    Matrix {
        /// Whether they stand in front of each value.
        each: bool,
    },
}

/// The one value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    /// As it is on the wire, decoded; a value of an enum can have several spellings.
    pub text: Spelling,
    /// What texts are compared as.
    pub kind: ConstantKind,
    /// Whether every request must have it.
    pub required: bool,
}

/// What the texts of a parameter with one value are compared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantKind {
    /// Letter by letter: texts, whole numbers and the values of enums have one text for each of their spellings.
    Text,
    /// As `true` or `false`, which other parameters take in any case, and as `1` and `0`.
    Bool,
    /// As a number that may have a fraction: `1`, `1.0` and `1e0` are the same.
    Float,
}

impl Constant {
    /// Whether a text is this value, read as any other parameter of its type is.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        self.text.is(text)
            || match self.kind {
                ConstantKind::Text => false,
                ConstantKind::Bool => same::<bool>(self.text.name, text),
                ConstantKind::Float => same::<f64>(self.text.name, text),
            }
    }
}

fn same<T: FromParameter + PartialEq>(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|text| T::from_parameter(Cow::Borrowed(text)).ok());
    one.is_some() && one == other
}

impl Parameter {
    /// A parameter of that name and place, whose lists are repeated.
    #[must_use]
    pub const fn new(location: Location, name: &'static str) -> Self {
        Self {
            name: Spelling::new(name),
            location,
            delimiter: None,
            deep: false,
            expansion: None,
            constant: None,
            role: None,
        }
    }

    /// A parameter in the path.
    #[must_use]
    pub const fn path(name: &'static str) -> Self {
        Self::new(Location::Path, name)
    }

    /// A parameter in the query.
    #[must_use]
    pub const fn query(name: &'static str) -> Self {
        Self::new(Location::Query, name)
    }

    /// A parameter in a header.
    #[must_use]
    pub const fn header(name: &'static str) -> Self {
        Self::new(Location::Header, name)
    }

    /// A parameter in a cookie.
    #[must_use]
    pub const fn cookie(name: &'static str) -> Self {
        Self::new(Location::Cookie, name)
    }

    /// Parameters of which nothing more is to be said than a name: so many in the path, and the others in the query. A list
    /// of texts is less for the compiler to look at than a call for each.
    #[must_use]
    pub const fn of_path_and_query<const N: usize>(in_path: usize, names: [&'static str; N]) -> [Self; N] {
        let mut parameters = [Self::query(""); N];
        let mut index = 0;
        while index < N {
            parameters[index].name.name = names[index];
            if index < in_path {
                parameters[index].location = Location::Path;
            }
            index += 1;
        }
        parameters
    }

    /// With other spellings.
    #[must_use]
    pub const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.name.aliases = aliases;
        self
    }

    /// Adds what clients and servers know it as.
    #[must_use]
    pub const fn role(mut self, role: Role) -> Self {
        self.role = Some(role);
        self
    }

    /// With a parameter for each member of a resource.
    #[must_use]
    pub const fn deep(mut self) -> Self {
        self.deep = true;
        self
    }

    /// With another way to write its values.
    #[must_use]
    pub const fn expanded(mut self, expansion: Expansion) -> Self {
        self.expansion = Some(expansion);
        self
    }

    /// With one value alone, which is sent unasked, and which every request must have where it is required.
    #[must_use]
    pub const fn constant(mut self, text: &'static str, required: bool) -> Self {
        self.constant = Some(Constant { text: Spelling::new(text), kind: ConstantKind::Text, required });
        self
    }

    /// With other spellings of its one value.
    #[must_use]
    pub const fn constant_aliases(mut self, aliases: &'static [&'static str]) -> Self {
        if let Some(constant) = &mut self.constant {
            constant.text.aliases = aliases;
        }
        self
    }

    /// With one value that is compared as what it is, and not letter by letter.
    #[must_use]
    pub const fn constant_kind(mut self, kind: ConstantKind) -> Self {
        if let Some(constant) = &mut self.constant {
            constant.kind = kind;
        }
        self
    }

    /// With commas between the values of a list.
    #[must_use]
    pub const fn commas(mut self) -> Self {
        self.delimiter = Some(Delimiter::Comma);
        self
    }

    /// With spaces between the values of a list.
    #[must_use]
    pub const fn spaces(mut self) -> Self {
        self.delimiter = Some(Delimiter::Space);
        self
    }

    /// With vertical bars between the values of a list.
    #[must_use]
    pub const fn pipes(mut self) -> Self {
        self.delimiter = Some(Delimiter::Pipe);
        self
    }
}

/// What stands between the values of a list in one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// A comma, bare on the wire: one that is encoded is part of a value (RFC 6570, section 3.2.1).
    Comma,
    /// A space, which no value can have: addresses hold none that is not encoded (RFC 3986, section 2).
    Space,
    /// A vertical bar, which no value can have: addresses hold none that is not encoded, though some senders do so.
    Pipe,
}

impl Delimiter {
    /// As it is once it is decoded.
    #[must_use]
    pub const fn character(self) -> char {
        match self {
            Self::Comma => ',',
            Self::Space => ' ',
            Self::Pipe => '|',
        }
    }
}

/// Where a parameter stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In a header.
    Header,
    /// In a cookie.
    Cookie,
}
