//! Bodies other than JSON.

use std::fmt;

use crate::json::DecodeError;
use crate::wire_body::WireBody;

/// Body other than JSON, unprocessed: bytes, `RawBody<Vec<u8>>`, or text in UTF-8, `RawBody<String>`.
///
/// Without a media type it has the first one that its operation accepts.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct RawBody<T> {
    content_type: Option<String>,
    content: T,
}

/// Content that a [`RawBody`] can have: text or bytes.
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
        Self::from_utf8(body).map_err(|_| "must be UTF-8")
    }

    fn as_body(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<T: RawContent> RawBody<T> {
    /// Creates a body with the first media type that the operation accepts.
    pub fn new(content: impl Into<T>) -> Self {
        Self { content_type: None, content: content.into() }
    }

    /// Sets the media type, such as `image/png`.
    #[must_use]
    pub fn with_content_type(mut self, content_type: impl Into<String>) -> Self {
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

    /// Returns the content of the body.
    pub const fn content(&self) -> &T {
        &self.content
    }

    /// Returns the content of the body by value.
    pub fn into_content(self) -> T {
        self.content
    }
}

impl From<Vec<u8>> for RawBody<Vec<u8>> {
    fn from(content: Vec<u8>) -> Self {
        Self::new(content)
    }
}

impl From<&[u8]> for RawBody<Vec<u8>> {
    fn from(content: &[u8]) -> Self {
        Self::new(content)
    }
}

impl From<String> for RawBody<String> {
    fn from(content: String) -> Self {
        Self::new(content)
    }
}

impl From<&str> for RawBody<String> {
    fn from(content: &str) -> Self {
        Self::new(content)
    }
}

/// Formats the length only, since the content may be anything.
impl<T: RawContent> fmt::Debug for RawBody<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Raw")
            .field("content_type", &self.content_type)
            .field("bytes", &self.content.as_body().len())
            .finish()
    }
}

impl<T: RawContent> WireBody for RawBody<T> {
    const IS_RAW: bool = true;

    fn decode(body: &[u8]) -> Result<Self, DecodeError> {
        Self::decode_with_type(body, None)
    }

    fn decode_with_type(body: &[u8], content_type: Option<&str>) -> Result<Self, DecodeError> {
        Self::from_body(body.to_vec(), content_type).map_err(DecodeError::invalid_body)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_must_be_utf_8() {
        assert_eq!(RawBody::<String>::from_body(vec![0xff], None), Err("must be UTF-8"));
        assert!(RawBody::<String>::decode(&[0xff]).is_err_and(|error| error.to_string().contains("UTF-8")));
        let read = RawBody::<String>::from_body("é".into(), Some("text/plain")).unwrap();
        assert_eq!((read.content_type(), read.content().as_str()), (Some("text/plain"), "é"));
    }

    #[test]
    fn debug_omits_the_content() {
        let debug = format!("{:?}", RawBody::<Vec<u8>>::new(*b"secret").with_content_type("a/b"));
        assert_eq!(debug, "Raw { content_type: Some(\"a/b\"), bytes: 6 }");
    }
}
