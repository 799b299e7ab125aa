//! Details of an event.

use std::fmt::{Display, Write as _};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use calendar_types::{Attendee, Event, EventDateTime, Events, Person, Reminder};
use http::StatusCode;
use jiff::tz::TimeZone;

use super::choice::View;
use super::{events, links, rule, series};
use crate::assets;
use crate::browse::{BrowsePages, Failure, decode};
use crate::html::{AllowedResources, Escaped, Section, json, page};
use crate::link::Link;
use crate::rich_text::{rich_text, with_links};
use crate::services::{Services, VisibleCalendar};
use crate::sheet::Sheet;

/// Event with its context.
struct EventDetails {
    user: String,
    calendar: VisibleCalendar,
    calendar_index: usize,
    event: Event,
    /// Event in the API's JSON.
    text: String,
    /// Recurrence of the event, or of the series of the instance.
    recurrence: Vec<String>,
    /// Default reminders of the calendar.
    reminders: Vec<Reminder>,
    zone: TimeZone,
    /// Some instances of a series.
    instances: Vec<Event>,
}

/// `GET /calendar/event`.
pub(super) async fn show<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    match find_event(&pages, request).await {
        Ok(found) => {
            let mut sheet = Sheet::default();
            sheet.rule(".details", &[("color", &events::color(&found.event, found.calendar_index, &found.calendar))]);
            let loads = AllowedResources::Browse { style: sheet.as_str(), frames: false };
            page(
                StatusCode::OK,
                Some(Section::Calendar),
                &events::title(&found.event),
                loads,
                &assets::head(assets::CALENDAR_STYLE, assets::CALENDAR_SCRIPT),
                &details_html(&found),
            )
        }
        Err(failure) => failure.into_page(Section::Calendar, "Event"),
    }
}

/// Finds the event. A URL without a user, such as the `htmlLink` of an event, is for the user of the settings, or the
/// first one, if they see the calendar, and otherwise for its owner.
async fn find_event<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<EventDetails, Failure> {
    let parameters = pages.admit(request)?;
    let _turn = pages.render_permit().await;
    let missing = |what: &str| Failure::BadRequest(format!("The URL contains no {what}."));
    let id = parameters.get("calendar").ok_or_else(|| missing("calendar"))?;
    let event = parameters.get("event").ok_or_else(|| missing("event"))?;
    let mut named = parameters.get("user").map(str::to_owned);
    if named.is_none() && !can_see(pages, None, id).await? {
        named = pages.page.source.calendar_owner(id).await.map_err(Failure::Unavailable)?;
    }
    let (people, person) = pages.people(named.as_deref()).await?;
    let user = people.get(person).map(|person| person.address.clone()).unwrap_or_default();
    let visible = pages.page.source.calendars(&user).await.map_err(Failure::Unavailable)?;
    let found = visible.into_iter().enumerate().find(|(_, calendar)| calendar.id == id);
    let (place, calendar) =
        found.ok_or_else(|| Failure::NotFound(format!("Calendar `{id}` not found, or not visible to {user}.")))?;

    let events = Link::new("/calendar/v3/calendars").segment(id).plain_segment("events");
    let body = pages.get_text(&user, &events.clone().segment(event).with("prettyPrint", true)).await?;
    let event: Event = decode(&body)?;
    let recurrence = match &event.recurring_event_id {
        // A series that is deleted or whose details are hidden has no recurrence here.
        Some(series) => pages.get::<Event>(&user, &events.clone().segment(series)).await.map(|event| event.recurrence),
        None => Ok(event.recurrence.clone()),
    };
    let around: Events = pages.get(&user, &events.with("maxResults", 1).with("fields", "defaultReminders")).await?;
    Ok(EventDetails {
        instances: series::read_instances(pages, &user, id, &event).await?,
        zone: TimeZone::get(&calendar.time_zone).unwrap_or(TimeZone::UTC),
        text: String::from_utf8_lossy(&body).into_owned(),
        recurrence: recurrence.unwrap_or_default(),
        reminders: around.default_reminders.unwrap_or_default(),
        user,
        calendar,
        calendar_index: place,
        event,
    })
}

/// Returns whether the named or the default user sees a calendar.
async fn can_see<O: Services>(pages: &BrowsePages<O>, named: Option<&str>, calendar: &str) -> Result<bool, Failure> {
    let (people, person) = pages.people(named).await?;
    let Some(person) = people.get(person) else { return Ok(false) };
    let visible = pages.page.source.calendars(&person.address).await.map_err(Failure::Unavailable)?;
    Ok(visible.iter().any(|one| one.id == calendar))
}

/// Returns the HTML of the event.
fn details_html(found: &EventDetails) -> String {
    let EventDetails { event, .. } = found;
    let start = event.start.as_ref().and_then(|start| events::local_time(start, &found.zone));
    let mut back = Link::new("/calendar").with("user", &found.user).with("view", View::Week.name());
    if let Some(start) = start {
        back = back.with("date", start.date());
    }
    let title = Escaped(events::title(event));
    let calendar = Escaped(&found.calendar.summary);
    let mut html = format!(
        "<p class=\"back\"><a href=\"{back}\">‹ The week</a></p>\n<article class=\"details\">\n\
         <h1><span class=\"dot\"></span><bdi>{title}</bdi></h1>\n<dl>\n"
    );
    row(&mut html, "When", &format_time(found));
    row(&mut html, "Calendar", &format!("<bdi>{calendar}</bdi> ({})", Escaped(&found.calendar.role)));
    write_description(&mut html, found);
    write_people(&mut html, found);
    if let Some(conference) = &event.conference_data {
        row(&mut html, "Conference", &links::conference(conference));
    }
    row(&mut html, "Reminders", &format_reminders(found));
    html.push_str("</dl>\n");
    html.push_str(&json("As the API returns it", &found.text));
    html.push_str("</article>\n");
    html
}

/// Writes a row unless the value is empty. The value is already HTML.
fn row(html: &mut String, name: &str, value: &str) {
    if !value.is_empty() {
        // Writing to a string does not fail.
        let _ = writeln!(html, "<dt>{name}</dt><dd>{value}</dd>");
    }
}

/// Writes a row with a text.
fn text(html: &mut String, name: &str, value: Option<impl Display>) {
    let value = value.map(|value| format!("<bdi>{}</bdi>", Escaped(value))).unwrap_or_default();
    row(html, name, &value);
}

/// Writes the description of the event.
fn write_description(html: &mut String, found: &EventDetails) {
    let EventDetails { event, .. } = found;
    let lines: Vec<String> =
        found.recurrence.iter().map(|line| rule::describe(line).unwrap_or_else(|| line.clone())).collect();
    let lines: Vec<String> = lines.iter().map(|line| format!("<bdi>{}</bdi>", Escaped(line))).collect();
    row(html, "Repeats", &lines.join("<br>"));
    if let Some(id) = &event.recurring_event_id {
        let link = series::event_link(&found.user, &found.calendar.id, id);
        row(html, "Series", &format!("<a href=\"{link}\">All instances of the series</a>"));
    }
    row(html, "Instances", &series::instance_links(&found.user, &found.calendar.id, &found.instances, &found.zone));
    let place = event.location.as_deref().map(|place| format!("<bdi>{}</bdi>", with_links(place)));
    row(html, "Place", &place.unwrap_or_default());
    row(html, "Description", &event.description.as_deref().map(rich_text).unwrap_or_default());
    row(html, "Attached", &links::attachments(event));
    row(html, "Source", &links::source(event));
    text(html, "Status", event.status.as_ref());
    text(html, "Kind", event.event_type.as_ref().filter(|kind| kind.to_string() != "default"));
    let label = found.calendar.labels.iter().find(|label| Some(&label.id) == event.event_label_id.as_ref());
    text(html, "Label", label.map(|label| &label.name));
    text(html, "Visibility", event.visibility.as_ref());
    text(
        html,
        "Shown as",
        event.transparency.as_ref().map(|shown| match shown.to_string().as_str() {
            "transparent" => "free".to_owned(),
            "opaque" => "busy".to_owned(),
            other => other.to_owned(),
        }),
    );
}

/// Writes the organizer and the attendees.
fn write_people(html: &mut String, found: &EventDetails) {
    let EventDetails { event, .. } = found;
    row(html, "Organizer", &event.organizer.as_ref().map(person_html).unwrap_or_default());
    let is_other = |creator: &&Person| event.organizer.as_ref().is_none_or(|one| one.email != creator.email);
    row(html, "Created by", &event.creator.as_ref().filter(is_other).map(person_html).unwrap_or_default());
    if event.attendees.is_empty() {
        return;
    }
    let mut list = String::from("<ul class=\"people\">");
    for attendee in &event.attendees {
        list.push_str(&attendee_item(attendee));
    }
    list.push_str("</ul>");
    if event.attendees_omitted == Some(true) {
        list.push_str("<p>Others are not shown.</p>");
    }
    row(html, "Invited", &list);
}

fn person_html(person: &Person) -> String {
    name_and_address(person.display_name.as_deref(), person.email.as_deref())
}

/// Returns a name with its address, or only the address if there is no name.
fn name_and_address(name: Option<&str>, address: Option<&str>) -> String {
    let address = address.unwrap_or_default();
    match name.filter(|name| !name.is_empty()) {
        Some(name) => format!("<bdi>{}</bdi> <small>{}</small>", Escaped(name), Escaped(address)),
        None => format!("<bdi>{}</bdi>", Escaped(address)),
    }
}

fn attendee_item(attendee: &Attendee) -> String {
    let status = attendee.response_status.as_ref().map(ToString::to_string).unwrap_or_default();
    let (class, label) = match status.as_str() {
        "accepted" => ("yes", "accepted"),
        "declined" => ("no", "declined"),
        "tentative" => ("perhaps", "tentative"),
        "needsAction" => ("waiting", "has not responded"),
        other => ("waiting", other),
    };
    let mut notes = String::new();
    let marks = [
        (attendee.optional_or_default(), "optional"),
        (attendee.resource_or_default(), "a resource"),
        (attendee.organizer_or_default(), "organizer"),
    ];
    for (_, note) in marks.iter().filter(|(holds, _)| *holds) {
        notes.push_str(&format!(", {note}"));
    }
    let name = name_and_address(attendee.display_name.as_deref(), attendee.email.as_deref());
    let comment = attendee.comment.as_deref().filter(|comment| !comment.is_empty());
    let comment = comment.map(|comment| format!("<br><q><bdi>{}</bdi></q>", Escaped(comment))).unwrap_or_default();
    format!("<li>{name} <span class=\"answer {class}\">{}{notes}</span>{comment}</li>", Escaped(label))
}

/// Returns start and end in the zone of the calendar.
fn format_time(found: &EventDetails) -> String {
    let EventDetails { event, zone, .. } = found;
    let (Some(start), Some(end)) = (&event.start, &event.end) else { return String::new() };
    let (Some(from), Some(until)) = (events::local_time(start, zone), events::local_time(end, zone)) else {
        return String::new();
    };
    if start.date.is_some() {
        let last = until.date().yesterday().unwrap_or(until.date()).max(from.date());
        let first = from.strftime("%A, %-d %B %Y");
        return if last == from.date() {
            first.to_string()
        } else {
            format!("{first} – {}", last.strftime("%A, %-d %B %Y"))
        };
    }
    let end_of =
        |time: &EventDateTime| time.date_time.and_then(|time| time.to_timestamp()).map(|at| zone.to_offset_info(at));
    let offset = |time| end_of(time).map(|info| info.abbreviation().to_owned()).unwrap_or_default();
    let (first, last) = (offset(start), offset(end));
    let same = if first == last { String::new() } else { format!(" {}", Escaped(&first)) };
    let until =
        if from.date() == until.date() { until.strftime("%H:%M") } else { until.strftime("%A, %-d %B %Y, %H:%M") };
    let zone = Some(&found.calendar.time_zone).filter(|zone| **zone != last);
    let zone = zone.map(|zone| format!(" <small>{}</small>", Escaped(zone))).unwrap_or_default();
    format!("{}{same} – {until} {}{zone}", from.strftime("%A, %-d %B %Y, %H:%M"), Escaped(&last))
}

fn format_reminders(found: &EventDetails) -> String {
    let one = |reminder: &Reminder| {
        let method = reminder.method.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("{}, {}", Escaped(method), format_reminder_time(reminder.minutes.unwrap_or_default()))
    };
    let Some(reminders) = &found.event.reminders else { return String::new() };
    let (list, note) = match reminders.use_default {
        Some(true) => (&found.reminders, " <small>of the calendar</small>"),
        _ => (&reminders.overrides, ""),
    };
    let lines: Vec<String> = list.iter().map(|reminder| format!("{}{note}", one(reminder))).collect();
    if lines.is_empty() { "none".to_owned() } else { lines.join("<br>") }
}

/// Returns the time of a reminder in words, such as `2 hours before`.
fn format_reminder_time(minutes: i32) -> String {
    let (count, unit) = match minutes {
        0 => return "at the start".to_owned(),
        _ if minutes % (24 * 60) == 0 => (minutes / (24 * 60), "day"),
        _ if minutes % 60 == 0 => (minutes / 60, "hour"),
        _ => (minutes, "minute"),
    };
    format!("{count} {unit}{} before", if count == 1 { "" } else { "s" })
}
