//! What a handler is told beside the request.

use std::any::Any;
use std::sync::Arc;

use http::request::Parts;
use wireform_runtime::etag::ETagCondition;
use wireform_runtime::operation::Operation;
use wireform_runtime::{Names, Request};

use crate::auth::Principal;
use crate::contract::{Contract, Outcome};
use crate::error::Error;
use crate::observe::RequestId;
use crate::reply::Reply;
use crate::server::Settings;

/// What a handler is told beside the request.
#[derive(Debug)]
pub struct Context {
    pub(crate) contract: &'static Contract,
    pub(crate) principal: Principal,
    pub(crate) id: RequestId,
    pub(crate) parts: Parts,
    pub(crate) settings: Arc<Settings>,
    /// What the standard parameters say of the answer.
    pub(crate) wanted: Wanted,
    pub(crate) if_match: Option<ETagCondition>,
    pub(crate) if_none_match: Option<ETagCondition>,
}

/// What the standard parameters say of the answer.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    /// The text of `fields`, as it was sent; it is held against the answer's resource before a handler is called.
    pub(crate) fields: Option<String>,
    /// Whether the answer is indented.
    pub(crate) pretty: bool,
}

impl Context {
    /// The operation.
    #[must_use]
    pub const fn operation(&self) -> &'static Operation {
        self.contract.operation
    }

    /// Who asks.
    #[must_use]
    pub const fn principal(&self) -> &Principal {
        &self.principal
    }

    /// The name of this request in logs, which the answer tells in `X-Request-Id`.
    #[must_use]
    pub const fn request_id(&self) -> &RequestId {
        &self.id
    }

    /// Method, address, headers and extensions, as layers in front of the router left them. They hold secrets.
    #[must_use]
    pub const fn parts(&self) -> &Parts {
        &self.parts
    }

    /// The spelling in which the server writes.
    #[must_use]
    pub fn names(&self) -> Names {
        self.settings.names
    }

    /// What `If-Match` demands, where the operation takes it.
    #[must_use]
    pub const fn if_match(&self) -> Option<&ETagCondition> {
        self.if_match.as_ref()
    }

    /// What `If-None-Match` demands, where the operation takes it.
    #[must_use]
    pub const fn if_none_match(&self) -> Option<&ETagCondition> {
        self.if_none_match.as_ref()
    }
}
