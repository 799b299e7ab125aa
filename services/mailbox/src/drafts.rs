//! Drafts: messages with the label `DRAFT`. The identifier of a draft is that of its message, which keeps it when the draft
//! is updated.

use mailbox_server::runtime::{ErrorLocation, MediaStream};
use mailbox_server::types::{self, Draft, ListDraftsResponse, MessageFormat};
use mailbox_server::{Context, Error, Result, requests, service};
use wireform_store::{
    Edit, Error as StoreError, Label, Mailbox, Message, MessageId, NewMessage, Replacement, Store, SystemLabel,
};

use crate::mail::{self, Arrival};
use crate::messages::get::with_share;
use crate::messages::list::MessageSearch;
use crate::messages::send::{reserve_copies, reserve_stored_copies};
use crate::messages::store::{parse_thread_id, prepare_and_insert, prepare_blocking};
use crate::messages::upload::{ReceivedMail, check_size, take_mail};
use crate::messages::{parse_message_id, to_api};
use crate::{MailboxService, caller, error};

const DRAFT: Label = Label::System(SystemLabel::Draft);
const SENT: Label = Label::System(SystemLabel::Sent);

impl<S: Store> service::UsersDrafts for MailboxService<S> {
    async fn list(&self, request: requests::UsersDraftsList, context: &Context) -> Result<ListDraftsResponse> {
        let user = caller::user(&self.store, context, &request.user_id).await?;
        let search = MessageSearch {
            text: request.q.as_deref(),
            label_ids: &[],
            label: Some(DRAFT),
            with_spam_trash: request.include_spam_trash.unwrap_or(false),
            limit: request.max_results,
        };
        let page = self.find_messages(&user, &request, search, context).await?;
        let draft = |(id, thread): &(MessageId, wireform_store::ThreadId)| {
            let message = types::Message::default().with_id(id.to_string()).with_thread_id(thread.to_string());
            Draft::default().with_id(id.to_string()).with_message(message)
        };
        let response = ListDraftsResponse::default()
            .with_drafts(page.messages.iter().map(draft))
            .with_result_size_estimate(page.estimate);
        Ok(ListDraftsResponse { next_page_token: page.next, ..response }.into())
    }

    async fn get(&self, request: requests::UsersDraftsGet, context: &Context) -> Result<Draft> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let message = self.find_draft(mailbox, &request.id).await?;
        let format = request.format.unwrap_or(MessageFormat::Full);
        let format = if context.selects("message") { format } else { MessageFormat::Minimal };
        let (message, share) = self.format(mailbox, message, format, Vec::new(), context).await?;
        Ok(with_share(to_draft(message), share))
    }

    async fn create(&self, request: requests::UsersDraftsCreate, context: &Context) -> Result<Draft> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let (ReceivedMail { raw, share }, arrival) =
            self.new_draft(request.body, context.take_media(), DRAFT, context).await?;
        let (store, clock) = (self.store.clone(), self.clock.clone());
        let work = tokio::spawn(async move {
            let stored = prepare_and_insert(&store, mailbox, raw, arrival, clock).await;
            drop(share);
            stored
        });
        Ok(to_draft(to_api(work.await.map_err(Error::internal)??)).into())
    }

    async fn update(&self, request: requests::UsersDraftsUpdate, context: &Context) -> Result<Draft> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let id = self.find_draft(mailbox, &request.id).await?.id;
        let (ReceivedMail { raw, share }, arrival) =
            self.new_draft(request.body, context.take_media(), DRAFT, context).await?;
        let service = self.clone();
        let work = tokio::spawn(async move {
            let message = prepare_blocking(raw, arrival).await?.message;
            let replaced = service.replace_draft(mailbox, id, message, true).await;
            drop(share);
            replaced
        });
        Ok(to_draft(to_api(work.await.map_err(Error::internal)??)).into())
    }

    async fn delete(&self, request: requests::UsersDraftsDelete, context: &Context) -> Result<()> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let id = self.find_draft(mailbox, &request.id).await?.id;
        self.store.edit_message(mailbox, id, Edit::Delete, self.clock.now()).await.map_err(error::from_store)?;
        Ok(().into())
    }

    /// Sends a draft, or the message of the body in its place. The draft is replaced by the sent message.
    async fn send(&self, request: requests::UsersDraftsSend, context: &Context) -> Result<types::Message> {
        let user = caller::user(&self.store, context, &request.user_id).await?;
        let draft = self.find_draft(user.mailbox, request.body.id.as_deref().unwrap_or_default()).await?;
        let media = context.take_media();
        let has_raw = request.body.message.as_ref().is_some_and(|message| message.raw.is_some());
        let (raw, mut arrival, share) = if media.is_some() || has_raw {
            let (mail, arrival) = self.new_draft(request.body, media, SENT, context).await?;
            let share = reserve_copies(&mail).await?;
            (mail.raw, arrival, share)
        } else {
            let share = reserve_stored_copies(draft.size, &self.budget, context).await?;
            let (_, raw) = self.store.whole_message(user.mailbox, draft.id).await.map_err(error::from_store)?;
            (raw, Arrival { labels: vec![SENT], ..Arrival::default() }, share)
        };
        arrival.thread = arrival.thread.or(Some(draft.thread));
        if let Some(thread) = arrival.thread {
            self.require_thread(user.mailbox, thread).await?;
        }
        let service = self.clone();
        let work = tokio::spawn(async move {
            let copy = service.deliver(&user, raw).await?;
            let message = prepare_blocking(copy, arrival).await?.message;
            let sent = service.replace_draft(user.mailbox, draft.id, message, false).await;
            drop(share);
            sent
        });
        Ok(to_api(work.await.map_err(Error::internal)??).into())
    }
}

impl<S: Store> MailboxService<S> {
    /// Takes the mail of a request, which is uploaded or in its body, and returns its properties with a label.
    async fn new_draft(
        &self,
        body: Draft,
        media: Option<MediaStream>,
        label: Label,
        context: &Context,
    ) -> std::result::Result<(ReceivedMail, Arrival), Error> {
        let message = body.message.unwrap_or_default();
        let within = |error: Error| error.with_location(ErrorLocation::Field("message.threadId".into()));
        let thread = parse_thread_id(&message).map_err(within)?;
        let limits = (mail::MAX_MESSAGE_BYTES, 1);
        let mail = take_mail((media, message.raw.map(Vec::from)), &self.budget, limits, context).await?;
        check_size(mail.raw.len(), mail::MAX_MESSAGE_BYTES)
            .map_err(|error| error.with_location(ErrorLocation::Field("message.raw".into())))?;
        Ok((mail, Arrival { labels: vec![label], thread, ..Arrival::default() }))
    }

    /// Returns the message of a draft.
    async fn find_draft(&self, of: Mailbox, id: &str) -> std::result::Result<Message, Error> {
        let found = self.store.message(of, parse_message_id(id)?).await;
        match found {
            Ok(message) if message.labels.contains(&DRAFT) => Ok(message),
            Ok(_) | Err(StoreError::NotFound { what: "message", .. }) => Err(draft_not_found(id)),
            Err(error) => Err(error::from_store(error)),
        }
    }

    /// Replaces the message of a draft.
    async fn replace_draft(
        &self,
        of: Mailbox,
        id: MessageId,
        message: NewMessage,
        keeps_id: bool,
    ) -> std::result::Result<Message, Error> {
        let replacement = Replacement { label: DRAFT, message, keeps_id };
        let replaced = self.store.replace_message(of, id, replacement, self.clock.now()).await;
        replaced.map_err(|error| match error {
            StoreError::NotFound { what: "message", .. } => draft_not_found(&id.to_string()),
            other => error::from_store(other),
        })
    }
}

/// Returns the draft with a message.
fn to_draft(message: types::Message) -> Draft {
    Draft { id: message.id.clone(), ..Draft::default().with_message(message) }
}

/// Creates the error of a draft that does not exist.
fn draft_not_found(id: &str) -> Error {
    Error::not_found(format!("draft `{id}` not found")).with_reason("notFound")
}
