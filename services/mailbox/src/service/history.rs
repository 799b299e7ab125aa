//! Changes of a mailbox.

use std::collections::HashSet;

use mailbox_server::runtime::ErrorLocation;
use mailbox_server::runtime::tokens::expired_sync;
use mailbox_server::{Context, Error, Result, requests, service, types};
use wireform_store::{
    ChangeKind, Error as StoreError, HistoryId, HistoryQuery, HistoryRecord, HistoryStart, Label, MessageChange, Store,
};

use super::MailboxService;
use crate::{caller, error};

/// Default page size.
const DEFAULT_PAGE_SIZE: u32 = 100;

impl<S: Store> service::UsersHistory for MailboxService<S> {
    /// Lists the records after a number, which must have been issued and not be deleted. The next page starts after the
    /// last record of the previous one, whatever happens meanwhile: later records come on a later page.
    ///
    /// A user's label need not exist any more: its removal is history as well. One that never existed is refused.
    async fn list(&self, request: requests::UsersHistoryList, context: &Context) -> Result<types::ListHistoryResponse> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let start = match self.sealer.open_page(context, &request)? {
            Some(cursor) => HistoryStart::Cursor(cursor),
            None => HistoryStart::After(HistoryId(request.start_history_id.0)),
        };
        let query = HistoryQuery {
            start,
            label: request.label_id.as_deref().map(parse_label).transpose()?,
            kinds: request.history_types.iter().filter_map(kind_from_api).collect(),
            limit: request.max_results.unwrap_or(DEFAULT_PAGE_SIZE),
        };
        let page = self.store.history(mailbox, query).await;
        let page = page.map_err(|error| match error {
            // Clients handle it like an expired start, by a full sync.
            StoreError::EpochEnded => expired_sync::<requests::UsersHistoryList>(),
            other => error::from_store_at(ErrorLocation::Parameter("labelId".into()))(other),
        })?;
        let mut response = types::ListHistoryResponse::default()
            .with_history(page.records.into_iter().map(to_api))
            .with_history_id(page.current.0);
        if let Some(next) = page.next {
            response.next_page_token = Some(self.sealer.seal_page(context, &request, &next)?);
        }
        Ok(response.into())
    }
}

fn parse_label(text: &str) -> std::result::Result<Label, Error> {
    text.parse().map_err(|_| error::invalid_label(text, ErrorLocation::Parameter("labelId".into())))
}

/// Converts a kind of change. Unknown kinds were refused before.
fn kind_from_api(kind: &types::HistoryType) -> Option<ChangeKind> {
    match kind {
        types::HistoryType::MessageAdded => Some(ChangeKind::Added),
        types::HistoryType::MessageDeleted => Some(ChangeKind::Deleted),
        types::HistoryType::LabelAdded => Some(ChangeKind::LabelsAdded),
        types::HistoryType::LabelRemoved => Some(ChangeKind::LabelsRemoved),
        _ => None,
    }
}

/// Converts a record: each changed message once, and each change under its kind.
fn to_api(record: HistoryRecord) -> types::History {
    let mut seen = HashSet::new();
    let distinct = record.changes.iter().filter(|change| seen.insert(change.message)).map(message);
    let mut history = types::History::default().with_id(record.id.0).with_messages(distinct);
    for change in &record.changes {
        let labels = || change.labels.iter().map(Label::to_string);
        match change.kind {
            ChangeKind::Added => {
                history.messages_added.push(types::MessageAdded::default().with_message(message(change)));
            }
            ChangeKind::Deleted => {
                history.messages_deleted.push(types::MessageDeleted::default().with_message(message(change)));
            }
            ChangeKind::LabelsAdded => {
                let added = types::LabelAdded::default().with_message(message(change)).with_label_ids(labels());
                history.labels_added.push(added);
            }
            ChangeKind::LabelsRemoved => {
                let removed = types::LabelRemoved::default().with_message(message(change)).with_label_ids(labels());
                history.labels_removed.push(removed);
            }
        }
    }
    history
}

/// Returns the changed message with only its identifiers.
fn message(change: &MessageChange) -> types::Message {
    types::Message::default().with_id(change.message.to_string()).with_thread_id(change.thread.to_string())
}
