//! The service, and what a mailbox and its history are answered with.

mod history;

use std::time::Duration;

use mailbox_server::runtime::tokens::TokenSealer;
use mailbox_server::runtime::{Limits, MemoryBudget};
use mailbox_server::{Context, Result, requests, service, types};
use wireform_store::{Clock, Store};

use crate::{caller, fault, mail};

/// The memory that large mails take at once.
const BUDGET: u64 = 52 << 20;
/// The part of it that one user can have: enough for one of the greatest length.
const BUDGET_OF_USER: u64 = 38 << 20;

/// The member of bodies that holds a mail. It is decoded while it arrives.
pub const RAW_MEMBER: &str = "raw";

/// The most bytes of text in a body beside the mail.
pub const TEXT_BYTES: usize = 256 << 10;

/// The mail service on a store.
#[derive(Debug, Clone)]
pub struct MailboxService<S> {
    pub(crate) store: S,
    pub(crate) sealer: TokenSealer,
    pub(crate) clock: Clock,
    pub(crate) budget: MemoryBudget,
}

impl<S: Store> MailboxService<S> {
    /// The service on that store. `sealer` seals the tokens of pages, `clock` says what time it is.
    #[must_use]
    pub fn new(store: S, sealer: TokenSealer, clock: Clock) -> Self {
        // A client may ask for another size of page on its way.
        let sealer = sealer.with_free_parameters(&["maxResults"]);
        Self { store, sealer, clock, budget: MemoryBudget::new(BUDGET).with_caller_bytes(BUDGET_OF_USER) }
    }

    /// The memory that large mails may take at once, which the server shares: `Server::memory_budget`, and
    /// `Server::decode_while_arriving` with [`RAW_MEMBER`] and [`TEXT_BYTES`].
    #[must_use]
    pub fn budget(&self) -> MemoryBudget {
        self.budget.clone()
    }

    /// With another budget.
    #[must_use]
    pub fn with_budget(mut self, budget: MemoryBudget) -> Self {
        self.budget = budget;
        self
    }
}

/// What a request may cost: a mail of the greatest length fits into a body as base64url with JSON around it, and has
/// the time to arrive.
#[must_use]
pub fn limits() -> Limits {
    let body_bytes = mail::MAX_MESSAGE_BYTES.div_ceil(3) * 4 + (64 << 10);
    Limits { body_bytes, request_time: Duration::from_secs(120), ..Limits::DEFAULT }
}

impl<S: Store> service::Users for MailboxService<S> {
    async fn get_profile(&self, request: requests::UsersGetProfile, context: &Context) -> Result<types::Profile> {
        let user = caller::user(&self.store, context, &request.user_id).await?;
        let profile = self.store.profile(user.mailbox).await.map_err(fault::answer)?;
        let profile = types::Profile::default()
            .with_email_address(user.address)
            .with_messages_total(count(profile.messages))
            .with_threads_total(count(profile.threads))
            .with_history_id(profile.history.0);
        Ok(profile.into())
    }
}

/// A number as the wire writes it: there is room for two thousand millions.
pub(crate) fn count(number: u64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
