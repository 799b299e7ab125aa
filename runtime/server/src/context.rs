//! Context of a request for handlers.

mod admit;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use http::request::Parts;
use wireform_runtime::etag::ETagCondition;
use wireform_runtime::fields::{AnySelection, SelectionError, Shape};
use wireform_runtime::operation::Operation;
use wireform_runtime::{ConditionSet, Naming, ResponseAlternative};
use wireform_validation::CheckRequests;

use crate::auth::Principal;
use crate::contract::Contract;
use crate::limits::{BodyShare, Caller};
use crate::memory::{MemoryBudget, MemoryShare};
use crate::observe::RequestId;
use crate::settings::Settings;
use crate::stream::ResponseStreams;
use crate::uploads::MediaStream;

/// Context of a request for handlers.
pub struct Context {
    pub(crate) contract: &'static Contract,
    pub(crate) principal: Principal,
    pub(crate) id: RequestId,
    pub(crate) parts: Parts,
    pub(crate) settings: Arc<Settings>,
    /// Options of the response, from the standard parameters.
    pub(crate) response_options: ResponseOptions,
    pub(crate) if_match: Option<ETagCondition>,
    pub(crate) if_none_match: Option<ETagCondition>,
    /// Sync token that cannot be parsed: the request has a default value instead.
    pub(crate) unreadable_sync_token: Option<String>,
    /// Media of the request, until the handler takes them.
    pub(crate) media: Mutex<Option<MediaStream>>,
    /// Streamed fields of the response.
    pub(crate) streams: ResponseStreams,
    /// Fields of the body that have an effect.
    pub(crate) effective: ConditionSet,
    /// Rules of the API, by which a request is checked again against the stored value.
    pub(crate) rules: Option<&'static dyn CheckRequests>,
}

/// Options of the response, from the standard parameters.
#[derive(Debug, Default)]
pub(crate) struct ResponseOptions {
    /// Selection of `fields`.
    pub(crate) fields: Option<AnySelection>,
    /// True if the response is indented.
    pub(crate) pretty: bool,
    /// True if the response is requested as media.
    pub(crate) media: bool,
}

impl ResponseOptions {
    /// Parses `fields` and checks it against the fields of the response. For a response without fields, and for an
    /// empty text, nothing is selected.
    ///
    /// # Errors
    /// Returns an error if the text is malformed or selects unknown fields.
    pub(crate) fn select(&mut self, text: &str, shape: Option<&'static Shape>) -> Result<(), SelectionError> {
        let shape = shape.filter(|_| !text.trim_ascii().is_empty());
        self.fields = shape.map(|shape| AnySelection::parse(text, shape)).transpose()?;
        Ok(())
    }
}

impl Context {
    /// Returns a copy that outlives the call of the handler, for example for a transaction on another thread in which
    /// the request is [checked against the stored value](Self::prepare). It has no media, no body and no extensions.
    #[must_use]
    pub fn detached(&self) -> Self {
        let mut parts = http::Request::new(()).into_parts().0;
        parts.method.clone_from(&self.parts.method);
        parts.uri.clone_from(&self.parts.uri);
        parts.headers.clone_from(&self.parts.headers);
        Self {
            contract: self.contract,
            principal: self.principal.clone(),
            id: self.id.clone(),
            parts,
            settings: Arc::clone(&self.settings),
            response_options: ResponseOptions::default(),
            if_match: self.if_match.clone(),
            if_none_match: self.if_none_match.clone(),
            unreadable_sync_token: self.unreadable_sync_token.clone(),
            media: Mutex::new(None),
            streams: ResponseStreams::default(),
            effective: self.effective.clone(),
            rules: self.rules,
        }
    }

    /// Returns the operation.
    #[must_use]
    pub const fn operation(&self) -> &'static Operation {
        self.contract.operation
    }

    /// Returns the caller, who is authenticated or [anonymous](Principal::anonymous).
    #[must_use]
    pub const fn principal(&self) -> &Principal {
        &self.principal
    }

    /// Returns the request id, which is logged and sent in `X-Request-Id`.
    #[must_use]
    pub const fn request_id(&self) -> &RequestId {
        &self.id
    }

    /// Returns method, URL, headers and extensions, as layers in front of the router left them. They hold secrets.
    #[must_use]
    pub const fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Returns which names the server writes: those of the specification or those of the public service.
    #[must_use]
    pub fn naming(&self) -> Naming {
        self.settings.names
    }

    /// Takes the uploaded media of the request. Returns `None` if there are none, or if they were taken before. Media
    /// that a handler does not take are not read.
    #[must_use]
    pub fn take_media(&self) -> Option<MediaStream> {
        self.media.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Returns true if the response is requested as media, with the parameter whose role is `format`, from an operation
    /// that supports it. A handler returns them with [`Reply::media`](crate::Reply::media) then.
    #[must_use]
    pub const fn wants_media(&self) -> bool {
        self.response_options.media
    }

    /// Returns the alternative response that the request prefers, by its header `Accept` (RFC 9110, section 12.5.1):
    /// `context.format::<ReportsGetFormat>()`. A request that accepts none of them gets a 406 before the handler is
    /// called. A handler may return another alternative than the preferred one.
    #[must_use]
    pub fn format<F: ResponseAlternative>(&self) -> F {
        crate::response::accept::preferred_format(&self.parts.headers).unwrap_or(F::FIRST)
    }

    /// Returns the streamed fields of the response, to which large values are added so that they are read while it is
    /// sent.
    #[must_use]
    pub const fn streams(&self) -> &ResponseStreams {
        &self.streams
    }

    /// Creates an empty share of a budget for the caller. All requests of a subject are one caller, and so are those
    /// without a credential from one IP address.
    #[must_use]
    pub fn share(&self, budget: &MemoryBudget) -> MemoryShare {
        budget.share_of(Caller::of(&self.principal, &self.parts))
    }

    /// Creates an empty share of the memory budget of the server for the caller; `None` if the server has no budget. A
    /// handler reserves memory before it reads large values, and passes the share to its reply
    /// ([`Reply::with_value_share`](crate::Reply::with_value_share)).
    #[must_use]
    pub fn response_share(&self) -> Option<MemoryShare> {
        self.settings.memory.as_ref().map(|budget| self.share(budget))
    }

    /// Returns the share of the memory budget that a large request body holds. A handler that uses the data after the
    /// request has ended keeps the share as long.
    #[must_use]
    pub fn memory_share(&self) -> Option<Arc<MemoryShare>> {
        self.parts.extensions.get::<BodyShare>().map(|body| Arc::clone(&body.share))
    }

    /// Returns the condition of `If-Match`, if the operation supports it.
    #[must_use]
    pub const fn if_match(&self) -> Option<&ETagCondition> {
        self.if_match.as_ref()
    }

    /// Returns the condition of `If-None-Match`, if the operation supports it.
    #[must_use]
    pub const fn if_none_match(&self) -> Option<&ETagCondition> {
        self.if_none_match.as_ref()
    }

    /// Returns true if the selection includes the field at a path, such as `items/attendees`, or a part of it. If not,
    /// a handler need not load it. Lists have no segment of their own in a path.
    #[must_use]
    pub fn selects(&self, path: &str) -> bool {
        self.response_options.fields.as_ref().is_none_or(|fields| fields.selects(path))
    }
}

/// Headers and query are omitted because they hold secrets.
impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("operation", &self.contract.operation.name)
            .field("principal", &self.principal)
            .field("id", &self.id)
            .field("wanted", &self.response_options)
            .field("if_match", &self.if_match)
            .field("if_none_match", &self.if_none_match)
            .finish_non_exhaustive()
    }
}
