//! Instances of a series.

use calendar_server::types::{Event, Events};
use calendar_server::{Context, Error, Reply, Result, requests};
use serde_derive::{Deserialize, Serialize};
use wireform_store::{Entry, EntryState, Epoch, Store};

use super::expand::{MAX_EXCEPTIONS, rule};
use super::filter::second_of;
use super::page::{DEFAULT_PAGE_SIZE, ListError, empty_page, list_version};
use crate::CalendarService;
use crate::caller::{Need, access};
use crate::error;
use crate::series::{Instance, Series};
use crate::times;
use crate::view::CalendarItem;

/// Start of a page of instances, after the one with a start and an identifier.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct InstancesPosition {
    epoch: Epoch,
    after: (i64, String),
    horizon: i64,
}

/// Selection of instances.
struct Selection {
    from: i64,
    to: i64,
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
        let series = self.series_of(&found)?;
        let zone = times::zone_by_name(&access.calendar.time_zone);
        let horizon = place.as_ref().map_or_else(|| self.horizon(), |place| place.horizon);
        let wanted = selection(&request, &series, place, horizon, &zone)?;
        let exceptions =
            self.store.exceptions(access.calendar.number, &found.entry.id, (i64::MIN, i64::MAX), MAX_EXCEPTIONS);
        let exceptions = exceptions.await.map_err(error::from_store)?;
        let (listed, more) = select(&found, &series, exceptions, &wanted)?;
        let mut page = empty_page(&access);
        if let (true, Some(last)) = (more, listed.last()) {
            let place = InstancesPosition { epoch: access.calendar.epoch, after: (first_of(last), last.id()), horizon };
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

    /// Returns the parsed series. An event that is not recurring is an error.
    fn series_of(&self, found: &CalendarItem) -> std::result::Result<std::sync::Arc<Series>, Error> {
        let single = || error::invalid_parameter("eventId", "the event is not recurring and has no instances");
        let text = rule(&found.entry).ok_or_else(single)?;
        let series = self.cache.series(text).map_err(|error| match error {
            ListError::Api(error) => error,
            ListError::Store(error) => error::from_store(error),
            ListError::NotRecorded => single(),
        })?;
        if series.is_single { Err(single()) } else { Ok(series) }
    }
}

/// Converts the parameters of a request, and the position of its page token, into a selection.
fn selection(
    request: &requests::EventsInstances,
    series: &Series,
    place: Option<InstancesPosition>,
    horizon: i64,
    zone: &wireform_recurrence::jiff::tz::TimeZone,
) -> std::result::Result<Selection, Error> {
    let instant =
        |time: Option<calendar_server::runtime::wireform_runtime::DateTime>| time.and_then(|time| time.to_timestamp());
    // The bound applies to the end of an instance, inclusive.
    let from = instant(request.time_min).map_or(i64::MIN, |time| time.as_second().saturating_sub(1));
    let to = instant(request.time_max).map(|time| time.as_second() + i64::from(time.subsec_nanosecond() > 0));
    let original = request.original_start.as_deref().map(|text| second_of("originalStart", text, zone)).transpose()?;
    // A requested instance is found however far away it is.
    let unlimited = if series.is_endless() && original.is_none() { horizon } else { i64::MAX };
    Ok(Selection {
        from,
        to: to.unwrap_or(unlimited),
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

/// Returns the instances of a page, and whether there are more.
fn select(
    found: &CalendarItem,
    series: &Series,
    exceptions: Vec<Entry>,
    wanted: &Selection,
) -> std::result::Result<(Vec<CalendarItem>, bool), Error> {
    let mut listed = Vec::new();
    let mut taken = std::collections::BTreeSet::new();
    let is_next = |first: i64, id: &str| {
        wanted.after.as_ref().is_none_or(|(second, after)| (first, id) > (*second, after.as_str()))
    };
    let is_wanted = |original: i64| wanted.original.is_none_or(|wanted| wanted == original);
    for entry in exceptions.into_iter().filter(|entry| entry.state != EntryState::Orphaned) {
        let wireform_store::EntryKind::Exception { original, .. } = entry.kind else { continue };
        taken.insert(original);
        let inside = entry.span.last > wanted.from && entry.span.first < wanted.to;
        if inside && is_wanted(original) && is_next(entry.span.first, &entry.id) {
            let exception = CalendarItem::from_entry(entry)?;
            if wanted.deleted || !exception.is_gone() {
                listed.push(exception);
            }
        }
    }
    if !found.is_gone() || wanted.deleted {
        let after = wanted.after.as_ref().map_or(i64::MIN, |(second, _)| *second);
        // Only the requested one is computed, because an endless series would be walked up to it otherwise.
        let (from, to) = match wanted.original {
            Some(original) => (wanted.from.max(original.saturating_sub(1)), wanted.to.min(original.saturating_add(1))),
            None => (wanted.from, wanted.to),
        };
        let instances = series.instances_in(from, to).skip_while(|one| one.span.first < after);
        let is_listed = |one: &Instance| {
            !taken.contains(&one.span.first)
                && is_wanted(one.span.first)
                && is_next(one.span.first, &format!("{}_{}", found.entry.id, one.suffix()))
        };
        listed.extend(instances.filter(is_listed).take(wanted.size + 1).map(|instance| found.with_instance(instance)));
    }
    listed.sort_by_key(|found| (first_of(found), found.id()));
    let more = listed.len() > wanted.size;
    listed.truncate(wanted.size);
    Ok((listed, more))
}
