//! Media ranges, such as `*/*`, that contain JSON.

use wireform_codegen::model::essence;

use super::kind::Media;
use super::{Content, media};
use crate::node::Node;

impl<'d> Content<'d> {
    /// Sets or removes the media range that is assumed to be JSON, for a media type that is about to be added.
    pub fn update_range(&mut self, kind: Media, (written, node): (&'d str, &Node<'d>)) {
        // Plain text is JSON for some schemas only, which it does not declare.
        let is_json = |written: &str| media(written, None, false) == Some(Media::Json);
        if kind != Media::Json {
            return;
        }
        if is_range(written) {
            let is_declared = self.types.iter().any(|written| is_json(written));
            self.range = self.range.take().or_else(|| (!is_declared).then(|| (written, node.clone())));
        } else if is_json(written) {
            self.range = None;
        }
    }
}

/// Returns whether a text is a media range.
pub fn is_range(written: &str) -> bool {
    matches!(essence(written).as_str(), "*/*" | "application/*")
}

/// Returns the media type to write in the schema: for a range, one that it contains.
pub fn concrete_media_type(written: &str, media: Media) -> &str {
    match media {
        Media::Json if is_range(written) => "application/json",
        Media::Text if is_range(written) => "text/plain",
        _ => written,
    }
}

/// Returns the media type to write in the schema for `written` of the document, and reports if it is narrower.
pub fn media_type_to_write<'d>(written: &'d str, inner: &Node<'_>, media: Media) -> &'d str {
    if media == Media::Text && is_range(written) {
        inner.loss("becomes `text/plain`: a string of any media type is raw text");
    }
    concrete_media_type(written, media)
}
