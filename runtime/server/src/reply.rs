//! What a handler answers when all went well.

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use wireform_runtime::etag::ETag;

/// An answer: the value, and what goes beside it.
#[derive(Clone, Debug)]
pub struct Reply<T> {
    pub(crate) value: T,
    pub(crate) status: Option<StatusCode>,
    pub(crate) etag: Option<ETag>,
    pub(crate) headers: HeaderMap,
}

impl<T> Reply<T> {
    /// The answer with that value, and the status that the operation declares.
    pub fn new(value: T) -> Self {
        Self { value, status: None, etag: None, headers: HeaderMap::new() }
    }

    /// With another status, such as 201 for something that came to be.
    #[must_use]
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.status = Some(status);
        self
    }

    /// With that entity tag. Without one it is taken from the value, where its resource has a member for it, or made
    /// of the value, where the operation takes conditions.
    #[must_use]
    pub fn with_etag(mut self, etag: ETag) -> Self {
        self.etag = Some(etag);
        self
    }

    /// With a header, which takes the place of one that the library would write; `Vary` stands beside it.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// The value.
    pub const fn value(&self) -> &T {
        &self.value
    }
}

impl<T> From<T> for Reply<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}
