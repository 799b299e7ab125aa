//! Edits of messages: adding and removing labels, deletion.

use std::collections::{BTreeSet, HashSet};

use crate::domain::edit_changes::EditChanges;
use crate::domain::mailbox::MailboxState;
use crate::domain::record::message_key;
use crate::domain::{labels, message, sql};
use crate::operation::{Access, Operation};
use crate::session::{Session, Value};
use crate::{Edit, Error, Label, Mailbox, Message, MessageId, Millis, Result};

/// Edits messages; returns the new state of those that exist, or their last state if they are deleted.
pub(super) struct EditAll {
    pub(super) of: Mailbox,
    pub(super) ids: Vec<MessageId>,
    pub(super) edit: Edit,
    pub(super) now: Millis,
}

impl Operation for EditAll {
    type Output = Vec<Message>;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Message>> {
        let mut head = MailboxState::lock(session, self.of).await?;
        if let Edit::Labels(change) = &self.edit {
            let named: BTreeSet<Label> = change.add.iter().chain(&change.remove).copied().collect();
            labels::require_existing(session, self.of, named).await?;
        }
        apply(session, &mut head, &self.ids, &self.edit, self.now).await
    }
}

/// Edits one message.
pub(super) struct EditOne {
    pub(super) of: Mailbox,
    pub(super) id: MessageId,
    pub(super) edit: Edit,
    pub(super) now: Millis,
}

impl Operation for EditOne {
    type Output = Message;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<Message> {
        let Self { of, id, edit, now } = self;
        let edited = EditAll { of, ids: vec![id], edit, now }.run(session).await?;
        edited.into_iter().next().ok_or_else(|| Error::not_found("message", id))
    }
}

/// Edits messages of a locked mailbox in one history record.
pub(super) async fn apply<S: Session>(
    session: &mut S,
    head: &mut MailboxState,
    ids: &[MessageId],
    edit: &Edit,
    now: Millis,
) -> Result<Vec<Message>> {
    let of = head.mailbox;
    let mut messages = stored_messages(session, of, ids).await?;
    let mut work = EditChanges::default();
    for message in &mut messages {
        match edit {
            Edit::Delete => work.delete(of, message),
            Edit::Labels(change) => work.relabel(of, message, change)?,
        }
    }
    if work.changes.is_empty() {
        return Ok(messages);
    }
    let number = head.issue_number()?;
    for message in messages.iter_mut().filter(|message| work.has_changed_labels(message)) {
        message.history = number;
    }
    work.store(session, of, number, head.record_time(now), &messages).await?;
    head.store(session, now).await?;
    Ok(messages)
}

/// Returns the messages with the given identifiers that exist.
pub(super) async fn stored_messages<S: Session>(
    session: &mut S,
    of: Mailbox,
    ids: &[MessageId],
) -> Result<Vec<Message>> {
    let mut seen = HashSet::new();
    let distinct = ids.iter().filter(|id| seen.insert(**id));
    let keys: Vec<Vec<Value>> = distinct.map(|id| message_key(of, *id)).collect();
    let found = session.rows_of_each(sql::MESSAGE, &keys).await?;
    found.into_iter().flatten().map(|mut row| message::message_from_row(&mut row)).collect()
}
