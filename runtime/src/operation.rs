//! What is known of an API and its operations beside their types: facts that generated code states once, and that
//! clients and servers work with.

mod errors;
mod operations;
mod parameter;
mod part;
mod profile;
mod role;

use crate::names::Spelling;

pub use errors::{ErrorMember, ErrorMembers};
pub use operations::{count, join};
pub use parameter::{Constant, ConstantKind, Delimiter, Expansion, Location, Parameter};
pub use part::{Part, Spelled};
pub use profile::{Profile, ReasonCase, Reasons};
pub use role::{Role, RoleValues};

/// An API.
#[derive(Debug)]
pub struct Api {
    /// Its name, as in the names of the crates: `calendar`.
    pub name: &'static str,
    /// The version of the interface: `v3`.
    pub version: &'static str,
    /// Its public address, where there is one, without a slash at the end.
    pub root: Option<&'static str>,
    /// The path below which it answers: empty, or with a slash in front and none at the end.
    pub base_path: Spelling,
    /// Other public addresses, in place of `root`.
    pub endpoints: &'static [Endpoint],
    /// The path that takes several requests in one, where there is one.
    pub batch: Option<Batch>,
    /// What tokens can allow; [`ScopeNeed`] refers to places in this list.
    pub scopes: &'static [Scope],
    /// The parameters that every operation takes, each with its role.
    pub standard: &'static [Parameter],
    /// The values of those whose role knows some.
    pub values: RoleValues,
    /// Where the body of an error says what.
    pub errors: ErrorMembers,
}

/// Another public address of an API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Its name, such as that of a region.
    pub name: &'static str,
    /// The address, without a slash at the end.
    pub url: &'static str,
    /// The region it is in, where its name does not say that.
    pub location: Option<&'static str>,
    /// Whether it is for clients that show a certificate of their own (mutual TLS, RFC 8705).
    pub mtls: bool,
}

/// How several requests are sent in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The path, below the root and not below the base path; it begins with a slash and ends with none.
    pub path: &'static str,
    /// How many requests it holds at the most.
    pub max: u32,
}

/// Something that a token can allow.
#[derive(Debug)]
pub struct Scope {
    /// The full address.
    pub url: Spelling,
    /// The short name.
    pub name: &'static str,
}

/// An operation.
#[derive(Debug)]
pub struct Operation {
    /// Its name in the schema: `events.insert`.
    pub name: &'static str,
    /// The HTTP method, in capitals.
    pub method: &'static str,
    /// The segments of the path below the base path.
    pub path: &'static [Segment],
    /// The verb after a colon at the end of the path.
    pub verb: Option<&'static str>,
    /// The parameters, those of the path first.
    pub parameters: &'static [Parameter],
    /// What a token must allow.
    pub scopes: ScopeNeed,
    /// Whether an API key is enough.
    pub api_key: bool,
    /// Whether it changes nothing (RFC 9110, section 9.2.1).
    pub safe: bool,
    /// Whether sending it twice does what sending it once does (RFC 9110, section 9.2.2).
    pub idempotent: bool,
    /// How many quota units it takes.
    pub cost: u32,
}

/// The media that can go up beside the request of an operation.
#[derive(Debug)]
pub struct Media {
    /// The media types that are taken, or ranges of them such as `image/*`; any where there are none.
    pub types: &'static [&'static str],
    /// The most bytes.
    pub max_bytes: Option<u64>,
    /// Where they go up as one request.
    pub simple: Option<UploadWay>,
    /// Where they go up in pieces.
    pub resumable: Option<UploadWay>,
}

/// Where media go up.
#[derive(Debug)]
pub struct UploadWay {
    /// The operation, with a path from the root of the server on instead of one below the base path.
    pub operation: Operation,
    /// Whether the body of the operation can go with the media, as the first part of a `multipart/related`.
    pub multipart: bool,
}

/// A segment of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Fixed text.
    Literal(&'static str),
    /// The parameter of that index fills the segment.
    Variable(usize),
    /// Text and parameters fill the segment.
    Parts(&'static [Part]),
    /// The parameter of that index fills this segment and may hold slashes.
    Rest(usize),
    /// The parameter of that index fills these pieces, and holds the slashes between them.
    Name(usize, &'static [Piece]),
}

/// What stands between two slashes of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Fixed text.
    Literal(&'static str),
    /// A segment with text beside its variables.
    Parts(&'static [Part]),
    /// Any one segment.
    One,
    /// One segment or more; a path has this once at the most.
    Many,
}

impl Operation {
    /// The pieces of the path, whichever parameters fill them.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> + Clone + use<> {
        self.path.iter().flat_map(|segment| segment.pieces())
    }
}

impl Segment {
    /// The pieces that it stands for.
    pub fn pieces(self) -> impl Iterator<Item = Piece> + Clone + use<> {
        let (first, more): (_, &'static [Piece]) = match self {
            Self::Literal(text) => (Some(Piece::Literal(text)), &[]),
            Self::Variable(_) => (Some(Piece::One), &[]),
            Self::Parts(parts) => (Some(Piece::Parts(parts)), &[]),
            Self::Rest(_) => (Some(Piece::Many), &[]),
            Self::Name(_, pieces) => (None, pieces),
        };
        first.into_iter().chain(more.iter().copied())
    }

    /// Whether the parameter of that index stands in it.
    #[must_use]
    pub fn has(self, parameter: usize) -> bool {
        match self {
            Self::Literal(_) => false,
            Self::Variable(index) | Self::Rest(index) | Self::Name(index, _) => index == parameter,
            Self::Parts(parts) => parts.contains(&Part::Variable(parameter)),
        }
    }
}

impl Piece {
    /// Whether a value, with slashes between its segments, consists of these pieces.
    #[must_use]
    pub fn are(pieces: &[Self], value: &str) -> bool {
        let Some(further) = value.split('/').count().checked_sub(pieces.len()) else { return false };
        let mut segments = value.split('/');
        let fit = pieces.iter().all(|piece| match piece {
            Self::Literal(text) => segments.next() == Some(text),
            Self::Parts(parts) => {
                segments.next().is_some_and(|segment| Part::variables(parts, segment, Spelled::Plain).is_some())
            }
            Self::One => segments.next().is_some(),
            Self::Many => segments.nth(further).is_some(),
        });
        fit && segments.next().is_none()
    }
}

/// What a request needs to be let in: the scopes of a token, as places in [`Api::scopes`], or schemes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeNeed {
    /// None.
    None,
    /// One of them.
    AnyOf(&'static [usize]),
    /// All of them.
    AllOf(&'static [usize]),
    /// What the schema says instead: a request shows all that one of these ways needs. A way that needs nothing lets
    /// everybody in.
    Schemes(&'static [&'static [Demand]]),
}

/// What an operation needs of a security scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// The scheme.
    pub scheme: &'static SecurityScheme,
    /// The scopes that its token needs, all of them, as places in [`Api::scopes`].
    pub scopes: &'static [usize],
}

/// A way in which a request shows who sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecurityScheme {
    /// Its name in the schema.
    pub name: &'static str,
    /// What is shown.
    pub kind: SchemeKind,
}

/// What a request shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemeKind {
    /// A key, in the header, parameter or cookie of that name.
    ApiKey(Location, &'static str),
    /// A name and a password, in the header `Authorization` (RFC 7617).
    Basic,
    /// A token, in the header `Authorization` (RFC 6750), wherever it comes from.
    Bearer,
    /// A certificate of the client, on the connection itself.
    MutualTls,
}

/// How an answer says that a cursor is not valid any more, and all must be read anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expired {
    /// The status.
    pub status: u16,
    /// The reason in the body.
    pub reason: Option<&'static str>,
    /// The parameter that the error names.
    pub location: Option<&'static str>,
}
