//! Messages: reading, listing, storing, labelling and deleting.

mod attachments;
pub(crate) mod get;
mod label_change;
pub(crate) mod list;
pub(crate) mod reader;
pub(crate) mod send;
pub(crate) mod store;
pub(crate) mod upload;

use std::collections::BTreeSet;

use mailbox_server::runtime::ErrorLocation;
use mailbox_server::types::{self, ListMessagesResponse};
use mailbox_server::{Context, Error, Result, requests, service};
use wireform_store::{Edit, Label, LabelChange, Message, MessageId, Store, SystemLabel};

use crate::number::count;
use crate::{MailboxService, caller, error};

impl<S: Store> service::UsersMessages for MailboxService<S> {
    async fn list(&self, request: requests::UsersMessagesList, context: &Context) -> Result<ListMessagesResponse> {
        self.list_messages(request, context).await
    }

    async fn get(&self, request: requests::UsersMessagesGet, context: &Context) -> Result<types::Message> {
        self.get_message(request, context).await
    }

    async fn insert(&self, request: requests::UsersMessagesInsert, context: &Context) -> Result<types::Message> {
        self.insert_message(request, context).await
    }

    async fn import(&self, request: requests::UsersMessagesImport, context: &Context) -> Result<types::Message> {
        self.import_message(request, context).await
    }

    async fn modify(&self, request: requests::UsersMessagesModify, context: &Context) -> Result<types::Message> {
        let change = label_change::parse_change(&request.body.add_label_ids, &request.body.remove_label_ids)?;
        self.change_labels(&request.user_id, &request.id, change, context).await
    }

    async fn batch_modify(&self, request: requests::UsersMessagesBatchModify, context: &Context) -> Result<()> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let change = label_change::parse_change(&request.body.add_label_ids, &request.body.remove_label_ids)?;
        let ids = label_change::parse_ids(&request.body.ids)?;
        let to_error = label_change::list_error(&change);
        let edited = self.store.edit_messages(mailbox, ids, Edit::Labels(change), self.clock.now()).await;
        edited.map_err(to_error)?;
        Ok(().into())
    }

    async fn batch_delete(&self, request: requests::UsersMessagesBatchDelete, context: &Context) -> Result<()> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let ids = label_change::parse_ids(&request.body.ids)?;
        self.store.edit_messages(mailbox, ids, Edit::Delete, self.clock.now()).await.map_err(error::from_store)?;
        Ok(().into())
    }

    async fn send(&self, request: requests::UsersMessagesSend, context: &Context) -> Result<types::Message> {
        self.send_message(request, context).await
    }

    /// Adds `TRASH` and removes `INBOX` and `SPAM`; other labels stay.
    async fn trash(&self, request: requests::UsersMessagesTrash, context: &Context) -> Result<types::Message> {
        let mut change = LabelChange { add: vec![Label::System(SystemLabel::Trash)], remove: Vec::new() };
        label_change::enforce_one_location(&mut change);
        self.change_labels(&request.user_id, &request.id, change, context).await
    }

    /// Removes `TRASH`. The message does not return to the inbox: its previous location is not stored.
    async fn untrash(&self, request: requests::UsersMessagesUntrash, context: &Context) -> Result<types::Message> {
        let change = LabelChange { add: Vec::new(), remove: vec![Label::System(SystemLabel::Trash)] };
        self.change_labels(&request.user_id, &request.id, change, context).await
    }

    async fn delete(&self, request: requests::UsersMessagesDelete, context: &Context) -> Result<()> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let id = parse_message_id(&request.id)?;
        self.store.edit_message(mailbox, id, Edit::Delete, self.clock.now()).await.map_err(error::from_store)?;
        Ok(().into())
    }
}

/// Parses the message identifier of a path.
///
/// # Errors
/// Returns 400 for an invalid identifier, like the public API.
pub(crate) fn parse_message_id(text: &str) -> std::result::Result<MessageId, Error> {
    text.parse().map_err(|error| {
        let message = format!("Invalid id value: `{text}` {error}");
        Error::bad_request(message)
            .with_reason(error::INVALID_ARGUMENT)
            .with_location(ErrorLocation::Parameter("id".into()))
    })
}

/// Maximum number of labels of a message, and of labels that a request adds or removes: each is looked up while the
/// mailbox is locked.
pub(crate) const MAX_LABELS: usize = 100;

/// Parses the labels of a request, without duplicates.
///
/// # Errors
/// Returns 400 for invalid labels and for too many.
fn parse_labels(texts: &[String], place: &'static str) -> std::result::Result<Vec<Label>, Error> {
    let mut labels = BTreeSet::new();
    for text in texts {
        let label = text.parse().map_err(|_| error::invalid_label(text, ErrorLocation::Field(place.into())))?;
        labels.insert(label);
        if labels.len() > MAX_LABELS {
            let message = format!("a request can add or remove at most {MAX_LABELS} labels");
            return Err(Error::bad_request(message)
                .with_reason(error::INVALID_ARGUMENT)
                .with_location(ErrorLocation::Field(place.into())));
        }
    }
    Ok(labels.into_iter().collect())
}

/// Converts a message without its content, for responses of writes.
pub(crate) fn to_api(message: Message) -> types::Message {
    types::Message::default()
        .with_id(message.id.to_string())
        .with_thread_id(message.thread.to_string())
        .with_label_ids(message.labels.iter().map(Label::to_string))
        .with_snippet(message.snippet)
        .with_history_id(message.history.0)
        .with_internal_date(message.date.0)
        .with_size_estimate(count(message.size))
}
