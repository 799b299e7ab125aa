//! What is kept between the pieces of an upload.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use axum::body::Bytes;
use http::{HeaderMap, StatusCode};

use super::Media;
use crate::error::Error;

/// What comes of asking for something of a session.
pub type SessionFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// Keeps uploads while they come in pieces. [`MemorySessions`](super::MemorySessions) keeps them in memory; a service of
/// several processes keeps them where all of them look.
///
/// What is kept long after its last piece has come may be dropped: then the session is not found, and its client
/// begins anew.
pub trait UploadSessions: Send + Sync + 'static {
    /// Keeps what an upload begins with, under a name that nobody guesses.
    fn begin(&self, session: Session) -> SessionFuture<'_, String>;

    /// What the upload of that name began with, how far it is, and what was answered if it is done.
    fn find<'a>(&'a self, name: &'a str) -> SessionFuture<'a, Option<Session>>;

    /// Keeps a piece that begins at that byte, unless other bytes are there already. Gives how many bytes are kept.
    fn append<'a>(&'a self, name: &'a str, at: u64, piece: Bytes) -> SessionFuture<'a, u64>;

    /// Keeps how many bytes all of it has: a piece has said it, and nobody had before.
    fn announce<'a>(&'a self, name: &'a str, length: u64) -> SessionFuture<'a, ()>;

    /// The bytes of an upload that is complete, for whoever asks first; nobody else gets them before
    /// [`release`](Self::release).
    fn take<'a>(&'a self, name: &'a str) -> SessionFuture<'a, Option<Media>>;

    /// Lets the bytes be taken again, because they could not be worked on.
    fn release<'a>(&'a self, name: &'a str) -> SessionFuture<'a, ()>;

    /// Keeps the answer, and drops the bytes.
    fn finish<'a>(&'a self, name: &'a str, answer: KeptAnswer) -> SessionFuture<'a, ()>;

    /// Drops the upload.
    fn cancel<'a>(&'a self, name: &'a str) -> SessionFuture<'a, ()>;
}

/// An upload that comes in pieces.
///
/// What was sent may hold keys, so `Debug` shows none of it.
#[derive(Clone)]
pub struct Session {
    /// The operation: `files.insert`.
    pub operation: &'static str,
    /// Who began it.
    pub subject: String,
    /// The path and the query with which it began, without tokens and keys.
    pub target: String,
    /// The headers with which it began, without those that say who asks.
    pub headers: HeaderMap,
    /// The JSON with which it began.
    pub body: Bytes,
    /// The media type.
    pub content_type: String,
    /// The bytes of all of it, as soon as that is known.
    pub length: Option<u64>,
    /// The bytes that are kept.
    pub arrived: u64,
    /// The answer, if it is done.
    pub answer: Option<KeptAnswer>,
}

/// The answer to an upload, for a client that did not hear it.
#[derive(Clone)]
pub struct KeptAnswer {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("operation", &self.operation)
            .field("content_type", &self.content_type)
            .field("length", &self.length)
            .field("arrived", &self.arrived)
            .field("answer", &self.answer)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for KeptAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeptAnswer").field("status", &self.status).finish_non_exhaustive()
    }
}
