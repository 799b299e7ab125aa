//! Entries and series that can take place in a time range.

use crate::domain::{calendar, entries, epoch, sql};
use crate::event::{
    Entry, EntryHead, LENGTH_CLASSES, SERIES_CLASS, SLOTS, SeriesSummary, Span, Window, WindowQuery, slots_between,
};
use crate::operation::{Access, Operation};
use crate::session::{HeavyColumns, Row, Session, Value};
use crate::{CalendarNumber, Result};

/// Reads the entries and series of a calendar that can take place in a time range.
pub(super) struct ReadWindow(pub(super) CalendarNumber, pub(super) WindowQuery);

impl Operation for ReadWindow {
    type Output = Window;
    const ACCESS: Access = Access::Scan;

    async fn run<S: Session>(self, session: &mut S) -> Result<Window> {
        let Self(number, query) = self;
        let calendar = calendar::load(session, number).await?;
        if let Some(began) = query.epoch {
            epoch::require_current(calendar.epoch, began)?;
        }
        let (entries, heads, to) = read_single_entries(session, number, query).await?;
        let (series, longest) = read_series(session, number, WindowQuery { to, ..query }).await?;
        let from = if query.overlapping { query.from.saturating_sub(longest) } else { query.from };
        let originals =
            if series.is_empty() { Vec::new() } else { read_original_starts(session, number, from, to).await? };
        let first_start = first_start(session, number).await?;
        Ok(Window { calendar, to, entries, heads, series, originals, first_start })
    }
}

/// Reads single events and exceptions, class by class. Returns them, those whose content was not read, and the start up to
/// which they are complete.
async fn read_single_entries<S: Session>(
    session: &mut S,
    of: CalendarNumber,
    query: WindowQuery,
) -> Result<(Vec<Entry>, Vec<EntryHead>, i64)> {
    let limit = query.limit.max(1) as usize;
    let keys: Vec<Vec<Value>> = (0..=LENGTH_CLASSES.len())
        .map(|class| {
            let from = match (query.overlapping, LENGTH_CLASSES.get(class)) {
                (false, _) => query.from,
                (true, Some(longest)) => query.from.saturating_sub(*longest),
                (true, None) => i64::MIN,
            };
            // An entry that ends at the beginning of the range is not part of it; one without length at the beginning
            // is.
            let after = if query.overlapping { query.from } else { i64::MIN };
            let (class, limit) = (class as i64, limit as i64 + 1);
            vec![of.0.into(), class.into(), from.into(), query.to.into(), after.into(), limit.into()]
        })
        .collect();
    let (mut found, mut heads, mut to) = (Vec::new(), Vec::new(), query.to);
    for mut rows in session.rows_within(sql::WINDOW_SINGLES, &keys, entries::CONTENT).await? {
        if rows.len() > limit
            && let Some(last) = rows.pop()
        {
            to = to.min(last.int(9)?);
        }
        for row in &mut rows {
            match entries::has_content(row) {
                true => found.push(entries::entry_from_row(row)?),
                false => heads.push(entries::head_from_row(row)?),
            }
        }
    }
    found.retain(|entry| entry.span.first < to);
    heads.retain(|head| head.span.first < to);
    found.sort_by(|one, other| (one.span.first, &one.id).cmp(&(other.span.first, &other.id)));
    Ok((found, heads, to))
}

/// Rules of series: they are read until they have this memory.
const RULES: HeavyColumns = HeavyColumns { column: 5, max_bytes: 512 << 10 };

/// Reads the series that may have instances, with the length of their longest instance.
async fn read_series<S: Session>(
    session: &mut S,
    of: CalendarNumber,
    query: WindowQuery,
) -> Result<(Vec<SeriesSummary>, i64)> {
    let slots = slots_between(query.from, query.to).unwrap_or_else(|| (0..SLOTS).collect());
    let keys: Vec<Vec<Value>> = slots
        .into_iter()
        .chain([SLOTS])
        .map(|slot| vec![of.0.into(), i64::from(slot).into(), query.from.into(), query.to.into()])
        .collect();
    let (mut lines, mut longest) = (Vec::new(), 0);
    for mut row in session.rows_within(sql::WINDOW_SERIES, &keys, RULES).await?.into_iter().flatten() {
        longest = longest.max(row.int(4)?);
        lines.push(series_from_row(&mut row)?);
    }
    // A series that can have instances in several weeks is found in each, the first time perhaps with its rule.
    lines.sort_unstable_by(|one: &SeriesSummary, other| {
        (&one.id, one.rule.is_none()).cmp(&(&other.id, other.rule.is_none()))
    });
    lines.dedup_by(|one, other| one.id == other.id);
    Ok((lines, longest))
}

fn series_from_row(row: &mut Row) -> Result<SeriesSummary> {
    Ok(SeriesSummary {
        id: row.text(0)?,
        state: entries::state_from_number(row.int(1)?)?,
        span: Span { first: row.int(2)?, last: row.int(3)? },
        rule: row.optional_text(5)?,
    })
}

async fn read_original_starts<S: Session>(
    session: &mut S,
    of: CalendarNumber,
    from: i64,
    to: i64,
) -> Result<Vec<(String, i64)>> {
    let mut rows = session.rows(sql::WINDOW_ORIGINALS, &[of.0.into(), from.into(), to.into()]).await?;
    rows.iter_mut().map(|row| Ok((row.text(0)?, row.int(1)?))).collect()
}

async fn first_start<S: Session>(session: &mut S, of: CalendarNumber) -> Result<Option<i64>> {
    let classes = (0..=LENGTH_CLASSES.len() as i64).chain([SERIES_CLASS]);
    let keys: Vec<Vec<Value>> = classes.map(|class| vec![of.0.into(), class.into()]).collect();
    let mut first: Option<i64> = None;
    for row in session.rows_of_each(sql::WINDOW_START, &keys).await?.into_iter().flatten() {
        let start = row.int(0)?;
        first = Some(first.map_or(start, |first| first.min(start)));
    }
    Ok(first)
}
