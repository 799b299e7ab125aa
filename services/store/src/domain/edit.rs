//! Edits of messages: adding and removing labels, deletion.

use std::collections::{BTreeSet, HashSet};

use crate::domain::edit_changes::{EditChanges, changed_labels};
use crate::domain::mailbox::MailboxState;
use crate::domain::record::message_key;
use crate::domain::{labels, message, sql};
use crate::operation::{Access, Operation};
use crate::session::{Session, Value};
use crate::{Edit, Error, Label, Mailbox, Message, MessageId, Millis, Result};

/// Number of added and removed labels after which the rest of an edit is left to another transaction, so that others can
/// write in between.
const MAX_LABEL_CHANGES: usize = 4_000;
/// Number of messages that are read at once.
const BATCH: usize = 100;

/// Edits messages, up to the number of labels of a transaction.
pub(super) struct EditAll {
    pub(super) of: Mailbox,
    pub(super) ids: Vec<MessageId>,
    pub(super) edit: Edit,
    pub(super) now: Millis,
    /// True to check all messages before the first is edited.
    pub(super) is_first: bool,
}

/// Result of an edit.
pub(super) struct Edited {
    /// New state of the messages that exist, or their last state if they are deleted.
    pub(super) messages: Vec<Message>,
    /// Messages that are left to another transaction.
    pub(super) rest: Vec<MessageId>,
}

impl Operation for EditAll {
    type Output = Edited;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<Edited> {
        let mut head = MailboxState::lock(session, self.of).await?;
        if let Edit::Labels(change) = &self.edit {
            let named: BTreeSet<Label> = change.add.iter().chain(&change.remove).copied().collect();
            labels::require_existing(session, self.of, named).await?;
        }
        let edited = apply(session, &mut head, &self.ids, &self.edit, self.now).await?;
        if let (true, Edit::Labels(change)) = (self.is_first, &self.edit) {
            for ids in edited.rest.chunks(BATCH) {
                for message in stored_messages(session, self.of, ids).await? {
                    changed_labels(&message, change)?;
                }
            }
        }
        Ok(edited)
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
        let edited = EditAll { of, ids: vec![id], edit, now, is_first: false }.run(session).await?;
        edited.messages.into_iter().next().ok_or_else(|| Error::not_found("message", id))
    }
}

/// Edits messages of a locked mailbox in one history record, up to the number of labels of a transaction.
pub(super) async fn apply<S: Session>(
    session: &mut S,
    head: &mut MailboxState,
    ids: &[MessageId],
    edit: &Edit,
    now: Millis,
) -> Result<Edited> {
    let of = head.mailbox;
    let mut seen = HashSet::new();
    let mut rest: Vec<MessageId> = ids.iter().copied().filter(|id| seen.insert(*id)).collect();
    let (mut messages, mut work) = (Vec::new(), EditChanges::default());
    'edit: while !rest.is_empty() {
        let batch = &rest[..rest.len().min(BATCH)];
        let count = batch.len();
        for mut message in stored_messages(session, of, batch).await? {
            if work.label_changes() >= MAX_LABEL_CHANGES {
                let next = rest.iter().position(|id| *id == message.id).unwrap_or(count);
                rest.drain(..next);
                break 'edit;
            }
            match edit {
                Edit::Delete => work.delete(of, &message),
                Edit::Labels(change) => work.relabel(of, &mut message, change)?,
            }
            messages.push(message);
        }
        rest.drain(..count);
    }
    if work.changes.is_empty() {
        return Ok(Edited { messages, rest });
    }
    let number = head.issue_number()?;
    for message in messages.iter_mut().filter(|message| work.has_changed_labels(message)) {
        message.history = number;
    }
    work.store(session, of, number, head.record_time(now), &messages).await?;
    head.store(session, now).await?;
    Ok(Edited { messages, rest })
}

/// Returns the messages with the given identifiers that exist.
pub(super) async fn stored_messages<S: Session>(
    session: &mut S,
    of: Mailbox,
    ids: &[MessageId],
) -> Result<Vec<Message>> {
    let keys: Vec<Vec<Value>> = ids.iter().map(|id| message_key(of, *id)).collect();
    let found = session.rows_of_each(sql::MESSAGE, &keys).await?;
    found.into_iter().flatten().map(|mut row| message::message_from_row(&mut row)).collect()
}
