//! Search of events: each event or series once, those with the latest start first.

use std::cmp::Reverse;
use std::fmt::Write as _;

use calendar_types::{Event, Events};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::choice::Choice;
use super::events;
use crate::browse::{BrowsePages, Failure};
use crate::html::Escaped;
use crate::link::Link;
use crate::services::Services;

/// Maximum number of events that are read of a calendar.
const MAX_EVENTS: u32 = 100;
/// Fields of an event that are read.
const FIELDS: &str = "items(id,status,summary,start,end,recurrence,creator(email)),nextPageToken";

/// Event that was found.
struct Found {
    event: Event,
    /// Index of its calendar among those that the user sees.
    calendar: usize,
    start: Option<DateTime>,
}

/// Writes the events of the shown calendars that a search finds.
pub(super) async fn write<O: Services>(
    html: &mut String,
    pages: &BrowsePages<O>,
    choice: &Choice,
    search: &str,
) -> Result<(), Failure> {
    let (mut found, mut more) = (Vec::new(), false);
    for (place, calendar) in choice.shown_calendars() {
        let link = Link::new("/calendar/v3/calendars").segment(&calendar.id).plain_segment("events").with("q", search);
        let link = link.with("maxResults", MAX_EVENTS).with("fields", FIELDS);
        let list: Events = pages.get(choice.user(), &link).await?;
        more |= list.next_page_token.is_some();
        found.extend(list.items.unwrap_or_default().into_iter().map(|event| {
            let start = event.start.as_ref().and_then(|start| events::local_time(start, &choice.zone));
            Found { event, calendar: place, start }
        }));
    }
    found.sort_by_key(|one| Reverse(one.start));
    html.push_str("<div id=\"events\" tabindex=\"-1\">\n");
    if found.is_empty() {
        html.push_str("<p class=\"nothing\">No event is found.</p>\n");
    } else {
        html.push_str("<ol class=\"found\">\n");
        found.iter().for_each(|one| write_event(html, choice, one));
        html.push_str("</ol>\n");
    }
    if more {
        html.push_str("<p role=\"note\">There are more: search for more words.</p>\n");
    }
    html.push_str("</div>\n");
    Ok(())
}

/// Writes an event with its calendar.
fn write_event(html: &mut String, choice: &Choice, found: &Found) {
    let Some((calendar, _)) = choice.calendars.get(found.calendar) else { return };
    let id = found.event.id.as_deref();
    let link = Link::new("/calendar/event").with("user", choice.user()).with("calendar", &calendar.id);
    let repeats = if found.event.recurrence.is_empty() { "" } else { ", repeats" };
    // Writing to a string does not fail.
    let _ = writeln!(
        html,
        "<li class=\"c{}\"><span class=\"dot\"></span><a href=\"{}\"><b><bdi>{}</bdi></b></a> {} <small><bdi>{}</bdi>{repeats}</small></li>",
        found.calendar,
        link.with_some("event", id),
        Escaped(events::title(&found.event)),
        start_text(&found.event, &choice.zone),
        Escaped(&calendar.summary)
    );
}

/// Returns the day of an event, and its time unless it is an all-day event.
pub(super) fn start_text(event: &Event, zone: &TimeZone) -> String {
    let Some(start) = &event.start else { return String::new() };
    let Some(at) = events::local_time(start, zone) else { return String::new() };
    let format = if start.date.is_some() { "%a %-d %B %Y" } else { "%a %-d %B %Y, %H:%M" };
    at.strftime(format).to_string()
}
