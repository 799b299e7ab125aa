//! The three APIs.

use anyhow::Context as _;
use wireform_mailbox::{MailboxService, RAW_MEMBER, TEXT_BYTES};
use wireform_server::axum::Router;
use wireform_server::tokens::TokenSealer;
use wireform_server::{Limits, wireform_runtime};
use wireform_store::{Accounts as _, Mailboxes as _};

use super::Shared;
use super::auth::Tokens;
use crate::settings::Serving;
use crate::settings::value::Names;

/// The most bytes of a body for calendars, unless set: an event with hundreds of guests has a tenth of that.
const CALENDAR_BODY_BYTES: usize = 1 << 20;

/// An API whose operations are not written yet: each answers 501 to whoever may ask.
struct Unwritten;

impl calendar_server::service::Events for Unwritten {}
impl script_server::service::Processes for Unwritten {}
impl script_server::service::Projects for Unwritten {}
impl script_server::service::ProjectsDeployments for Unwritten {}
impl script_server::service::ProjectsVersions for Unwritten {}
impl script_server::service::Scripts for Unwritten {}

/// The routes of all of them.
pub async fn router(shared: &Shared, settings: &Serving) -> anyhow::Result<Router> {
    let key = shared.store.sealing_key().await.context("the key for page tokens cannot be read")?;
    let names = match settings.names {
        Names::Spec => wireform_runtime::Names::Specification,
        Names::Public => wireform_runtime::Names::Public,
    };
    let limits = |limits: Limits| match settings.body_bytes {
        Some(body_bytes) => Limits { body_bytes, ..limits },
        None => limits,
    };
    let tokens = || Tokens::new(shared.store.clone(), shared.clock.clone());
    let mail = MailboxService::new(shared.store.clone(), TokenSealer::new(key), shared.clock.clone());
    let budget = mail.budget();
    let mail = mailbox_server::server(mail)
        .limits(limits(wireform_mailbox::limits()))
        .memory_budget(budget.clone())
        .decode_while_arriving(RAW_MEMBER, TEXT_BYTES)
        .data_copies(shared.store.insert_copies());
    let events = Limits { body_bytes: CALENDAR_BODY_BYTES, ..Limits::DEFAULT };
    let calendar = calendar_server::server(Unwritten).limits(limits(events)).memory_budget(budget.clone());
    let script = script_server::server(Unwritten).limits(limits(Limits::DEFAULT)).memory_budget(budget);
    Ok(mail
        .authenticator(tokens())
        .names(names)
        .router()
        .merge(calendar.authenticator(tokens()).names(names).router())
        .merge(script.authenticator(tokens()).names(names).router()))
}
