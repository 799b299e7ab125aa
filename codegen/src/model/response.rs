//! Responses and errors.

use std::fmt;

use super::body::first_concrete_type;
use super::xml::has_xml;
use super::{Codec, Doc, ElementConstraints, Name, Parameter, RawContent, Type, XmlMapping};

/// Response of an operation with one status.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// Status.
    pub status: u16,
    /// Type of the body, if there is one.
    pub ty: Option<Type>,
    /// Constraints on the body, if it is a list or a map, and on its elements in turn.
    pub counts: Vec<ElementConstraints>,
    /// Media types of the body.
    pub content_types: Vec<String>,
    /// Response headers.
    pub headers: Vec<Parameter>,
    /// XML facts of the root element.
    pub xml: XmlMapping,
    /// Description of the response.
    pub doc: Doc,
    /// Alternatives, selected by media type: at least two, or empty. With alternatives the type of the response
    /// itself is `Any`, and its media types are all of theirs.
    pub alternatives: Vec<ResponseAlternative>,
}

/// Alternative of a response body.
#[derive(Clone, Debug, PartialEq)]
pub struct ResponseAlternative {
    /// Name of the variant.
    pub name: Name,
    /// Type of the body.
    pub ty: Type,
    /// Constraints on the body, if it is a list or a map, and on its elements in turn.
    pub counts: Vec<ElementConstraints>,
    /// Media types of the body.
    pub content_types: Vec<String>,
    /// XML facts of the root element.
    pub xml: XmlMapping,
    /// Description of the alternative.
    pub doc: Doc,
}

impl ResponseAlternative {
    /// Returns the raw content, if the body is not encoded.
    #[must_use]
    pub fn raw(&self) -> Option<RawContent> {
        RawContent::of(&self.ty, &self.content_types)
    }

    /// Returns whether the body can be XML.
    #[must_use]
    pub fn has_xml(&self) -> bool {
        has_xml(&self.ty, &self.content_types)
    }

    /// Returns the media type of the body.
    #[must_use]
    pub fn media_type(&self) -> &str {
        let json = self.content_types.iter().map(String::as_str).find(|one| Codec::of(one) == Some(Codec::Json));
        json.filter(|_| self.raw().is_none()).unwrap_or_else(|| first_concrete_type(&self.content_types))
    }
}

impl Response {
    /// Returns the types of the alternatives, or of the body itself.
    pub fn types(&self) -> impl Iterator<Item = &Type> {
        let alone = self.ty.as_ref().filter(|_| self.alternatives.is_empty());
        alone.into_iter().chain(self.alternatives.iter().map(|alternative| &alternative.ty))
    }

    /// Returns the raw content, if the body is not encoded.
    #[must_use]
    pub fn raw(&self) -> Option<RawContent> {
        RawContent::of(self.ty.as_ref()?, &self.content_types)
    }

    /// Returns whether the body can be XML and has no alternatives.
    #[must_use]
    pub fn has_xml(&self) -> bool {
        self.ty.as_ref().is_some_and(|ty| self.alternatives.is_empty() && has_xml(ty, &self.content_types))
    }
}

/// Returns whether the successes of an operation have types of their own by status: two bodies differ, one that is never
/// absent stands next to none, or a redirection has a body.
#[must_use]
pub fn have_types_by_status(responses: &[Response]) -> bool {
    let is_known = |response: &&Response| response.ty != Some(Type::Unresolved);
    let (redirects, successes): (Vec<_>, Vec<_>) =
        responses.iter().filter(is_known).partition(|response| response.status >= 300);
    if successes.iter().any(|response| !response.alternatives.is_empty()) {
        return false;
    }
    let has_body = |response: &&&Response| response.ty.is_some();
    let body = |response: &Response| (response.ty.clone(), response.raw());
    let Some(first) = successes.iter().find(has_body) else { return redirects.iter().any(|one| one.ty.is_some()) };
    let is_constant = first.raw().is_some() || matches!(first.ty, Some(Type::Any | Type::Nullable(_)));
    redirects.iter().any(|one| one.ty.is_some())
        || successes.iter().filter(has_body).any(|other| body(other) != body(first))
        || is_constant && successes.iter().any(|other| other.ty.is_none())
}

/// Error response of the contract.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorCase {
    /// Statuses that it describes.
    pub status: ErrorStatus,
    /// Description of when it occurs.
    pub doc: Doc,
    /// Reason that distinguishes it from other errors of its status.
    pub reason: Option<String>,
    /// Type of its body, if it is not the error body of the API.
    pub body: Option<Type>,
    /// Media types of its own body.
    pub content_types: Vec<String>,
    /// Response headers.
    pub headers: Vec<Parameter>,
    /// Source of the fact, if it is not the specification.
    pub origin: Option<String>,
}

impl ErrorCase {
    /// Returns the raw content of its own body, if that is not encoded.
    #[must_use]
    pub fn raw(&self) -> Option<RawContent> {
        RawContent::of(self.body.as_ref()?, &self.content_types)
    }

    /// Returns the media type of the body, if that is JSON.
    #[must_use]
    pub fn json_type(&self) -> Option<&str> {
        let codec = |media_type: &str| match &self.body {
            Some(ty) => Codec::of_type(media_type, ty),
            None => Codec::of(media_type),
        };
        self.content_types.iter().map(String::as_str).find(|media_type| codec(media_type) == Some(Codec::Json))
    }
}

/// Statuses that an error of the contract describes, the most specific first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ErrorStatus {
    /// Single status.
    Exact(u16),
    /// Statuses of a class, by its first digit.
    Class(u8),
    /// All errors that no other case describes.
    Default,
}

impl ErrorStatus {
    /// Returns the status, if it is a single one.
    #[must_use]
    pub fn exact(self) -> Option<u16> {
        match self {
            Self::Exact(status) => Some(status),
            Self::Class(_) | Self::Default => None,
        }
    }
}

/// Formats the statuses as a schema and OpenAPI write them.
impl fmt::Display for ErrorStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(status) => write!(f, "{status}"),
            Self::Class(class) => write!(f, "{class}XX"),
            Self::Default => f.write_str("default"),
        }
    }
}
