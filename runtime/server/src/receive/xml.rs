//! Bodies that are XML: they become the JSON that the same value would be sent as, so that everything after this, rules
//! and their paths among it, is the same for both.

use axum::body::Bytes;
use http::StatusCode;
use wireform_runtime::xml::{Limits, Root, is_xml};

use super::Incoming;
use super::body::DECODER_DEPTH;
use crate::error::{At, Error};

/// The most elements and attributes of a body: each takes a place of its own, however short it is.
const MOST_NODES: usize = 100_000;

impl Incoming {
    /// The request with its body as JSON, where it came as XML and can be that.
    ///
    /// # Errors
    /// 400 when the document cannot be read, 415 when it is said to be in another encoding than UTF-8.
    pub fn xml(mut self, root: impl Into<Option<&'static Root>>) -> Result<Self, Error> {
        let Some(root) = root.into() else { return Ok(self) };
        if self.body.is_empty() || !is_xml(self.essence()) {
            return Ok(self);
        }
        if self.content_type().is_some_and(is_in_another_charset) {
            let error = Error::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the body must be in UTF-8");
            return Err(error.at(At::Header("Content-Type".into())));
        }
        let depth = self.settings.limits.json_depth.min(DECODER_DEPTH);
        let limits = Limits { depth, nodes: MOST_NODES };
        let json = root.to_json(&self.body, limits);
        let json = json.map_err(|error| Error::bad_request(error.to_string()))?;
        self.body = Bytes::from(json);
        Ok(self)
    }
}

fn is_in_another_charset(content_type: &str) -> bool {
    content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('=')).any(|(name, value)| {
        let value = value.trim_ascii().trim_matches('"');
        name.trim_ascii().eq_ignore_ascii_case("charset")
            && !value.eq_ignore_ascii_case("utf-8")
            && !value.eq_ignore_ascii_case("us-ascii")
    })
}
