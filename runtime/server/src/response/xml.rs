//! Responses that can be XML.

use axum::body::Body;
use http::{HeaderValue, Response, header};
use wireform_runtime::xml::{XmlRoot, is_xml};

use super::choice::preferred_media_type;
use super::compress::{self, Codings};
use super::{ResponseParts, headers};
use crate::contract::Outcome;
use crate::error::Error;
use crate::stream::ResponseStreams;

impl ResponseParts<'_> {
    /// Sets `Vary: Accept`, if the response has several media types.
    #[cold]
    pub(super) fn add_vary_accept(&mut self, root: &XmlRoot) {
        if root.media_types.len() > 1 {
            self.headers.append(header::VARY, HeaderValue::from_static("Accept"));
        }
    }

    /// Creates the response as JSON or as XML, as the request prefers.
    #[cold]
    pub(super) fn json_or_xml(
        mut self,
        root: &'static XmlRoot,
        text: Vec<u8>,
        streams: Option<&ResponseStreams>,
    ) -> Outcome {
        let wanted = preferred_media_type(root, &self.context.parts.headers);
        if !is_xml(wanted) {
            if wanted != "application/json" {
                self.headers.entry(header::CONTENT_TYPE).or_insert(HeaderValue::from_static(wanted));
            }
            return Ok(self.json_response(text, streams));
        }
        self.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(wanted));
        if streams.is_some() {
            return Err(Error::internal("a streamed body requires JSON, but the response is XML"));
        }
        let text = root.to_xml(&text).map_err(Error::internal)?;
        Ok(self.xml_response(text))
    }

    /// Creates the response with XML text, compressed if the client prefers that.
    fn xml_response(self, text: Vec<u8>) -> Response<Body> {
        let coded = self.headers.contains_key(header::CONTENT_ENCODING);
        let fewest = self.context.settings.compress_from.filter(|_| !coded);
        let accepted = |fewest| Codings::from_headers(&self.context.parts.headers).prefers_gzip(text.len(), fewest);
        let compress = fewest.is_some_and(accepted);
        let bytes = text.len();
        let body = if compress { compress::gzip(text) } else { Body::from(text) };
        self.build((body, bytes), |headers| headers::set_body_headers(headers, compress))
    }
}
