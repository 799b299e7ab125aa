//! Descriptions of an API and its operations, which generated code states as constants and clients and servers use.

mod errors;
mod operations;
mod parameter;
mod part;
mod profile;
mod role;

use crate::naming::AliasedName;

pub use errors::{ErrorField, ErrorFields, Step};
pub use operations::{count_operations, join_operations};
pub use parameter::{Constant, ConstantKind, Delimiter, Expansion, Parameter, ParameterLocation};
pub use part::{LiteralEncoding, SegmentPart};
pub use profile::{Profile, ReasonCase, Reasons};
pub use role::{Role, RoleValues};

/// Description of an API.
#[derive(Debug)]
pub struct Api {
    /// Name of the API, as in the names of the crates: `calendar`.
    pub name: &'static str,
    /// Version of the interface: `v3`.
    pub version: &'static str,
    /// Public URL of the server, if there is one, without a trailing slash.
    pub root_url: Option<&'static str>,
    /// Base path of the operations: empty, or with a leading and without a trailing slash.
    pub base_path: AliasedName,
    /// Alternative public URLs, in place of `root`.
    pub endpoints: &'static [Endpoint],
    /// Batch endpoint, if there is one.
    pub batch: Option<BatchEndpoint>,
    /// Operations that the API does not have here, and for which a server returns 501.
    pub unimplemented: &'static [Unimplemented],
    /// OAuth scopes.
    pub scopes: &'static [&'static Scope],
    /// Parameters that every operation accepts, each with its role.
    pub standard_parameters: &'static [Parameter],
    /// Values of the standard parameters whose role defines some.
    pub role_values: RoleValues,
    /// Fields of an error body.
    pub errors: ErrorFields,
}

/// Alternative public URL of an API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Name of the endpoint, such as that of a region.
    pub name: &'static str,
    /// URL, without a trailing slash.
    pub url: &'static str,
    /// Region, if the name is not that of the region.
    pub location: Option<&'static str>,
    /// True if the endpoint is for clients with a certificate (mutual TLS, RFC 8705).
    pub mtls: bool,
}

/// Batch endpoint, which accepts several requests in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchEndpoint {
    /// Path, below the root instead of the base path, with a leading and without a trailing slash.
    pub path: AliasedName,
    /// Maximum number of requests in a batch.
    pub max_requests: u32,
}

/// Operation that an API does not have here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unimplemented {
    /// Name of the operation: `acl.list`.
    pub name: &'static str,
    /// Method, in upper case.
    pub method: &'static str,
    /// Path below the base path, with variables in braces: `/calendars/{calendarId}/acl`.
    pub path: &'static str,
}

/// OAuth scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// URL of the scope.
    pub url: AliasedName,
    /// Short name.
    pub name: &'static str,
}

impl Scope {
    /// Creates a scope whose URL has no aliases.
    #[must_use]
    pub const fn new(name: &'static str, url: &'static str) -> Self {
        Self { url: AliasedName::new(url), name }
    }

    /// Sets the aliases of the URL.
    #[must_use]
    pub const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.url.aliases = aliases;
        self
    }
}

/// Static description of an operation: its name, method, path, parameters and more.
#[derive(Debug)]
pub struct Operation {
    /// Name in the schema: `events.insert`.
    pub name: &'static str,
    /// HTTP method, in upper case.
    pub method: &'static str,
    /// Segments of the path below the base path.
    pub path: &'static [Segment],
    /// Verb after a colon at the end of the path.
    pub verb: Option<&'static str>,
    /// Parameters, those of the path first.
    pub parameters: &'static [Parameter],
    /// Required scopes or security schemes.
    pub scopes: AuthRequirement,
    /// True if an API key is sufficient.
    pub api_key: bool,
    /// True if the operation changes nothing (RFC 9110, section 9.2.1).
    pub safe: bool,
    /// True if repeating the request has the effect of a single one (RFC 9110, section 9.2.2).
    pub idempotent: bool,
    /// Quota units that the operation consumes.
    pub cost: u32,
}

/// Description of the uploads that an operation accepts.
#[derive(Debug)]
pub struct UploadDescription {
    /// Accepted media types, or ranges of them such as `image/*`; empty for any.
    pub types: &'static [&'static str],
    /// Maximum size in bytes.
    pub max_bytes: Option<u64>,
    /// Endpoint of a simple upload in one request.
    pub simple: Option<UploadEndpoint>,
    /// Endpoint of a resumable upload in several requests.
    pub resumable: Option<UploadEndpoint>,
}

/// Upload endpoint of an operation.
#[derive(Debug)]
pub struct UploadEndpoint {
    /// Operation, with a path below the root of the server instead of the base path.
    pub operation: Operation,
    /// True if the body of the operation can be sent with the media, as the first part of a `multipart/related`.
    pub multipart: bool,
}

/// Segment of a path. Its parameters are path parameters of the operation, by their names on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Fixed text.
    Literal(&'static str),
    /// Parameter that fills the segment.
    Variable(&'static str),
    /// Text and parameters, which fill the segment.
    Parts(&'static [SegmentPart]),
    /// Parameter that fills the segment and may contain slashes.
    CatchAll(&'static str),
    /// Parameter that fills these pieces, including the slashes between them.
    Pattern(&'static str, &'static [SegmentPattern]),
}

/// Pattern of one or several segments of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentPattern {
    /// Fixed text.
    Literal(&'static str),
    /// Segment with text and variables.
    Parts(&'static [SegmentPart]),
    /// Exactly one segment.
    Wildcard,
    /// One or more segments; at most once in a path.
    DoubleWildcard,
}

impl Operation {
    /// Returns the patterns of the segments of the path, regardless of parameters.
    pub fn segment_patterns(&self) -> impl Iterator<Item = SegmentPattern> + Clone + use<> {
        self.path.iter().flat_map(|segment| segment.pieces())
    }
}

impl Segment {
    /// Returns the patterns of the segment.
    pub fn pieces(self) -> impl Iterator<Item = SegmentPattern> + Clone + use<> {
        let (first, more): (_, &'static [SegmentPattern]) = match self {
            Self::Literal(text) => (Some(SegmentPattern::Literal(text)), &[]),
            Self::Variable(_) => (Some(SegmentPattern::Wildcard), &[]),
            Self::Parts(parts) => (Some(SegmentPattern::Parts(parts)), &[]),
            Self::CatchAll(_) => (Some(SegmentPattern::DoubleWildcard), &[]),
            Self::Pattern(_, pieces) => (None, pieces),
        };
        first.into_iter().chain(more.iter().copied())
    }

    /// Returns whether the segment contains the path parameter with this name.
    #[must_use]
    pub fn has_parameter(self, parameter: &str) -> bool {
        match self {
            Self::Literal(_) => false,
            Self::Variable(name) | Self::CatchAll(name) | Self::Pattern(name, _) => name == parameter,
            Self::Parts(parts) => {
                parts.iter().any(|part| matches!(part, SegmentPart::Variable(name) if *name == parameter))
            }
        }
    }
}

impl SegmentPattern {
    /// Returns whether a value with slashes between its segments matches these patterns.
    #[must_use]
    pub fn match_path(pieces: &[Self], value: &str) -> bool {
        let Some(further) = value.split('/').count().checked_sub(pieces.len()) else { return false };
        let mut segments = value.split('/');
        let fit = pieces.iter().all(|piece| match piece {
            Self::Literal(text) => segments.next() == Some(text),
            Self::Parts(parts) => segments
                .next()
                .is_some_and(|segment| SegmentPart::match_variables(parts, segment, LiteralEncoding::Plain).is_some()),
            Self::Wildcard => segments.next().is_some(),
            Self::DoubleWildcard => segments.nth(further).is_some(),
        });
        fit && segments.next().is_none()
    }
}

/// Required authorization: scopes of a token, or security schemes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthRequirement {
    /// No authorization.
    None,
    /// One of these scopes.
    AnyOf(&'static [&'static Scope]),
    /// All of these scopes.
    AllOf(&'static [&'static Scope]),
    /// Alternatives of security schemes: a request must satisfy all demands of one of them. An empty alternative allows
    /// anonymous requests.
    Schemes(&'static [&'static [SchemeRequirement]]),
}

/// Security scheme that an operation requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemeRequirement {
    /// Security scheme.
    pub scheme: &'static SecurityScheme,
    /// Scopes that its token must have.
    pub scopes: &'static [&'static Scope],
}

/// Security scheme: a method of authenticating requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecurityScheme {
    /// Name in the schema.
    pub name: &'static str,
    /// Kind of the credentials.
    pub kind: SchemeKind,
}

/// Kind of the credentials of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemeKind {
    /// API key, in the header, parameter or cookie with this name.
    ApiKey(ParameterLocation, &'static str),
    /// Name and password, in the header `Authorization` (RFC 7617).
    Basic,
    /// Bearer token, in the header `Authorization` (RFC 6750), from any source.
    Bearer,
    /// Client certificate, on the connection itself.
    MutualTls,
}

/// Error response that means that a sync token has expired, so that a full sync is required.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpiredTokenError {
    /// Status of the response.
    pub status: u16,
    /// Reason in the body.
    pub reason: Option<&'static str>,
    /// Parameter that the error names.
    pub location: Option<&'static str>,
}
