//! Changes by an edit.

use std::collections::{BTreeSet, HashSet};

use crate::domain::bodies::LARGE;
use crate::domain::counts::Counts;
use crate::domain::message::serialize_labels;
use crate::domain::record::{self, NewRecord, key, stored};
use crate::domain::{labels, sql};
use crate::session::{Session, Value};
use crate::{Change, HistoryId, Kind, Label, LabelChange, Mailbox, Message, MessageId, Result};

/// Changes by an edit, collected so that each statement runs once for all messages.
#[derive(Default)]
pub(super) struct Work {
    pub(super) changes: Vec<Change>,
    counts: Counts,
    relabelled: HashSet<MessageId>,
    dropped: Vec<Vec<Value>>,
    /// Deleted messages whose body is stored in chunks.
    detached: Vec<Vec<Value>>,
    given: Vec<Vec<Value>>,
    taken: Vec<Vec<Value>>,
}

impl Work {
    /// Returns whether the labels of a message have changed.
    pub(super) fn relabelled(&self, message: &Message) -> bool {
        self.relabelled.contains(&message.id)
    }

    /// Deletes a message.
    pub(super) fn delete(&mut self, of: Mailbox, message: &Message) {
        self.change(Kind::Deleted, message, Vec::new());
        self.counts.lose(message.thread, &message.labels);
        self.taken.extend(message.labels.iter().map(|label| labelled(of, message, *label)));
        self.dropped.push(key(of, message.id));
        if message.size > LARGE as u64 {
            self.detached.push(key(of, message.id));
        }
    }

    /// Adds labels to a message and removes others; does nothing if they are all present, or absent, already.
    ///
    /// # Errors
    /// Returns an error if the change would add labels beyond the maximum number.
    pub(super) fn relabel(&mut self, of: Mailbox, message: &mut Message, change: &LabelChange) -> Result<()> {
        let before: BTreeSet<Label> = message.labels.iter().copied().collect();
        let mut after = before.clone();
        after.extend(&change.add);
        after.retain(|label| !change.remove.contains(label));
        if before == after {
            return Ok(());
        }
        if after.len() > before.len() {
            labels::check_count(after.len())?;
        }
        let given: Vec<Label> = after.difference(&before).copied().collect();
        let taken: Vec<Label> = before.difference(&after).copied().collect();
        self.counts.lose(message.thread, &message.labels);
        message.labels = after.into_iter().collect();
        self.counts.gain(message.thread, &message.labels);
        self.given.extend(given.iter().map(|label| labelled(of, message, *label)));
        self.taken.extend(taken.iter().map(|label| labelled(of, message, *label)));
        self.relabelled.insert(message.id);
        for (kind, labels) in [(Kind::LabelsAdded, given), (Kind::LabelsRemoved, taken)] {
            if !labels.is_empty() {
                self.change(kind, message, labels);
            }
        }
        Ok(())
    }

    fn change(&mut self, kind: Kind, message: &Message, labels: Vec<Label>) {
        let has = message.labels.clone();
        self.changes.push(Change { kind, message: message.id, thread: message.thread, labels, has });
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
        let relabelled = messages.iter().filter(|message| self.relabelled(message)).map(|message| {
            let mut row = key(of, message.id);
            row.extend([serialize_labels(&message.labels).into(), stored(id.0).into()]);
            row
        });
        let relabelled: Vec<Vec<Value>> = relabelled.collect();
        session.run_each(sql::MESSAGE_RELABEL, &relabelled).await?;
        session.run_each(sql::MESSAGE_LABEL_DROP, &self.taken).await?;
        session.run_each(sql::MESSAGE_LABEL_ADD, &self.given).await?;
        session.run_each(sql::MESSAGE_DROP, &self.dropped).await?;
        session.run_each(sql::TEXT_DROP, &self.dropped).await?;
        session.run_each(sql::BODY_DETACH, &self.detached).await?;
        record::store(session, of, made, &[NewRecord { id, changes: self.changes }]).await?;
        self.counts.store(session, of).await
    }
}

fn labelled(of: Mailbox, message: &Message, label: Label) -> Vec<Value> {
    vec![of.0.into(), label.number().into(), message.date.0.into(), stored(message.id.number()).into()]
}
