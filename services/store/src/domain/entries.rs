//! Storage of calendar entries.

use std::sync::Arc;

use crate::domain::{mailbox, sql};
use crate::event::{
    ChangeSize, Entry, EntryHead, EntryKind, EntryState, EventNumber, NewEntry, SERIES_CLASS, Span, length_class,
};
use crate::operation::{Access, Operation};
use crate::session::{HeavyColumns, Row, Session, Value};
use crate::{CalendarNumber, Error, HistoryId, Millis, Result};

/// Returns the state with a number.
pub(super) fn state_from_number(number: i64) -> Result<EntryState> {
    EntryState::from_stored(number).ok_or_else(|| Error::Internal(format!("unknown entry state {number}")))
}

/// Content of entries: it is read until it has this memory, and so are the entries that a request converts at once.
pub(super) const CONTENT: HeavyColumns = HeavyColumns { column: 13, max_bytes: 512 << 10 };

/// Returns whether the content of the entry in a row was read.
pub(super) fn has_content(row: &Row) -> bool {
    !row.is_null(CONTENT.column)
}

/// Reads the entry without its content in a row of `sql::ENTRY` and similar statements.
pub(super) fn head_from_row(row: &mut Row) -> Result<EntryHead> {
    Ok(EntryHead {
        id: row.text(1)?,
        state: state_from_number(row.int(5)?)?,
        original: row.optional_int(8)?,
        span: Span { first: row.int(9)?, last: row.int(10)? },
    })
}

/// Reads the entry in a row of `sql::ENTRY` and similar statements.
pub(super) fn entry_from_row(row: &mut Row) -> Result<Entry> {
    let kind = match (row.optional_text(7)?, row.optional_text(11)?) {
        (Some(series), _) => EntryKind::Exception { series, original: row.int(8)? },
        (None, Some(rule)) => EntryKind::Series { rule, length: row.int(12)?, slots: Vec::new() },
        (None, None) => EntryKind::Single,
    };
    Ok(Entry {
        calendar: CalendarNumber(row.int(0)?),
        id: row.text(1)?,
        event: EventNumber(row.int(2)?),
        changed: mailbox::history_id_from_stored(row.int(3)?)?,
        updated: Millis(row.int(4)?),
        state: state_from_number(row.int(5)?)?,
        removed: row.optional_int(15)?.map(Millis),
        uid: row.text(6)?,
        kind,
        span: Span { first: row.int(9)?, last: row.int(10)? },
        own: row.text(13)?,
        shared: row.text(14)?.into(),
    })
}

/// Returns the values of `sql::ENTRY_ADD` and `sql::ENTRY_PUT`.
pub(super) fn entry_values(entry: &NewEntry, event: EventNumber, changed: HistoryId) -> Vec<Value> {
    let Span { first, last } = entry.span;
    let (series, original, class, rule, length) = match &entry.kind {
        EntryKind::Single => (None, None, length_class(last.saturating_sub(first)), None, 0),
        EntryKind::Exception { series, original } => {
            (Some(series.clone()), Some(*original), length_class(last.saturating_sub(first)), None, 0)
        }
        EntryKind::Series { rule, length, .. } => (None, None, SERIES_CLASS, Some(rule.clone()), *length),
    };
    vec![
        entry.calendar.0.into(),
        entry.id.clone().into(),
        event.0.into(),
        changed.0.cast_signed().into(),
        entry.updated.0.into(),
        (entry.state as i64).into(),
        entry.removed.map(|time| time.0).into(),
        entry.uid.clone().into(),
        series.into(),
        original.into(),
        first.into(),
        last.into(),
        class.into(),
        rule.into(),
        length.into(),
        entry.own.clone().into(),
    ]
}

/// Reads the entries of a calendar with these identifiers; `None` for each that does not exist.
pub(super) struct ReadEntries(pub(super) CalendarNumber, pub(super) Vec<String>);

impl Operation for ReadEntries {
    type Output = Vec<Option<Entry>>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Self::Output> {
        read_entries(session, &entry_keys(self.0, self.1)).await
    }
}

/// Returns the keys of entries.
fn entry_keys(calendar: CalendarNumber, ids: Vec<String>) -> Vec<Vec<Value>> {
    ids.into_iter().map(|id| vec![calendar.0.into(), id.into()]).collect()
}

async fn read_entries<S: Session>(session: &mut S, keys: &[Vec<Value>]) -> Result<Vec<Option<Entry>>> {
    let found = session.rows_of_each(sql::ENTRY, keys).await?;
    found.into_iter().map(|mut rows| rows.first_mut().map(entry_from_row).transpose()).collect()
}

/// Like [`ReadEntries`], with the size of the entries and of their exceptions; only the size if the entries have more than
/// some bytes.
pub(super) struct ReadEntriesWithin {
    pub(super) calendar: CalendarNumber,
    pub(super) ids: Vec<String>,
    pub(super) max: u64,
}

impl Operation for ReadEntriesWithin {
    type Output = (ChangeSize, Option<Vec<Option<Entry>>>);
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Self::Output> {
        let keys = entry_keys(self.calendar, self.ids);
        let mut size = ChangeSize::default();
        for (bytes, statement) in [(&mut size.event, sql::ENTRY_SIZE), (&mut size.exceptions, sql::EXCEPTIONS_SIZE)] {
            let found = session.rows_of_each(statement, &keys).await?;
            *bytes = found.iter().flatten().map(|row| row.int(0).map(i64::cast_unsigned)).sum::<Result<u64>>()?;
        }
        let entries = if size.event <= self.max { Some(read_entries(session, &keys).await?) } else { None };
        Ok((size, entries))
    }
}

/// Like [`ReadEntries`], up to the one after whose content there would be too much.
pub(super) struct ReadSomeEntries(pub(super) CalendarNumber, pub(super) Vec<String>);

impl Operation for ReadSomeEntries {
    type Output = Vec<Option<Entry>>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Self::Output> {
        let keys = entry_keys(self.0, self.1);
        let found = session.rows_within(sql::ENTRY, &keys, CONTENT).await?;
        let found = found.into_iter().take_while(|rows| rows.iter().all(has_content));
        found.map(|mut rows| rows.first_mut().map(entry_from_row).transpose()).collect()
    }
}

/// Reads the exceptions of a series without their content.
pub(super) struct ReadExceptionHeads {
    pub(super) calendar: CalendarNumber,
    pub(super) series: String,
    pub(super) limit: u32,
}

impl Operation for ReadExceptionHeads {
    type Output = Vec<EntryHead>;
    const ACCESS: Access = Access::Scan;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<EntryHead>> {
        let values = [self.calendar.0.into(), self.series.into(), i64::from(self.limit).into()];
        session.rows(sql::EXCEPTION_HEADS, &values).await?.iter_mut().map(head_from_row).collect()
    }
}

/// Reads the entries of an event in all calendars.
pub(super) struct ReadCopies(pub(super) EventNumber);

impl Operation for ReadCopies {
    type Output = Vec<Entry>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Entry>> {
        let mut rows = session.rows(sql::ENTRIES_OF_EVENT, &[self.0.0.into()]).await?;
        let mut entries = rows.iter_mut().map(entry_from_row).collect::<Result<Vec<_>>>()?;
        if let Some((first, others)) = entries.split_first_mut() {
            others.iter_mut().for_each(|other| other.shared = Arc::clone(&first.shared));
        }
        Ok(entries)
    }
}

/// Reads the exceptions of a series whose original start is at or after `from` and before `to`, in seconds.
pub(super) struct ReadExceptions {
    pub(super) calendar: CalendarNumber,
    pub(super) series: String,
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) limit: u32,
}

impl Operation for ReadExceptions {
    type Output = Vec<Entry>;
    const ACCESS: Access = Access::Scan;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Entry>> {
        let values = [
            self.calendar.0.into(),
            self.series.into(),
            self.from.into(),
            self.to.into(),
            i64::from(self.limit).into(),
        ];
        session.rows(sql::EXCEPTIONS, &values).await?.iter_mut().map(entry_from_row).collect()
    }
}
