//! Encoding of the value of a response.

use axum::body::Body;
use http::{Response, StatusCode};
use wireform_runtime::fields::AnySelection;
use wireform_runtime::xml::XmlRoot;
use wireform_runtime::{WireBody, json};

use super::{ResponseParts, choice, has_no_body, version};
use crate::context::Context;
use crate::contract::Outcome;
use crate::error::Error;
use crate::reply::{MediaBody, ReplyMedia};
/// Facts about the response of an operation. With [`ErasedBody`], the code of responses is not generic: it is compiled
/// once, and not for each operation.
pub(super) struct ResponseFacts {
    /// Media types of the response.
    pub(super) accept: &'static str,
    pub(super) has_alternatives: bool,
    /// True if the status determines the type of the body.
    pub(super) has_types_by_status: bool,
    /// Media types of JSON by status, where they differ from the others.
    pub(super) json_types: &'static [(u16, &'static str)],
    pub(super) allows_empty: bool,
    /// Status of a response without a body, if others have one.
    pub(super) no_body_status: Option<u16>,
    /// XML description of the response, if it can be XML.
    pub(super) xml: Option<&'static XmlRoot>,
    /// True if the body contains streams.
    pub(super) streams: bool,
}

/// Body of a response of any type.
pub(super) trait ErasedBody {
    /// Returns whether the body is written as it is, not as JSON.
    fn is_raw(&self) -> bool;
    /// Returns the content type of a raw body, if it has one.
    fn content_type(&self) -> Option<&str>;
    /// Encodes the whole body.
    fn encode(&self) -> Result<Vec<u8>, json::EncodeError>;
    /// Encodes the selected fields of the body as JSON.
    fn encode_selected(&self, selection: &AnySelection) -> Result<Vec<u8>, json::EncodeError>;
}

impl<T: WireBody> ErasedBody for T {
    fn is_raw(&self) -> bool {
        WireBody::is_raw(self)
    }

    fn content_type(&self) -> Option<&str> {
        WireBody::content_type(self)
    }

    fn encode(&self) -> Result<Vec<u8>, json::EncodeError> {
        WireBody::encode(self)
    }

    fn encode_selected(&self, selection: &AnySelection) -> Result<Vec<u8>, json::EncodeError> {
        WireBody::encode_selected(self, selection)
    }
}

/// Response whose value is not needed any more.
pub(super) enum Encoded<'c> {
    /// Response without a JSON body.
    Response(Response<Body>),
    /// JSON text of the body.
    Text(ResponseParts<'c>, Vec<u8>),
}

impl Encoded<'_> {
    /// Creates the response; JSON text is converted to XML if the client prefers that.
    pub(super) fn into_response(self, facts: &ResponseFacts) -> Outcome {
        let (settled, text) = match self {
            Self::Response(response) => return Ok(response),
            Self::Text(settled, text) => (settled, text),
        };
        let streams = facts.streams.then_some(&settled.context.streams);
        match facts.xml {
            Some(root) => settled.json_or_xml(root, text, streams),
            None => Ok(settled.json_response(text, streams)),
        }
    }
}

impl<'c> ResponseParts<'c> {
    /// Encodes the value, unless the response has another body or none.
    pub(super) fn encode(
        mut self,
        facts: &ResponseFacts,
        value: &dyn ErasedBody,
        media: Option<ReplyMedia>,
    ) -> Result<Encoded<'c>, Error> {
        let context = self.context;
        if facts.has_alternatives {
            self.set_negotiated_headers(facts, value.content_type().filter(|_| media.is_none() && !value.is_raw()));
        } else if let Some((_, own)) = facts.json_types.iter().find(|(status, _)| *status == self.status.as_u16())
            && takes_json_type(facts, value, media.as_ref())
        {
            self.set_json_type(own);
        } else if !facts.accept.starts_with("application/json") && takes_json_type(facts, value, media.as_ref()) {
            self.set_json_type(facts.accept);
        }
        if let (Some(root), false) = (facts.xml, facts.has_alternatives) {
            self.add_vary_accept(root);
        }
        let is_xml = |root| choice::is_xml_alternative(root, &context.parts.headers);
        let takes_tag = media.is_some() || !facts.xml.is_some_and(is_xml);
        if !takes_tag {
            self.etag = None;
        }
        if self.is_not_modified() {
            return Ok(Encoded::Response(self.not_modified()));
        }
        if let Some(media) = context.reply_media(facts, media, value)? {
            return self.tagged_media(media).map(Encoded::Response);
        }
        if facts.allows_empty || has_no_body(self.status) {
            return Ok(Encoded::Response(self.empty_response()));
        }
        // The tag is a hash of the whole value's text, which most often is the body as well.
        let mut whole = None;
        if takes_tag && self.etag.is_none() && context.computes_etag() && !facts.streams {
            let text = context.encode(|| value.encode())?;
            self.etag = version::from_hash(&text);
            whole = Some(text);
            if self.is_not_modified() {
                return Ok(Encoded::Response(self.not_modified()));
            }
        }
        let text = context.encode_response(value, whole)?;
        Ok(Encoded::Text(self, text))
    }
}

impl Context {
    /// Returns the media of the response: those of the reply, or a value that is not JSON.
    fn reply_media(
        &self,
        facts: &ResponseFacts,
        media: Option<ReplyMedia>,
        value: &dyn ErasedBody,
    ) -> Result<Option<ReplyMedia>, Error> {
        match media {
            None if value.is_raw() => self.raw_media(facts, value).map(Some),
            None if self.response_options.media => {
                Err(Error::new(StatusCode::NOT_IMPLEMENTED, "the response is not available as media"))
            }
            media => Ok(media),
        }
    }

    /// Encodes the selected fields of a value; without a selection the whole value, whose text may be known.
    fn encode_response(&self, value: &dyn ErasedBody, whole: Option<Vec<u8>>) -> Result<Vec<u8>, Error> {
        match (&self.response_options.fields, whole) {
            (Some(fields), _) => self.encode(|| value.encode_selected(fields)),
            (None, Some(whole)) => Ok(whole),
            (None, None) => self.encode(|| value.encode()),
        }
    }

    /// Returns a value that is not JSON as media.
    fn raw_media(&self, facts: &ResponseFacts, value: &dyn ErasedBody) -> Result<ReplyMedia, Error> {
        let body = self.encode(|| value.encode())?;
        // The operation may declare only ranges of types.
        let own = || facts.accept.split(',').map(str::trim_ascii).find(|media_type| !media_type.contains('*'));
        let content_type = value.content_type().or_else(own).unwrap_or("application/octet-stream");
        Ok(ReplyMedia { content_type: content_type.to_owned(), body: MediaBody::Bytes(body.into()) })
    }
}

/// Returns whether the body is JSON, and only JSON.
fn takes_json_type(facts: &ResponseFacts, value: &dyn ErasedBody, media: Option<&ReplyMedia>) -> bool {
    facts.xml.is_none() && media.is_none() && !facts.allows_empty && !value.is_raw()
}
