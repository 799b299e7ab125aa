//! Call as a handler of a fake receives it.

use http::header::{HeaderName, IF_MATCH, IF_NONE_MATCH};
use http::{HeaderMap, Uri};
use wireform_runtime::etag::{ETag, ETagCondition};
use wireform_runtime::operation::Operation;

/// Call as a handler of a fake receives it: its headers and its conditions.
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

    /// Returns the URL, which distinguishes pages that are identified by URLs.
    #[must_use]
    pub fn uri(&self) -> &'a Uri {
        self.uri
    }

    /// Returns the operation.
    #[must_use]
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// Returns the headers.
    #[must_use]
    pub fn headers(&self) -> &'a HeaderMap {
        self.headers
    }

    /// Returns the condition of `If-Match`, or `None` without the header.
    #[must_use]
    pub fn if_match(&self) -> Option<ETagCondition> {
        self.condition(&IF_MATCH)
    }

    /// Returns the condition of `If-None-Match`, or `None` without the header.
    #[must_use]
    pub fn if_none_match(&self) -> Option<ETagCondition> {
        self.condition(&IF_NONE_MATCH)
    }

    /// Returns true if `If-Match` allows a write over this version: it matches the version, or is absent. Otherwise the
    /// response should be [`Failure::status(412)`](super::Failure::status).
    #[must_use]
    pub fn may_write(&self, current: &ETag) -> bool {
        self.if_match().is_none_or(|condition| condition.matches_strong(current))
    }

    /// Returns whether a read of this version receives 304.
    pub(super) fn is_not_modified(&self, current: &ETag) -> bool {
        self.operation.safe && self.if_none_match().is_some_and(|condition| condition.matches_weak(current))
    }

    /// Parses a condition. An invalid header counts as one without versions, as with a lenient server.
    fn condition(&self, name: &HeaderName) -> Option<ETagCondition> {
        let text = std::str::from_utf8(self.headers.get(name)?.as_bytes()).unwrap_or_default();
        Some(ETagCondition::parse(text).unwrap_or(ETagCondition::Tags(Vec::new())))
    }
}
