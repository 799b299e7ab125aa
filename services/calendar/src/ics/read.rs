//! Conversion of components into events.

mod alarms;
mod people;
mod recurrence;
pub(crate) mod replies;
pub(crate) mod requests;
mod times;

use calendar_server::runtime::wireform_runtime::json;
use calendar_server::types::{Attachment, Event, EventStatus, Source, Transparency, Visibility};
use wireform_recurrence::jiff::tz::TimeZone;

use super::component::{Component, parse_calendars};
use super::content::Property;
use super::losses::Losses;
use super::zones::Zones;
use super::{EXTRA_DATA_PROPERTY, MAX_EVENTS};
use crate::content::address_key;
use crate::write::describes_conference;

/// Event of a file.
#[derive(Clone, Debug)]
pub(crate) struct ParsedEvent {
    /// The event. For an exception, `original_start_time` is the start given by its series.
    pub(crate) event: Event,
    /// Line number of its beginning.
    pub(crate) line: usize,
}

/// Parses the calendars of a file. Times without a zone are in `zone`.
pub(crate) fn parse_events(bytes: &[u8], zone: &str, losses: &mut Losses) -> Vec<Vec<ParsedEvent>> {
    let mut room = MAX_EVENTS;
    let mut read = Vec::new();
    for component in parse_calendars(bytes, losses) {
        read.push(parse_calendar(&component, zone, &mut room, losses));
    }
    read
}

/// Converts the events of a calendar, at most `room` of them, and subtracts their number from it.
fn parse_calendar(component: &Component, zone: &str, room: &mut usize, losses: &mut Losses) -> Vec<ParsedEvent> {
    for property in &component.properties {
        let is_known = match property.name.as_str() {
            "CALSCALE" => property.upper_case_value() == "GREGORIAN",
            name => matches!(name, "VERSION" | "PRODID" | "METHOD"),
        };
        if !is_known {
            losses.add(property.line, &property.name, "properties of calendars are not kept");
        }
    }
    let context = CalendarContext { zones: Zones::read(component, losses), zone };
    let mut events = Vec::new();
    for part in &component.components {
        match part.name.as_str() {
            "VEVENT" if *room == 0 => losses.add(part.line, "VEVENT", "there are too many events in the file"),
            "VEVENT" => {
                *room -= 1;
                events.extend(convert_event(part, &context, losses));
            }
            "VTIMEZONE" => {}
            name => losses.add(part.line, name, "components other than events are not kept"),
        }
    }
    events
}

/// Context of the events of a calendar.
struct CalendarContext<'a> {
    zones: Zones,
    /// Zone of times without one.
    zone: &'a str,
}

impl CalendarContext<'_> {
    /// Returns the zone of times without one.
    fn floating_zone(&self) -> TimeZone {
        crate::times::zone_by_name(self.zone)
    }
}

/// Converts an event; returns `None` if it has no valid start, or an invalid original start.
fn convert_event(part: &Component, context: &CalendarContext<'_>, losses: &mut Losses) -> Option<ParsedEvent> {
    let mut event = parse_extra_data(part, losses);
    times::read(part, context, &mut event, losses)?;
    recurrence::read(part, context, &mut event, losses);
    people::read(part, &mut event, losses);
    alarms::read(part, &mut event, losses);
    let mut seen = Vec::new();
    for property in &part.properties {
        let name = property.name.as_str();
        if is_single(name) && seen.contains(&name) {
            losses.add(property.line, name, "duplicate property; the first one is used");
            continue;
        }
        seen.push(name);
        apply_property(property, &mut event, losses);
    }
    if event.ical_uid.as_deref().is_none_or(str::is_empty) {
        losses.add(part.line, "UID", "the event has none; its start and title identify it");
        event.ical_uid = Some(generate_uid(part));
    }
    if event.sequence.is_none() {
        event.sequence = Some(0);
    }
    Some(ParsedEvent { event, line: part.line })
}

/// Returns whether an event has at most one property of this name.
fn is_single(name: &str) -> bool {
    !matches!(
        name,
        "ATTENDEE" | "RDATE" | "EXDATE" | "RRULE" | "EXRULE" | "ATTACH" | "CATEGORIES" | "COMMENT" | "CONTACT"
    ) && !name.starts_with("X-")
}

/// Sets the field of an event that a property stands for.
fn apply_property(property: &Property, event: &mut Event, losses: &mut Losses) {
    match property.name.as_str() {
        "UID" => event.ical_uid = Some(property.text().trim().to_owned()),
        "SUMMARY" => event.summary = text(property, 1_024, losses),
        "DESCRIPTION" => event.description = text(property, 8_192, losses),
        "LOCATION" => event.location = text(property, 8_192, losses),
        "STATUS" => match property.upper_case_value().as_str() {
            "CONFIRMED" => event.status = Some(EventStatus::Confirmed),
            "TENTATIVE" => event.status = Some(EventStatus::Tentative),
            "CANCELLED" => event.status = Some(EventStatus::Cancelled),
            _ => losses.add(property.line, "STATUS", "unknown value"),
        },
        "TRANSP" => match property.upper_case_value().as_str() {
            "TRANSPARENT" => event.transparency = Some(Transparency::Transparent),
            "OPAQUE" => {}
            _ => losses.add(property.line, "TRANSP", "unknown value"),
        },
        "CLASS" => match property.upper_case_value().as_str() {
            "PUBLIC" => event.visibility = Some(Visibility::Public),
            "PRIVATE" => event.visibility = Some(Visibility::Private),
            "CONFIDENTIAL" => event.visibility = Some(Visibility::Confidential),
            _ => {
                losses.add(property.line, "CLASS", "unknown value, read as `PRIVATE`");
                event.visibility = Some(Visibility::Private);
            }
        },
        "SEQUENCE" => match property.value.trim().parse::<i32>().ok().filter(|number| *number >= 0) {
            Some(number) => event.sequence = Some(number),
            None => losses.add(property.line, "SEQUENCE", "invalid value, expected a number"),
        },
        "CREATED" => match times::read_utc(&property.value) {
            Some(created) => event.created = Some(created),
            None => losses.add(property.line, "CREATED", "invalid value, expected a time in UTC"),
        },
        "URL" => apply_url(property, event, losses),
        "ATTACH" => apply_attachment(property, event, losses),
        // Handled elsewhere, or about the file instead of the event.
        "DTSTAMP" | "LAST-MODIFIED" | "DTSTART" | "DTEND" | "DURATION" | "RECURRENCE-ID" | "RRULE" | "EXRULE"
        | "RDATE" | "EXDATE" | "ATTENDEE" | "ORGANIZER" | EXTRA_DATA_PROPERTY => {}
        name => losses.add(property.line, name, "the property is not kept"),
    }
}

/// Returns the unescaped text of a property, truncated to `max` characters; `None` if it is empty.
fn text(property: &Property, max: usize, losses: &mut Losses) -> Option<String> {
    Some(truncate(property, property.text(), max, losses)).filter(|text| !text.is_empty())
}

/// Truncates a text to `max` characters, and records a loss if it is longer.
fn truncate(property: &Property, text: String, max: usize, losses: &mut Losses) -> String {
    let Some((end, _)) = text.char_indices().nth(max) else { return text };
    losses.add(property.line, &property.name, format!("only the first {max} characters are kept"));
    text.get(..end).unwrap_or_default().to_owned()
}

fn is_http_url(address: &str) -> bool {
    let lower = address.to_ascii_lowercase();
    lower.starts_with("https://") || lower.starts_with("http://")
}

/// Sets the source of an event; a URL other than HTTP is a loss.
fn apply_url(property: &Property, event: &mut Event, losses: &mut Losses) {
    let address = property.value.trim();
    if !is_http_url(address) {
        return losses.add(property.line, "URL", "only HTTP URLs are kept");
    }
    let mut source = Source::default().with_url(address);
    source.title = property.parameter("X-TITLE").map(str::to_owned);
    event.source = Some(source);
}

/// Adds an attachment to an event; one beyond the limit, or with a URL other than HTTP, is a loss.
fn apply_attachment(property: &Property, event: &mut Event, losses: &mut Losses) {
    let address = property.value.trim();
    if !is_http_url(address) || event.attachments.len() >= 25 {
        return losses.add(property.line, "ATTACH", "only 25 HTTP URLs are kept");
    }
    let mut attachment = Attachment::default().with_file_url(address);
    attachment.mime_type = property.parameter("FMTTYPE").map(str::to_owned);
    attachment.title = property.parameter("FILENAME").or_else(|| property.parameter("X-FILENAME")).map(str::to_owned);
    event.attachments.push(attachment);
}

/// Returns the data that iCalendar cannot express, from an export of this program.
#[expect(deprecated, reason = "events still have colors and gadgets")]
fn parse_extra_data(part: &Component, losses: &mut Losses) -> Event {
    let Some(property) = part.property(EXTRA_DATA_PROPERTY) else { return Event::default() };
    let Ok(extras) = json::from_str::<Event>(&property.text()) else {
        losses.add(property.line, EXTRA_DATA_PROPERTY, "the value cannot be read");
        return Event::default();
    };
    Event {
        extended_properties: extras.extended_properties,
        conference_data: extras.conference_data.filter(describes_conference),
        reminders: extras.reminders,
        color_id: extras.color_id,
        end_time_unspecified: extras.end_time_unspecified,
        guests_can_invite_others: extras.guests_can_invite_others,
        guests_can_modify: extras.guests_can_modify,
        guests_can_see_other_guests: extras.guests_can_see_other_guests,
        anyone_can_add_self: extras.anyone_can_add_self,
        gadget: extras.gadget,
        ..Event::default()
    }
}

/// Returns an identifier for an event without one; it is the same each time the event is read.
fn generate_uid(part: &Component) -> String {
    let text = |name| part.value(name).unwrap_or_default();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in address_key(text("SUMMARY")).bytes().chain(text("DURATION").bytes()).chain(text("DTEND").bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let start: String = text("DTSTART").chars().filter(char::is_ascii_alphanumeric).take(20).collect();
    format!("{start}-{hash:016x}@without-uid.invalid")
}
