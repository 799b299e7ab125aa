//! Storage of resumable uploads.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use axum::body::Bytes;
use http::{HeaderMap, StatusCode};

use super::MediaStream;
use crate::error::Error;

/// Future that the methods of [`UploadSessions`] return.
pub type UploadFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// Store of resumable uploads. [`MemorySessions`](super::MemorySessions) keeps them in memory; a service of several
/// processes needs a shared store.
///
/// A store may drop an upload long after its last chunk: the session is not found then, and its client starts again.
pub trait UploadSessions: Send + Sync + 'static {
    /// Stores a new upload, and returns its name, which must be unpredictable.
    fn begin(&self, session: Session) -> UploadFuture<'_, String>;

    /// Returns the upload with that name, its progress, and the response if it is complete; `None` if it is unknown.
    fn find<'a>(&'a self, name: &'a str) -> UploadFuture<'a, Option<Session>>;

    /// Appends a chunk that starts at an offset, unless those bytes are stored already. Returns the number of stored
    /// bytes.
    fn append<'a>(&'a self, name: &'a str, at: u64, piece: Bytes) -> UploadFuture<'a, u64>;

    /// Stores the total length of an upload whose start did not declare it, once a chunk does.
    fn set_length<'a>(&'a self, name: &'a str, length: u64) -> UploadFuture<'a, ()>;

    /// Takes the bytes of a complete upload. Only one caller gets them until [`release`](Self::release); others get
    /// `None`.
    fn take<'a>(&'a self, name: &'a str) -> UploadFuture<'a, Option<MediaStream>>;

    /// Makes the bytes that were taken available again, because they could not be processed.
    fn release<'a>(&'a self, name: &'a str) -> UploadFuture<'a, ()>;

    /// Stores the response to a complete upload, and drops its bytes.
    fn finish<'a>(&'a self, name: &'a str, response: StoredResponse) -> UploadFuture<'a, ()>;

    /// Drops an upload.
    fn cancel<'a>(&'a self, name: &'a str) -> UploadFuture<'a, ()>;
}

/// Resumable upload.
///
/// It may hold keys, so `Debug` shows none of its content.
#[derive(Clone)]
pub struct Session {
    /// Name of the operation, such as `files.insert`.
    pub operation: &'static str,
    /// Subject that started the upload.
    pub subject: String,
    /// Path and query of the request that started it, without tokens and keys.
    pub target: String,
    /// Headers of the request that started it, without credentials.
    pub headers: HeaderMap,
    /// JSON body of the request that started it.
    pub body: Bytes,
    /// Media type.
    pub content_type: String,
    /// Total length in bytes, once it is known.
    pub length: Option<u64>,
    /// Number of stored bytes.
    pub arrived: u64,
    /// Response, if the upload is complete.
    pub response: Option<StoredResponse>,
}

/// Stored response to an upload, for a client that did not receive it.
#[derive(Clone)]
pub struct StoredResponse {
    /// Status.
    pub status: StatusCode,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub body: Bytes,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("operation", &self.operation)
            .field("content_type", &self.content_type)
            .field("length", &self.length)
            .field("arrived", &self.arrived)
            .field("response", &self.response)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for StoredResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredResponse").field("status", &self.status).finish_non_exhaustive()
    }
}
