//! Sending of mail: users of this server receive it, and the sender keeps a copy.

use std::sync::Arc;

use mailbox_server::runtime::{ErrorLocation, MemoryBudget, MemoryShare};
use mailbox_server::types;
use mailbox_server::{Context, Error, Result, requests};
use wireform_store::{Error as StoreError, Label, Mailbox, Store, SystemLabel, ThreadId, User};

use super::store::{parse_thread_id, prepare_and_insert};
use super::to_api;
use super::upload::{ReceivedMail, check_size, take_mail};
use crate::mail::{self, Arrival, DateSource, SendError};
use crate::{MailboxService, caller, error};

/// Maximum size of a mail that is sent, in bytes: several copies of it are in memory.
const MAX_SENT_BYTES: usize = 12 << 20;
/// Number of copies of a mail in memory while it is sent: that of the sender, that of the recipients, and the one that
/// is stored.
const COPIES: u64 = 3;

impl<S: Store> MailboxService<S> {
    /// Sends a message. It does not leave this server: recipients who are not users here do not receive it.
    pub(super) async fn send_message(
        &self,
        request: requests::UsersMessagesSend,
        context: &Context,
    ) -> Result<types::Message> {
        let user = caller::user(&self.store, context, &request.user_id).await?;
        let thread = parse_thread_id(&request.body)?;
        if let Some(thread) = thread {
            self.require_thread(user.mailbox, thread).await?;
        }
        let given = (context.take_media(), request.body.raw.map(Vec::from));
        let mail = take_mail(given, &self.budget, (MAX_SENT_BYTES, COPIES), context).await?;
        let share = reserve_copies(&mail).await?;
        let raw = mail.raw;
        let service = self.clone();
        // Continues if the request is cancelled: a mail is delivered to everyone or, after an error, can be sent again.
        let work = tokio::spawn(async move {
            let copy = service.deliver(&user, raw).await?;
            let arrival = Arrival { labels: vec![Label::System(SystemLabel::Sent)], thread, ..Arrival::default() };
            let stored = prepare_and_insert(&service.store, user.mailbox, copy, arrival, service.clock).await;
            drop(share);
            stored
        });
        Ok(to_api(work.await.map_err(Error::internal)??).into())
    }

    /// Stores a mail in the inboxes of its recipients who are users here, and returns the copy of the sender.
    pub(crate) async fn deliver(&self, user: &User, raw: Vec<u8>) -> std::result::Result<Vec<u8>, Error> {
        let now = self.clock.now();
        let address = user.address.clone();
        let prepare = move || mail::prepare_outgoing(raw, &address, now);
        let outgoing = tokio::task::spawn_blocking(prepare).await.map_err(Error::internal)?.map_err(refused)?;
        // All recipients are looked up before any of them receives the mail.
        for of in self.local_recipients(&outgoing.recipients).await? {
            self.deliver_calendar_parts(of, &outgoing.delivered, false).await?;
            let labels = vec![Label::System(SystemLabel::Inbox), Label::System(SystemLabel::Unread)];
            let arrival = Arrival { labels, dated: DateSource::ByReceipt, ..Arrival::default() };
            prepare_and_insert(&self.store, of, outgoing.delivered.clone(), arrival, self.clock.clone()).await?;
        }
        Ok(outgoing.copy)
    }

    /// Returns the mailboxes of the recipients who are users here, each once.
    async fn local_recipients(&self, addresses: &[String]) -> std::result::Result<Vec<Mailbox>, Error> {
        let mut found = Vec::new();
        for address in addresses {
            match self.store.user(address).await {
                Err(StoreError::NotFound { .. }) => {}
                user => {
                    let mailbox = user.map_err(error::from_store)?.mailbox;
                    if !found.contains(&mailbox) {
                        found.push(mailbox);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Checks that a thread exists.
    pub(crate) async fn require_thread(&self, of: Mailbox, thread: ThreadId) -> std::result::Result<(), Error> {
        let found = self.store.threads(of, vec![thread]).await.map_err(error::from_store)?;
        match found.into_iter().next().flatten() {
            Some(_) => Ok(()),
            None => Err(error::from_store(StoreError::not_found("thread", thread))),
        }
    }
}

/// Checks the size of a mail that is sent, and reserves the memory of its copies.
///
/// # Errors
/// Returns 413 for a mail that is too long, and 503 if there is no memory.
pub(crate) async fn reserve_copies(mail: &ReceivedMail) -> std::result::Result<Option<Arc<MemoryShare>>, Error> {
    check_size(mail.raw.len(), MAX_SENT_BYTES)?;
    if let Some(share) = &mail.share {
        share.reserve(mail.raw.len() as u64 * COPIES).await?;
    }
    Ok(mail.share.clone())
}

/// Same as [`reserve_copies`] for a stored mail of a size.
pub(crate) async fn reserve_stored_copies(
    size: u64,
    budget: &MemoryBudget,
    context: &Context,
) -> std::result::Result<Option<Arc<MemoryShare>>, Error> {
    check_size(usize::try_from(size).unwrap_or(usize::MAX), MAX_SENT_BYTES)?;
    let share = context.share(budget);
    share.reserve(size * COPIES).await?;
    Ok(Some(Arc::new(share)))
}

/// Creates the error of a mail that cannot be sent.
fn refused(error: SendError) -> Error {
    Error::bad_request(error.to_string())
        .with_reason(error::INVALID_ARGUMENT)
        .with_location(ErrorLocation::Field("raw".into()))
}
