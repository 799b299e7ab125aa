//! Encoding and decoding of documents.

use serde::Serialize;

use super::{RESPONSE_LIMITS, XmlLimits, XmlName, XmlRoot, XmlValue, read, write};
use crate::json::{self, DecodeError, EncodeError};
use crate::unions::Content;
use crate::wire_body::WireBody;

/// Marker of an enabled feature `xml`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Codec;

impl XmlRoot {
    /// Creates a body with these media types, as an element with this name.
    #[must_use]
    pub const fn new(name: XmlName, value: XmlValue, media_types: &'static [&'static str]) -> Self {
        Self { name, value, media_types, codec: Codec }
    }

    /// Converts an XML document to JSON.
    ///
    /// # Errors
    /// Returns an error if the document is not well-formed, exceeds the limits, contains a rejected construct, or has
    /// another root element.
    pub fn to_json(&self, document: &[u8], limits: XmlLimits) -> Result<Vec<u8>, DecodeError> {
        let Self { codec: Codec, .. } = self;
        read::json(self, document, limits)
    }

    /// Decodes a body that is XML or JSON, depending on its media type.
    ///
    /// # Errors
    /// Returns the same errors as [`to_json`](Self::to_json), or an error if the body is not a `T`.
    pub fn decode<T: WireBody>(&self, body: &[u8], content_type: Option<&str>) -> Result<T, DecodeError> {
        if self.is_xml(content_type) {
            T::decode(&self.to_json(body, RESPONSE_LIMITS)?).map_err(DecodeError::without_position)
        } else {
            T::decode_with_type(body, content_type)
        }
    }

    /// Converts JSON text to a document.
    ///
    /// # Errors
    /// Returns an error if the text is not JSON, or contains a name or a character that is not allowed in XML.
    pub fn to_xml(&self, json: &[u8]) -> Result<Vec<u8>, EncodeError> {
        let json: Content<'_> = json::from_slice(json).map_err(|error| EncodeError::from_message(error.message))?;
        write::document(self, &json.into_texts(usize::MAX))
    }

    /// Encodes a value as a document.
    ///
    /// # Errors
    /// Returns an error if the value cannot be encoded, or contains a name or a character that is not allowed in XML.
    pub fn encode<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>, EncodeError> {
        self.to_xml(&json::to_vec(value)?)
    }
}
