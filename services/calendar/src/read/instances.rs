//! Instances of a series.

use std::collections::BTreeSet;

use calendar_server::types::{Event, Events};
use calendar_server::{Context, Error, Reply, Result, requests};
use serde_derive::{Deserialize, Serialize};
use wireform_store::{Entry, EntryKind, EntryState, Epoch, Store};

use super::expand::{Cache, FoundInstances, MAX_EXCEPTIONS, rule};
use super::filter::second_of;
use super::page::{DEFAULT_PAGE_SIZE, empty_page, list_version};
use crate::CalendarService;
use crate::caller::{Need, access};
use crate::error;
use crate::series::{Instance, Steps};
use crate::times;
use crate::view::CalendarItem;

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
        let exceptions =
            self.store.exceptions(access.calendar.number, &found.entry.id, (i64::MIN, i64::MAX), MAX_EXCEPTIONS);
        let exceptions = exceptions.await.map_err(error::from_store)?;
        let search = wanted.search(&found, &exceptions, text, horizon);
        let ((instances, end), _) = self.expand_once(access.user.mailbox, search).await?;
        let (listed, more) = select(&found, instances, (exceptions, end), &wanted)?;
        let mut page = empty_page(&access);
        if let Some(after) = more {
            let place = InstancesPosition { epoch: access.calendar.epoch, after, horizon };
            page.next_page_token = Some(self.pages.seal_page(context, &request, &place)?);
        }
        let items = listed.iter().map(|found| view.represent(found)).collect::<std::result::Result<Vec<Event>, _>>()?;
        page.items = Some(items);
        let tag = context.list_tag(&request, list_version(&access, horizon)).etag().cloned();
        page.etag = tag.as_ref().map(|tag| tag.as_str().to_owned());
        let reply = Reply::new(page);
        Ok(match tag {
            Some(tag) => reply.with_etag(tag),
            None => reply,
        })
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

/// Returns the second at which an event, or an instance of a series, starts.
fn first_of(found: &CalendarItem) -> i64 {
    found.instance.as_ref().map_or(found.entry.span.first, |instance| instance.span.first)
}

impl Selection {
    fn is_next(&self, first: i64, id: &str) -> bool {
        self.after.as_ref().is_none_or(|(second, after)| (first, id) > (*second, after.as_str()))
    }

    /// Returns the search for the instances of the page that are no exceptions, with the end of the range.
    fn search(
        &self,
        found: &CalendarItem,
        exceptions: &[Entry],
        rule: String,
        horizon: i64,
    ) -> impl Fn(&Cache, &Steps) -> std::result::Result<(FoundInstances, i64), Error> + Send + 'static {
        let is_listed = !found.is_gone() || self.deleted;
        let taken: BTreeSet<i64> = exceptions.iter().filter_map(original).collect();
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

/// Returns the original start of an exception that replaces an instance.
fn original(entry: &Entry) -> Option<i64> {
    match entry.kind {
        EntryKind::Exception { original, .. } if entry.state != EntryState::Orphaned => Some(original),
        _ => None,
    }
}

/// Returns the instances of a page, and the start and identifier after which the next page begins.
fn select(
    found: &CalendarItem,
    instances: FoundInstances,
    (exceptions, end): (Vec<Entry>, i64),
    wanted: &Selection,
) -> std::result::Result<(Vec<CalendarItem>, Option<PageEnd>), Error> {
    let FoundInstances { instances, reached } = instances;
    let mut listed = Vec::new();
    for entry in exceptions {
        let Some(original) = original(&entry) else { continue };
        if wanted.original.is_some_and(|wanted| wanted != original) {
            continue;
        }
        let inside = entry.span.last > wanted.from && entry.span.first < end;
        // Those after the last examined instance are listed with the following ones.
        let is_reached = reached.is_none_or(|reached| entry.span.first <= reached);
        if inside && is_reached && wanted.is_next(entry.span.first, &entry.id) {
            let exception = CalendarItem::from_entry(entry)?;
            if wanted.deleted || !exception.is_gone() {
                listed.push(exception);
            }
        }
    }
    listed.extend(instances.into_iter().map(|instance| found.with_instance(instance)));
    listed.sort_by_key(|found| (first_of(found), found.id()));
    if listed.len() > wanted.size {
        listed.truncate(wanted.size);
        let after = listed.last().map(|last| (first_of(last), last.id()));
        return Ok((listed, after));
    }
    // No identifier is after this one.
    Ok((listed, reached.map(|reached| (reached, "~".to_owned()))))
}
