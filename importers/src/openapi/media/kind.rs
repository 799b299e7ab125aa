//! How what has a media type is written, and which schemas are those of bytes.

use crate::node::Node;
use crate::openapi::document::is_own;

/// How what has a media type is written; the first that there is counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Media {
    /// As JSON (RFC 8259).
    Json,
    /// As the fields of a form.
    Form,
    /// As the parts of a form, some of which can be files.
    Parts,
    /// As XML, with elements that are members.
    Xml,
    /// As it is, and it is text.
    Text,
    /// As it is.
    Bytes,
}

/// Whether a schema is that of bytes as they are: `format: binary` until OpenAPI 3.0, and a media type without an encoding
/// since then.
pub fn is_bytes(schema: &Node<'_>) -> bool {
    let is_json = |media: &str| media.trim() == "application/json" || media.ends_with("+json");
    let held = schema.text_if("contentMediaType").filter(|media| !is_json(media) && !schema.has("contentEncoding"));
    schema.text_if("format") == Some("binary")
        || held.is_some() && schema.text_if("type").is_none_or(|ty| ty == "string")
}

/// Whether a schema of which nothing is said is that of bytes, where it is a part of a form: since OpenAPI 3.1.
pub fn empty_is_bytes(root: &Node<'_>) -> bool {
    root.text_if("openapi").is_some_and(|version| !version.starts_with("3.0")) && !is_own(root)
}
