//! What generated code tells of an API and its operations.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::Body;
use http::Response;
use wireform_runtime::operation::{Api, Media, Operation};

use crate::error::Error;
use crate::receive::Incoming;

/// What the wire demands of an operation beside what clients know of it.
#[derive(Debug)]
pub struct Contract {
    /// The operation.
    pub operation: &'static Operation,
    /// The status of its success.
    pub status: u16,
    /// Whether a request has a body, and must have one.
    pub body: BodyNeed,
    /// The media types that its body can have.
    pub content_types: &'static [&'static str],
    /// Whether a read answers 304 (RFC 9110, section 13.1.2).
    pub if_none_match: bool,
    /// Whether a write answers 412 (RFC 9110, section 13.1.1).
    pub if_match: bool,
    /// Whether the answer comes in pages. The tokens in it are sealed anew each time, so that no tag is made of it.
    pub paged: bool,
}

/// Whether a request has a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyNeed {
    /// It has none, and one that comes all the same is refused unless it is empty.
    None,
    /// It can have one.
    Optional,
    /// It must have one.
    Required,
}

/// What came of a request, before errors have the shape that the API gives them.
pub type Outcome = Result<Response<Body>, Error>;

/// A service behind the operations of one API. Generated code implements it; see its function `server`.
pub trait Handlers: Send + Sync + 'static {
    /// The API.
    const API: &'static Api;

    /// The operations, in the order of the schema.
    const CONTRACTS: &'static [&'static Contract];

    /// The media that operations take, by their places in [`CONTRACTS`](Self::CONTRACTS).
    const UPLOADS: &'static [(usize, &'static Media)] = &[];

    /// Hands a request to the function of the operation with that place in [`CONTRACTS`](Self::CONTRACTS).
    fn call(self: Arc<Self>, operation: usize, incoming: Incoming) -> Pin<Box<dyn Future<Output = Outcome> + Send>>;
}
