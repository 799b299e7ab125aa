//! Bodies of requests, and what responses have in common with them.

use super::xml::is_document;
use super::{Constraints, Doc, ElementConstraints, Name, Type, XmlMapping};

/// Request body of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// Type of the body.
    pub ty: Type,
    /// Meaning of the body: whole resource or patch.
    pub mode: BodyMode,
    /// Constraints on the body, if it is a list or a map, and on its elements in turn.
    pub counts: Vec<ElementConstraints>,
    /// True if a request must have a body.
    pub required: bool,
    /// Accepted media types.
    pub content_types: Vec<String>,
    /// How a form encodes structured values.
    pub style: FormStyle,
    /// Wire names of the fields whose lists are one form field each.
    pub lists: Vec<(String, FormList)>,
    /// XML facts of the root element.
    pub xml: XmlMapping,
    /// Description of the body.
    pub doc: Doc,
    /// Alternatives, selected by media type: at least two, or empty. With alternatives the type of the body itself
    /// is `Any`, and its media types are all of theirs.
    pub alternatives: Vec<BodyAlternative>,
}

/// Alternative of a request body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyAlternative {
    /// Name of the variant.
    pub name: Name,
    /// Body of the alternative; it has no alternatives itself.
    pub body: Body,
}

/// Encoding of structured values in a form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FormStyle {
    /// JSON in one form field.
    #[default]
    Json,
    /// One form field for each leaf value, with its path in brackets.
    Brackets,
}

/// How a form contains a list that is a single form field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormList {
    /// JSON.
    Json,
    /// Values with commas between them.
    Comma,
    /// Values with spaces between them.
    Space,
    /// Values with vertical bars between them.
    Pipe,
}

impl Body {
    /// Returns how the form contains a list in a single field; `None` if each element has a field.
    pub fn list(&self, wire: &str) -> Option<FormList> {
        self.lists.iter().find(|(name, _)| name == wire).map(|(_, list)| *list)
    }

    /// Returns each alternative, or the body itself if there are none.
    pub fn alternatives_or_self(&self) -> impl Iterator<Item = &Self> {
        let alone = self.alternatives.is_empty().then_some(self);
        alone.into_iter().chain(self.alternatives.iter().map(|alternative| &alternative.body))
    }

    /// Returns the constraints on the value.
    #[must_use]
    pub fn constraints(&self) -> Constraints {
        Constraints::of_collection(&self.counts)
    }

    /// Returns the media type with which a client sends the body.
    #[must_use]
    pub fn client_media_type(&self) -> &str {
        self.client_codec().map_or_else(|| first_concrete_type(&self.content_types), |(media_type, _)| media_type)
    }

    /// Returns the media type and codec with which a client sends the body: the first media type with a codec, XML
    /// only if there is no other.
    #[must_use]
    pub fn client_codec(&self) -> Option<(&str, Codec)> {
        let all = || self.content_types.iter().filter_map(|one| Some((one.as_str(), Codec::of_type(one, &self.ty)?)));
        all().find(|(_, codec)| *codec != Codec::Xml).or_else(|| all().next())
    }

    /// Returns whether the body can be sent as a form of either kind.
    #[must_use]
    pub fn accepts_form(&self) -> bool {
        self.accepts_codec(Codec::Form) || self.accepts_codec(Codec::Multipart)
    }

    /// Returns whether the body can be sent with a codec.
    #[must_use]
    pub fn accepts_codec(&self, codec: Codec) -> bool {
        self.content_types.iter().any(|media_type| Codec::of_type(media_type, &self.ty) == Some(codec))
    }

    /// Returns the raw content, if the body is not encoded.
    #[must_use]
    pub fn raw(&self) -> Option<RawContent> {
        RawContent::of(&self.ty, &self.content_types)
    }
}

/// Returns the first media type that is not a range; bytes of any type if all are ranges.
#[must_use]
pub fn first_concrete_type(media_types: &[String]) -> &str {
    const ANY: &str = "application/octet-stream";
    media_types.iter().map(String::as_str).find(|media_type| !media_type.contains('*')).unwrap_or(ANY)
}

/// Content of a body that is not encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawContent {
    /// Bytes.
    Bytes,
    /// UTF-8 text.
    Text,
}

impl RawContent {
    /// Returns the raw content of a type: bytes and texts are not encoded if none of the media types has a codec.
    pub(super) fn of(ty: &Type, media_types: &[String]) -> Option<Self> {
        let written = media_types.iter().any(|media_type| Codec::of_type(media_type, ty).is_some());
        match ty {
            Type::Bytes(_) if !written && !media_types.is_empty() => Some(Self::Bytes),
            Type::String if !written && !media_types.is_empty() => Some(Self::Text),
            _ => None,
        }
    }
}

/// Codec of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// JSON (RFC 8259).
    Json,
    /// URL-encoded form: `application/x-www-form-urlencoded`.
    Form,
    /// Multipart form: `multipart/form-data`.
    Multipart,
    /// XML (RFC 7303).
    Xml,
}

/// Returns a media type without its parameters, in lower case.
#[must_use]
pub fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

impl Codec {
    /// Returns the codec of a media type, if it is known.
    #[must_use]
    pub fn of(media_type: &str) -> Option<Self> {
        match essence(media_type).as_str() {
            "application/json" | "text/json" => Some(Self::Json),
            "application/x-www-form-urlencoded" => Some(Self::Form),
            "multipart/form-data" => Some(Self::Multipart),
            other if other.ends_with("+json") => Some(Self::Json),
            "application/xml" | "text/xml" => Some(Self::Xml),
            other if other.ends_with("+xml") => Some(Self::Xml),
            _ => None,
        }
    }

    /// Returns the codec of values of a type in a media type: a text in an XML media type is not encoded, and the plain
    /// text of a number or a boolean is its JSON.
    #[must_use]
    pub fn of_type(media_type: &str, ty: &Type) -> Option<Self> {
        let is_json = matches!(
            ty,
            Type::Bool
                | Type::Int32
                | Type::Int64(_)
                | Type::Uint32
                | Type::Uint64(_)
                | Type::Float
                | Type::Double
                | Type::Number
        );
        if is_json && !ty.is_decimal_string() && essence(media_type) == "text/plain" {
            return Some(Self::Json);
        }
        Self::of(media_type).filter(|codec| *codec != Self::Xml || is_document(ty))
    }
}

/// Meaning of a request body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyMode {
    /// Whole resource.
    Whole,
    /// Merge patch (RFC 7396).
    MergePatch,
    /// JSON Patch (RFC 6902), whatever it patches.
    JsonPatch,
}
