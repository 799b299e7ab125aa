//! Busy times of calendars.

use std::collections::BTreeMap;

use calendar_server::runtime::wireform_runtime::DateTime;
use calendar_server::types::{
    Event, EventStatus, FreeBusyCalendar, FreeBusyError, FreeBusyRequest, FreeBusyResponse, ResponseStatus, TimePeriod,
    Transparency,
};
use calendar_server::{Context, Error, Reply, Result, requests};
use wireform_recurrence::jiff::Timestamp;
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_store::{Calendar, Role, Store, User};

use super::filter::Filter;
use super::memory::PageMemory;
use super::page::{ListError, Listing, MAX_STEPS};
use super::window::Range;
use crate::CalendarService;
use crate::caller::{self, Access};
use crate::error;
use crate::times;
use crate::view::View;

/// Maximum number of calendars in a response.
const MAX_CALENDARS: usize = 50;
/// Number of events that are read at once.
const BATCH: usize = 250;
/// Maximum number of events that are examined for a request.
const MAX_EXAMINED: usize = 10_000;

/// Work that is left for a request.
struct Budget {
    events: usize,
    steps: u64,
}

impl Budget {
    fn take(&mut self, listing: &Listing<'_>) {
        self.events = self.events.saturating_sub(listing.examined());
        self.steps = self.steps.saturating_sub(listing.steps());
    }

    fn is_over(&self) -> bool {
        self.events == 0 || self.steps == 0
    }
}

/// Requested range in seconds, and the time zone of the response.
struct Times {
    from: i64,
    to: i64,
    zone: TimeZone,
}

impl Times {
    /// Reads the range of a request; parts of a second belong to it.
    fn of(request: &FreeBusyRequest) -> Self {
        // The last hours of the year 9999 have no instant.
        let instant = |time: Option<DateTime>| time.and_then(|time| time.to_timestamp()).unwrap_or(Timestamp::MAX);
        let (from, to) = (instant(request.time_min), instant(request.time_max));
        let zone = times::zone_by_name(request.time_zone.as_deref().unwrap_or("UTC"));
        Self { from: from.as_second(), to: to.as_second() + i64::from(to.subsec_nanosecond() > 0), zone }
    }

    /// Returns a time in the zone of the response.
    fn shown(&self, second: i64) -> DateTime {
        times::local_time(times::timestamp(second), &self.zone)
    }
}

impl<S: Store> CalendarService<S> {
    /// Returns the busy times of calendars. Errors of a calendar are part of the response.
    pub(crate) async fn query_free_busy(
        &self,
        request: requests::FreebusyQuery,
        context: &Context,
    ) -> Result<FreeBusyResponse> {
        let request = request.body;
        let times = Times::of(&request);
        let user = caller::user(&self.store, context).await?;
        let max = request.calendar_expansion_max.map_or(MAX_CALENDARS, |max| usize::try_from(max).unwrap_or(0));
        let ids: Vec<&str> = request.items.iter().filter_map(|item| item.id.as_deref()).collect();
        let wanted = ids.iter().map(|id| caller::resolve_id(&user, id)).collect();
        let found = self.store.find_calendars(wanted, user.mailbox).await.map_err(error::from_store)?;
        let mut budget = Budget { events: MAX_EXAMINED, steps: MAX_STEPS };
        let mut calendars = BTreeMap::new();
        for (id, found) in ids.into_iter().zip(found) {
            if calendars.contains_key(id) {
                continue;
            }
            let busy = match found {
                _ if calendars.len() >= max => with_error("tooManyCalendarsRequested"),
                // Every role sees when the calendar is busy.
                Some((calendar, Some(_))) => {
                    self.busy_calendar(context, (&user, calendar), &times, &mut budget).await?
                }
                _ => with_error("notFound"),
            };
            calendars.insert(id.to_owned(), busy);
        }
        let mut response = FreeBusyResponse::default().with_kind("calendar#freeBusy").with_calendars(calendars);
        let shown = |time: Option<DateTime>| {
            let instant = time?.to_timestamp();
            instant.map_or(time, |instant| Some(times::local_time(instant, &times.zone)))
        };
        (response.time_min, response.time_max) = (shown(request.time_min), shown(request.time_max));
        Ok(Reply::new(response))
    }

    /// Returns the busy times of a calendar, or its error if there is too much to examine.
    async fn busy_calendar(
        &self,
        context: &Context,
        (user, calendar): (&User, Calendar),
        times: &Times,
        budget: &mut Budget,
    ) -> std::result::Result<FreeBusyCalendar, Error> {
        let zone = times::zone_by_name(&calendar.time_zone);
        // Responses of the owner count for everyone; nothing but times is returned.
        let access = Access::internal(calendar, user.clone(), Role::Owner);
        let view = View { max_attendees: Some(1), ..self.view(&access, None, None) };
        let filter = Filter::of_range(times.from, times.to);
        let mut range = Range {
            begin: Some(times.from),
            end: times.to,
            after: None,
            length: None,
            endless_only: false,
            epoch: access.calendar.epoch,
            horizon: times.to,
        };
        let mut busy: Vec<(i64, i64)> = Vec::new();
        loop {
            if budget.is_over() {
                return Ok(with_error("tooManyEvents"));
            }
            let memory = PageMemory::reserve(context, BATCH).await?;
            let mut listing = Listing::new(&access, view.clone(), &filter, (BATCH, memory));
            let next = self.list_range(&mut listing, range.clone()).await.map_err(to_error)?;
            budget.take(&listing);
            for event in listing.events.iter().filter(|event| is_busy(event)) {
                add_span(&mut busy, event, &zone, times);
            }
            let Some(next) = next else { break };
            (range.after, range.length) = (next.after, next.length);
        }
        let period =
            |(start, end): (i64, i64)| TimePeriod::default().with_start(times.shown(start)).with_end(times.shown(end));
        Ok(FreeBusyCalendar::default().with_busy(busy.into_iter().map(period)))
    }
}

/// Returns whether an event keeps the owner of its calendar busy.
fn is_busy(event: &Event) -> bool {
    let own = event.attendees.iter().find(|attendee| attendee.is_self_or_default());
    event.status != Some(EventStatus::Cancelled)
        && event.transparency != Some(Transparency::Transparent)
        && own.and_then(|own| own.response_status.clone()) != Some(ResponseStatus::Declined)
}

/// Adds the time of an event within the range to busy times, which are in order. Times that touch or overlap are
/// merged.
fn add_span(busy: &mut Vec<(i64, i64)>, event: &Event, zone: &TimeZone, times: &Times) {
    let second = |time: &Option<_>| time.as_ref().and_then(|time| times::second_of(time, zone));
    let (Some(start), Some(end)) = (second(&event.start), second(&event.end)) else { return };
    let (start, end) = (start.max(times.from), end.min(times.to));
    match busy.last_mut() {
        _ if start >= end => {}
        Some((_, last)) if start <= *last => *last = end.max(*last),
        _ => busy.push((start, end)),
    }
}

/// Returns the response for a calendar whose busy times are not available.
fn with_error(reason: &str) -> FreeBusyCalendar {
    let error = FreeBusyError { reason: Some(reason.to_owned()), ..FreeBusyError::default().with_domain("global") };
    FreeBusyCalendar::default().with_busy(Vec::<TimePeriod>::new()).with_errors([error])
}

fn to_error(error: ListError) -> Error {
    match error {
        ListError::Api(error) => error,
        ListError::Store(error) => error::from_store(error),
        ListError::NotRecorded => Error::internal("a list of a time range needs no recorded changes"),
    }
}
