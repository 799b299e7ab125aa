//! Work that goes on after the answer (AIP-151).

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Answer, Request};
use crate::json::{self, DecodeError, EncodeError};

/// A request that starts work, which is asked for by another request until it has ended.
pub trait LongRunning: Request {
    /// The request that asks how the work goes. It answers what this one answers.
    type Poll: Request<Response = Self::Response, ErrorBody = Self::ErrorBody>;

    /// What comes of the work.
    type Outcome: Clone + Debug + Send + Sync + 'static;

    /// What tells how far the work is; `()` where nothing does.
    type Metadata: Clone + Debug + Send + Sync + 'static;

    /// What went wrong with the work; [`Infallible`](std::convert::Infallible) where nothing tells.
    type Failure: Clone + Debug + Send + Sync + 'static;

    /// Returns the request that asks how the work of this answer goes; nothing where the answer does not name it.
    fn poll(&self, answer: &Self::Response) -> Option<Self::Poll>;

    /// What an answer calls the work.
    fn work_name(answer: &Self::Response) -> Option<&str>;

    /// How far the work is.
    ///
    /// # Errors
    /// Returns an error if it has ended, and what came of it is not what the schema says.
    fn stage(answer: &Self::Response) -> Result<StageOf<Self>, DecodeError>;

    /// What a server answers: work of that name, and how far it is.
    ///
    /// # Errors
    /// Returns an error if what came of the work cannot be encoded.
    fn answer(name: String, stage: StageOf<Self>) -> Result<Self::Response, EncodeError>;

    /// What went wrong in words.
    fn failure_message(_failure: &Self::Failure) -> Option<&str> {
        None
    }
}

/// How far the work of a request is.
pub type StageOf<R> = Stage<<R as LongRunning>::Outcome, <R as LongRunning>::Metadata, <R as LongRunning>::Failure>;

/// How far work is.
#[derive(Clone, Debug, PartialEq)]
pub enum Stage<T, M, F> {
    /// It goes on. The metadata tell how far it is; there are none where the server sends none, or others than the
    /// schema says.
    Running(Option<M>),
    /// It has ended, and this came of it.
    Succeeded(T),
    /// It has failed.
    Failed(F),
}

impl<T, M, F> Stage<T, M, F> {
    /// Returns whether nothing more comes.
    #[must_use]
    pub fn is_done(&self) -> bool {
        !matches!(self, Self::Running(_))
    }
}

/// Returns a value that is open in the schema, as the resource that it is after this operation. Nothing is an object
/// without members, which is how a server answers that there is nothing to say. The member `@type`, which names the
/// type (`google.protobuf.Any`), stays in the open value.
///
/// # Errors
/// Returns an error if it is not such a resource.
pub fn typed<T: Answer, V: Serialize>(value: Option<&V>) -> Result<T, DecodeError> {
    // What was decoded can be encoded.
    let text = value.and_then(|value| json::to_vec(value).ok()).filter(|text| text.as_slice() != b"null");
    T::decode(text.as_deref().unwrap_or(b"{}"))
}

/// Returns a resource as a value that is open in the schema: the way back of [`typed`].
///
/// # Errors
/// Returns an error if it cannot be encoded.
pub fn untyped<T: Serialize, V: DeserializeOwned>(value: &T) -> Result<V, EncodeError> {
    let value = serde_json::to_value(value).map_err(|error| EncodeError::new(&error))?;
    serde_json::from_value(value).map_err(|error| EncodeError::new(&error))
}
