//! Choice between JSON and XML.

use http::HeaderMap;
use wireform_runtime::xml::{XmlRoot, is_xml};

use super::accept::preferred_type;

/// Returns whether the response is XML although it could have been JSON.
///
/// A strong entity tag belongs to one representation (RFC 9110, section 8.8.3), and that of a version of a resource
/// belongs to its JSON. So an XML alternative has none, and is never 304.
#[cold]
pub fn is_xml_alternative(root: &XmlRoot, headers: &HeaderMap) -> bool {
    let has_json = root.media_types.iter().any(|media_type| !is_xml(media_type));
    has_json && is_xml(preferred_media_type(root, headers))
}

/// Returns the media type that a request prefers. Requests that accept none of them were refused before, unless another
/// alternative applies.
pub fn preferred_media_type(root: &XmlRoot, headers: &HeaderMap) -> &'static str {
    let first = || root.media_types.first().copied().unwrap_or_default();
    preferred_type(headers, root.media_types).unwrap_or_else(first)
}
