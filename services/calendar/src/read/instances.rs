//! Instances of a series.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use calendar_server::types::{Event, Events};
use calendar_server::{Context, Error, Reply, Result, requests};
use serde_derive::{Deserialize, Serialize};
use wireform_store::{CalendarNumber, Entry, EntryHead, Epoch, Store};

use super::expand::{Cache, FoundInstances, MAX_EXCEPTIONS, replaced_start, rule};
use super::filter::second_of;
use super::memory::PageMemory;
use super::page::{DEFAULT_PAGE_SIZE, empty_page, list_version, with_memory};
use crate::CalendarService;
use crate::caller::{Need, access};
use crate::error;
use crate::series::{Instance, Steps};
use crate::times;
use crate::view::{CalendarItem, View};

/// Maximum number of entries that are read at once.
const ENTRY_BATCH: usize = 100;

/// Start of a page of instances, after the one with a start and an identifier.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct InstancesPosition {
    epoch: Epoch,
    after: (i64, String),
    horizon: i64,
}

/// Start and identifier of the last instance of a page.
type PageEnd = (i64, String);

/// Selection of instances.
struct Selection {
    from: i64,
    /// End of the range; without one, endless series are listed up to the horizon.
    to: Option<i64>,
    original: Option<i64>,
    deleted: bool,
    after: Option<(i64, String)>,
    size: usize,
}

impl<S: Store> CalendarService<S> {
    /// Lists the instances of a series by start, with exceptions in place of the instances that they replace.
    pub(crate) async fn list_instances(&self, request: requests::EventsInstances, context: &Context) -> Result<Events> {
        let access = access(&self.store, context, &request.calendar_id, Need::Read).await?;
        let place: Option<InstancesPosition> = self.pages.open_page(context, &request)?;
        if place.as_ref().is_some_and(|place| place.epoch != access.calendar.epoch) {
            return Err(calendar_server::runtime::tokens::expired_page(context, &request));
        }
        let view = self.view(&access, request.time_zone.as_deref(), request.max_attendee);
        let ids = vec![request.event_id.clone()];
        let entry = self.store.entries(access.calendar.number, ids).await.map_err(error::from_store)?.pop().flatten();
        let found = CalendarItem::from_entry(entry.ok_or_else(|| error::event_not_found(&request.event_id))?)?;
        let text = rule(&found.entry).ok_or_else(not_recurring)?.to_owned();
        let zone = times::zone_by_name(&access.calendar.time_zone);
        let horizon = place.as_ref().map_or_else(|| self.horizon(), |place| place.horizon);
        let wanted = selection(&request, place, &zone)?;
        let memory = PageMemory::reserve(context, wanted.size).await?;
        let exceptions = self.store.exception_heads(access.calendar.number, &found.entry.id, MAX_EXCEPTIONS);
        let exceptions = exceptions.await.map_err(error::from_store)?;
        let search = wanted.search(&found, &exceptions, text, horizon);
        let ((instances, end), _) = self.expand_once(access.user.mailbox, search).await?;
        let candidates = wanted.candidates(&found, instances, (exceptions, end));
        let mut list = InstanceList { view, series: &found, items: Vec::new(), memory };
        let more = self.list_candidates(&mut list, candidates, &wanted).await?;
        let mut page = empty_page(&access);
        if let Some(after) = more {
            let place = InstancesPosition { epoch: access.calendar.epoch, after, horizon };
            page.next_page_token = Some(self.pages.seal_page(context, &request, &place)?);
        }
        page.items = Some(list.items);
        let tag = context.list_tag(&request, list_version(&access, horizon)).etag().cloned();
        page.etag = tag.as_ref().map(|tag| tag.as_str().to_owned());
        let reply = with_memory(Reply::new(page), list.memory);
        Ok(match tag {
            Some(tag) => reply.with_etag(tag),
            None => reply,
        })
    }

    /// Lists candidates up to the size of a page. Returns the start and identifier after which the next page begins.
    async fn list_candidates(
        &self,
        list: &mut InstanceList<'_>,
        Candidates { all, reached }: Candidates,
        wanted: &Selection,
    ) -> std::result::Result<Option<PageEnd>, Error> {
        let mut stored: VecDeque<String> =
            all.iter().filter(|((_, _), instance)| instance.is_none()).map(|((_, id), _)| id.clone()).collect();
        let (mut read, mut last) = (VecDeque::new(), None);
        for (key, instance) in all {
            let found = match instance {
                Some(instance) => Some(list.series.with_instance(instance)),
                None => {
                    if read.is_empty() {
                        read = self.read_next(list.series.entry.calendar, &mut stored).await?;
                    }
                    read.pop_front().flatten().map(CalendarItem::from_entry).transpose()?
                }
            };
            let Some(found) = found.filter(|found| wanted.deleted || found.instance.is_some() || !found.is_gone())
            else {
                continue;
            };
            if list.items.len() >= wanted.size || list.memory.is_full() {
                return Ok(last);
            }
            list.memory.reserve_event(&found.entry).await?;
            list.items.push(list.view.represent(&found)?);
            list.memory.count_event(&found.entry);
            last = Some(key);
        }
        // No identifier is after this one.
        Ok(reached.map(|reached| (reached, "~".to_owned())))
    }

    /// Reads the next entries, as many as are read at once, and removes them from `ids`.
    pub(crate) async fn read_next(
        &self,
        calendar: CalendarNumber,
        ids: &mut VecDeque<String>,
    ) -> std::result::Result<VecDeque<Option<Entry>>, Error> {
        let some: Vec<String> = ids.iter().take(ENTRY_BATCH).cloned().collect();
        let read = self.store.some_entries(calendar, some).await.map_err(error::from_store)?;
        if read.is_empty() && !ids.is_empty() {
            return Err(error::corrupt("the store has returned no entry"));
        }
        ids.drain(..read.len().min(ids.len()));
        Ok(read.into())
    }
}

/// Creates the error of an event without instances.
fn not_recurring() -> Error {
    error::invalid_parameter("eventId", "the event is not recurring and has no instances")
}

/// Converts the parameters of a request, and the position of its page token, into a selection.
fn selection(
    request: &requests::EventsInstances,
    place: Option<InstancesPosition>,
    zone: &wireform_recurrence::jiff::tz::TimeZone,
) -> std::result::Result<Selection, Error> {
    let instant =
        |time: Option<calendar_server::runtime::wireform_runtime::DateTime>| time.and_then(|time| time.to_timestamp());
    // The bound applies to the end of an instance, inclusive.
    let from = instant(request.time_min).map_or(i64::MIN, |time| time.as_second().saturating_sub(1));
    let to = instant(request.time_max).map(|time| time.as_second() + i64::from(time.subsec_nanosecond() > 0));
    let original = request.original_start.as_deref().map(|text| second_of("originalStart", text, zone)).transpose()?;
    Ok(Selection {
        from,
        to,
        original,
        deleted: request.show_deleted.unwrap_or(false),
        after: place.map(|place| place.after),
        size: request.max_results.map_or(DEFAULT_PAGE_SIZE, |size| size.cast_unsigned() as usize),
    })
}

impl Selection {
    fn is_next(&self, first: i64, id: &str) -> bool {
        self.after.as_ref().is_none_or(|(second, after)| (first, id) > (*second, after.as_str()))
    }

    /// Returns the instances of the page in order, and the exceptions that can be among them.
    fn candidates(
        &self,
        found: &CalendarItem,
        FoundInstances { instances, reached }: FoundInstances,
        (exceptions, end): (Vec<EntryHead>, i64),
    ) -> Candidates {
        let is_listed = |head: &EntryHead| {
            let inside = head.span.last > self.from && head.span.first < end;
            // Those after the last examined instance are listed with the following ones.
            let is_reached = reached.is_none_or(|reached| head.span.first <= reached);
            let is_requested = |start| self.original.is_none_or(|wanted| wanted == start);
            replaced_start(head).is_some_and(is_requested)
                && inside
                && is_reached
                && self.is_next(head.span.first, &head.id)
        };
        let exceptions = exceptions.into_iter().filter(is_listed).map(|head| ((head.span.first, head.id), None));
        let id = |instance: &Instance| format!("{}_{}", found.entry.id, instance.suffix());
        let computed = instances.into_iter().map(|one| ((one.span.first, id(&one)), Some(one)));
        Candidates { all: computed.chain(exceptions).collect(), reached }
    }

    /// Returns the search for the instances of the page that are no exceptions, with the end of the range.
    fn search(
        &self,
        found: &CalendarItem,
        exceptions: &[EntryHead],
        rule: String,
        horizon: i64,
    ) -> impl Fn(&Cache, &Steps) -> std::result::Result<(FoundInstances, i64), Error> + Send + 'static {
        let is_listed = !found.is_gone() || self.deleted;
        let taken: BTreeSet<i64> = exceptions.iter().filter_map(replaced_start).collect();
        let (from, to, original) = (self.from, self.to, self.original);
        let (after, limit) = (self.after.clone(), if is_listed { self.size.saturating_add(1) } else { 0 });
        let id = found.entry.id.clone();
        move |cache, steps| {
            let series = cache.series(&rule, steps)?;
            if series.is_single {
                return Err(not_recurring());
            }
            // A requested instance is found however far away it is.
            let is_limited = series.is_endless() && original.is_none();
            let end = to.unwrap_or(if is_limited { horizon } else { i64::MAX });
            // Instances and exceptions at the same second are ordered by identifier.
            let second = original.map_or(after.as_ref().map(|after| after.0), Some).map(|second| second - 1);
            let to = original.map_or(end, |original| end.min(original.saturating_add(1)));
            let is_next = |one: &Instance| match &after {
                Some((second, last)) => (one.span.first, format!("{id}_{}", one.suffix())) > (*second, last.clone()),
                None => true,
            };
            let is_listed = |one: &Instance| !taken.contains(&one.span.first) && is_next(one);
            Ok((FoundInstances::after(second, (&series, from, to), limit, steps, is_listed), end))
        }
    }
}

/// Instances of a page under construction.
struct InstanceList<'a> {
    view: View<'a>,
    series: &'a CalendarItem,
    items: Vec<Event>,
    memory: PageMemory,
}

/// Instances that can be listed, by start and identifier.
struct Candidates {
    /// Computed instances; `None` for an exception, which is read when it is listed.
    all: BTreeMap<PageEnd, Option<Instance>>,
    /// Start of the last examined instance, if the steps were over after it.
    reached: Option<i64>,
}
