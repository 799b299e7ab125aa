//! Media types of patches, whose bodies are separate alternatives.

use super::essence;
use crate::node::Node;
use crate::openapi::view::is_structural;
use crate::value::Value;

/// Name of the JSON Patch alternative.
pub const JSON_PATCH: &str = "json_patch";

/// Name of the merge patch alternative.
pub const MERGE_PATCH: &str = "merge_patch";

/// Returns whether a media type is that of a JSON Patch (RFC 6902).
pub fn is_json_patch(written: &str) -> bool {
    essence(written) == "application/json-patch+json"
}

/// Returns the name of the alternative of a media type: given by a generated document, or that of a patch. A merge
/// patch with the schema of plain JSON is the same body; without plain JSON, a JSON Patch is recognized by its media
/// type alone.
pub fn alternative<'d>(
    root: &Node<'d>,
    (written, inner): (&str, &Node<'d>),
    entries: &[(&str, Node<'d>)],
    own: bool,
) -> Option<String> {
    if own {
        return inner.text("x-wireform-alternative").map(str::to_owned);
    }
    if is_json_patch(written) {
        return can_be_json_patch(root, inner.get("schema").as_ref()).then(|| JSON_PATCH.to_owned());
    }
    let is_merge_patch = essence(written) == "application/merge-patch+json";
    let has = |is_one: fn(&str) -> bool| entries.iter().any(|(other, _)| is_one(other));
    (is_merge_patch && has(is_json_patch) && !has(is_plain_json)).then(|| MERGE_PATCH.to_owned())
}

/// Returns whether a media type is JSON without a suffix, or a range that includes it.
fn is_plain_json(written: &str) -> bool {
    matches!(essence(written).as_str(), "application/json" | "text/json" | "application/*" | "*/*")
}

/// Returns whether a schema can be that of a JSON Patch: it is absent, empty or a list. Servers that accept JSON under
/// any name also declare a JSON Patch for other bodies.
pub fn can_be_json_patch(root: &Node<'_>, schema: Option<&Node<'_>>) -> bool {
    schema.is_none_or(|schema| is_list(root, schema, MAX_PARTS))
}

/// Maximum depth of the search for a schema.
const MAX_PARTS: usize = 8;

/// Returns whether a schema accepts arrays only, or null. `parts` limits the depth of combined schemas.
fn is_list(root: &Node<'_>, schema: &Node<'_>, parts: usize) -> bool {
    let Some(schema) = schema.resolved(root) else { return false };
    let is_type = |ty: &Value| matches!(ty.text(), Some("array" | "null"));
    match schema.value.get("type") {
        Some(Value::List(types)) => return types.iter().all(is_type),
        Some(ty) => return is_type(ty),
        None if schema.has("items") => return true,
        None => {}
    }
    let held = ["allOf", "oneOf", "anyOf"].iter().filter_map(|key| schema.get(key)).flat_map(|list| list.elements());
    !is_structural(&schema) && held.into_iter().all(|one| parts > 0 && is_list(root, &one, parts - 1))
}
