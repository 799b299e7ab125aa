//! What a handler is told beside the request.

mod admit;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use http::request::Parts;
use wireform_runtime::etag::ETagCondition;
use wireform_runtime::fields::{AnySelection, SelectionError, Shape};
use wireform_runtime::operation::Operation;
use wireform_runtime::{Effective, Format, Names};
use wireform_validation::CheckRequests;

use crate::auth::Principal;
use crate::contract::Contract;
use crate::limits::{BodyShare, Caller};
use crate::memory::{MemoryBudget, MemoryShare};
use crate::observe::RequestId;
use crate::settings::Settings;
use crate::stream::ResponseStreams;
use crate::uploads::Media;

/// What a handler is told beside the request.
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
    /// The media that come with it, until the handler takes them.
    pub(crate) media: Mutex<Option<Media>>,
    /// What the response is made of while it is sent.
    pub(crate) streams: ResponseStreams,
    /// Which members of the body have an effect.
    pub(crate) effective: Effective,
    /// The rules of the API, by which a request is checked once more when it is known what it changes.
    pub(crate) rules: Option<&'static dyn CheckRequests>,
}

/// What the standard parameters say of the answer.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    /// What `fields` selects of the answer.
    pub(crate) fields: Option<AnySelection>,
    /// Whether the answer is indented.
    pub(crate) pretty: bool,
    /// Whether the answer is asked for as media.
    pub(crate) media: bool,
}

impl Wanted {
    /// Holds the text of `fields` against the members of the answer. An answer without members has nothing that
    /// could be selected, and an empty text is as none.
    ///
    /// # Errors
    /// When it is no selection, or one of members that the answer does not have.
    pub(crate) fn select(&mut self, text: &str, shape: Option<&'static Shape>) -> Result<(), SelectionError> {
        let shape = shape.filter(|_| !text.trim_ascii().is_empty());
        self.fields = shape.map(|shape| AnySelection::parse(text, shape)).transpose()?;
        Ok(())
    }
}

impl Context {
    /// Returns a copy that outlives the call of the handler, such as for a transaction on another thread, in which the
    /// request is [held against what is stored](Self::prepare). It has no media, no body and no extensions.
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
            wanted: Wanted::default(),
            if_match: self.if_match.clone(),
            if_none_match: self.if_none_match.clone(),
            media: Mutex::new(None),
            streams: ResponseStreams::default(),
            effective: self.effective.clone(),
            rules: self.rules,
        }
    }

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

    /// The media that come with the request, the first time that they are asked for; none where there are none. What a
    /// handler does not take is not read.
    #[must_use]
    pub fn take_media(&self) -> Option<Media> {
        self.media.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether the answer is asked for as media, with the parameter whose role is `format`, by an operation that has some. A handler answers them
    /// with [`Reply::media`](crate::Reply::media) then.
    #[must_use]
    pub const fn wants_media(&self) -> bool {
        self.wanted.media
    }

    /// Returns which of the alternatives that the operation answers the request wants most, by its header `Accept` (RFC
    /// 9110, section 12.5.1): `context.format::<ReportsGetFormat>()`. A request that takes none of them never reaches the
    /// handler: it is answered 406. A handler that cannot make one for this request may answer another one.
    #[must_use]
    pub fn format<F: Format>(&self) -> F {
        crate::answer::accept::preferred(&self.parts.headers).unwrap_or(F::FIRST)
    }

    /// Returns what large members of the response are added to, so that they are read while it is sent.
    #[must_use]
    pub const fn streams(&self) -> &ResponseStreams {
        &self.streams
    }

    /// Creates a share of a budget for the caller, which holds nothing yet. All requests of a subject are one caller, and
    /// so are those without a credential that come from one address.
    #[must_use]
    pub fn share(&self, budget: &MemoryBudget) -> MemoryShare {
        budget.share_of(Caller::of(&self.principal, &self.parts))
    }

    /// Returns the share of the memory that the body of the request has taken, if it was large. A handler that goes on
    /// with the data after the request has ended keeps it.
    #[must_use]
    pub fn memory_share(&self) -> Option<Arc<MemoryShare>> {
        self.parts.extensions.get::<BodyShare>().map(|body| Arc::clone(&body.share))
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

    /// Whether the answer is to have something of the member at the end of that path, such as `items/attendees`: all
    /// of it, or members of it. A handler that is told `false` need not get it. Lists do not show in a path.
    #[must_use]
    pub fn selects(&self, path: &str) -> bool {
        self.wanted.fields.as_ref().is_none_or(|fields| fields.selects(path))
    }
}

/// Headers and query are left out: they hold secrets.
impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("operation", &self.contract.operation.name)
            .field("principal", &self.principal)
            .field("id", &self.id)
            .field("wanted", &self.wanted)
            .field("if_match", &self.if_match)
            .field("if_none_match", &self.if_none_match)
            .finish_non_exhaustive()
    }
}
