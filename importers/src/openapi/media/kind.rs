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

/// Returns the schema of the components that a schema refers to, or the schema itself. A missing one is reported where
/// its type is read.
pub fn referenced<'d>(root: &Node<'d>, schema: &Node<'d>) -> Node<'d> {
    let mut at = schema.clone();
    for _ in 0..MAX_STEPS {
        match at.component().and_then(|name| root.schema(name)) {
            Some(next) => at = next,
            None => break,
        }
    }
    at
}

/// Maximum length of a chain of references.
const MAX_STEPS: usize = 32;

/// Returns whether a schema is an integer, a number or a boolean, whose text is its JSON.
pub fn is_number_or_flag(schema: &Node<'_>) -> bool {
    let has_text_format = schema.text_if("format").is_some_and(|format| {
        !matches!(
            format,
            "int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | "uint32" | "uint64" | "float" | "double"
        )
    });
    let is_scalar = matches!(schema.text_if("type"), Some("integer" | "number" | "boolean"));
    is_scalar && !has_text_format && !schema.has("enum") && !schema.has("const")
}

/// Returns whether an empty schema of a form part is binary, as since OpenAPI 3.1.
pub fn empty_is_bytes(root: &Node<'_>) -> bool {
    root.text_if("openapi").is_some_and(|version| !version.starts_with("3.0")) && !is_own(root)
}
