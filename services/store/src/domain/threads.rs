//! Conversations, and the replacement of a message within one.

use crate::backend::Backend;
use crate::domain::bodies::Body;
use crate::domain::mailbox::{MailboxState, history_id_from_stored};
use crate::domain::record::{message_id, to_stored};
use crate::domain::{counts, edit, insert, labels, sql};
use crate::operation::{Access, Operation};
use crate::session::{Session, Value};
use crate::{Edit, Error, Mailbox, Message, MessageId, Millis, Replacement, Result, ThreadId, ThreadSummary};

/// Reads conversations.
pub(super) struct ReadThreads {
    pub(super) of: Mailbox,
    pub(super) ids: Vec<ThreadId>,
}

impl Operation for ReadThreads {
    type Output = Vec<Option<ThreadSummary>>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Self::Output> {
        let key = |thread: &ThreadId| vec![self.of.0.into(), to_stored(thread.number()).into()];
        let keys: Vec<Vec<Value>> = self.ids.iter().map(key).collect();
        let found = session.rows_of_each(sql::THREAD, &keys).await?;
        let summary = |mut rows: Vec<crate::session::Row>| {
            let Some(row) = rows.first_mut() else { return Ok(None) };
            let history = history_id_from_stored(row.int(1)?)?;
            Ok(Some(ThreadSummary { snippet: row.text(0)?, history }))
        };
        found.into_iter().map(summary).collect()
    }
}

/// Replaces a message.
struct Replace {
    of: Mailbox,
    id: MessageId,
    replacement: Replacement,
    body: Option<Body>,
    now: Millis,
}

/// Replaces a message, after the body of a large one is stored.
pub(super) async fn replace<B: Backend>(
    store: &B,
    of: Mailbox,
    id: MessageId,
    mut replacement: Replacement,
    now: Millis,
) -> Result<Message> {
    let body = insert::write_body(store, &mut replacement.message, now).await?;
    store.perform(Replace { of, id, replacement, body, now }).await
}

impl Operation for Replace {
    type Output = Message;
    const ACCESS: Access = Access::Write;

    fn weight(&self) -> usize {
        insert::weight(&self.replacement.message)
    }

    async fn run<S: Session>(self, session: &mut S) -> Result<Message> {
        let Self { of, id, replacement: Replacement { label, message: mut new, keeps_id }, body, now } = self;
        let mut head = MailboxState::lock(session, of).await?;
        let stored = edit::stored_messages(session, of, &[id]).await?;
        let stored = stored.into_iter().next().filter(|stored| stored.labels.contains(&label));
        let stored = stored.ok_or_else(|| Error::not_found("message", id))?;
        labels::check_count(new.labels.len())?;
        labels::require_existing(session, of, new.labels.iter().copied().collect()).await?;
        // A conversation that ends with the replaced message continues with the new one.
        let thread = *new.threading.thread.get_or_insert(stored.thread);
        counts::require_threads(session, of, &[thread]).await?;
        let new_id = if keeps_id { id } else { message_id(insert::find_free_ids(session, of, now, 1).await?)? };
        edit::apply(session, &mut head, &[id], &Edit::Delete, now).await?;
        insert::add_one(session, &mut head, (new, body), (new_id, thread), now).await
    }
}
