//! Routers of the three APIs.

use std::time::Duration;

use anyhow::Context as _;
use http::StatusCode;
use wireform_calendar::{CalendarService, MailPreparer};
use wireform_mailbox::mail::{self, Arrival};
use wireform_mailbox::{MAX_TEXT_BYTES, MailboxService, RAW_FIELD};
use wireform_server::axum::Router;
use wireform_server::tokens::TokenSealer;
use wireform_server::{Limits, Quota, wireform_runtime};
use wireform_store::{Accounts as _, AnyStore, Label, NewMessage, SystemLabel};

use super::ServerState;
use super::auth::TokenAuthenticator;
use super::browse::InternalAuthenticator;
use crate::calendar_mail::CalendarInbox;
use crate::settings::ServeSettings;
use crate::settings::value::Names;

/// Period of a user's quota.
const QUOTA_SPAN: Duration = Duration::from_secs(100);

/// Routers of the APIs, for clients and for the pages of this program.
pub struct Apis {
    /// Routes for clients.
    pub router: Router,
    /// Routes for requests that carry an [`InternalCaller`](super::browse::InternalCaller). They are not reachable
    /// through a socket.
    pub internal: Router,
}

impl Apis {
    /// Creates the services and their routes.
    pub async fn new(
        shared: &ServerState,
        settings: &ServeSettings,
        calendar: CalendarService<AnyStore>,
    ) -> anyhow::Result<Self> {
        let key = shared.store.sealing_key().await.context("the key for page tokens cannot be read")?;
        let names = match settings.names {
            Names::Spec => wireform_runtime::Naming::Specification,
            Names::Public => wireform_runtime::Naming::Public,
        };
        let limits = |limits: Limits| match settings.body_bytes {
            Some(body_bytes) => Limits { body_bytes, ..limits },
            None => limits,
        };
        let mail = MailboxService::new(shared.store.clone(), TokenSealer::new(key), shared.clock.clone());
        let mail = mail.with_calendars(CalendarInbox(calendar.clone()));
        let (mail, budget) = (mail.with_budget(shared.memory.clone()), shared.memory.clone());
        let internal = mailbox_server::server(mail.clone()).authenticator(InternalAuthenticator).access_log(false);
        let internal = wireform_mailbox::router(internal.memory_budget(budget.clone()).naming(names));
        let read = calendar_server::server(calendar.clone()).authenticator(InternalAuthenticator).access_log(false);
        let internal = internal.merge(wireform_calendar::router(read.memory_budget(budget.clone()).naming(names)));
        let script_limits = limits(wireform_script::limits(&settings.script_settings()));
        let read = script_server::server(shared.scripts.service.clone())
            .authenticator(InternalAuthenticator)
            .access_log(false);
        let read = read.limits(script_limits.clone()).memory_budget(budget.clone()).naming(names);
        let internal = internal.merge(wireform_script::router(read));
        let tokens = || TokenAuthenticator::new(shared.store.clone(), shared.clock.clone());
        let mail = mailbox_server::server(mail)
            .limits(limits(wireform_mailbox::limits()))
            .upload_sessions(wireform_mailbox::upload_sessions())
            .memory_budget(budget.clone())
            .decode_streaming(RAW_FIELD, MAX_TEXT_BYTES);
        // Only the scheme of TLS is not in a request, which names the server by the address of the client.
        let mail = if shared.base.starts_with("https") { mail.public_url(shared.base.as_str()) } else { mail };
        let calendar = calendar_server::server(calendar).limits(limits(wireform_calendar::limits()));
        let mut calendar = calendar.memory_budget(budget.clone());
        if settings.quota > 0 {
            calendar = calendar.quota(Quota::new(settings.quota, QUOTA_SPAN).with_status(StatusCode::FORBIDDEN));
        }
        let script = script_server::server(shared.scripts.service.clone()).limits(script_limits).memory_budget(budget);
        let others = wireform_calendar::router(calendar.authenticator(tokens()).naming(names))
            .merge(wireform_script::router(script.authenticator(tokens()).naming(names)));
        // Its batches are at `/batch`, where clients of each API send them.
        let mail = mail.batches_reach(others.clone().fallback(super::health::not_found));
        let router = wireform_mailbox::router(mail.authenticator(tokens()).naming(names)).merge(others);
        Ok(Self { router, internal })
    }
}

/// Creates the calendar service.
pub async fn calendars(shared: &ServerState) -> anyhow::Result<CalendarService<AnyStore>> {
    let key = shared.store.sealing_key().await.context("the key for page tokens cannot be read")?;
    let service = CalendarService::new(shared.store.clone(), TokenSealer::new(key), shared.clock.clone());
    let service = service.with_public_url(shared.base.as_str()).with_mail(InboxDelivery);
    Ok(service.with_callback_client(shared.callbacks.clone()))
}

/// Delivery of the calendar's mail, which arrives like other mail: unread, in the inbox.
#[derive(Debug)]
struct InboxDelivery;

impl MailPreparer for InboxDelivery {
    fn prepare(&self, raw: Vec<u8>) -> NewMessage {
        let labels = vec![Label::System(SystemLabel::Inbox), Label::System(SystemLabel::Unread)];
        mail::prepare(raw, Arrival { labels, ..Arrival::default() }).message
    }
}
