//! What has changed in a mailbox.

use std::collections::HashSet;

use mailbox_server::runtime::At;
use mailbox_server::runtime::tokens::expired_sync;
use mailbox_server::{Context, Error, Result, requests, service, types};
use wireform_store::{Change, Error as StoreError, HistoryId, HistoryQuery, Kind, Label, Record, Start, Store};

use super::MailboxService;
use crate::{caller, fault};

/// How many records a page holds where the client does not say.
const PAGE: u32 = 100;

impl<S: Store> service::UsersHistory for MailboxService<S> {
    /// The records after a number, which must be one that was issued and is not forgotten. Pages go on after the last
    /// record of the page before, whatever happens meanwhile: what is recorded between two pages comes on a later one.
    ///
    /// A label of the user need not be there any more: its removal is history as well. One that never was is refused.
    async fn list(&self, request: requests::UsersHistoryList, context: &Context) -> Result<types::ListHistoryResponse> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let start = match self.sealer.open_page(context, &request)? {
            Some(cursor) => Start::Continued(cursor),
            None => Start::Given(HistoryId(request.start_history_id.0)),
        };
        let query = HistoryQuery {
            start,
            label: request.label_id.as_deref().map(label).transpose()?,
            kinds: request.history_types.iter().filter_map(kind).collect(),
            limit: request.max_results.unwrap_or(PAGE),
        };
        let page = self.store.history(mailbox, query).await;
        let page = page.map_err(|error| match error {
            // The client learns it as it does of a start that is forgotten: by reading everything anew.
            StoreError::EpochEnded => expired_sync::<requests::UsersHistoryList>(),
            other => fault::answer_label_at(At::Parameter("labelId".into()))(other),
        })?;
        let mut answer = types::ListHistoryResponse::default()
            .with_history(page.records.into_iter().map(history))
            .with_history_id(page.current.0);
        if let Some(next) = page.next {
            answer.next_page_token = Some(self.sealer.seal_page(context, &request, &next)?);
        }
        Ok(answer.into())
    }
}

fn label(text: &str) -> std::result::Result<Label, Error> {
    text.parse().map_err(|_| fault::invalid_label(text, At::Parameter("labelId".into())))
}

/// A kind that this version does not know was refused before.
fn kind(kind: &types::HistoryType) -> Option<Kind> {
    match kind {
        types::HistoryType::MessageAdded => Some(Kind::Added),
        types::HistoryType::MessageDeleted => Some(Kind::Deleted),
        types::HistoryType::LabelAdded => Some(Kind::LabelsAdded),
        types::HistoryType::LabelRemoved => Some(Kind::LabelsRemoved),
        _ => None,
    }
}

/// A record: every message that it changes once, and each change at its kind.
fn history(record: Record) -> types::History {
    let mut seen = HashSet::new();
    let distinct = record.changes.iter().filter(|change| seen.insert(change.message)).map(message);
    let mut history = types::History::default().with_id(record.id.0).with_messages(distinct);
    for change in &record.changes {
        let labels = || change.labels.iter().map(Label::to_string);
        match change.kind {
            Kind::Added => {
                history.messages_added.push(types::MessageAdded::default().with_message(message(change)));
            }
            Kind::Deleted => {
                history.messages_deleted.push(types::MessageDeleted::default().with_message(message(change)));
            }
            Kind::LabelsAdded => {
                let added = types::LabelAdded::default().with_message(message(change)).with_label_ids(labels());
                history.labels_added.push(added);
            }
            Kind::LabelsRemoved => {
                let removed = types::LabelRemoved::default().with_message(message(change)).with_label_ids(labels());
                history.labels_removed.push(removed);
            }
        }
    }
    history
}

fn message(change: &Change) -> types::Message {
    types::Message::default().with_id(change.message.to_string()).with_thread_id(change.thread.to_string())
}
