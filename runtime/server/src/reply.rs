//! What a handler answers when all went well.

use std::any::Any;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use wireform_runtime::AnswerHeaders;
use wireform_runtime::etag::ETag;

use crate::error::Error;
use crate::memory::MemoryShare;

/// An answer: the value, and what goes beside it.
#[derive(Debug)]
pub struct Reply<T> {
    pub(crate) value: T,
    /// What is answered in the place of the value.
    pub(crate) media: Option<Media>,
    pub(crate) status: Option<StatusCode>,
    pub(crate) etag: Option<ETag>,
    pub(crate) headers: HeaderMap,
    /// What is kept until the response has been sent.
    pub(crate) guard: Option<Box<dyn Any + Send>>,
    /// What the response holds of the memory.
    pub(crate) share: Option<Arc<MemoryShare>>,
}

impl<T> Reply<T> {
    /// The answer with that value, and the status that the operation declares.
    pub fn new(value: T) -> Self {
        Self { value, media: None, status: None, etag: None, headers: HeaderMap::new(), guard: None, share: None }
    }

    /// Media in the place of a value: for a request that [wants them](crate::Context::wants_media), and for an operation
    /// that answers no JSON. The body is bytes, or a stream, which is sent while it comes.
    ///
    /// Of bytes a part is answered where `Range` asks for one (RFC 9110, section 14); of a stream that is for the
    /// handler, with the status 206 and `Content-Range`.
    pub fn media(content_type: impl Into<String>, body: impl Into<MediaBody>) -> Self
    where
        T: Default,
    {
        let media = Media { content_type: content_type.into(), body: body.into() };
        Self { media: Some(media), ..Self::new(T::default()) }
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

    /// Keeps something until the response has been sent, but for what a connection buffers (64 KiB by default), or is not
    /// sent any more.
    #[must_use]
    pub fn with_guard(mut self, guard: impl Any + Send) -> Self {
        self.guard = Some(Box::new(guard));
        self
    }

    /// Keeps a share of the memory as [`with_guard`](Self::with_guard) does. While others wait for room the response must
    /// be taken in the time that the budget allows: it breaks off otherwise.
    #[must_use]
    pub fn with_share(mut self, share: impl Into<Arc<MemoryShare>>) -> Self {
        self.share = Some(share.into());
        self
    }

    /// With a header, which takes the place of one that the library would write; `Vary` stands beside it.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// With the headers that the operation declares.
    ///
    /// # Errors
    /// 500 when one of them holds what no header can, such as a line break.
    pub fn with_headers(mut self, headers: &impl AnswerHeaders) -> Result<Self, Error> {
        let mut refused = None;
        headers.write(&mut |name, text| {
            let value = text.and_then(|text| HeaderValue::from_str(&text).ok());
            let header = HeaderName::from_bytes(name.as_bytes()).ok().zip(value);
            match header {
                Some((name, value)) => {
                    self.headers.insert(name, value);
                }
                None => refused = Some(name),
            }
        });
        match refused {
            None => Ok(self),
            Some(name) => Err(Error::internal(format!("the header `{name}` has a value that no header can hold"))),
        }
    }

    /// The value.
    pub const fn value(&self) -> &T {
        &self.value
    }

    /// A mutable reference to the value.
    pub const fn value_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

/// Media as an answer.
#[derive(Debug)]
pub(crate) struct Media {
    pub(crate) content_type: String,
    pub(crate) body: MediaBody,
}

/// The bytes of an answer that is no JSON.
#[derive(Debug)]
pub enum MediaBody {
    /// All of them.
    Bytes(Bytes),
    /// What yields them.
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
