//! Documents in and out.

use serde::Serialize;

use super::{ANSWER, Limits, Name, Root, Value, read, write};
use crate::json::{self, DecodeError, EncodeError};
use crate::request::Answer;

/// That this library can read and write documents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Codec;

impl Root {
    /// Creates a body that has these media types, as an element of that name.
    #[must_use]
    pub const fn new(name: Name, value: Value, media_types: &'static [&'static str]) -> Self {
        Self { name, value, media_types, codec: Codec }
    }

    /// Returns the JSON of a document.
    ///
    /// # Errors
    /// Returns an error if it is not well-formed, has more than the limits allow or what is refused, or begins with
    /// another element.
    pub fn to_json(&self, document: &[u8], limits: Limits) -> Result<Vec<u8>, DecodeError> {
        let Self { codec: Codec, .. } = self;
        read::json(self, document, limits)
    }

    /// Returns the value of a body that is XML or JSON, whichever it is said to be.
    ///
    /// # Errors
    /// Returns the errors of [`to_json`](Self::to_json), and when the body is not a `T`.
    pub fn decode<T: Answer>(&self, body: &[u8], content_type: Option<&str>) -> Result<T, DecodeError> {
        if self.is_xml(content_type) {
            T::decode(&self.to_json(body, ANSWER)?).map_err(DecodeError::without_place)
        } else {
            T::decode_as(body, content_type)
        }
    }

    /// Returns the document of a JSON text.
    ///
    /// # Errors
    /// Returns an error if the text is no JSON, or has a name or a character that cannot stand in XML.
    pub fn to_xml(&self, json: &[u8]) -> Result<Vec<u8>, EncodeError> {
        write::document(self, &json::from_slice(json).map_err(|error| EncodeError::of(error.message))?)
    }

    /// Returns the document of a value.
    ///
    /// # Errors
    /// Returns an error if the value cannot be encoded, or has a name or a character that cannot stand in XML.
    pub fn encode<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>, EncodeError> {
        self.to_xml(&json::to_vec(value)?)
    }
}
