//! Reading the history of a mailbox.

use std::collections::BTreeSet;

use crate::domain::mailbox::MailboxState;
use crate::domain::record::{ANY_LABEL, labels_of_messages, parse_changes, to_stored};
use crate::domain::{epoch, mailbox, sql};
use crate::operation::{Access, Operation};
use crate::session::{HeavyColumns, Row, Session, Value};
use crate::{
    ChangeKind, Error, HistoryCursor, HistoryId, HistoryPage, HistoryQuery, HistoryRecord, HistoryStart, Label,
    Mailbox, MessageChange, Result,
};

/// Number of changes after which a page ends: a record can hold a thousand.
const MAX_CHANGES: usize = 20_000;
/// Number of records fetched at once.
const BATCH_SIZE: usize = 64;
/// Changes of the records that are fetched at once: one that changes many messages with many labels has half a megabyte.
const CHANGES: HeavyColumns = HeavyColumns { column: 1, max_bytes: 512 << 10 };
/// Number of labels of a change that count as another one.
const LABELS_OF_CHANGE: usize = 8;

/// Reads a page of the history of a mailbox.
pub(super) struct ReadHistory {
    pub(super) of: Mailbox,
    pub(super) query: HistoryQuery,
}

impl Operation for ReadHistory {
    type Output = HistoryPage;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<HistoryPage> {
        let Self { of, query } = self;
        let head = MailboxState::read(session, of).await?;
        if let Some(label) = query.label.filter(|label| !head.label_ever_existed(*label)) {
            return Err(Error::not_found("label", label));
        }
        let start = resolve_start(&head, query.start)?;
        let filter = Filter::from_query(&query);
        let limit = query.limit.max(1) as usize;
        let mut page = HistoryPage { records: Vec::new(), next: None, current: head.history()? };
        let mut after = start;
        let mut change_count = 0;
        loop {
            let wanted = (limit + 1 - page.records.len()).min(BATCH_SIZE);
            let rows = filter.next_rows(session, of, after, wanted).await?;
            let is_complete = rows.iter().all(|row| !row.is_null(CHANGES.column));
            let last = rows.len() < wanted && is_complete;
            for mut row in rows {
                let full = page.records.len() == limit || change_count >= MAX_CHANGES;
                if full {
                    page.next = Some(HistoryCursor { after, epoch: head.epoch });
                    return Ok(page);
                }
                if row.is_null(CHANGES.column) {
                    break;
                }
                let id = mailbox::history_id_from_stored(row.int(0)?)?;
                let found: Vec<MessageChange> = filter.matching_changes(parse_changes(&row.text(1)?)?);
                change_count += found.iter().map(weight).sum::<usize>();
                after = id;
                page.records.push(HistoryRecord { id, changes: found });
            }
            if last {
                return Ok(page);
            }
        }
    }
}

/// Returns the number to start reading after. A client may compute one between two that were issued: it is a bound.
/// Those that a lost history may have issued are below the first number of the epoch.
///
/// # Errors
/// Returns [`Error::Expired`] if the number is above the current one, or if a later record was deleted.
fn resolve_start(head: &MailboxState, start: HistoryStart) -> Result<HistoryId> {
    let number = match start {
        HistoryStart::After(number) => number,
        HistoryStart::Cursor(cursor) => {
            epoch::require_current(head.epoch, cursor.epoch)?;
            cursor.after
        }
    };
    if number < head.oldest()? || number > head.history()? {
        return Err(Error::Expired(number.0));
    }
    Ok(number)
}

/// Returns the number of changes that a change counts as: one with many labels takes as much memory as many.
fn weight(change: &MessageChange) -> usize {
    1 + (change.labels.len() + change.labels_after.len()) / LABELS_OF_CHANGE
}

/// Filter of changes.
struct Filter {
    label: Option<Label>,
    kinds: BTreeSet<ChangeKind>,
}

impl Filter {
    fn from_query(query: &HistoryQuery) -> Self {
        let all = query.kinds.is_empty();
        let kinds = if all { ChangeKind::ALL.into_iter().collect() } else { query.kinds.iter().copied().collect() };
        Self { label: query.label, kinds }
    }

    /// Returns whether all changes match.
    fn matches_all(&self) -> bool {
        self.label.is_none() && self.kinds.len() == ChangeKind::ALL.len()
    }

    /// Returns the rows of the next records with a matching change, at most `limit`.
    async fn next_rows<S: Session>(
        &self,
        session: &mut S,
        of: Mailbox,
        after: HistoryId,
        limit: usize,
    ) -> Result<Vec<Row>> {
        let (after, limit) = (to_stored(after.0), limit as u64);
        if self.matches_all() {
            let values = vec![of.0.into(), after.into(), to_stored(limit).into()];
            let found = session.rows_within(sql::RECORDS_AFTER, &[values], CHANGES).await?;
            return Ok(found.into_iter().flatten().collect());
        }
        let label = self.label.map_or(ANY_LABEL, Label::number);
        let ranges: Vec<Vec<Value>> = self
            .kinds
            .iter()
            .map(|kind| vec![of.0.into(), label.into(), (*kind as i64).into(), after.into(), to_stored(limit).into()])
            .collect();
        let mut found = BTreeSet::new();
        for row in session.rows_of_each(sql::MARKS_AFTER, &ranges).await?.iter().flatten() {
            found.insert(row.int(0)?);
        }
        let keys: Vec<Vec<Value>> =
            found.into_iter().take(limit as usize).map(|record| vec![of.0.into(), record.into()]).collect();
        Ok(session.rows_within(sql::RECORD, &keys, CHANGES).await?.into_iter().flatten().collect())
    }

    /// Returns the matching changes of a record. A label selects messages, with all of their changes.
    fn matching_changes(&self, mut changes: Vec<MessageChange>) -> Vec<MessageChange> {
        if let Some(label) = self.label {
            let labels = labels_of_messages(&changes);
            changes.retain(|change| labels.get(&change.message).is_some_and(|of| of.contains(&label.number())));
        }
        changes.retain(|change| self.kinds.contains(&change.kind));
        changes
    }
}
