//! Answers that can be XML.

use axum::body::Body;
use http::{HeaderMap, HeaderValue, Response, header};
use wireform_runtime::xml::{Root, is_xml};

use super::accept::preferred_type;
use super::compress::{self, Codings};
use super::stream::ResponseStreams;
use super::{Settled, headers};
use crate::contract::Outcome;
use crate::error::Error;

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
fn chosen(root: &Root, headers: &HeaderMap) -> &'static str {
    let first = || root.media_types.first().copied().unwrap_or_default();
    preferred_type(headers, root.media_types).unwrap_or_else(first)
}

impl Settled<'_> {
    /// Says that the answer depends on `Accept`, where it can be of several media types.
    #[cold]
    pub(super) fn varies(&mut self, root: &Root) {
        if root.media_types.len() > 1 {
            self.headers.append(header::VARY, HeaderValue::from_static("Accept"));
        }
    }

    /// The answer as JSON or as XML, whichever the request prefers.
    #[cold]
    pub(super) fn json_or_xml(
        mut self,
        root: &'static Root,
        text: Vec<u8>,
        streams: Option<ResponseStreams>,
    ) -> Outcome {
        let wanted = chosen(root, &self.context.parts.headers);
        if !is_xml(wanted) {
            if wanted != "application/json" {
                self.headers.entry(header::CONTENT_TYPE).or_insert(HeaderValue::from_static(wanted));
            }
            return Ok(self.json(text, streams));
        }
        self.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(wanted));
        if streams.is_some() {
            return Err(Error::internal("what is sent as a stream stands in JSON, and the answer is XML"));
        }
        let text = root.to_xml(&text).map_err(Error::internal)?;
        Ok(self.document(text))
    }

    fn document(self, text: Vec<u8>) -> Response<Body> {
        let coded = self.headers.contains_key(header::CONTENT_ENCODING);
        let fewest = self.context.settings.compress_from.filter(|_| !coded);
        let accepted = |fewest| Codings::accepted(&self.context.parts.headers).is_gzip_wanted(text.len(), fewest);
        let compress = fewest.is_some_and(accepted);
        let body = if compress { compress::gzip(text) } else { Body::from(text) };
        self.respond(body, |headers| headers::describe(headers, compress))
    }
}
