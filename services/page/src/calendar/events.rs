//! Events of the pages, read by `events.list` as the user.

use calendar_types::{Event, EventDateTime, EventStatus, Events, ResponseStatus, Transparency};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use super::choice::Choice;
use crate::browse::{BrowsePages, Failure};
use crate::link::Link;
use crate::services::{Services, VisibleCalendar};
use crate::sheet::is_color;

/// Maximum number of pages of events read from a calendar.
const MAX_PAGES: usize = 4;
/// Number of events per page.
const PAGE_SIZE: u32 = 500;
/// Fields of an event that are read.
const FIELDS: &str = "items(id,status,summary,start,end,transparency,visibility,colorId,eventLabelId,creator(email),\
                      attendees(self,responseStatus)),nextPageToken";

/// Colors of calendars, in the order of the user's list.
const CALENDAR_COLORS: [&str; 8] =
    ["#2b6cb0", "#2f855a", "#b7580b", "#6b46c1", "#0e7490", "#b83280", "#5f6b1a", "#475569"];
/// Colors that events select by `colorId`, from 1.
const EVENT_COLORS: [&str; 11] = [
    "#a4bdfc", "#7ae7bf", "#dbadff", "#ff887c", "#fbd75b", "#ffb878", "#46d6db", "#e1e1e1", "#5484ed", "#51b749",
    "#dc2127",
];

/// Event of a page.
#[derive(Clone, Debug)]
pub(super) struct PageEvent {
    pub(super) id: String,
    pub(super) title: String,
    /// Index of its calendar among those that the user sees.
    pub(super) calendar: usize,
    pub(super) color: String,
    /// True if it is an all-day event.
    pub(super) whole_days: bool,
    pub(super) start: DateTime,
    /// Local end time, which is never before the start, even if the clock is set back in between.
    pub(super) end: DateTime,
    pub(super) style: EventStyle,
}

/// Style of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventStyle {
    Plain,
    /// Does not keep the user busy.
    Free,
    /// Tentative, or waiting for the user's response.
    Open,
    Declined,
}

impl EventStyle {
    /// Returns the CSS class.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Free => "free",
            Self::Open => "open",
            Self::Declined => "declined",
        }
    }
}

impl PageEvent {
    /// Returns whether the event is drawn above the hours, as an all-day event or one of at least a day.
    pub(super) fn is_long(&self) -> bool {
        self.whole_days || self.end.duration_since(self.start).as_hours() >= 24
    }

    /// Returns the last day of the event.
    pub(super) fn last_day(&self) -> jiff::civil::Date {
        let midnight = self.end.time() == jiff::civil::Time::midnight() && self.end > self.start;
        let day = self.end.date();
        if midnight { day.yesterday().unwrap_or(day) } else { day }
    }
}

/// Events of a page, and whether there are more.
pub(super) struct EventList {
    pub(super) events: Vec<PageEvent>,
    pub(super) more: bool,
}

/// Reads the events of all shown calendars, ordered by start.
pub(super) async fn read<O: Services>(pages: &BrowsePages<O>, choice: &Choice) -> Result<EventList, Failure> {
    let mut listed = EventList { events: Vec::new(), more: false };
    for (place, calendar) in choice.shown_calendars() {
        let (events, more) = list_events(pages, choice, choice.user(), calendar).await?;
        listed.more |= more;
        let shown = events.iter().filter_map(|event| to_page_event(event, choice, place, calendar));
        listed.events.extend(shown);
    }
    listed.events.sort_by(|one, other| {
        let key = |event: &PageEvent| (event.start, std::cmp::Reverse(event.end), event.calendar);
        key(one).cmp(&key(other)).then_with(|| one.id.cmp(&other.id))
    });
    Ok(listed)
}

/// Busy times of a calendar, ordered and merged.
pub(super) struct Busy {
    pub(super) calendar: usize,
    pub(super) times: Vec<(DateTime, DateTime)>,
    pub(super) more: bool,
}

/// Reads the busy times of the calendars. Invitations that the owner has declined do not count for any viewer of the
/// calendar; only the times of events are used.
pub(super) async fn read_busy<O: Services>(pages: &BrowsePages<O>, choice: &Choice) -> Result<Vec<Busy>, Failure> {
    let mut all = Vec::new();
    for (place, calendar) in choice.shown_calendars() {
        let (events, more) = list_events(pages, choice, &calendar.owner, calendar).await?;
        let own = TimeZone::get(&calendar.time_zone).unwrap_or(TimeZone::UTC);
        let busy = events.iter().filter(|event| is_busy(event));
        let times = busy.filter_map(|event| local_times(event, &own, &choice.zone));
        all.push(Busy { calendar: place, times: merge(times.collect()), more });
    }
    Ok(all)
}

/// Returns whether an event keeps the owner of its calendar busy.
fn is_busy(event: &Event) -> bool {
    event.status != Some(EventStatus::Cancelled)
        && event.transparency != Some(Transparency::Transparent)
        && response_status(event) != Some(ResponseStatus::Declined)
}

/// Merges times that touch or overlap, in order.
pub(super) fn merge(mut times: Vec<(DateTime, DateTime)>) -> Vec<(DateTime, DateTime)> {
    times.retain(|(start, end)| start < end);
    times.sort();
    let mut merged: Vec<(DateTime, DateTime)> = Vec::new();
    for (start, end) in times {
        match merged.last_mut() {
            Some((_, last)) if start <= *last => *last = end.max(*last),
            _ => merged.push((start, end)),
        }
    }
    merged
}

/// Reads the events of a calendar in the range of the page, as a user sees them; returns whether there are more.
async fn list_events<O: Services>(
    pages: &BrowsePages<O>,
    choice: &Choice,
    user: &str,
    calendar: &VisibleCalendar,
) -> Result<(Vec<Event>, bool), Failure> {
    let (first, end) = choice.range();
    let link = Link::new("/calendar/v3/calendars")
        .segment(&calendar.id)
        .plain_segment("events")
        .with("singleEvents", true)
        .with("timeMin", choice.instant(first))
        .with("timeMax", choice.instant(end))
        .with("timeZone", &choice.zone_name)
        .with("maxAttendees", 1)
        .with("maxResults", PAGE_SIZE)
        .with("fields", FIELDS);
    let (mut events, mut next) = (Vec::new(), None);
    for _ in 0..MAX_PAGES {
        let link = link.clone().with_some("pageToken", next.as_deref());
        let page: Events = pages.get(user, &link).await?;
        events.extend(page.items.unwrap_or_default());
        next = page.next_page_token;
        if next.is_none() {
            break;
        }
    }
    Ok((events, next.is_some()))
}

/// Returns the event of a page, or `None` for an event without times.
fn to_page_event(event: &Event, choice: &Choice, place: usize, calendar: &VisibleCalendar) -> Option<PageEvent> {
    let (start, end) = (event.start.as_ref()?, event.end.as_ref()?);
    let (from, until) = match (start.date, end.date) {
        (Some(first), Some(after)) => (first.to_civil().at(0, 0, 0, 0), after.to_civil().at(0, 0, 0, 0)),
        _ => local_times(event, &choice.zone, &choice.zone)?,
    };
    Some(PageEvent {
        id: event.id.clone()?,
        title: title(event),
        calendar: place,
        color: color(event, place, calendar),
        whole_days: start.date.is_some(),
        start: from,
        end: until.max(from),
        style: style_of(event),
    })
}

/// Returns the title of an event. An event whose details are hidden has not even a creator.
pub(super) fn title(event: &Event) -> String {
    match event.summary.as_deref().map(str::trim) {
        Some(summary) if !summary.is_empty() => summary.to_owned(),
        _ if event.creator.is_none() => "Busy".to_owned(),
        _ => "Without a title".to_owned(),
    }
}

/// Returns the style of an event, according to its status and the response of the calendar's owner.
fn style_of(event: &Event) -> EventStyle {
    match response_status(event) {
        Some(ResponseStatus::Declined) => EventStyle::Declined,
        Some(ResponseStatus::Tentative | ResponseStatus::NeedsAction) => EventStyle::Open,
        _ if event.status == Some(EventStatus::Tentative) => EventStyle::Open,
        _ if event.transparency == Some(Transparency::Transparent) => EventStyle::Free,
        _ => EventStyle::Plain,
    }
}

/// Returns the response of the calendar's owner.
fn response_status(event: &Event) -> Option<ResponseStatus> {
    let own = event.attendees.iter().find(|attendee| attendee.is_self_or_default());
    own.and_then(|attendee| attendee.response_status.clone())
}

/// Returns the color of an event: that of its label, its own one, or that of its calendar.
#[expect(deprecated, reason = "events that have no label choose a color")]
pub(super) fn color(event: &Event, place: usize, calendar: &VisibleCalendar) -> String {
    let label = calendar.labels.iter().find(|label| Some(&label.id) == event.event_label_id.as_ref());
    let label = label.map(|label| label.color.as_str()).filter(|color| is_color(color));
    let chosen = event.color_id.as_deref().and_then(|id| id.parse::<usize>().ok());
    let chosen = chosen.and_then(|id| EVENT_COLORS.get(id.checked_sub(1)?)).copied();
    label.or(chosen).unwrap_or(calendar_color(place)).to_owned()
}

/// Returns the color of a calendar.
pub(super) fn calendar_color(place: usize) -> &'static str {
    CALENDAR_COLORS.get(place % CALENDAR_COLORS.len()).copied().unwrap_or("#475569")
}

/// Returns the start and the end of an event as local times of `zone`; days begin at midnight in `own`. If the clock is
/// set back in between, so that it would end before it starts, the end follows from its length.
fn local_times(event: &Event, own: &TimeZone, zone: &TimeZone) -> Option<(DateTime, DateTime)> {
    let (start, end) = (instant(event.start.as_ref()?, own)?, instant(event.end.as_ref()?, own)?);
    let (from, until) = (zone.to_datetime(start), zone.to_datetime(end));
    let length = end.duration_since(start);
    Some((from, if until <= from { from.saturating_add(length) } else { until }))
}

/// Returns the local time in a zone; a day begins at midnight.
pub(super) fn local_time(time: &EventDateTime, zone: &TimeZone) -> Option<DateTime> {
    if let Some(date) = time.date {
        return Some(date.to_civil().at(0, 0, 0, 0));
    }
    let shown = time.date_time?;
    Some(shown.to_timestamp().map_or_else(|| shown.to_civil(), |instant| zone.to_datetime(instant)))
}

/// Returns the instant of a time; a day begins at midnight in `zone`.
fn instant(time: &EventDateTime, zone: &TimeZone) -> Option<Timestamp> {
    match time.date {
        Some(date) => zone.to_ambiguous_timestamp(date.to_civil().at(0, 0, 0, 0)).compatible().ok(),
        None => time.date_time?.to_timestamp(),
    }
}

/// Returns the part of a time range within a day, in minutes from its beginning.
pub(super) fn minutes_of_day(start: DateTime, end: DateTime, day: jiff::civil::Date) -> Option<(i64, i64)> {
    let midnight = day.at(0, 0, 0, 0);
    let minutes = |at: DateTime| at.duration_since(midnight).as_mins().clamp(0, 24 * 60);
    let next = midnight.saturating_add(Span::new().days(1));
    let is_here = start < next && (end > midnight || (start == end && start >= midnight));
    is_here.then(|| (minutes(start), minutes(end)))
}
