//! What operations are sent and what they answer.

use std::fmt;

use super::{Doc, Parameter, Type};

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
    /// What is special about it.
    pub doc: Doc,
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
    /// How a client writes it: as the first of its media types that can be written.
    #[must_use]
    pub fn sent(&self) -> Option<(&str, Codec)> {
        self.content_types.iter().find_map(|media_type| Some((media_type.as_str(), Codec::of(media_type)?)))
    }

    /// Whether it can be sent as a form of either kind.
    #[must_use]
    pub fn takes_form(&self) -> bool {
        self.takes(Codec::Form) || self.takes(Codec::Multipart)
    }

    /// Whether it can be sent as that.
    #[must_use]
    pub fn takes(&self, codec: Codec) -> bool {
        self.content_types.iter().any(|media_type| Codec::of(media_type) == Some(codec))
    }

    /// What it holds, where it is taken as it is.
    #[must_use]
    pub fn raw(&self) -> Option<Raw> {
        Raw::of(&self.ty, &self.content_types)
    }
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
        let written = media_types.iter().any(|media_type| Codec::of(media_type).is_some());
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
            _ => None,
        }
    }
}

/// How a body is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyMode {
    /// The whole resource.
    Whole,
    /// A merge patch (RFC 7396).
    MergePatch,
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
    /// What is special about it.
    pub doc: Doc,
}

impl Response {
    /// What it holds, where it is taken as it is.
    #[must_use]
    pub fn raw(&self) -> Option<Raw> {
        Raw::of(self.ty.as_ref()?, &self.content_types)
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
