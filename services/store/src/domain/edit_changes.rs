//! Changes by an edit.

use std::collections::{BTreeSet, HashSet};

use crate::domain::bodies::MIN_CHUNKED_SIZE;
use crate::domain::counts::Counts;
use crate::domain::message::serialize_labels;
use crate::domain::record::{self, NewRecord, message_key, to_stored};
use crate::domain::{labels, sql};
use crate::session::{Session, Value};
use crate::{ChangeKind, HistoryId, Label, LabelChange, Mailbox, Message, MessageChange, MessageId, Result};

/// Changes by an edit, collected so that each statement runs once for all messages.
#[derive(Default)]
pub(super) struct EditChanges {
    pub(super) changes: Vec<MessageChange>,
    counts: Counts,
    relabelled: HashSet<MessageId>,
    deleted_messages: Vec<Vec<Value>>,
    /// Deleted messages whose body is stored in chunks.
    unattached_bodies: Vec<Vec<Value>>,
    added_labels: Vec<Vec<Value>>,
    removed_labels: Vec<Vec<Value>>,
}

impl EditChanges {
    /// Returns whether the labels of a message have changed.
    pub(super) fn has_changed_labels(&self, message: &Message) -> bool {
        self.relabelled.contains(&message.id)
    }

    /// Deletes a message.
    pub(super) fn delete(&mut self, of: Mailbox, message: &Message) {
        self.change(ChangeKind::Deleted, message, Vec::new());
        self.counts.remove_message(message.thread, &message.labels);
        self.removed_labels.extend(message.labels.iter().map(|label| label_row(of, message, *label)));
        self.deleted_messages.push(message_key(of, message.id));
        if message.size > MIN_CHUNKED_SIZE as u64 {
            self.unattached_bodies.push(message_key(of, message.id));
        }
    }

    /// Adds labels to a message and removes others; does nothing if they are all present, or absent, already.
    ///
    /// # Errors
    /// Returns an error if the change would add labels beyond the maximum number.
    pub(super) fn relabel(&mut self, of: Mailbox, message: &mut Message, change: &LabelChange) -> Result<()> {
        let Some((before, after)) = changed_labels(message, change)? else { return Ok(()) };
        let given: Vec<Label> = after.difference(&before).copied().collect();
        let taken: Vec<Label> = before.difference(&after).copied().collect();
        self.counts.remove_message(message.thread, &message.labels);
        message.labels = after.into_iter().collect();
        self.counts.add_message(message.thread, &message.labels);
        self.added_labels.extend(given.iter().map(|label| label_row(of, message, *label)));
        self.removed_labels.extend(taken.iter().map(|label| label_row(of, message, *label)));
        self.relabelled.insert(message.id);
        for (kind, labels) in [(ChangeKind::LabelsAdded, given), (ChangeKind::LabelsRemoved, taken)] {
            if !labels.is_empty() {
                self.change(kind, message, labels);
            }
        }
        Ok(())
    }

    /// Returns the number of labels that are added to messages and removed from them.
    pub(super) fn label_changes(&self) -> usize {
        self.added_labels.len() + self.removed_labels.len()
    }

    /// Records a change of a message for the history; `labels` are those added or removed.
    fn change(&mut self, kind: ChangeKind, message: &Message, labels: Vec<Label>) {
        let has = message.labels.clone();
        self.changes.push(MessageChange {
            kind,
            message: message.id,
            thread: message.thread,
            labels,
            labels_after: has,
        });
    }

    /// Stores all changes as one record.
    pub(super) async fn store<S: Session>(
        self,
        session: &mut S,
        of: Mailbox,
        id: HistoryId,
        made: i64,
        messages: &[Message],
    ) -> Result<()> {
        let relabelled = messages.iter().filter(|message| self.has_changed_labels(message)).map(|message| {
            let mut row = message_key(of, message.id);
            row.extend([serialize_labels(&message.labels).into(), to_stored(id.0).into()]);
            row
        });
        let relabelled: Vec<Vec<Value>> = relabelled.collect();
        session.run_each(sql::MESSAGE_RELABEL, &relabelled).await?;
        session.run_each(sql::MESSAGE_LABEL_DROP, &self.removed_labels).await?;
        session.run_each(sql::MESSAGE_LABEL_ADD, &self.added_labels).await?;
        session.run_each(sql::MESSAGE_DROP, &self.deleted_messages).await?;
        session.run_each(sql::TEXT_DROP, &self.deleted_messages).await?;
        session.run_each(sql::BODY_DETACH, &self.unattached_bodies).await?;
        record::store(session, of, made, &[NewRecord { id, changes: self.changes }]).await?;
        self.counts.store(session, of).await
    }
}

/// Returns the labels of a message before and after a change; `None` if they are the same.
///
/// # Errors
/// Returns an error if the change would add labels beyond the maximum number.
pub(super) fn changed_labels(
    message: &Message,
    change: &LabelChange,
) -> Result<Option<(BTreeSet<Label>, BTreeSet<Label>)>> {
    let before: BTreeSet<Label> = message.labels.iter().copied().collect();
    let mut after = before.clone();
    after.extend(&change.add);
    after.retain(|label| !change.remove.contains(label));
    if after.len() > before.len() {
        labels::check_count(after.len())?;
    }
    Ok((before != after).then_some((before, after)))
}

fn label_row(of: Mailbox, message: &Message, label: Label) -> Vec<Value> {
    vec![of.0.into(), label.number().into(), message.date.0.into(), to_stored(message.id.number()).into()]
}
