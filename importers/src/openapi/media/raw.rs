//! Raw bodies: texts and bytes.

use wireform_codegen::model::essence;

use super::kind::referenced;
use crate::node::Node;

/// Returns whether a raw body has no other constraints.
pub fn is_plain(root: &Node<'_>, inner: &Node<'_>) -> bool {
    inner.get("schema").is_none_or(|schema| is_text(&referenced(root, &schema)))
}

/// Reports constraints of a raw body.
pub fn report_raw_constraints(root: &Node<'_>, written: &str, inner: &Node<'_>) {
    let Some(schema) = inner.get("schema") else { return };
    schema.mark_used();
    if is_file(root, written, inner) {
        return;
    }
    if !is_text(&referenced(root, &schema)) {
        schema.whole_loss(format!("left out: a body of type `{}` is not parsed", written.escape_debug()));
    }
}

/// Returns whether a content is a file that generators of documents describe with the schema of the JSON next to it: any
/// object.
pub fn is_file(root: &Node<'_>, media_type: &str, inner: &Node<'_>) -> bool {
    let is_object = |schema: &Node<'_>| {
        let schema = referenced(root, schema);
        schema.text_if("type") == Some("object") && has_plain_keys(&schema)
    };
    essence(media_type) == "application/octet-stream" && inner.get("schema").is_some_and(|schema| is_object(&schema))
}

/// Returns whether a schema only declares text or bytes.
fn is_text(schema: &Node<'_>) -> bool {
    schema.text_if("type").is_none_or(|ty| ty == "string") && has_plain_keys(schema)
}

/// Returns whether a schema has no keys besides the type and its description.
fn has_plain_keys(schema: &Node<'_>) -> bool {
    let plain =
        ["type", "format", "description", "title", "example", "contentMediaType", "contentEncoding", "examples"];
    schema.members().iter().all(|(key, _)| plain.contains(key) || key.starts_with("x-"))
}

/// Returns whether a schema is unconstrained text, without a format.
pub fn is_any_text(schema: &Node<'_>) -> bool {
    schema.text_if("type") == Some("string") && !schema.has("format") && is_text(schema)
}
