//! Reading the history of a mailbox.

use std::collections::BTreeSet;

use crate::domain::mailbox::Head;
use crate::domain::record::{ANY, changes, stored};
use crate::domain::{epoch, mailbox, sql};
use crate::operation::{Access, Operation};
use crate::session::{Row, Session, Value};
use crate::{
    Change, Error, HistoryCursor, HistoryId, HistoryPage, HistoryQuery, Kind, Label, Mailbox, Record, Result, Start,
};

/// Number of changes after which a page ends: a record can hold a thousand.
const MAX_CHANGES: usize = 20_000;
/// Number of records fetched at once: one that changes many messages with many labels has half a megabyte.
const BATCH: usize = 64;

pub(super) struct ReadHistory {
    pub(super) of: Mailbox,
    pub(super) query: HistoryQuery,
}

impl Operation for ReadHistory {
    type Output = HistoryPage;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<HistoryPage> {
        let Self { of, query } = self;
        let head = Head::read(session, of).await?;
        if let Some(label) = query.label.filter(|label| !head.ever_had(*label)) {
            return Err(Error::absent("label", label));
        }
        let start = begin(session, &head, query.start).await?;
        let filter = Filter::of(&query);
        let limit = query.limit.max(1) as usize;
        let mut page = HistoryPage { records: Vec::new(), next: None, current: head.history()? };
        let mut after = start;
        let mut change_count = 0;
        loop {
            let wanted = (limit + 1 - page.records.len()).min(BATCH);
            let rows = filter.rows(session, of, after, wanted).await?;
            let last = rows.len() < wanted;
            for mut row in rows {
                let full = page.records.len() == limit || change_count >= MAX_CHANGES;
                if full {
                    page.next = Some(HistoryCursor { after, epoch: head.epoch });
                    return Ok(page);
                }
                let id = mailbox::number(row.int(0)?)?;
                let found: Vec<Change> = filter.of_record(changes(&row.text(1)?)?);
                change_count += found.len();
                after = id;
                page.records.push(Record { id, changes: found });
            }
            if last {
                return Ok(page);
            }
        }
    }
}

/// Returns the number to start reading after.
///
/// # Errors
/// Returns [`Error::Expired`] if the number was never issued, or if a later record was deleted.
async fn begin<S: Session>(session: &mut S, head: &Head, start: Start) -> Result<HistoryId> {
    let (number, given) = match start {
        Start::Given(number) => (number, true),
        Start::Continued(cursor) => {
            epoch::require(head.epoch, cursor.epoch)?;
            (cursor.after, false)
        }
    };
    let expired = || Error::Expired(number.0);
    let oldest = head.oldest()?;
    if number < oldest || number > head.history()? {
        return Err(expired());
    }
    if given && number != oldest {
        let key = [head.mailbox.0.into(), stored(number.0).into()];
        session.rows(sql::RECORD_KNOWN, &key).await?.first().ok_or_else(expired)?;
    }
    Ok(number)
}

/// Filter of changes.
struct Filter {
    label: Option<Label>,
    kinds: BTreeSet<Kind>,
}

impl Filter {
    fn of(query: &HistoryQuery) -> Self {
        let all = query.kinds.is_empty();
        let kinds = if all { Kind::ALL.into_iter().collect() } else { query.kinds.iter().copied().collect() };
        Self { label: query.label, kinds }
    }

    /// Returns whether all changes match.
    fn matches_all(&self) -> bool {
        self.label.is_none() && self.kinds.len() == Kind::ALL.len()
    }

    /// Returns the rows of the next records with a matching change, at most `limit`.
    async fn rows<S: Session>(&self, session: &mut S, of: Mailbox, after: HistoryId, limit: usize) -> Result<Vec<Row>> {
        let (after, limit) = (stored(after.0), limit as u64);
        if self.matches_all() {
            let values = [of.0.into(), after.into(), stored(limit).into()];
            return session.rows(sql::RECORDS_AFTER, &values).await;
        }
        let label = self.label.map_or(ANY, Label::number);
        let ranges: Vec<Vec<Value>> = self
            .kinds
            .iter()
            .map(|kind| vec![of.0.into(), label.into(), (*kind as i64).into(), after.into(), stored(limit).into()])
            .collect();
        let mut found = BTreeSet::new();
        for row in session.rows_of_each(sql::MARKS_AFTER, &ranges).await?.iter().flatten() {
            found.insert(row.int(0)?);
        }
        let keys: Vec<Vec<Value>> =
            found.into_iter().take(limit as usize).map(|record| vec![of.0.into(), record.into()]).collect();
        Ok(session.rows_of_each(sql::RECORD, &keys).await?.into_iter().flatten().collect())
    }

    /// Returns the matching changes of a record.
    fn of_record(&self, mut changes: Vec<Change>) -> Vec<Change> {
        let labelled = |change: &Change, label| change.has.contains(&label) || change.labels.contains(&label);
        changes.retain(|change| {
            self.kinds.contains(&change.kind) && self.label.is_none_or(|label| labelled(change, label))
        });
        changes
    }
}
