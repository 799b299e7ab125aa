//! Long-running operations that are polled (AIP-151).

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Request;
use crate::json::{self, DecodeError, EncodeError};
use crate::wire_body::WireBody;

/// Request that starts a long-running operation, which another request polls until it has ended.
pub trait LongRunning: Request {
    /// Request that polls the operation. It has the same response as this one.
    type Poll: Request<Response = Self::Response, ErrorBody = Self::ErrorBody>;

    /// Result of the operation.
    type Outcome: Clone + Debug + Send + Sync + 'static;

    /// Progress of the operation; `()` if none is reported.
    type Metadata: Clone + Debug + Send + Sync + 'static;

    /// Error of the operation; [`Infallible`](std::convert::Infallible) if none is reported.
    type Failure: Clone + Debug + Send + Sync + 'static;

    /// Returns the request that polls the operation of this response; `None` if the response does not name it.
    fn poll(&self, response: &Self::Response) -> Option<Self::Poll>;

    /// Returns the name of the operation in a response.
    fn operation_name(response: &Self::Response) -> Option<&str>;

    /// Returns the state of the operation.
    ///
    /// # Errors
    /// Returns an error if it has ended with a result that does not match the schema.
    fn state(response: &Self::Response) -> Result<OperationStateOf<Self>, DecodeError>;

    /// Creates a response from the name and the state of an operation.
    ///
    /// # Errors
    /// Returns an error if the result cannot be encoded.
    fn build_response(name: String, stage: OperationStateOf<Self>) -> Result<Self::Response, EncodeError>;

    /// Returns the message of an error.
    fn failure_message(_failure: &Self::Failure) -> Option<&str> {
        None
    }
}

/// State of the long-running operation of a request.
pub type OperationStateOf<R> =
    OperationState<<R as LongRunning>::Outcome, <R as LongRunning>::Metadata, <R as LongRunning>::Failure>;

/// State of a long-running operation: running with metadata `M`, succeeded with `T`, or failed with `F`.
#[derive(Clone, Debug, PartialEq)]
pub enum OperationState<T, M, F> {
    /// The operation is running. The metadata describe its progress; `None` if the server sends none, or metadata that
    /// do not match the schema.
    Running(Option<M>),
    /// The operation has succeeded with this result.
    Succeeded(T),
    /// The operation has failed with this error.
    Failed(F),
}

impl<T, M, F> OperationState<T, M, F> {
    /// Returns whether the operation has ended.
    #[must_use]
    pub fn is_done(&self) -> bool {
        !matches!(self, Self::Running(_))
    }
}

/// Converts an untyped value of the schema to the type that it has for this operation. An absent value becomes an
/// object without fields, as a server sends for an empty result. The field `@type`, which names the type
/// (`google.protobuf.Any`), is not converted.
///
/// # Errors
/// Returns an error if the value does not have the type.
pub fn to_typed<T: WireBody, V: Serialize>(value: Option<&V>) -> Result<T, DecodeError> {
    // A decoded value can be encoded.
    let text = value.and_then(|value| json::to_vec(value).ok()).filter(|text| text.as_slice() != b"null");
    T::decode(text.as_deref().unwrap_or(b"{}"))
}

/// Converts a resource to an untyped value of the schema, the inverse of [`to_typed`].
///
/// # Errors
/// Returns an error if it cannot be encoded.
pub fn to_untyped<T: Serialize, V: DeserializeOwned>(value: &T) -> Result<V, EncodeError> {
    let value = serde_json::to_value(value).map_err(|error| EncodeError::new(&error))?;
    serde_json::from_value(value).map_err(|error| EncodeError::new(&error))
}
