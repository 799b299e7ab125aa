//! Parameters of an operation.

use crate::names::Spelling;

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
    /// The one value that it has, where it is sent unasked: requests have no member for it.
    pub constant: Option<Constant>,
}

/// The one value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    /// As it is on the wire, decoded.
    pub text: &'static str,
    /// Whether every request must have it.
    pub required: bool,
}

impl Parameter {
    /// A parameter of that name and place, whose lists are repeated.
    #[must_use]
    pub const fn new(location: Location, name: &'static str) -> Self {
        Self { name: Spelling::new(name), location, delimiter: None, deep: false, constant: None }
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

    /// With other spellings.
    #[must_use]
    pub const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.name.aliases = aliases;
        self
    }

    /// With a parameter for each member of a resource.
    #[must_use]
    pub const fn deep(mut self) -> Self {
        self.deep = true;
        self
    }

    /// With one value alone, which is sent unasked, and which every request must have where it is required.
    #[must_use]
    pub const fn constant(mut self, text: &'static str, required: bool) -> Self {
        self.constant = Some(Constant { text, required });
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
