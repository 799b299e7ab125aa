//! Responses: conditions, selections, compression, headers.

pub(crate) mod accept;
pub(crate) mod choice;
mod compress;
mod encoded;
mod headers;
mod indent;
mod media;
pub(crate) mod version;
mod xml;

use std::any::Any;
use std::sync::Arc;

use axum::body::Body;
use http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use wireform_runtime::etag::ETag;
use wireform_runtime::{Request, WireBody, json, naming};

use crate::context::Context;
use crate::contract::Outcome;
use crate::error::Error;
use crate::guarded_body::GuardedBody;
use crate::lists::{ListReply, Page};
use crate::memory::{MemoryShare, TextMemory};
use crate::reply::{MediaBody, Reply, ReplyMedia};
use crate::stream::ResponseStreams;
use compress::Codings;
use encoded::ResponseFacts;

impl Context {
    /// Creates the response from the reply of a handler.
    ///
    /// * Input-only fields are left out.
    /// * The entity tag is that of the value's field, or that of the reply, or a hash of the whole value if the
    ///   operation supports conditions. A version of a resource has one tag, whichever fields are selected, and whether
    ///   the response is indented or compressed (RFC 9110, section 8.8.3, would have one for each coding; public
    ///   services have one). It is that of JSON: an XML alternative has none.
    /// * A read whose `If-None-Match` has that tag gets a 304 without a body (RFC 9110, section 13.1.2).
    /// * `fields` selects fields, `pretty_print` indents, and `Accept-Encoding` allows compression (RFC 9110, section
    ///   12.5.3).
    ///
    /// # Errors
    /// Returns a 500, with the cause for the log, if the value cannot be encoded; a 501 if the response is requested as
    /// media, and the reply has none; a 416 if the requested range of the media starts after their end.
    pub fn respond<R: Request>(&self, mut reply: Reply<R::Response>) -> Outcome {
        // A handler that opens no tokens used a default value instead.
        self.check_sync_token()?;
        // The value stays where it is: it may be large.
        let Reply { ref mut value, media, status, etag, headers, guard, share, shares_value } = reply;
        R::strip_input_only(value);
        let has_body = R::has_body(value);
        let facts = ResponseFacts {
            accept: R::ACCEPT,
            has_alternatives: R::HAS_ALTERNATIVES,
            has_types_by_status: R::Response::HAS_TYPES_BY_STATUS,
            json_types: R::JSON_TYPES,
            allows_empty: R::Response::ALLOWS_EMPTY || !has_body,
            no_body_status: if has_body { None } else { R::NO_BODY_STATUS },
            xml: R::response_xml(value),
            streams: !self.streams.is_empty(),
        };
        let etag = version::from_field::<R>(value).or(etag);
        // The status of a variant decodes it, so that no other one is possible.
        let own = value.status().and_then(|own| StatusCode::from_u16(own).ok());
        let status = self.success_status(&facts, own.or(status));
        let settled = ResponseParts { context: self, status, headers, etag, guard, share, shares_value };
        let encoded = settled.encode(&facts, value, media)?;
        drop(reply.value);
        encoded.into_response(&facts)
    }

    /// Creates the response to a list with conditions: a page, or 304 if the list has not changed.
    ///
    /// # Errors
    /// Returns the same errors as [`respond`](Self::respond).
    pub fn respond_list<R: Request>(&self, listed: ListReply<R>) -> Outcome {
        match listed.0 {
            Page::Modified(reply) => self.respond::<R>(reply),
            Page::NotModified(etag) => {
                self.check_sync_token()?;
                let status = StatusCode::NOT_MODIFIED;
                let headers = HeaderMap::new();
                let (guard, share, shares_value) = (None, None, false);
                let settled = ResponseParts { context: self, status, headers, etag, guard, share, shares_value };
                Ok(settled.not_modified())
            }
        }
    }

    /// Runs an encoder with the naming of the server.
    pub(crate) fn encode(&self, encode: impl FnOnce() -> Result<Vec<u8>, json::EncodeError>) -> Result<Vec<u8>, Error> {
        naming::with_naming(self.settings.names, encode).map_err(Error::internal)
    }

    /// Returns the status of a successful response; that of the reply goes first.
    fn success_status(&self, facts: &ResponseFacts, status: Option<StatusCode>) -> StatusCode {
        let usual = facts.no_body_status.unwrap_or(self.contract.status);
        status.or_else(|| StatusCode::from_u16(usual).ok()).unwrap_or(StatusCode::OK)
    }

    /// Returns whether the entity tag of a value is computed: for operations with conditions, except paged ones.
    const fn computes_etag(&self) -> bool {
        (self.contract.if_none_match || self.contract.if_match) && !self.contract.paged
    }
}

/// Returns whether a response with that status never has a body (RFC 9110, sections 15.2, 15.3.5, 15.3.6 and 15.4.5).
fn has_no_body(status: StatusCode) -> bool {
    status.is_informational()
        || matches!(status, StatusCode::NO_CONTENT | StatusCode::RESET_CONTENT | StatusCode::NOT_MODIFIED)
}

/// Properties of a response that do not depend on its body.
struct ResponseParts<'c> {
    context: &'c Context,
    status: StatusCode,
    /// Headers of the reply, which replace the defaults.
    headers: HeaderMap,
    etag: Option<ETag>,
    /// Guard that is kept until the response has been sent.
    guard: Option<Box<dyn Any + Send>>,
    share: Option<Arc<MemoryShare>>,
    /// True if the share is that of the value, and so becomes that of its text.
    shares_value: bool,
}

impl ResponseParts<'_> {
    /// Returns whether the client has this version, according to `If-None-Match`.
    fn is_not_modified(&self) -> bool {
        let Context { contract, if_none_match: Some(condition), .. } = self.context else { return false };
        // The condition of a write is checked by the handler before it writes.
        contract.if_none_match
            && contract.operation.safe
            && self.status.is_success()
            && self.etag.as_ref().is_some_and(|etag| condition.matches_weak(etag))
    }

    /// Sets the media type of the JSON, if it is not the default one, and `Vary: Accept`, unless the status determines the
    /// type.
    #[cold]
    fn set_negotiated_headers(&mut self, facts: &ResponseFacts, json: Option<&str>) {
        if !facts.has_types_by_status {
            self.headers.append(header::VARY, HeaderValue::from_static("Accept"));
        }
        let named = json.filter(|json| *json != "application/json").and_then(|json| HeaderValue::from_str(json).ok());
        if let Some(named) = named {
            self.headers.entry(header::CONTENT_TYPE).or_insert(named);
        }
    }

    /// Sets the media type of JSON under another name: the first one that the schema declares.
    #[cold]
    fn set_json_type(&mut self, accept: &'static str) {
        let first = accept.split(',').map(str::trim_ascii).find(|media_type| !media_type.contains('*'));
        if let Some(named) = first.and_then(|named| HeaderValue::from_str(named).ok()) {
            self.headers.entry(header::CONTENT_TYPE).or_insert(named);
        }
    }

    /// Creates the 304 without the headers that describe a body.
    fn not_modified(mut self) -> Response<Body> {
        self.status = StatusCode::NOT_MODIFIED;
        for name in [header::CONTENT_TYPE, header::CONTENT_ENCODING] {
            self.headers.remove(name);
        }
        self.empty_response()
    }

    /// Creates the response with media. If they have no entity tag and are in memory, one is computed.
    fn tagged_media(mut self, media: ReplyMedia) -> Outcome {
        if let (None, true, MediaBody::Bytes(bytes)) = (&self.etag, self.context.computes_etag(), &media.body) {
            self.etag = version::from_hash(bytes);
        }
        if self.is_not_modified() { Ok(self.not_modified()) } else { self.media_response(media) }
    }

    /// Creates the response without a body.
    fn empty_response(self) -> Response<Body> {
        self.build((Body::empty(), 0), |_| {})
    }

    /// Creates the response with JSON text, indented and compressed as requested; `streams` fill its placeholders.
    fn json_response(self, mut text: Vec<u8>, streams: Option<&ResponseStreams>) -> Response<Body> {
        if self.context.response_options.pretty {
            text = indent::indent(text);
        }
        let coded = self.headers.contains_key(header::CONTENT_ENCODING);
        let min = self.context.settings.compress_from.filter(|_| !coded);
        let wants = |length| {
            min.is_some_and(|min| Codings::from_headers(&self.context.parts.headers).prefers_gzip(length, min))
        };
        let bytes = text.len();
        let Some(streams) = streams else {
            let compress = wants(text.len());
            let body = if compress { compress::gzip(text) } else { Body::from(text) };
            return self.build((body, bytes), |headers| headers::set_body_headers(headers, compress));
        };
        let stream = streams.body(text);
        let compress = wants(usize::try_from(stream.length()).unwrap_or(usize::MAX));
        let body = if compress { compress::gzip_stream(stream) } else { Body::new(stream) };
        self.build((body, bytes), |headers| headers::set_body_headers(headers, compress))
    }

    /// Builds the response with default headers and those that `describe` sets; its body holds guard and share, and the
    /// given number of bytes in memory.
    fn build(mut self, (body, bytes): (Body, usize), describe: impl FnOnce(&mut HeaderMap)) -> Response<Body> {
        headers::set_defaults(&mut self.headers, self.context, self.etag.as_ref());
        describe(&mut self.headers);
        let mark = self.share.as_ref().map(|share| share.mark());
        let text = match &self.share {
            Some(_) if !self.shares_value => None,
            share => TextMemory::new(bytes, share.as_ref()),
        };
        let mut response = Response::new(match (self.guard, self.share) {
            (None, None) => body,
            held => Body::new(GuardedBody::new(body, held)),
        });
        if let Some(mark) = mark {
            response.extensions_mut().insert(mark);
        }
        if let Some(text) = text {
            response.extensions_mut().insert(text);
        }
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        response
    }
}

#[cfg(test)]
mod tests;
