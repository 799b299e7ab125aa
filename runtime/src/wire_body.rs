//! Bodies of responses.

use std::fmt::Debug;

use serde::de::DeserializeOwned;

use crate::fields::AnySelection;
use crate::wire::FromWire;

/// Body of a response.
pub trait WireBody: Sized + Clone + Debug + Send + Sync + 'static {
    /// True if a response without a body is decoded to a value.
    const ALLOWS_EMPTY: bool = false;

    /// True if the body is used unprocessed instead of as JSON.
    const IS_RAW: bool = false;

    /// True if the status of a response selects its type.
    const HAS_TYPES_BY_STATUS: bool = false;

    /// Decodes the body.
    ///
    /// # Errors
    /// Returns an error if the body is not a value of the type.
    fn decode(body: &[u8]) -> Result<Self, crate::json::DecodeError>;

    /// Decodes the body, with the media type that the server gave.
    ///
    /// # Errors
    /// Returns the same errors as [`decode`](Self::decode).
    fn decode_with_type(body: &[u8], _content_type: Option<&str>) -> Result<Self, crate::json::DecodeError> {
        Self::decode(body)
    }

    /// Decodes the body of a response with this status, which selects the type if statuses have types of their own.
    ///
    /// # Errors
    /// Returns the same errors as [`decode`](Self::decode), and one for a status that the schema does not declare if
    /// statuses have types of their own.
    fn decode_with_status(
        _status: u16,
        body: &[u8],
        content_type: Option<&str>,
    ) -> Result<Self, crate::json::DecodeError> {
        Self::decode_with_type(body, content_type)
    }

    /// Returns the status of the response, if statuses have types of their own.
    fn status(&self) -> Option<u16> {
        None
    }

    /// Returns the media type of the body, if the value knows it.
    fn content_type(&self) -> Option<&str> {
        None
    }

    /// Returns whether this value is written unprocessed instead of as JSON.
    fn is_raw(&self) -> bool {
        Self::IS_RAW
    }

    /// Encodes the body; an absent body is empty.
    ///
    /// # Errors
    /// Returns the same errors as [`json::to_vec`](crate::json::to_vec).
    fn encode(&self) -> Result<Vec<u8>, crate::json::EncodeError>;

    /// Encodes the selected fields of the body; an absent body is empty.
    ///
    /// # Errors
    /// Returns the same errors as [`AnySelection::to_vec`].
    fn encode_selected(&self, selection: &AnySelection) -> Result<Vec<u8>, crate::json::EncodeError>;
}

impl<T> WireBody for T
where
    T: Clone + Debug + Send + Sync + 'static + DeserializeOwned + serde::Serialize + for<'de> FromWire<'de>,
{
    fn decode(body: &[u8]) -> Result<Self, crate::json::DecodeError> {
        crate::json::from_slice(body)
    }

    fn encode(&self) -> Result<Vec<u8>, crate::json::EncodeError> {
        crate::json::to_vec(self)
    }

    fn encode_selected(&self, selection: &AnySelection) -> Result<Vec<u8>, crate::json::EncodeError> {
        selection.to_vec(self)
    }
}

impl WireBody for () {
    const ALLOWS_EMPTY: bool = true;

    fn decode(_body: &[u8]) -> Result<Self, crate::json::DecodeError> {
        Ok(())
    }

    fn encode(&self) -> Result<Vec<u8>, crate::json::EncodeError> {
        Ok(Vec::new())
    }

    fn encode_selected(&self, _selection: &AnySelection) -> Result<Vec<u8>, crate::json::EncodeError> {
        Ok(Vec::new())
    }
}
