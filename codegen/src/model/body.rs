//! What operations are sent and what they answer.

use std::fmt;

use super::xml::{has_xml, is_document};
use super::{Doc, Name, Parameter, Type, XmlFacts};

/// What an operation is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// Its type.
    pub ty: Type,
    /// How it is meant.
    pub mode: BodyMode,
    /// Whether a request must have one.
    pub required: bool,
    /// The media types it can have.
    pub content_types: Vec<String>,
    /// How a form has what has members of its own.
    pub style: FormStyle,
    /// The names on the wire of the members whose lists are one field of a form each, as JSON.
    pub json_lists: Vec<String>,
    /// The outermost element, where it is XML.
    pub xml: XmlFacts,
    /// What is special about it.
    pub doc: Doc,
    /// What it can be, told apart by media types, at least two; none where it is one thing. Of several the body itself is
    /// anything, with the media types of all of them.
    pub alternatives: Vec<BodyAlternative>,
}

/// One of the alternatives that a body can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyAlternative {
    /// Its name, as a variant.
    pub name: Name,
    /// What it is; it has no alternatives itself.
    pub body: Body,
}

/// How a form has what has members of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FormStyle {
    /// As JSON in one field.
    #[default]
    Json,
    /// As a field for each single value, whose name says in brackets where it stands.
    Brackets,
}

impl Body {
    /// What it can be: each of the alternatives, or itself.
    pub fn each(&self) -> impl Iterator<Item = &Self> {
        let alone = self.alternatives.is_empty().then_some(self);
        alone.into_iter().chain(self.alternatives.iter().map(|alternative| &alternative.body))
    }

    /// The media type as which a client sends it.
    #[must_use]
    pub fn sent_type(&self) -> &str {
        self.sent().map_or_else(|| concrete(&self.content_types), |(media_type, _)| media_type)
    }

    /// How a client writes it: as the first of its media types that can be written, XML where there is no other.
    #[must_use]
    pub fn sent(&self) -> Option<(&str, Codec)> {
        let all = || self.content_types.iter().filter_map(|one| Some((one.as_str(), Codec::of_type(one, &self.ty)?)));
        all().find(|(_, codec)| *codec != Codec::Xml).or_else(|| all().next())
    }

    /// Whether it can be sent as a form of either kind.
    #[must_use]
    pub fn takes_form(&self) -> bool {
        self.takes(Codec::Form) || self.takes(Codec::Multipart)
    }

    /// Whether it can be sent as that.
    #[must_use]
    pub fn takes(&self, codec: Codec) -> bool {
        self.content_types.iter().any(|media_type| Codec::of_type(media_type, &self.ty) == Some(codec))
    }

    /// What it holds, where it is taken as it is.
    #[must_use]
    pub fn raw(&self) -> Option<Raw> {
        Raw::of(&self.ty, &self.content_types)
    }
}

/// The first media type that is no range of types; bytes of any type, where all are ranges.
#[must_use]
pub fn concrete(media_types: &[String]) -> &str {
    const ANY: &str = "application/octet-stream";
    media_types.iter().map(String::as_str).find(|media_type| !media_type.contains('*')).unwrap_or(ANY)
}

/// What a body holds that is taken as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raw {
    /// Bytes.
    Bytes,
    /// Text in UTF-8.
    Text,
}

impl Raw {
    /// Bytes and texts are taken as they are where no media type says how they would be written.
    fn of(ty: &Type, media_types: &[String]) -> Option<Self> {
        let written = media_types.iter().any(|media_type| Codec::of_type(media_type, ty).is_some());
        match ty {
            Type::Bytes(_) if !written && !media_types.is_empty() => Some(Self::Bytes),
            Type::String if !written && !media_types.is_empty() => Some(Self::Text),
            _ => None,
        }
    }
}

/// How a body is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// As JSON (RFC 8259).
    Json,
    /// As the fields of a form, in the way of a query: `application/x-www-form-urlencoded`.
    Form,
    /// As a form of several parts: `multipart/form-data`.
    Multipart,
    /// As XML (RFC 7303).
    Xml,
}

impl Codec {
    /// How a body of that media type is written, if that is known.
    #[must_use]
    pub fn of(media_type: &str) -> Option<Self> {
        let essence = media_type.split(';').next().unwrap_or_default().trim_end().to_ascii_lowercase();
        match essence.as_str() {
            "application/json" | "text/json" => Some(Self::Json),
            "application/x-www-form-urlencoded" => Some(Self::Form),
            "multipart/form-data" => Some(Self::Multipart),
            other if other.ends_with("+json") => Some(Self::Json),
            "application/xml" | "text/xml" => Some(Self::Xml),
            other if other.ends_with("+xml") => Some(Self::Xml),
            _ => None,
        }
    }

    /// How a value of a type is written in that media type: a text that is XML is taken as it is.
    #[must_use]
    pub fn of_type(media_type: &str, ty: &Type) -> Option<Self> {
        Self::of(media_type).filter(|codec| *codec != Self::Xml || is_document(ty))
    }
}

/// How a body is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyMode {
    /// The whole resource.
    Whole,
    /// A merge patch (RFC 7396).
    MergePatch,
    /// A JSON Patch (RFC 6902), of whatever it patches.
    JsonPatch,
}

/// What an operation answers with one status.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The type of the body, where there is one.
    pub ty: Option<Type>,
    /// The media types it can have.
    pub content_types: Vec<String>,
    /// The headers beside it.
    pub headers: Vec<Parameter>,
    /// The outermost element, where it is XML.
    pub xml: XmlFacts,
    /// What is special about it.
    pub doc: Doc,
    /// What it can be, told apart by media types, at least two; none where it is one thing. Of several the answer itself is
    /// anything, with the media types of all of them.
    pub alternatives: Vec<ResponseAlternative>,
}

/// One of the alternatives that an answer can be.
#[derive(Clone, Debug, PartialEq)]
pub struct ResponseAlternative {
    /// Its name, as a variant.
    pub name: Name,
    /// The type of the body.
    pub ty: Type,
    /// The media types it can have.
    pub content_types: Vec<String>,
    /// The outermost element, where it is XML.
    pub xml: XmlFacts,
    /// What is special about it.
    pub doc: Doc,
}

impl ResponseAlternative {
    /// What it holds, where it is taken as it is.
    #[must_use]
    pub fn raw(&self) -> Option<Raw> {
        Raw::of(&self.ty, &self.content_types)
    }

    /// Whether it can be XML.
    #[must_use]
    pub fn has_xml(&self) -> bool {
        has_xml(&self.ty, &self.content_types)
    }

    /// The media type as which it is written.
    #[must_use]
    pub fn media_type(&self) -> &str {
        let json = self.content_types.iter().map(String::as_str).find(|one| Codec::of(one) == Some(Codec::Json));
        json.filter(|_| self.raw().is_none()).unwrap_or_else(|| concrete(&self.content_types))
    }
}

impl Response {
    /// The types of what it can be.
    pub fn types(&self) -> impl Iterator<Item = &Type> {
        let alone = self.ty.as_ref().filter(|_| self.alternatives.is_empty());
        alone.into_iter().chain(self.alternatives.iter().map(|alternative| &alternative.ty))
    }

    /// What it holds, where it is taken as it is.
    #[must_use]
    pub fn raw(&self) -> Option<Raw> {
        Raw::of(self.ty.as_ref()?, &self.content_types)
    }

    /// Whether it can be XML, and is one thing alone.
    #[must_use]
    pub fn has_xml(&self) -> bool {
        self.ty.as_ref().is_some_and(|ty| self.alternatives.is_empty() && has_xml(ty, &self.content_types))
    }
}

/// An error of the contract.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorCase {
    /// The statuses that it describes.
    pub status: ErrorStatus,
    /// When it happens.
    pub doc: Doc,
    /// The reason that tells it from others of its status.
    pub reason: Option<String>,
    /// The type of its body, where it is not the API's own.
    pub body: Option<Type>,
    /// The media types that its own body can have.
    pub content_types: Vec<String>,
    /// The headers beside it.
    pub headers: Vec<Parameter>,
    /// Where the fact comes from, when it is not the specification.
    pub origin: Option<String>,
}

impl ErrorCase {
    /// What its own body holds, where it is taken as it is.
    #[must_use]
    pub fn raw(&self) -> Option<Raw> {
        Raw::of(self.body.as_ref()?, &self.content_types)
    }

    /// The media type as which it is written, where that is JSON.
    #[must_use]
    pub fn json_type(&self) -> Option<&str> {
        self.content_types.iter().map(String::as_str).find(|media_type| Codec::of(media_type) == Some(Codec::Json))
    }
}

/// The statuses that an error of the contract describes, the most specific first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ErrorStatus {
    /// One status.
    Exact(u16),
    /// The statuses of a class, by its first digit.
    Class(u8),
    /// All errors that nothing more specific describes.
    Default,
}

impl ErrorStatus {
    /// Returns the status, where it is one.
    #[must_use]
    pub fn exact(self) -> Option<u16> {
        match self {
            Self::Exact(status) => Some(status),
            Self::Class(_) | Self::Default => None,
        }
    }
}

/// As a schema and OpenAPI write it.
impl fmt::Display for ErrorStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(status) => write!(f, "{status}"),
            Self::Class(class) => write!(f, "{class}XX"),
            Self::Default => f.write_str("default"),
        }
    }
}
