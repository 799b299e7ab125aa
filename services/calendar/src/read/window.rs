//! Lists ordered by start, through a time range.
//!
//! The range is read in windows, each twice as long as the previous one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use wireform_store::{Entry, EntryState, Epoch, SeriesSummary, Store, Window, WindowQuery};

use super::filter::Filter;
use super::page::{ListError, Listing};
use super::positions::{Continuation, ListPosition, ListState, WindowPosition};
use crate::CalendarService;
use crate::series::{Instance, Series};
use crate::times::DAY;
use crate::view::CalendarItem;

/// Length of the first window, in seconds.
const FIRST_WINDOW: i64 = 14 * DAY;
/// Number of series whose content is read at once.
const BODY_BATCH_SIZE: usize = 100;
/// Minimum and maximum number of single events of each length class that are read at once.
const ENTRY_LIMITS: (usize, usize) = (100, 2_500);

/// Time range of a list.
pub(super) struct Range {
    pub(super) begin: Option<i64>,
    pub(super) end: i64,
    /// Event to start after: its start and its identifier.
    pub(super) after: Option<(i64, String)>,
    /// True if only instances of endless series are listed.
    pub(super) endless_only: bool,
    pub(super) epoch: Epoch,
    /// Time up to which instances of endless series are listed.
    pub(super) horizon: i64,
}

/// Event of a range.
enum Item {
    Entry(Entry),
    /// Instance of a series; the series itself if series are not expanded.
    Instance {
        series: usize,
        instance: Instance,
        is_whole: bool,
    },
}

/// Events of a window, by start and identifier.
type Items = BTreeMap<(i64, String), Item>;

/// Content of a window.
struct WindowContent {
    items: Items,
    series: Vec<SeriesSummary>,
    /// True if a series has more instances in the window than were computed.
    is_truncated: bool,
}

impl<S: Store> CalendarService<S> {
    /// Lists the events in a time range by start, up to the size of a page. Returns where to continue.
    pub(super) async fn list_window(
        &self,
        listing: &mut Listing<'_>,
        from: ListState<WindowPosition>,
    ) -> Result<Continuation, ListError> {
        let filter = listing.filter;
        let range = Range {
            begin: filter.from,
            end: filter.to.unwrap_or(i64::MAX),
            after: from.at.after.clone(),
            endless_only: false,
            epoch: from.epoch,
            horizon: from.horizon,
        };
        let place = self.list_range(listing, range).await?;
        Ok(place
            .map_or_else(|| from.end(), |place| Continuation::Page(ListPosition::Window(from.with_position(place)))))
    }

    /// Lists the events of a range. Returns the position to continue from, if the page is full before its end.
    pub(super) async fn list_range(
        &self,
        listing: &mut Listing<'_>,
        mut range: Range,
    ) -> Result<Option<WindowPosition>, ListError> {
        let number = listing.access.calendar.number;
        let mut query = WindowQuery {
            from: range.first(),
            to: range.end,
            overlapping: range.overlaps(),
            epoch: Some(range.epoch),
            search_mailbox: None,
            limit: 0,
        };
        if query.from == i64::MIN {
            // The first window begins with the first event.
            let nothing = WindowQuery { to: i64::MIN, ..query };
            match self.store.read_window(number, nothing).await?.first_start {
                Some(first) if first < range.end => query.from = first,
                _ => return Ok(None),
            }
        }
        let (mut length, mut limit) = (FIRST_WINDOW, listing.remaining().clamp(ENTRY_LIMITS.0, ENTRY_LIMITS.1));
        while query.from < range.end {
            let is_last = query.from >= range.horizon;
            query.to = if is_last { range.end } else { range.end.min(query.from.saturating_add(length)) };
            query.limit = u32::try_from(limit).unwrap_or(u32::MAX);
            let window = self.store.read_window(number, query).await?;
            query.search_mailbox = Some(listing.access.user.mailbox);
            if window.to <= query.from {
                // More events start at this second than were read.
                limit = limit.saturating_mul(8);
                continue;
            }
            let reached = window.to;
            let WindowContent { items, series, is_truncated } = self.items(listing, &range, query, window)?;
            if !self.list_items(listing, &series, items, &mut range.after).await? {
                return Ok(Some(WindowPosition { after: range.after }));
            }
            if is_truncated {
                continue;
            }
            (query.from, query.overlapping, length) = (reached, false, length.saturating_mul(2));
        }
        Ok(None)
    }

    /// Returns the events of a window after the listed ones.
    fn items(
        &self,
        listing: &Listing<'_>,
        range: &Range,
        query: WindowQuery,
        window: Window,
    ) -> Result<WindowContent, ListError> {
        let filter = listing.filter;
        let mut items = entry_items(filter, range, window.entries);
        let mut cut: Option<(i64, String)> = None;
        let mut originals: HashMap<&str, BTreeSet<i64>> = HashMap::new();
        for (series, original) in &window.originals {
            originals.entry(series).or_default().insert(*original);
        }
        let query = WindowQuery { to: window.to, ..query };
        for (at, line) in window.series.iter().enumerate() {
            let series = self.cache.series(&line.rule)?;
            let gone = line.state != EntryState::Present && !(filter.hidden && line.state == EntryState::Hidden);
            if (gone && !filter.lists_removed()) || (range.endless_only && !series.is_endless()) {
                continue;
            }
            let taken = originals.get(line.id.as_str());
            let is_whole = series.is_single || !filter.single;
            let id = |instance: &Instance| match is_whole {
                true => line.id.clone(),
                false => format!("{}_{}", line.id, instance.suffix()),
            };
            let is_listed = |instance: &Instance| {
                let first = instance.span.first;
                let exempt = !is_whole && taken.is_some_and(|taken| taken.contains(&first));
                !exempt && range.is_next(first, &id(instance))
            };
            let found = instances(listing, range, query, &series, &is_listed);
            if let Some(last) = found.last().filter(|_| found.len() > listing.remaining()) {
                let last = (last.span.first, id(last));
                cut = Some(cut.map_or(last.clone(), |cut| cut.min(last)));
            }
            for instance in found {
                items.insert((instance.span.first, id(&instance)), Item::Instance { series: at, instance, is_whole });
            }
        }
        // Events after the last computed instance of a series are listed with the following instances.
        if let Some(cut) = &cut {
            items.retain(|key, _| key <= cut);
        }
        Ok(WindowContent { items, series: window.series, is_truncated: cut.is_some() })
    }

    /// Lists events in order. Returns whether all of them fit on the page.
    async fn list_items(
        &self,
        listing: &mut Listing<'_>,
        lines: &[SeriesSummary],
        items: Items,
        after: &mut Option<(i64, String)>,
    ) -> Result<bool, ListError> {
        let mut bodies: HashMap<usize, Option<CalendarItem>> = HashMap::new();
        let mut wanted = items
            .values()
            .filter_map(|item| match item {
                Item::Instance { series, .. } => Some(*series),
                Item::Entry(_) => None,
            })
            .collect::<Vec<_>>()
            .into_iter();
        for (key, item) in items {
            if listing.is_full() {
                return Ok(false);
            }
            match item {
                Item::Entry(entry) => listing.add_if_matching(&CalendarItem::from_entry(entry)?)?,
                Item::Instance { series, instance, is_whole } => {
                    while !bodies.contains_key(&series) {
                        self.read_bodies(listing, lines, &mut wanted, &mut bodies).await?;
                    }
                    match bodies.get(&series) {
                        Some(Some(found)) if is_whole => listing.add_if_matching(found)?,
                        Some(Some(found)) => listing.add_if_matching(&found.with_instance(instance))?,
                        _ => {}
                    }
                }
            }
            *after = Some(key);
        }
        Ok(true)
    }

    /// Reads the content of the next required series.
    async fn read_bodies(
        &self,
        listing: &Listing<'_>,
        lines: &[SeriesSummary],
        wanted: &mut impl Iterator<Item = usize>,
        bodies: &mut HashMap<usize, Option<CalendarItem>>,
    ) -> Result<(), ListError> {
        let mut some = Vec::new();
        while some.len() < BODY_BATCH_SIZE {
            match wanted.next() {
                Some(at) if bodies.contains_key(&at) || some.contains(&at) => {}
                Some(at) => some.push(at),
                None => break,
            }
        }
        let ids = some.iter().map(|at| lines[*at].id.clone()).collect();
        let read = self.store.entries(listing.access.calendar.number, ids).await?;
        for (at, entry) in some.into_iter().zip(read) {
            bodies.insert(at, entry.map(CalendarItem::from_entry).transpose()?);
        }
        Ok(())
    }
}

impl Range {
    /// Returns the start of the first window.
    fn first(&self) -> i64 {
        let after = self.after.as_ref().map(|(second, _)| *second);
        match (self.begin, after) {
            (Some(begin), Some(after)) => begin.max(after),
            (begin, after) => begin.or(after).unwrap_or(i64::MIN),
        }
    }

    /// Returns whether an event with a start and an identifier comes after the listed ones.
    fn is_next(&self, first: i64, id: &str) -> bool {
        self.after.as_ref().is_none_or(|(second, after)| (first, id) > (*second, after.as_str()))
    }

    /// Returns whether events that start before the range are included.
    fn overlaps(&self) -> bool {
        let is_before = |begin: i64| self.after.as_ref().is_none_or(|(second, _)| *second < begin);
        !self.endless_only && self.begin.is_some_and(is_before)
    }
}

/// Returns the events of a window other than instances of series.
fn entry_items(filter: &Filter, range: &Range, entries: Vec<Entry>) -> Items {
    let mut items = Items::new();
    for entry in entries.into_iter().filter(|_| !range.endless_only) {
        if filter.overlaps(entry.span.first, entry.span.last) && range.is_next(entry.span.first, &entry.id) {
            items.insert((entry.span.first, entry.id.clone()), Item::Entry(entry));
        }
    }
    items
}

/// Returns the instances of a series in a window: as many as fit on a page, or the first instance in the whole range if
/// the series itself is listed.
fn instances(
    listing: &Listing<'_>,
    range: &Range,
    query: WindowQuery,
    series: &Series,
    is_listed: &dyn Fn(&Instance) -> bool,
) -> Vec<Instance> {
    let filter = listing.filter;
    // Whether a series is endless is only determined if it matters: it costs as much as an instance.
    let to = if query.to > range.horizon && series.is_endless() { range.horizon } else { query.to };
    if !filter.single {
        let mut all = series.instances_in(filter.from.unwrap_or(i64::MIN), filter.to.unwrap_or(i64::MAX));
        let is_here = |instance: &Instance| {
            instance.span.first < query.to && (query.overlapping || instance.span.first >= query.from)
        };
        return all.next().filter(is_here).filter(is_listed).into_iter().collect();
    }
    let limit = listing.remaining().saturating_add(1);
    if query.overlapping {
        return series.instances_in(query.from, to).filter(is_listed).take(limit).collect();
    }
    let overlaps = |instance: &Instance| filter.overlaps(instance.span.first, instance.span.last);
    series.instances(query.from, to).filter(overlaps).filter(is_listed).take(limit).collect()
}
