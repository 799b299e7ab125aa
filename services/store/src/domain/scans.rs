//! Entries of a calendar in index order.

use crate::domain::{calendar, entries, epoch, sql};
use crate::event::{EntryOrder, EntryPage, EntryQuery};
use crate::operation::{Access, Operation};
use crate::session::{Session, Value};
use crate::{CalendarNumber, Error, HistoryId, Result};

/// Maximum number of calendar entries that are read at once.
const MAX_ENTRIES: u32 = 2_500;

/// Reads a page of the entries of a calendar, in one of several orders.
pub(super) struct WalkEntries(pub(super) CalendarNumber, pub(super) EntryQuery);

impl Operation for WalkEntries {
    type Output = EntryPage;
    const ACCESS: Access = Access::Scan;

    async fn run<S: Session>(self, session: &mut S) -> Result<EntryPage> {
        let Self(number, query) = self;
        let calendar = calendar::load(session, number).await?;
        if let Some(began) = query.epoch {
            epoch::require_current(calendar.epoch, began)?;
        }
        let wanted = query.limit.clamp(1, MAX_ENTRIES);
        let (of, limit) = (number.0, i64::from(wanted) + 1);
        let (at, id) = query.after.unwrap_or((i64::MIN, String::new()));
        let (statement, values): (_, Vec<Value>) = match query.order {
            EntryOrder::ById => (sql::ENTRIES_AFTER, vec![of.into(), id.into(), limit.into()]),
            EntryOrder::ByUpdate(since) => {
                let (at, id) = if at < since.0 { (since.0, String::new()) } else { (at, id) };
                (sql::ENTRIES_UPDATED, vec![of.into(), at.into(), id.into(), limit.into()])
            }
            EntryOrder::ByChange(HistoryId(after), HistoryId(until)) => {
                if after < calendar.oldest_change.0 || after > calendar.history.0 {
                    return Err(Error::Expired(after));
                }
                // The marker sorts after all identifiers, so that every entry of the first change is before it.
                let first = || (after.cast_signed(), "\u{10ffff}".to_owned());
                let (at, id) = if at <= after.cast_signed() { first() } else { (at, id) };
                let values = vec![of.into(), at.into(), id.into(), until.cast_signed().into(), limit.into()];
                (sql::ENTRIES_CHANGED, values)
            }
            EntryOrder::WithUid(uid) => (sql::ENTRIES_WITH_UID, vec![of.into(), uid.into(), id.into(), limit.into()]),
        };
        let mut rows = session.rows_within(statement, &[values], entries::CONTENT).await?.pop().unwrap_or_default();
        // The page ends before an entry whose content was not read.
        let complete = rows.iter().take_while(|row| entries::has_content(row)).count().min(wanted as usize);
        let more = rows.len() > complete;
        rows.truncate(complete);
        Ok(EntryPage {
            calendar,
            entries: rows.iter_mut().map(entries::entry_from_row).collect::<Result<_>>()?,
            has_more: more,
        })
    }
}
