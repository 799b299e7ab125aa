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
pub trait Handlers: Sized + Send + Sync + 'static {
    /// The API.
    const API: &'static Api;

    /// Its groups of operations.
    const GROUPS: &'static [Group<Self>];
}

/// The operations of a group, and who answers them.
pub struct Group<H: 'static> {
    /// The operations.
    pub contracts: &'static [&'static Contract],
    /// The media that operations take, by their places in `contracts`.
    pub uploads: &'static [(usize, &'static Media)],
    /// The outermost members of JSON bodies that are binary data, which is base64 there, by the places of their
    /// operations in `contracts`.
    pub binary: &'static [(usize, &'static [&'static str])],
    /// Hands a request to the function of the operation with that place in `contracts`.
    pub call: fn(Arc<H>, usize, Incoming) -> Answering,
}

impl<H> Group<H> {
    /// Returns the outermost members that are binary data in the body of the operation with that place.
    pub(crate) fn binary_members(&self, place: usize) -> &'static [&'static str] {
        self.binary.iter().find(|(at, _)| *at == place).map_or(&[], |(_, members)| members)
    }
}

/// An answer that is worked on.
pub type Answering = Pin<Box<dyn Future<Output = Outcome> + Send>>;
