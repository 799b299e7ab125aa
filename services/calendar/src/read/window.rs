//! Lists ordered by start, through a time range.
//!
//! The range is read in windows, each twice as long as the previous one.

mod series;

use std::collections::BTreeMap;
use std::sync::Arc;

use wireform_store::{Entry, EntryHead, Epoch, Span, Store, Window, WindowQuery};

use self::series::{FoundInstances, SeriesSearch, original_starts};

use super::contents::Contents;
use super::expand::unsearched;
use super::filter::Filter;
use super::page::{ListError, Listing};
use super::positions::{Continuation, ListPosition, ListState, WindowPosition};
use crate::CalendarService;
use crate::series::Instance;
use crate::times::DAY;
use crate::view::CalendarItem;

/// Length of the first window, in seconds.
const FIRST_WINDOW: i64 = 14 * DAY;
/// Minimum and maximum number of single events of each length class that are read at once.
const ENTRY_LIMITS: (usize, usize) = (100, 2_500);

/// Time range of a list.
#[derive(Clone)]
pub(super) struct Range {
    pub(super) begin: Option<i64>,
    pub(super) end: i64,
    /// Event to start after: its start and its identifier.
    pub(super) after: Option<(i64, String)>,
    /// Length of the first window, if the last page has ended for the work of its windows.
    pub(super) length: Option<i64>,
    /// True if only instances of endless series are listed.
    pub(super) endless_only: bool,
    pub(super) epoch: Epoch,
    /// Time up to which instances of endless series are listed.
    pub(super) horizon: i64,
}

/// Event of a range.
enum Item {
    Entry(Entry),
    /// Event whose content is not read yet.
    Unread,
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
    /// Identifiers of the series.
    series: Vec<String>,
    /// Start and identifier up to which the items are complete, if a series has more instances than were computed.
    cut: Option<(i64, String)>,
    /// False if the steps of a page were not enough for all series, so that some have no instances here.
    is_complete: bool,
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
            length: from.at.length,
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
        let (mut length, mut limit) =
            (range.length.unwrap_or(FIRST_WINDOW), listing.remaining().clamp(ENTRY_LIMITS.0, ENTRY_LIMITS.1));
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
            listing.memory.count_series(&window).await?;
            let reached = window.to;
            let WindowContent { items, series, cut, is_complete } = self.items(listing, &range, query, window).await?;
            if !is_complete {
                return Ok(Some(range.position(query, (reached.saturating_sub(query.from) / 8).max(1))));
            }
            if !self.list_items(listing, &series, items, &mut range.after).await? {
                return Ok(Some(WindowPosition { after: range.after, length: None }));
            }
            if let Some(cut) = cut {
                if cut.0 > query.from {
                    (query.from, query.overlapping) = (cut.0, false);
                }
                range.after = range.after.max(Some(cut));
                if listing.is_out_of_steps() {
                    return Ok(Some(WindowPosition { after: range.after, length: Some(length) }));
                }
                continue;
            }
            (query.from, query.overlapping, length) = (reached, false, length.saturating_mul(2));
            if listing.is_out_of_steps() && query.from < range.end {
                return Ok(Some(range.position(query, length)));
            }
        }
        Ok(None)
    }

    /// Returns the events of a window after the listed ones.
    async fn items(
        &self,
        listing: &mut Listing<'_>,
        range: &Range,
        query: WindowQuery,
        window: Window,
    ) -> Result<WindowContent, ListError> {
        let mut items = window_items(listing.filter, range, (window.entries, window.heads));
        let query = WindowQuery { to: window.to, ..query };
        let (number, user) = (listing.access.calendar.number, listing.access.user.mailbox);
        let (mut left, mut series) = (unsearched(window.series), Vec::new());
        let originals = Arc::new(original_starts(window.originals));
        let mut found = FoundInstances { is_complete: true, ..FoundInstances::default() };
        while found.is_complete && !left.is_empty() {
            let batch = self.next_series(number, &mut left).await?;
            listing.memory.count_rules(&batch).await?;
            let first = series.len();
            series.extend(batch.iter().map(|line| line.id.clone()));
            let mut search = SeriesSearch::new(listing, range, query, (first, batch), Arc::clone(&originals));
            let (more, steps) = self.expand(user, move |cache, steps| search.run(cache, steps)).await?;
            listing.count_steps(steps);
            found.merge(more);
            let is_divisible = query.to.saturating_sub(query.from) > 1;
            if !left.is_empty() && is_divisible && listing.is_out_of_steps() {
                found.is_complete = false;
            }
        }
        for (id, series, instance, is_whole) in found.instances {
            items.insert((instance.span.first, id), Item::Instance { series, instance, is_whole });
        }
        // Events after the last computed instance of a series are listed with the following instances.
        if let Some(cut) = &found.cut {
            items.retain(|key, _| key <= cut);
        }
        Ok(WindowContent { items, series, cut: found.cut, is_complete: found.is_complete })
    }

    /// Lists events in order. Returns whether all of them fit on the page.
    async fn list_items(
        &self,
        listing: &mut Listing<'_>,
        series_ids: &[String],
        items: Items,
        after: &mut Option<(i64, String)>,
    ) -> Result<bool, ListError> {
        let unread = items.iter().filter_map(|((_, id), item)| match item {
            Item::Entry(_) => None,
            Item::Unread => Some(id.clone()),
            Item::Instance { series, .. } => Some(series_ids[*series].clone()),
        });
        let mut contents = Contents::new(unread.collect());
        for (key, item) in items {
            if listing.is_full() {
                return Ok(false);
            }
            match item {
                Item::Entry(entry) => listing.add_if_matching(&CalendarItem::from_entry(entry)?).await?,
                Item::Unread | Item::Instance { is_whole: true, .. } => {
                    if let Some(found) = contents.next(self, listing).await? {
                        listing.add_if_matching(found).await?;
                    }
                }
                Item::Instance { instance, .. } => {
                    if let Some(found) = contents.next(self, listing).await? {
                        listing.add_if_matching(&found.with_instance(instance)).await?;
                    }
                }
            }
            *after = Some(key);
        }
        Ok(true)
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

    /// Returns the position of a page that begins with a window of a length.
    fn position(&self, window: WindowQuery, length: i64) -> WindowPosition {
        // No identifier is before the empty one.
        let begin = (!window.overlapping).then(|| (window.from, String::new()));
        WindowPosition { after: self.after.clone().max(begin), length: Some(length) }
    }

    /// Returns whether events that start before the range are included.
    fn overlaps(&self) -> bool {
        let is_before = |begin: i64| self.after.as_ref().is_none_or(|(second, _)| *second < begin);
        !self.endless_only && self.begin.is_some_and(is_before)
    }
}

/// Returns the events of a window other than instances of series: those that were read, and the others.
fn window_items(filter: &Filter, range: &Range, (entries, heads): (Vec<Entry>, Vec<EntryHead>)) -> Items {
    if range.endless_only {
        return Items::new();
    }
    let read = entries.into_iter().map(|entry| ((entry.span, entry.id.clone()), Item::Entry(entry)));
    let unread = heads.into_iter().map(|head| ((head.span, head.id), Item::Unread));
    let is_listed = |span: Span, id: &str| filter.overlaps(span.first, span.last) && range.is_next(span.first, id);
    let listed = read.chain(unread).filter(|((span, id), _)| is_listed(*span, id));
    listed.map(|((span, id), item)| ((span.first, id), item)).collect()
}
