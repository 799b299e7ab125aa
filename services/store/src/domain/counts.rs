//! Counts of messages and conversations per label, maintained incrementally by every write.

use std::collections::{BTreeMap, HashSet};

use crate::domain::record::{ANY_LABEL, to_stored};
use crate::domain::sql;
use crate::session::{Session, Value};
use crate::{Label, LabelCounts, Mailbox, Result, SystemLabel, ThreadId};

/// Changes of a mailbox's counts by a write, collected so that each row is written once.
#[derive(Default)]
pub(super) struct Counts {
    by_thread: BTreeMap<(ThreadId, i64), MessageCounts>,
    /// Conversations created by the write, of which nothing is stored yet.
    new_threads: HashSet<ThreadId>,
}

/// Numbers of messages and of unread messages.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct MessageCounts {
    messages: i64,
    unread: i64,
}

/// Numbers of messages, unread messages, conversations and conversations with unread messages.
#[derive(Clone, Copy, Default)]
struct Totals([i64; 4]);

impl Counts {
    /// Records a new conversation.
    pub(super) fn add_thread(&mut self, thread: ThreadId) {
        self.new_threads.insert(thread);
    }

    /// Counts a message with these labels.
    pub(super) fn add_message(&mut self, thread: ThreadId, labels: &[Label]) {
        self.count(thread, labels, 1);
    }

    /// Uncounts a message with these labels.
    pub(super) fn remove_message(&mut self, thread: ThreadId, labels: &[Label]) {
        self.count(thread, labels, -1);
    }

    /// Adds `by`, which is negative for a removal, to the counts of a conversation for each label and for all messages.
    fn count(&mut self, thread: ThreadId, labels: &[Label], by: i64) {
        let unread = if labels.contains(&Label::System(SystemLabel::Unread)) { by } else { 0 };
        for label in std::iter::once(ANY_LABEL).chain(labels.iter().map(|label| label.number())) {
            let pair = self.by_thread.entry((thread, label)).or_default();
            pair.messages += by;
            pair.unread += unread;
        }
    }

    /// Stores the changes.
    pub(super) async fn store<S: Session>(mut self, session: &mut S, of: Mailbox) -> Result<()> {
        self.by_thread.retain(|_, pair| *pair != MessageCounts::default());
        let before = self.read_stored(session, of).await?;
        let (mut set, mut dropped) = (Vec::new(), Vec::new());
        let mut by_label: BTreeMap<i64, Totals> = BTreeMap::new();
        for ((thread, label), change) in &self.by_thread {
            let was = before.get(&(*thread, *label)).copied().unwrap_or_default();
            let is = MessageCounts { messages: was.messages + change.messages, unread: was.unread + change.unread };
            by_label.entry(*label).or_default().add(was, is);
            let mut row = key(of, *thread, *label);
            if is.messages > 0 {
                row.extend([is.messages.into(), is.unread.into()]);
                set.push(row);
            } else {
                dropped.push(row);
            }
        }
        let labels: Vec<Vec<Value>> = by_label.into_iter().map(|(label, totals)| totals.row(of, label)).collect();
        session.run_each(sql::THREAD_COUNTS_SET, &set).await?;
        session.run_each(sql::THREAD_COUNTS_DROP, &dropped).await?;
        session.run_each(sql::COUNTS_ADD, &labels).await?;
        Ok(())
    }

    /// Reads the stored counts of the conversations that change.
    async fn read_stored<S: Session>(
        &self,
        session: &mut S,
        of: Mailbox,
    ) -> Result<BTreeMap<(ThreadId, i64), MessageCounts>> {
        let known: Vec<_> =
            self.by_thread.keys().filter(|(thread, _)| !self.new_threads.contains(thread)).copied().collect();
        let each: Vec<_> = known.iter().map(|(thread, label)| key(of, *thread, *label)).collect();
        let mut found = BTreeMap::new();
        for (key, rows) in known.into_iter().zip(session.rows_of_each(sql::THREAD_COUNTS, &each).await?) {
            if let Some(row) = rows.first() {
                found.insert(key, MessageCounts { messages: row.int(0)?, unread: row.int(1)? });
            }
        }
        Ok(found)
    }
}

impl Totals {
    /// Adds the change of the counts of one conversation, from `was` to `is`.
    fn add(&mut self, was: MessageCounts, is: MessageCounts) {
        let turned = |was: i64, is: i64| i64::from(is > 0) - i64::from(was > 0);
        let by = [
            is.messages - was.messages,
            is.unread - was.unread,
            turned(was.messages, is.messages),
            turned(was.unread, is.unread),
        ];
        for (sum, by) in self.0.iter_mut().zip(by) {
            *sum += by;
        }
    }

    /// Returns the values of `sql::COUNTS_ADD`.
    fn row(self, of: Mailbox, label: i64) -> Vec<Value> {
        [of.0, label].into_iter().chain(self.0).map(Value::from).collect()
    }
}

/// Returns the key of the counts of a conversation with a label.
fn key(of: Mailbox, thread: ThreadId, label: i64) -> Vec<Value> {
    vec![of.0.into(), to_stored(thread.number()).into(), label.into()]
}

/// Returns the counts of the label with a number.
pub(super) async fn read<S: Session>(session: &mut S, of: Mailbox, label: i64) -> Result<LabelCounts> {
    let rows = session.rows(sql::COUNTS, &[of.0.into(), label.into()]).await?;
    let Some(row) = rows.first() else { return Ok(LabelCounts::default()) };
    let count = |column| row.int(column).map(|number| u64::try_from(number).unwrap_or(0));
    Ok(LabelCounts { messages: count(0)?, messages_unread: count(1)?, threads: count(2)?, threads_unread: count(3)? })
}

/// Checks that conversations exist.
pub(super) async fn require_threads<'t, S: Session>(
    session: &mut S,
    of: Mailbox,
    threads: impl IntoIterator<Item = &'t ThreadId> + Clone,
) -> Result<()> {
    let row = |thread: &ThreadId| key(of, *thread, ANY_LABEL);
    let keys: Vec<Vec<Value>> = threads.clone().into_iter().map(row).collect();
    for (thread, rows) in threads.into_iter().zip(session.rows_of_each(sql::THREAD_COUNTS, &keys).await?) {
        if rows.is_empty() {
            return Err(crate::Error::not_found("thread", thread));
        }
    }
    Ok(())
}
