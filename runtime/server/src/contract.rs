//! Static description of an API and its operations for servers.

use axum::body::Body;
use http::Response;
use wireform_runtime::Request;
use wireform_runtime::operation::{ExpiredTokenError, Operation, UploadDescription};

use crate::error::Error;

/// Wire contract of an operation, beyond what clients need.
#[derive(Debug)]
pub struct Contract {
    /// Operation.
    pub operation: &'static Operation,
    /// Status of a successful response.
    pub status: u16,
    /// Requirement of a body.
    pub body: BodyRequirement,
    /// Media types of the body.
    pub content_types: &'static [&'static str],
    /// True if reads support 304 (RFC 9110, section 13.1.2).
    pub if_none_match: bool,
    /// True if writes support 412 (RFC 9110, section 13.1.1).
    pub if_match: bool,
    /// True if the response is paginated. Its page tokens are different each time, so no entity tag is computed from
    /// it.
    pub paged: bool,
    /// Parameter with the sync token, and the error of an expired one.
    pub sync: Option<(&'static str, ExpiredTokenError)>,
    /// Media of requests.
    pub media: Option<&'static UploadDescription>,
    /// Top-level fields of the JSON body that are binary data, as base64.
    pub binary: &'static [&'static str],
}

impl Contract {
    /// Creates the contract of an operation without a body, whose successful status is 200.
    #[must_use]
    pub const fn new(operation: &'static Operation) -> Self {
        Self {
            operation,
            status: 200,
            body: BodyRequirement::None,
            content_types: &[],
            if_none_match: false,
            if_match: false,
            paged: false,
            sync: None,
            media: None,
            binary: &[],
        }
    }

    /// Creates the contract of the operation of a request type.
    #[must_use]
    pub const fn of<R: Request>() -> Self {
        Self::new(R::OPERATION)
    }

    /// Sets the status of a successful response.
    #[must_use]
    pub const fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Sets the media types of a required body.
    #[must_use]
    pub const fn body(mut self, content_types: &'static [&'static str]) -> Self {
        self.body = BodyRequirement::Required;
        self.content_types = content_types;
        self
    }

    /// Sets the media types of an optional body.
    #[must_use]
    pub const fn optional_body(mut self, content_types: &'static [&'static str]) -> Self {
        self.body = BodyRequirement::Optional;
        self.content_types = content_types;
        self
    }

    /// Enables 304 for reads.
    #[must_use]
    pub const fn if_none_match(mut self) -> Self {
        self.if_none_match = true;
        self
    }

    /// Enables 412 for writes.
    #[must_use]
    pub const fn if_match(mut self) -> Self {
        self.if_match = true;
        self
    }

    /// Marks the response as paginated.
    #[must_use]
    pub const fn paged(mut self) -> Self {
        self.paged = true;
        self
    }

    /// Sets the parameter with the sync token, and the error of an expired one, which is also that of one that cannot be parsed.
    #[must_use]
    pub const fn sync(mut self, parameter: &'static str, expired: ExpiredTokenError) -> Self {
        self.sync = Some((parameter, expired));
        self
    }

    /// Sets the media of requests.
    #[must_use]
    pub const fn media(mut self, media: &'static UploadDescription) -> Self {
        self.media = Some(media);
        self
    }

    /// Sets the top-level fields of the JSON body that are binary data.
    #[must_use]
    pub const fn binary(mut self, members: &'static [&'static str]) -> Self {
        self.binary = members;
        self
    }
}

/// Requirement of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyRequirement {
    /// There is none. A body that is not empty is refused.
    None,
    /// The body is optional.
    Optional,
    /// The body is required.
    Required,
}

/// Response, or an error before it is rendered in the API's format.
pub type Outcome = Result<Response<Body>, Error>;
