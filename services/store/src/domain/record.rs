//! Stored form of history records.

use std::collections::{BTreeSet, HashMap};

use crate::domain::sql;
use crate::session::{Session, Value};
use crate::{ChangeKind, Error, HistoryId, Label, Mailbox, MessageChange, MessageId, Result, ThreadId};

/// Serialized change: kind, message, conversation, labels added or removed, and labels of the message.
type SerializedChange = (i64, u64, u64, Vec<i64>, Vec<i64>);

/// Number that stands for every message, labeled or not.
pub(super) const ANY_LABEL: i64 = 0;

/// History record to store.
pub(super) struct NewRecord {
    pub(super) id: HistoryId,
    pub(super) changes: Vec<MessageChange>,
}

pub(super) fn label_numbers(labels: &[Label]) -> Vec<i64> {
    labels.iter().map(|label| label.number()).collect()
}

pub(super) fn labels_from_numbers(numbers: Vec<i64>) -> Result<Vec<Label>> {
    let unknown = |number| Error::Internal(format!("unknown label number {number}"));
    numbers.into_iter().map(|number| Label::from_number(number).ok_or_else(|| unknown(number))).collect()
}

/// Converts a number to its stored form: no stored number is above 2^63.
pub(super) fn to_stored(number: u64) -> i64 {
    number.cast_signed()
}

/// Returns the key of a message.
pub(super) fn message_key(of: Mailbox, id: MessageId) -> Vec<Value> {
    vec![of.0.into(), to_stored(id.number()).into()]
}

pub(super) fn message_id(number: u64) -> Result<MessageId> {
    MessageId::new(number).ok_or_else(|| Error::Internal("a stored message identifier is negative".to_owned()))
}

pub(super) fn thread_id(number: u64) -> Result<ThreadId> {
    ThreadId::new(number).ok_or_else(|| Error::Internal("a stored thread identifier is negative".to_owned()))
}

fn kind_from_number(number: i64) -> Result<ChangeKind> {
    let unknown = || Error::Internal(format!("unknown change kind {number}"));
    ChangeKind::ALL.into_iter().find(|kind| *kind as i64 == number).ok_or_else(unknown)
}

fn serialize_changes(changes: &[MessageChange]) -> Result<String> {
    let entry = |change: &MessageChange| -> SerializedChange {
        let (labels, has) = (label_numbers(&change.labels), label_numbers(&change.labels_after));
        (change.kind as i64, change.message.number(), change.thread.number(), labels, has)
    };
    let entries: Vec<SerializedChange> = changes.iter().map(entry).collect();
    serde_json::to_string(&entries)
        .map_err(|error| Error::Internal(format!("cannot serialize a history record: {error}")))
}

/// Parses the changes in the body of a record.
pub(super) fn parse_changes(body: &str) -> Result<Vec<MessageChange>> {
    let entries: Vec<SerializedChange> = serde_json::from_str(body)
        .map_err(|error| Error::Internal(format!("cannot parse a history record: {error}")))?;
    let change = |(number, message, thread, given, had): SerializedChange| {
        Ok(MessageChange {
            kind: kind_from_number(number)?,
            message: message_id(message)?,
            thread: thread_id(thread)?,
            labels: labels_from_numbers(given)?,
            labels_after: labels_from_numbers(had)?,
        })
    };
    entries.into_iter().map(change).collect()
}

/// Returns the labels under which each message of a record is found: those that it has, and those that it gained or lost.
pub(super) fn labels_of_messages(changes: &[MessageChange]) -> HashMap<MessageId, BTreeSet<i64>> {
    let mut labels: HashMap<MessageId, BTreeSet<i64>> = HashMap::new();
    for change in changes {
        let numbers = change.labels_after.iter().chain(&change.labels).map(|label| label.number());
        labels.entry(change.message).or_default().extend(numbers);
    }
    labels
}

/// Returns the pairs of label and kind under which a record with these changes is indexed.
pub(super) fn index_keys(changes: &[MessageChange]) -> BTreeSet<(i64, i64)> {
    let labels = labels_of_messages(changes);
    let mut found = BTreeSet::new();
    for change in changes {
        let kind = change.kind as i64;
        found.insert((ANY_LABEL, kind));
        found.extend(labels.get(&change.message).into_iter().flatten().map(|label| (*label, kind)));
    }
    found
}

/// Stores records made at the same time.
pub(super) async fn store<S: Session>(session: &mut S, of: Mailbox, made: i64, records: &[NewRecord]) -> Result<()> {
    let mut rows = Vec::with_capacity(records.len());
    let mut marked: Vec<Vec<Value>> = Vec::new();
    for record in records {
        let id = to_stored(record.id.0);
        rows.push(vec![of.0.into(), id.into(), made.into(), serialize_changes(&record.changes)?.into()]);
        let mark = |(label, kind): (i64, i64)| vec![of.0.into(), label.into(), kind.into(), id.into()];
        marked.extend(index_keys(&record.changes).into_iter().map(mark));
    }
    session.run_each(sql::RECORD_ADD, &rows).await?;
    session.run_each(sql::MARK_ADD, &marked).await?;
    Ok(())
}
