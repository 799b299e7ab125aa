//! Deletion of old data in bounded steps.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::mailbox::MailboxState;
use crate::domain::{calendar, record, sql};
use crate::operation::{Access, Operation};
use crate::session::{Row, Session, Value};
use crate::{CalendarNumber, Error, Mailbox, Millis, Result};

/// Maximum number of expired tokens removed per step.
pub(super) const MAX_TOKENS_PER_STEP: i64 = 1_000;
/// Maximum number of history records, or of deleted calendar entries, removed per step.
pub(super) const MAX_RECORDS_PER_STEP: i64 = 200;

/// Removes some expired tokens; returns their number.
pub(super) struct DeleteExpiredTokens(pub(super) Millis);

impl Operation for DeleteExpiredTokens {
    type Output = u64;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<u64> {
        let ended = session.rows(sql::TOKENS_ENDED, &[self.0.0.into(), MAX_TOKENS_PER_STEP.into()]).await?;
        let keys: Vec<_> = ended.into_iter().map(|row| row.0).collect();
        session.run_each(sql::TOKEN_DROP, &keys).await
    }
}

/// Removes some history records made before a time; returns their number.
pub(super) struct DeleteOldRecords(pub(super) Millis);

impl Operation for DeleteOldRecords {
    type Output = u64;
    const ACCESS: Access = Access::Write;

    /// Within a mailbox, records are found in the order of their numbers, because none is older than its predecessor:
    /// the removed ones are always the beginning of the history.
    async fn run<S: Session>(self, session: &mut S) -> Result<u64> {
        let mut by_mailbox: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        for row in session.rows(sql::RECORDS_OLD, &[self.0.0.into(), MAX_RECORDS_PER_STEP.into()]).await? {
            by_mailbox.entry(row.int(0)?).or_default().push(row.int(1)?);
        }
        let mut removed = 0;
        for (of, records) in by_mailbox {
            removed += delete_records(session, Mailbox(of), &records).await?;
        }
        Ok(removed)
    }
}

/// Removes some entries that were cancelled before a time; returns their number.
pub(super) struct DeleteCancelledEntries(pub(super) Millis);

impl Operation for DeleteCancelledEntries {
    type Output = u64;
    const ACCESS: Access = Access::Write;

    /// Clients that have not read up to the last removed change need a full sync.
    async fn run<S: Session>(self, session: &mut S) -> Result<u64> {
        let rows = session.rows(sql::ENTRIES_REMOVED, &[self.0.0.into(), MAX_RECORDS_PER_STEP.into()]).await?;
        let mut forgotten: BTreeMap<i64, (i64, i64)> = BTreeMap::new();
        for row in &rows {
            let (changed, removed) = forgotten.entry(row.int(0)?).or_default();
            (*changed, *removed) = ((*changed).max(row.int(3)?), (*removed).max(row.int(4)?));
        }
        for (number, (changed, removed)) in forgotten {
            // A calendar that is being removed has no readers.
            let Ok(calendar) = calendar::lock(session, CalendarNumber(number)).await else { continue };
            let oldest = calendar.oldest_change.0.cast_signed().max(changed);
            let values = [number.into(), oldest.into(), calendar.pruned_until.0.max(removed).into()];
            session.run(sql::CALENDAR_FORGOT, &values).await?;
        }
        delete_entries(session, rows).await
    }
}

/// Removes entries, given as rows of calendar, identifier and event, and events without further entries.
pub(super) async fn delete_entries<S: Session>(session: &mut S, rows: Vec<Row>) -> Result<u64> {
    let events: BTreeSet<i64> = rows.iter().map(|row| row.int(2)).collect::<Result<_>>()?;
    let keys: Vec<Vec<Value>> = rows.into_iter().map(|row| row.0.into_iter().take(2).collect()).collect();
    session.run_each(sql::SLOTS_DROP, &keys).await?;
    let removed = session.run_each(sql::ENTRY_DROP, &keys).await?;
    let events: Vec<Vec<Value>> = events.into_iter().map(|event| vec![event.into()]).collect();
    let left = session.rows_of_each(sql::EVENT_LEFT, &events).await?;
    let alone = events.into_iter().zip(left).filter(|(_, left)| left.is_empty()).map(|(event, _)| event);
    session.run_each(sql::EVENT_DROP, &alone.collect::<Vec<_>>()).await?;
    Ok(removed)
}

async fn delete_records<S: Session>(session: &mut S, of: Mailbox, records: &[i64]) -> Result<u64> {
    match MailboxState::lock(session, of).await {
        Ok(_) => {}
        // The user is being removed together with the history.
        Err(Error::NotFound { .. }) => return Ok(0),
        Err(error) => return Err(error),
    }
    let keys: Vec<Vec<Value>> = records.iter().map(|record| vec![of.0.into(), (*record).into()]).collect();
    let mut marks: Vec<Vec<Value>> = Vec::new();
    for mut row in session.rows_of_each(sql::RECORD, &keys).await?.into_iter().flatten() {
        let id = row.int(0)?;
        let mark = |(label, kind): (i64, i64)| vec![of.0.into(), label.into(), kind.into(), id.into()];
        marks.extend(record::index_keys(&record::parse_changes(&row.text(1)?)?).into_iter().map(mark));
    }
    session.run_each(sql::MARK_DROP, &marks).await?;
    let removed = session.run_each(sql::RECORD_DROP, &keys).await?;
    if let Some(last) = records.iter().max() {
        session.run(sql::MAILBOX_FORGOT, &[of.0.into(), (*last).into()]).await?;
    }
    Ok(removed)
}
