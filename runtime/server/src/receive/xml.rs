//! XML bodies. They are converted to the equivalent JSON, so that the further processing, such as rules and their
//! paths, is the same for both.

use axum::body::Bytes;
use http::StatusCode;
use wireform_runtime::xml::{XmlLimits, XmlRoot, is_xml};

use super::Incoming;
use super::body::DECODER_DEPTH;
use crate::error::{Error, ErrorLocation};

/// Maximum number of elements and attributes of a body: each takes memory, however short it is.
const MAX_NODES: usize = 100_000;

impl Incoming {
    /// Converts the body to JSON if it is XML and the operation accepts that.
    ///
    /// # Errors
    /// Returns a 400 if the document is malformed or declares another encoding; a 415 if the parameter `charset` of its
    /// media type is neither UTF-8 nor US-ASCII.
    pub fn xml(mut self, root: impl Into<Option<&'static XmlRoot>>) -> Result<Self, Error> {
        let Some(root) = root.into() else { return Ok(self) };
        if self.body.is_empty() || !is_xml(self.essence()) {
            return Ok(self);
        }
        if self.content_type().is_some_and(has_unsupported_charset) {
            let error = Error::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the body must be in UTF-8");
            return Err(error.with_location(ErrorLocation::Header("Content-Type".into())));
        }
        let depth = self.settings.limits.json_depth.min(DECODER_DEPTH);
        let limits = XmlLimits { depth, nodes: MAX_NODES };
        let json = root.to_json(&self.body, limits);
        let json = json.map_err(|error| Error::bad_request(error.to_string()))?;
        self.body = Bytes::from(json);
        Ok(self)
    }
}

/// Returns whether a content type declares another character set than UTF-8 and its subset US-ASCII.
fn has_unsupported_charset(content_type: &str) -> bool {
    content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('=')).any(|(name, value)| {
        let value = value.trim_ascii().trim_matches('"');
        name.trim_ascii().eq_ignore_ascii_case("charset")
            && !value.eq_ignore_ascii_case("utf-8")
            && !value.eq_ignore_ascii_case("us-ascii")
    })
}
