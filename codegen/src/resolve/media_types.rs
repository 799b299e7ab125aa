//! Media types of bodies.

use super::header_names::is_token;
use super::members::texts;
use crate::diagnostics::{Code, Sink};
use crate::schema::Text;

/// Default media type.
const JSON: &str = "application/json";

/// Returns whether a text is a media type or a media range (RFC 9110, section 8.3.1): two tokens, then parameters,
/// all valid in a header.
#[must_use]
pub fn is_media_type(text: &str) -> bool {
    let (essence, parameters) = text.split_once(';').unwrap_or((text, ""));
    let fits = essence.trim_end().split_once('/').is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype));
    fits && parameters.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
}

/// Reports texts that are neither a media type nor a media range.
pub fn check_media_types(written: &[Text], sink: &mut Sink) {
    for media_type in written {
        if !is_media_type(&media_type.text) {
            let text = media_type.text.escape_debug();
            sink.report(Code::BadBody, media_type.span, format!("invalid media type `{text}`"))
                .help("write a media type such as `application/json`");
        }
    }
}

/// Returns the media types of a body: JSON if none is written.
pub fn content_types(written: &[Text], sink: &mut Sink) -> Vec<String> {
    check_media_types(written, sink);
    if written.is_empty() { vec![JSON.to_owned()] } else { texts(written) }
}
