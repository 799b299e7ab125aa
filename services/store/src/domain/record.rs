//! Stored form of history records.

use std::collections::BTreeSet;

use crate::domain::sql;
use crate::session::{Session, Value};
use crate::{Change, Error, HistoryId, Kind, Label, Mailbox, MessageId, Result, ThreadId};

/// Serialized change: kind, message, conversation, labels added or removed, and labels of the message.
type Entry = (i64, u64, u64, Vec<i64>, Vec<i64>);

/// Number that stands for every message, labelled or not.
pub(super) const ANY: i64 = 0;

/// History record to store.
pub(super) struct NewRecord {
    pub(super) id: HistoryId,
    pub(super) changes: Vec<Change>,
}

pub(super) fn numbers(labels: &[Label]) -> Vec<i64> {
    labels.iter().map(|label| label.number()).collect()
}

pub(super) fn labels(numbers: Vec<i64>) -> Result<Vec<Label>> {
    let unknown = |number| Error::Fault(format!("{number} is not the number of a label"));
    numbers.into_iter().map(|number| Label::from_number(number).ok_or_else(|| unknown(number))).collect()
}

/// Converts a number to its stored form: no stored number is above 2^63.
pub(super) fn stored(number: u64) -> i64 {
    number.cast_signed()
}

/// Returns the key of a message.
pub(super) fn key(of: Mailbox, id: MessageId) -> Vec<Value> {
    vec![of.0.into(), stored(id.number()).into()]
}

pub(super) fn message_id(number: u64) -> Result<MessageId> {
    MessageId::new(number).ok_or_else(|| Error::Fault("a stored message identifier is negative".to_owned()))
}

pub(super) fn thread_id(number: u64) -> Result<ThreadId> {
    ThreadId::new(number).ok_or_else(|| Error::Fault("a stored conversation identifier is negative".to_owned()))
}

fn kind(number: i64) -> Result<Kind> {
    let unknown = || Error::Fault(format!("{number} is not a kind of change"));
    Kind::ALL.into_iter().find(|kind| *kind as i64 == number).ok_or_else(unknown)
}

fn body(changes: &[Change]) -> Result<String> {
    let entry = |change: &Change| -> Entry {
        let (labels, has) = (numbers(&change.labels), numbers(&change.has));
        (change.kind as i64, change.message.number(), change.thread.number(), labels, has)
    };
    let entries: Vec<Entry> = changes.iter().map(entry).collect();
    serde_json::to_string(&entries).map_err(|error| Error::Fault(format!("cannot serialize a history record: {error}")))
}

/// Parses the changes in the body of a record.
pub(super) fn changes(body: &str) -> Result<Vec<Change>> {
    let entries: Vec<Entry> =
        serde_json::from_str(body).map_err(|error| Error::Fault(format!("cannot parse a history record: {error}")))?;
    let change = |(number, message, thread, given, had): Entry| {
        Ok(Change {
            kind: kind(number)?,
            message: message_id(message)?,
            thread: thread_id(thread)?,
            labels: labels(given)?,
            has: labels(had)?,
        })
    };
    entries.into_iter().map(change).collect()
}

/// Returns the pairs of label and kind under which a record with these changes is indexed.
pub(super) fn marks(changes: &[Change]) -> BTreeSet<(i64, i64)> {
    let mut found = BTreeSet::new();
    for change in changes {
        let kind = change.kind as i64;
        found.insert((ANY, kind));
        found.extend(change.has.iter().chain(&change.labels).map(|label| (label.number(), kind)));
    }
    found
}

/// Stores records made at the same time.
pub(super) async fn store<S: Session>(session: &mut S, of: Mailbox, made: i64, records: &[NewRecord]) -> Result<()> {
    let mut rows = Vec::with_capacity(records.len());
    let mut marked: Vec<Vec<Value>> = Vec::new();
    for record in records {
        let id = stored(record.id.0);
        rows.push(vec![of.0.into(), id.into(), made.into(), body(&record.changes)?.into()]);
        let mark = |(label, kind): (i64, i64)| vec![of.0.into(), label.into(), kind.into(), id.into()];
        marked.extend(marks(&record.changes).into_iter().map(mark));
    }
    session.run_each(sql::RECORD_ADD, &rows).await?;
    session.run_each(sql::MARK_ADD, &marked).await?;
    Ok(())
}
