//! Successful results of handlers.

use std::any::Any;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use wireform_runtime::ResponseHeaders;
use wireform_runtime::etag::ETag;

use crate::declared_headers;
use crate::error::Error;
use crate::memory::MemoryShare;

/// Successful result of a handler: a value with its status, headers and entity tag.
#[derive(Debug)]
pub struct Reply<T> {
    pub(crate) value: T,
    /// Media that replace the value.
    pub(crate) media: Option<ReplyMedia>,
    pub(crate) status: Option<StatusCode>,
    pub(crate) etag: Option<ETag>,
    pub(crate) headers: HeaderMap,
    /// Guard that is kept until the response has been sent.
    pub(crate) guard: Option<Box<dyn Any + Send>>,
    /// Memory share of the response.
    pub(crate) share: Option<Arc<MemoryShare>>,
    /// True if the share is that of the value, and so becomes that of its text.
    pub(crate) shares_value: bool,
}

impl<T> Reply<T> {
    /// Creates a reply with a value, and the status that the operation declares.
    pub fn new(value: T) -> Self {
        let (headers, shares_value) = (HeaderMap::new(), false);
        Self { value, media: None, status: None, etag: None, headers, guard: None, share: None, shares_value }
    }

    /// Creates a reply with media in place of a value: for a request that [wants them](crate::Context::wants_media),
    /// and for an operation whose response is not JSON. The body is bytes or a stream.
    ///
    /// For bytes, `Range` in a `GET` request is supported (RFC 9110, section 14); for a stream they are left to the
    /// handler, with the status 206 and `Content-Range`.
    pub fn media(content_type: impl Into<String>, body: impl Into<MediaBody>) -> Self
    where
        T: Default,
    {
        let media = ReplyMedia { content_type: content_type.into(), body: body.into() };
        Self { media: Some(media), ..Self::new(T::default()) }
    }

    /// Sets the status, such as 201 for a created resource.
    #[must_use]
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.status = Some(status);
        self
    }

    /// Sets the entity tag of a value whose field has none. By default, it is computed from the value if the operation
    /// supports conditions.
    #[must_use]
    pub fn with_etag(mut self, etag: ETag) -> Self {
        self.etag = Some(etag);
        self
    }

    /// Keeps a guard until the response has been sent, except for the bytes that a connection buffers (64 KiB by
    /// default), or is aborted.
    #[must_use]
    pub fn with_guard(mut self, guard: impl Any + Send) -> Self {
        self.guard = Some(Box::new(guard));
        self
    }

    /// Keeps a memory share as [`with_guard`](Self::with_guard) does. While others wait for memory, the client must
    /// read the response in the time that the budget allows; otherwise it is aborted.
    #[must_use]
    pub fn with_share(mut self, share: impl Into<Arc<MemoryShare>>) -> Self {
        self.share = Some(share.into());
        self
    }

    /// Keeps the memory share of the value as [`with_share`](Self::with_share) does. Once the value is encoded and
    /// dropped, the share holds the size of the text.
    #[must_use]
    pub fn with_value_share(mut self, share: impl Into<Arc<MemoryShare>>) -> Self {
        (self.share, self.shares_value) = (Some(share.into()), true);
        self
    }

    /// Sets a header, which replaces that of the library; `Vary` is combined with it.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Sets the headers that the operation declares.
    ///
    /// # Errors
    /// Returns a 500 if a value holds characters that are not allowed in a header, such as a line break.
    pub fn with_headers(mut self, headers: &impl ResponseHeaders) -> Result<Self, Error> {
        let mut refused = None;
        headers.write(&mut |name, text| {
            let value = text.and_then(|text| HeaderValue::from_str(&text).ok());
            let header = HeaderName::from_bytes(name.as_bytes()).ok().zip(value);
            match header {
                Some((name, value)) => declared_headers::set(&mut self.headers, name, value),
                None => refused = Some(name),
            }
        });
        match refused {
            None => Ok(self),
            Some(name) => Err(Error::internal(format!("invalid value of the header `{name}`"))),
        }
    }

    /// Returns the value.
    pub const fn value(&self) -> &T {
        &self.value
    }

    /// Returns a mutable reference to the value.
    pub const fn value_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

/// Media as a response.
#[derive(Debug)]
pub(crate) struct ReplyMedia {
    pub(crate) content_type: String,
    pub(crate) body: MediaBody,
}

/// Bytes of a response that is not JSON.
#[derive(Debug)]
pub enum MediaBody {
    /// Complete bytes.
    Bytes(Bytes),
    /// Stream of bytes.
    Stream(Body),
}

impl From<Bytes> for MediaBody {
    fn from(bytes: Bytes) -> Self {
        Self::Bytes(bytes)
    }
}

impl From<Vec<u8>> for MediaBody {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes.into())
    }
}

impl From<Body> for MediaBody {
    fn from(body: Body) -> Self {
        Self::Stream(body)
    }
}

impl<T> From<T> for Reply<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}
