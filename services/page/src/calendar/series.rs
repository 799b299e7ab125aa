//! Links from an event to its series, and from a series to its instances.

use std::fmt::Write as _;

use calendar_types::{Event, Events};
use jiff::tz::TimeZone;

use super::search::start_text;
use crate::browse::{BrowsePages, Failure};
use crate::link::Link;
use crate::services::Services;

/// Number of instances that are listed.
const MAX_INSTANCES: u32 = 10;

/// Reads the next instances of a series, or the first ones if it is over; empty for an event that does not repeat.
pub(super) async fn read_instances<O: Services>(
    pages: &BrowsePages<O>,
    user: &str,
    calendar: &str,
    event: &Event,
) -> Result<Vec<Event>, Failure> {
    if event.recurrence.is_empty() {
        return Ok(Vec::new());
    }
    let id = event.id.as_deref().unwrap_or_default();
    let link = Link::new("/calendar/v3/calendars").segment(calendar).plain_segment("events").segment(id);
    let link = link.plain_segment("instances").with("maxResults", MAX_INSTANCES);
    let next: Events = pages.get(user, &link.clone().with("timeMin", pages.page.source.now())).await?;
    let next = next.items.unwrap_or_default();
    if !next.is_empty() {
        return Ok(next);
    }
    Ok(pages.get::<Events>(user, &link).await?.items.unwrap_or_default())
}

/// Returns links to instances.
pub(super) fn instance_links(user: &str, calendar: &str, instances: &[Event], zone: &TimeZone) -> String {
    let mut html = String::new();
    for instance in instances {
        let link = event_link(user, calendar, instance.id.as_deref().unwrap_or_default());
        // Writing to a string does not fail.
        let _ = write!(html, "<li><a href=\"{link}\">{}</a></li>", start_text(instance, zone));
    }
    if html.is_empty() { html } else { format!("<ul class=\"instances\">{html}</ul>") }
}

/// Returns the link to the page of an event.
pub(super) fn event_link(user: &str, calendar: &str, event: &str) -> Link {
    Link::new("/calendar/event").with("user", user).with("calendar", calendar).with("event", event)
}
