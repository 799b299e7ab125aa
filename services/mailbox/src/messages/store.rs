//! Storing messages.

use mailbox_server::runtime::ErrorLocation;
use mailbox_server::types::{self, InternalDateSource};
use mailbox_server::{Context, Error, Result, requests};
use wireform_store::{Clock, Label, Mailbox, Message, Store, SystemLabel, ThreadId};

use super::upload::{ReceivedMail, check_size, take_mail};
use super::{parse_labels, to_api};
use crate::mail::{Arrival, DateSource, PreparedMail};
use crate::{MailboxService, caller, error, mail};

/// Size in bytes from which a mail is parsed on a blocking thread.
const MIN_BLOCKING: usize = 64 << 10;

impl<S: Store> MailboxService<S> {
    /// Inserts a message with exactly the labels of the body.
    pub(super) async fn insert_message(
        &self,
        request: requests::UsersMessagesInsert,
        context: &Context,
    ) -> Result<types::Message> {
        let arrival = Arrival {
            labels: parse_labels(&request.body.label_ids, "labelIds")?,
            thread: parse_thread_id(&request.body)?,
            dated: date_source(request.internal_date_source.as_ref(), DateSource::ByReceipt),
            deleted: request.deleted.unwrap_or(false),
        };
        self.store_message(&request.user_id, request.body, arrival, false, context).await
    }

    /// Imports a message into the inbox, unread, like arriving mail, or with the labels of the body if it has any.
    /// Nothing is classified as spam, so that `neverMarkSpam` has no effect. With `processForCalendar`, invitations are
    /// added to the user's calendar; replies to invitations are always processed.
    pub(super) async fn import_message(
        &self,
        request: requests::UsersMessagesImport,
        context: &Context,
    ) -> Result<types::Message> {
        let named = parse_labels(&request.body.label_ids, "labelIds")?;
        let arrives = vec![Label::System(SystemLabel::Inbox), Label::System(SystemLabel::Unread)];
        let arrival = Arrival {
            labels: if named.is_empty() { arrives } else { named },
            thread: parse_thread_id(&request.body)?,
            dated: date_source(request.internal_date_source.as_ref(), DateSource::ByHeader),
            deleted: request.deleted.unwrap_or(false),
        };
        let invitations = request.process_for_calendar.unwrap_or(false);
        self.store_message(&request.user_id, request.body, arrival, invitations, context).await
    }

    /// Stores the mail of a body, and passes its invitations and replies to the calendar unless the message is deleted.
    async fn store_message(
        &self,
        user_id: &str,
        body: types::Message,
        arrival: Arrival,
        invitations: bool,
        context: &Context,
    ) -> Result<types::Message> {
        let mailbox = caller::mailbox(&self.store, context, user_id).await?;
        let given = (context.take_media(), body.raw.map(Vec::from));
        let limits = (mail::MAX_MESSAGE_BYTES, 1);
        let ReceivedMail { raw, share } = take_mail(given, &self.budget, limits, context).await?;
        check_size(raw.len(), mail::MAX_MESSAGE_BYTES)?;
        if !arrival.deleted {
            self.deliver_calendar_parts(mailbox, &raw, invitations).await?;
        }
        let stored = match share {
            None => prepare_and_insert(&self.store, mailbox, raw, arrival, self.clock.clone()).await?,
            Some(share) => {
                let (store, clock) = (self.store.clone(), self.clock.clone());
                // Continues if the request is cancelled: the queued operation still uses the memory share.
                let work = tokio::spawn(async move {
                    let stored = prepare_and_insert(&store, mailbox, raw, arrival, clock).await;
                    drop(share);
                    stored
                });
                work.await.map_err(Error::internal)??
            }
        };
        Ok(to_api(stored).into())
    }
}

/// Parses a mail and inserts it into a mailbox.
pub(crate) async fn prepare_and_insert<S: Store>(
    store: &S,
    of: Mailbox,
    raw: Vec<u8>,
    arrival: Arrival,
    clock: Clock,
) -> std::result::Result<Message, Error> {
    let PreparedMail { message, .. } = prepare_blocking(raw, arrival).await?;
    let stored = store.insert_message(of, message, clock.now()).await;
    stored.map_err(error::from_store_at(ErrorLocation::Field("labelIds".into())))
}

/// Parses a mail for the store; a large one on a blocking thread.
pub(crate) async fn prepare_blocking(raw: Vec<u8>, arrival: Arrival) -> std::result::Result<PreparedMail, Error> {
    if raw.len() < MIN_BLOCKING {
        return Ok(mail::prepare(raw, arrival));
    }
    tokio::task::spawn_blocking(move || mail::prepare(raw, arrival)).await.map_err(Error::internal)
}

/// Parses the conversation of a body. Returns an error for an invalid identifier; a valid one may still not exist.
pub(crate) fn parse_thread_id(body: &types::Message) -> std::result::Result<Option<ThreadId>, Error> {
    let Some(text) = body.thread_id.as_deref().filter(|text| !text.is_empty()) else { return Ok(None) };
    let parsed = text.parse().map_err(|error| {
        let message = format!("Invalid thread id value: `{text}` {error}");
        Error::bad_request(message)
            .with_reason(error::INVALID_ARGUMENT)
            .with_location(ErrorLocation::Field("threadId".into()))
    });
    parsed.map(Some)
}

/// Converts the requested source of the date; `otherwise` is the default.
fn date_source(source: Option<&InternalDateSource>, otherwise: DateSource) -> DateSource {
    match source {
        Some(InternalDateSource::ReceivedTime) => DateSource::ByReceipt,
        Some(InternalDateSource::DateHeader) => DateSource::ByHeader,
        _ => otherwise,
    }
}
