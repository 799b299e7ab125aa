//! Whether an answer is JSON or XML.

use http::HeaderMap;
use wireform_runtime::xml::{Root, is_xml};

use super::accept::preferred_type;

/// Whether the answer is XML, and could have been JSON.
///
/// A strong entity tag is that of one representation (RFC 9110, section 8.8.3), and the one of a version of a resource
/// is that of its JSON. So an answer that is XML instead has none, and is never 304.
#[cold]
pub fn is_instead_of_json(root: &Root, headers: &HeaderMap) -> bool {
    let has_json = root.media_types.iter().any(|media_type| !is_xml(media_type));
    has_json && is_xml(chosen(root, headers))
}

/// The media type that a request prefers. What takes none of them was refused, unless another alternative was meant.
pub fn chosen(root: &Root, headers: &HeaderMap) -> &'static str {
    let first = || root.media_types.first().copied().unwrap_or_default();
    preferred_type(headers, root.media_types).unwrap_or_else(first)
}
