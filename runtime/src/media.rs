//! Media bodies: bodies other than JSON, their types, and uploads.

use std::fmt;

pub use crate::http::media_type::{is_of_range, is_taken};
use crate::json::DecodeError;
use crate::names::Names;
use crate::operation::{Media, UploadWay};
use crate::request::{Answer, Parts, Request, RequestError, WireRequest};

/// Request that can be sent with media. Generated code implements it for the requests of such operations.
pub trait Upload: Request {
    /// Media types and upload paths of the operation.
    const MEDIA: &'static Media;

    /// Encodes the request for an upload.
    ///
    /// # Errors
    /// Returns the same errors as [`Request::to_wire`].
    fn to_wire_with_media(&self, names: Names, endpoint: &'static UploadWay) -> Result<WireRequest, RequestError> {
        let mut parts = Parts::at_root(&endpoint.operation, names);
        crate::names::spelled(names, || self.write(&mut parts));
        parts.finish()
    }
}

/// Body other than JSON, unprocessed: bytes, `Raw<Vec<u8>>`, or text in UTF-8, `Raw<String>`.
///
/// Without a media type it has the first one that its operation accepts.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Raw<T> {
    content_type: Option<String>,
    content: T,
}

/// Content of a [`Raw`] body.
pub trait RawContent: Clone + Default + Send + Sync + 'static {
    /// Creates the content from a body.
    ///
    /// # Errors
    /// Returns an error if the content is text and the body is not UTF-8. The message continues "the body".
    fn from_body(body: Vec<u8>) -> Result<Self, &'static str>;

    /// Returns the bytes of the body.
    fn as_body(&self) -> &[u8];
}

impl RawContent for Vec<u8> {
    fn from_body(body: Vec<u8>) -> Result<Self, &'static str> {
        Ok(body)
    }

    fn as_body(&self) -> &[u8] {
        self
    }
}

impl RawContent for String {
    fn from_body(body: Vec<u8>) -> Result<Self, &'static str> {
        Self::from_utf8(body).map_err(|_| "is not text in UTF-8")
    }

    fn as_body(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<T: RawContent> Raw<T> {
    /// Creates a body with the first media type that the operation accepts.
    pub fn new(content: impl Into<T>) -> Self {
        Self { content_type: None, content: content.into() }
    }

    /// Sets the media type, such as `image/png`.
    #[must_use]
    pub fn with_type(mut self, content_type: impl Into<String>) -> Self {
        self.content_type = Some(content_type.into());
        self
    }

    /// Creates a value from a received body and its media type.
    ///
    /// # Errors
    /// Returns the same errors as [`RawContent::from_body`].
    pub fn from_body(body: Vec<u8>, content_type: Option<&str>) -> Result<Self, &'static str> {
        Ok(Self { content_type: content_type.map(str::to_owned), content: T::from_body(body)? })
    }

    /// Returns the media type, if it is known.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// Returns the content.
    pub const fn content(&self) -> &T {
        &self.content
    }

    /// Returns the content by value.
    pub fn into_content(self) -> T {
        self.content
    }
}

impl From<Vec<u8>> for Raw<Vec<u8>> {
    fn from(content: Vec<u8>) -> Self {
        Self::new(content)
    }
}

impl From<&[u8]> for Raw<Vec<u8>> {
    fn from(content: &[u8]) -> Self {
        Self::new(content)
    }
}

impl From<String> for Raw<String> {
    fn from(content: String) -> Self {
        Self::new(content)
    }
}

impl From<&str> for Raw<String> {
    fn from(content: &str) -> Self {
        Self::new(content)
    }
}

/// Formats the length only, since the content may be anything.
impl<T: RawContent> fmt::Debug for Raw<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Raw")
            .field("content_type", &self.content_type)
            .field("bytes", &self.content.as_body().len())
            .finish()
    }
}

impl<T: RawContent> Answer for Raw<T> {
    const RAW: bool = true;

    fn decode(body: &[u8]) -> Result<Self, DecodeError> {
        Self::decode_as(body, None)
    }

    fn decode_as(body: &[u8], content_type: Option<&str>) -> Result<Self, DecodeError> {
        Self::from_body(body.to_vec(), content_type).map_err(DecodeError::of_body)
    }

    fn encode(&self) -> Result<Vec<u8>, crate::json::EncodeError> {
        Ok(self.content.as_body().to_vec())
    }

    fn encode_selected(&self, _: &crate::fields::AnySelection) -> Result<Vec<u8>, crate::json::EncodeError> {
        self.encode()
    }

    fn content_type(&self) -> Option<&str> {
        self.content_type()
    }
}

/// Returns the index of the alternative with a media type: one that names it takes precedence over one with a matching
/// range. Returns `None` if no alternative matches.
#[must_use]
pub fn alternative(media_type: &str, alternatives: &[&[&str]]) -> Option<usize> {
    crate::request::alternative_index(media_type, alternatives.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_in_utf_8() {
        assert_eq!(Raw::<String>::from_body(vec![0xff], None), Err("is not text in UTF-8"));
        assert!(Raw::<String>::decode(&[0xff]).is_err_and(|error| error.to_string().contains("UTF-8")));
        let read = Raw::<String>::from_body("é".into(), Some("text/plain")).unwrap();
        assert_eq!((read.content_type(), read.content().as_str()), (Some("text/plain"), "é"));
    }

    #[test]
    fn content_is_not_shown() {
        let debug = format!("{:?}", Raw::<Vec<u8>>::new(*b"secret").with_type("a/b"));
        assert_eq!(debug, "Raw { content_type: Some(\"a/b\"), bytes: 6 }");
    }
}
