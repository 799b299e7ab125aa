//! What a handler is told beside the request.

use http::header::{HeaderName, IF_MATCH, IF_NONE_MATCH};
use http::{HeaderMap, Uri};
use wireform_runtime::etag::{ETag, ETagCondition};
use wireform_runtime::operation::Operation;

/// A call as it reaches a fake: its headers and its conditions.
#[derive(Clone, Copy, Debug)]
pub struct FakeCall<'a> {
    operation: &'static Operation,
    uri: &'a Uri,
    headers: &'a HeaderMap,
}

impl<'a> FakeCall<'a> {
    pub(super) fn new(operation: &'static Operation, uri: &'a Uri, headers: &'a HeaderMap) -> Self {
        Self { operation, uri, headers }
    }

    /// The URL. Pages that are named by their URLs are told apart by it.
    #[must_use]
    pub fn uri(&self) -> &'a Uri {
        self.uri
    }

    /// The operation.
    #[must_use]
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// The headers.
    #[must_use]
    pub fn headers(&self) -> &'a HeaderMap {
        self.headers
    }

    /// What `If-Match` names; nothing without the header.
    #[must_use]
    pub fn if_match(&self) -> Option<ETagCondition> {
        self.condition(&IF_MATCH)
    }

    /// What `If-None-Match` names; nothing without the header.
    #[must_use]
    pub fn if_none_match(&self) -> Option<ETagCondition> {
        self.condition(&IF_NONE_MATCH)
    }

    /// Whether `If-Match` lets what is of this version be written: it names the version, or is not there. Otherwise
    /// the answer is [`Failure::status(412)`](super::Failure::status).
    #[must_use]
    pub fn may_write(&self, current: &ETag) -> bool {
        self.if_match().is_none_or(|condition| condition.matches_strong(current))
    }

    /// Whether a read of this version is answered with 304.
    pub(super) fn knows(&self, current: &ETag) -> bool {
        self.operation.safe && self.if_none_match().is_some_and(|condition| condition.matches_weak(current))
    }

    /// A header that names no version is taken as one that names none, as a server would that refuses nothing.
    fn condition(&self, name: &HeaderName) -> Option<ETagCondition> {
        let text = std::str::from_utf8(self.headers.get(name)?.as_bytes()).unwrap_or_default();
        Some(ETagCondition::parse(text).unwrap_or(ETagCondition::Tags(Vec::new())))
    }
}
