//! Representations of media types, and detection of binary schemas.

use crate::node::Node;
use crate::openapi::document::is_own;

/// Representation of a media type, in order of preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Media {
    /// JSON (RFC 8259).
    Json,
    /// Fields of a form.
    Form,
    /// Parts of a form, some of which can be files.
    Parts,
    /// XML whose elements are members.
    Xml,
    /// Raw text.
    Text,
    /// Raw bytes.
    Bytes,
}

/// Returns whether a schema is binary: `format: binary` until OpenAPI 3.0, and a media type without an encoding since
/// then.
pub fn is_bytes(schema: &Node<'_>) -> bool {
    let is_json = |media: &str| media.trim() == "application/json" || media.ends_with("+json");
    let held = schema.text_if("contentMediaType").filter(|media| !is_json(media) && !schema.has("contentEncoding"));
    schema.text_if("format") == Some("binary")
        || held.is_some() && schema.text_if("type").is_none_or(|ty| ty == "string")
}

/// Returns whether an empty schema of a form part is binary, as since OpenAPI 3.1.
pub fn empty_is_bytes(root: &Node<'_>) -> bool {
    root.text_if("openapi").is_some_and(|version| !version.starts_with("3.0")) && !is_own(root)
}
