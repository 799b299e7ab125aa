//! Responses: conditions, selections, compression, headers.

pub(crate) mod accept;
pub(crate) mod choice;
mod compress;
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
use wireform_runtime::{Answer, Request, json, names};

use crate::context::Context;
use crate::contract::Outcome;
use crate::error::Error;
use crate::guarded_body::GuardedBody;
use crate::lists::{Listed, Page};
use crate::memory::MemoryShare;
use crate::reply::{Media, MediaBody, Reply};
use crate::stream::ResponseStreams;
use compress::Codings;

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
    pub fn answer<R: Request>(mut self, reply: Reply<R::Response>) -> Outcome {
        let Reply { mut value, media, status, etag, headers, guard, share } = reply;
        let streams = std::mem::take(&mut self.streams);
        let streams = Some(streams).filter(|streams| !streams.is_empty());
        R::conceal(&mut value);
        let has_body = R::has_body(&value);
        let usual = R::BODILESS.filter(|_| !has_body).unwrap_or(self.contract.status);
        let status = status.or_else(|| StatusCode::from_u16(usual).ok()).unwrap_or(StatusCode::OK);
        let etag = version::of_member::<R>(&value).or(etag);
        let mut settled = Settled { context: &self, status, headers, etag, guard, share };
        if R::NEGOTIATED {
            settled.negotiated(value.content_type().filter(|_| media.is_none() && !value.is_raw()));
        }
        let root = R::xml(&value);
        if let (Some(root), false) = (root, R::NEGOTIATED) {
            settled.varies(root);
        }
        let takes_tag =
            media.is_some() || !root.is_some_and(|root| choice::is_instead_of_json(root, &self.parts.headers));
        if !takes_tag {
            settled.etag = None;
        }
        if settled.is_current() {
            return Ok(settled.not_modified());
        }
        if let Some(media) = self.media_of::<R>(media, &value)? {
            return settled.tagged_media(media);
        }
        if R::Response::EMPTY || !has_body || has_no_body(status) {
            return Ok(settled.empty());
        }
        // The tag is a hash of the whole value's text, which most often is the body as well.
        let mut whole = None;
        if takes_tag && settled.etag.is_none() && self.makes_tag() && streams.is_none() {
            let text = self.encode(|| value.encode())?;
            settled.etag = version::of_text(&text);
            whole = Some(text);
            if settled.is_current() {
                return Ok(settled.not_modified());
            }
        }
        let text = self.text_of::<R>(&value, whole)?;
        drop(value);
        match root {
            Some(root) => settled.json_or_xml(root, text, streams),
            None => Ok(settled.json(text, streams)),
        }
    }

    /// Creates the response to a list with conditions: a page, or 304 if the list has not changed.
    ///
    /// # Errors
    /// Returns the same errors as [`answer`](Self::answer).
    pub fn answer_list<R: Request>(self, listed: Listed<R>) -> Outcome {
        match listed.0 {
            Page::Modified(reply) => self.answer::<R>(reply),
            Page::NotModified(etag) => {
                let status = StatusCode::NOT_MODIFIED;
                let headers = HeaderMap::new();
                let settled = Settled { context: &self, status, headers, etag, guard: None, share: None };
                Ok(settled.not_modified())
            }
        }
    }

    /// Runs an encoder with the naming of the server.
    pub(crate) fn encode(&self, encode: impl FnOnce() -> Result<Vec<u8>, json::EncodeError>) -> Result<Vec<u8>, Error> {
        names::spelled(self.settings.names, encode).map_err(Error::internal)
    }

    /// Returns the media of the response: those of the reply, or a value that is not JSON.
    fn media_of<R: Request>(&self, media: Option<Media>, value: &R::Response) -> Result<Option<Media>, Error> {
        match media {
            None if value.is_raw() => self.raw::<R>(value).map(Some),
            None if self.wanted.media => Err(Error::not_implemented("as media")),
            media => Ok(media),
        }
    }

    /// Encodes the selected fields of a value; without a selection the whole value, whose text may be known.
    fn text_of<R: Request>(&self, value: &R::Response, whole: Option<Vec<u8>>) -> Result<Vec<u8>, Error> {
        match (&self.wanted.fields, whole) {
            (Some(fields), _) => self.encode(|| value.encode_selected(fields)),
            (None, Some(whole)) => Ok(whole),
            (None, None) => self.encode(|| value.encode()),
        }
    }

    /// Returns a value that is not JSON as media.
    fn raw<R: Request>(&self, value: &R::Response) -> Result<Media, Error> {
        let body = self.encode(|| value.encode())?;
        // The operation may declare only ranges of types.
        let own = || R::ACCEPT.split(',').map(str::trim_ascii).find(|answered| !answered.contains('*'));
        let content_type = value.content_type().or_else(own).unwrap_or("application/octet-stream");
        Ok(Media { content_type: content_type.to_owned(), body: MediaBody::Bytes(body.into()) })
    }

    const fn makes_tag(&self) -> bool {
        (self.contract.if_none_match || self.contract.if_match) && !self.contract.paged
    }
}

/// Returns whether a response with that status never has a body (RFC 9110, sections 15.2, 15.3.5, 15.3.6 and 15.4.5).
fn has_no_body(status: StatusCode) -> bool {
    status.is_informational()
        || matches!(status, StatusCode::NO_CONTENT | StatusCode::RESET_CONTENT | StatusCode::NOT_MODIFIED)
}

/// Properties of a response that do not depend on its body. This is not generic, so that it is compiled once, and not
/// for every operation.
struct Settled<'c> {
    context: &'c Context,
    status: StatusCode,
    /// Headers of the reply, which replace the defaults.
    headers: HeaderMap,
    etag: Option<ETag>,
    /// Guard that is kept until the response has been sent.
    guard: Option<Box<dyn Any + Send>>,
    share: Option<Arc<MemoryShare>>,
}

impl Settled<'_> {
    /// Returns whether the client has this version, according to `If-None-Match`.
    fn is_current(&self) -> bool {
        let Context { contract, if_none_match: Some(condition), .. } = self.context else { return false };
        // The condition of a write is checked by the handler before it writes.
        contract.if_none_match
            && contract.operation.safe
            && self.status.is_success()
            && self.etag.as_ref().is_some_and(|etag| condition.matches_weak(etag))
    }

    /// Sets `Vary: Accept`, and the media type of the JSON if it is not the default one.
    #[cold]
    fn negotiated(&mut self, json: Option<&str>) {
        self.headers.append(header::VARY, HeaderValue::from_static("Accept"));
        let named = json.filter(|json| *json != "application/json").and_then(|json| HeaderValue::from_str(json).ok());
        if let Some(named) = named {
            self.headers.entry(header::CONTENT_TYPE).or_insert(named);
        }
    }

    fn not_modified(mut self) -> Response<Body> {
        self.status = StatusCode::NOT_MODIFIED;
        for name in [header::CONTENT_TYPE, header::CONTENT_ENCODING] {
            self.headers.remove(name);
        }
        self.empty()
    }

    /// Creates the response with media. If they have no entity tag and are in memory, one is computed.
    fn tagged_media(mut self, media: Media) -> Outcome {
        if let (None, true, MediaBody::Bytes(bytes)) = (&self.etag, self.context.makes_tag(), &media.body) {
            self.etag = version::of_text(bytes);
        }
        if self.is_current() { Ok(self.not_modified()) } else { self.media(media) }
    }

    fn empty(self) -> Response<Body> {
        self.respond(Body::empty(), |_| {})
    }

    fn json(self, mut text: Vec<u8>, streams: Option<ResponseStreams>) -> Response<Body> {
        if self.context.wanted.pretty {
            text = indent::indented(text);
        }
        let coded = self.headers.contains_key(header::CONTENT_ENCODING);
        let fewest = self.context.settings.compress_from.filter(|_| !coded);
        let wants = |length| {
            fewest.is_some_and(|fewest| Codings::accepted(&self.context.parts.headers).is_gzip_wanted(length, fewest))
        };
        let Some(streams) = streams else {
            let compress = wants(text.len());
            let body = if compress { compress::gzip(text) } else { Body::from(text) };
            return self.respond(body, |headers| headers::describe(headers, compress));
        };
        let stream = streams.body(text);
        let compress = wants(usize::try_from(stream.length()).unwrap_or(usize::MAX));
        let body = if compress { compress::gzip_stream(stream) } else { Body::new(stream) };
        self.respond(body, |headers| headers::describe(headers, compress))
    }

    fn respond(mut self, body: Body, describe: impl FnOnce(&mut HeaderMap)) -> Response<Body> {
        headers::complete(&mut self.headers, self.context, self.etag.as_ref());
        describe(&mut self.headers);
        let mark = self.share.as_ref().map(|share| share.mark());
        let mut response = Response::new(match (self.guard, self.share) {
            (None, None) => body,
            held => Body::new(GuardedBody::new(body, held)),
        });
        if let Some(mark) = mark {
            response.extensions_mut().insert(mark);
        }
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        response
    }
}

#[cfg(test)]
mod tests;
