//! The service, profiles and history.

mod history;

use std::sync::Arc;
use std::time::Duration;

use mailbox_server::runtime::axum::Router;
use mailbox_server::runtime::tokens::TokenSealer;
use mailbox_server::runtime::{Limits, MemoryBudget, MemorySessions, Server};
use mailbox_server::{Context, Handlers, Result, requests, service, types};
use wireform_store::{AnyStore, Clock, Store};

use crate::number::count;
use crate::{CalendarMailHandler, caller, error, mail};

/// Memory budget of large requests and responses, in bytes.
const MEMORY_BUDGET: u64 = 52 << 20;
/// Maximum part of the budget for one user, enough for a mail of the maximum size.
const USER_BUDGET: u64 = 38 << 20;

/// Maximum number of bytes of all resumable uploads that are not complete, enough for a mail of the maximum size.
const UPLOAD_BYTES: u64 = 40 << 20;

/// Field of a body that contains a mail, and is decoded while it arrives.
pub const RAW_FIELD: &str = "raw";

/// Maximum number of bytes of text in a body other than the mail.
pub const MAX_TEXT_BYTES: usize = 256 << 10;

/// Creates the memory budget of a program that serves mail.
#[must_use]
pub fn memory_budget() -> MemoryBudget {
    MemoryBudget::new(MEMORY_BUDGET).with_caller_bytes(USER_BUDGET)
}

/// Creates the store of resumable uploads.
#[must_use]
pub fn upload_sessions() -> MemorySessions {
    MemorySessions::new(UPLOAD_BYTES)
}

/// Mail service on a store.
#[derive(Debug, Clone)]
pub struct MailboxService<S> {
    pub(crate) store: S,
    pub(crate) sealer: TokenSealer,
    pub(crate) clock: Clock,
    pub(crate) budget: MemoryBudget,
    pub(crate) calendars: Option<Arc<dyn CalendarMailHandler>>,
}

impl<S: Store> MailboxService<S> {
    /// Creates the service on a store. `sealer` seals page tokens, `clock` provides the time.
    #[must_use]
    pub fn new(store: S, sealer: TokenSealer, clock: Clock) -> Self {
        // A client may change the page size between pages.
        let sealer = sealer.with_free_parameters(&["maxResults"]);
        Self { store, sealer, clock, budget: memory_budget(), calendars: None }
    }

    /// Returns the memory budget of large mails, which the server must share: `Server::memory_budget`, and
    /// `Server::decode_streaming` with [`RAW_FIELD`] and [`MAX_TEXT_BYTES`].
    #[must_use]
    pub fn budget(&self) -> MemoryBudget {
        self.budget.clone()
    }

    /// Sets the handler of calendar data in mail.
    #[must_use]
    pub fn with_calendars(mut self, calendars: impl CalendarMailHandler + 'static) -> Self {
        self.calendars = Some(Arc::new(calendars));
        self
    }

    /// Sets the memory budget.
    #[must_use]
    pub fn with_budget(mut self, budget: MemoryBudget) -> Self {
        self.budget = budget;
        self
    }
}

/// Creates the router of a server on a store that is selected at run time. The service is compiled here for such stores,
/// and not again by each program that uses it.
pub fn router(server: Server<Handlers<MailboxService<AnyStore>>>) -> Router {
    server.router()
}

/// Returns the limits of a request: a mail of the maximum size fits into a body as base64url in JSON, with time to
/// arrive.
#[must_use]
pub fn limits() -> Limits {
    let body_bytes = mail::MAX_MESSAGE_BYTES.div_ceil(3) * 4 + (64 << 10);
    Limits { body_bytes, request_time: Duration::from_secs(120), ..Limits::DEFAULT }
}

impl<S: Store> service::Users for MailboxService<S> {
    async fn get_profile(&self, request: requests::UsersGetProfile, context: &Context) -> Result<types::Profile> {
        let user = caller::user(&self.store, context, &request.user_id).await?;
        let profile = self.store.profile(user.mailbox).await.map_err(error::from_store)?;
        let profile = types::Profile::default()
            .with_email_address(user.address)
            .with_messages_total(count(profile.messages))
            .with_threads_total(count(profile.threads))
            .with_history_id(profile.history.0);
        Ok(profile.into())
    }
}
