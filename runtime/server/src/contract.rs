//! What generated code tells of an API and its operations.

use axum::body::Body;
use http::Response;
use wireform_runtime::Request;
use wireform_runtime::operation::{Media, Operation};

use crate::error::Error;

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
    /// The media that it takes.
    pub media: Option<&'static Media>,
    /// The outermost members of its JSON body that are binary data, which is base64 there.
    pub binary: &'static [&'static str],
}

impl Contract {
    /// The contract of an operation without a body, whose success is 200.
    #[must_use]
    pub const fn new(operation: &'static Operation) -> Self {
        Self {
            operation,
            status: 200,
            body: BodyNeed::None,
            content_types: &[],
            if_none_match: false,
            if_match: false,
            paged: false,
            media: None,
            binary: &[],
        }
    }

    /// The contract of the operation that a request belongs to.
    #[must_use]
    pub const fn of<R: Request>() -> Self {
        Self::new(R::OPERATION)
    }

    /// Sets the status of its success.
    #[must_use]
    pub const fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Sets the media types of a body that a request must have.
    #[must_use]
    pub const fn body(mut self, content_types: &'static [&'static str]) -> Self {
        self.body = BodyNeed::Required;
        self.content_types = content_types;
        self
    }

    /// Sets the media types of a body that a request can have.
    #[must_use]
    pub const fn optional_body(mut self, content_types: &'static [&'static str]) -> Self {
        self.body = BodyNeed::Optional;
        self.content_types = content_types;
        self
    }

    /// Answers 304 to a read of what the client has.
    #[must_use]
    pub const fn if_none_match(mut self) -> Self {
        self.if_none_match = true;
        self
    }

    /// Answers 412 to a write of what has changed meanwhile.
    #[must_use]
    pub const fn if_match(mut self) -> Self {
        self.if_match = true;
        self
    }

    /// Answers in pages.
    #[must_use]
    pub const fn paged(mut self) -> Self {
        self.paged = true;
        self
    }

    /// Takes media.
    #[must_use]
    pub const fn media(mut self, media: &'static Media) -> Self {
        self.media = Some(media);
        self
    }

    /// Sets the outermost members of its JSON body that are binary data.
    #[must_use]
    pub const fn binary(mut self, members: &'static [&'static str]) -> Self {
        self.binary = members;
        self
    }
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
