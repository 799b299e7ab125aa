//! Conversion of events into components.

mod zone;

use std::collections::BTreeMap;

use calendar_server::runtime::wireform_runtime::{DateTime, json};
use calendar_server::types::{Attendee, Event, EventDateTime, EventStatus, EventType, ReminderMethod, ResponseStatus};
use wireform_recurrence::jiff::Timestamp;
use wireform_recurrence::jiff::tz::TimeZone;

use super::EXTRA_DATA_PROPERTY;
use super::content::Writer;
use crate::times;
use crate::write::describes_conference;

/// Writer of a calendar.
#[derive(Debug)]
pub(crate) struct CalendarWriter {
    method: Option<&'static str>,
    /// Time of writing.
    stamp: Timestamp,
    events: Writer,
    /// Zones of the events, and the first and last second of their use.
    zones: BTreeMap<String, (i64, i64)>,
}

impl CalendarWriter {
    /// Creates a writer. `method` is the iTIP method, such as `REQUEST`.
    pub(crate) fn new(method: Option<&'static str>, stamp: Timestamp) -> Self {
        Self { method, stamp, events: Writer::default(), zones: BTreeMap::new() }
    }

    /// Returns the text of the calendar.
    pub(crate) fn finish(self) -> String {
        let mut writer = Writer::default();
        writer.line("BEGIN", &[], "VCALENDAR");
        writer.line("PRODID", &[], "-//Wireform//Calendar//EN");
        writer.line("VERSION", &[], "2.0");
        if let Some(method) = self.method {
            writer.line("METHOD", &[], method);
        }
        for (name, used) in &self.zones {
            zone::write(&mut writer, name, *used);
        }
        writer.text.push_str(&self.events.text);
        writer.line("END", &[], "VCALENDAR");
        writer.text
    }

    /// Writes an event.
    pub(crate) fn event(&mut self, event: &Event) {
        let stamp = format_utc(self.stamp);
        self.events.line("BEGIN", &[], "VEVENT");
        self.events.text("UID", event.ical_uid.as_deref().unwrap_or_default());
        self.events.line("DTSTAMP", &[], &stamp);
        self.times(event);
        for line in &event.recurrence {
            self.events.raw_line(line);
        }
        self.events.line("SEQUENCE", &[], &event.sequence.unwrap_or(0).to_string());
        self.write_properties(event);
        self.people(event);
        if self.method.is_none() {
            self.private_data(event);
        }
        self.events.line("END", &[], "VEVENT");
    }

    /// Writes start, end and original start, and records the use of their zones for `finish`.
    fn times(&mut self, event: &Event) {
        let times = [("DTSTART", &event.start), ("DTEND", &event.end), ("RECURRENCE-ID", &event.original_start_time)];
        for (name, time) in times {
            let Some(time) = time else { continue };
            let (parameters, value) = moment(time);
            let parameters: Vec<(&str, &str)> =
                parameters.iter().map(|(name, value)| (*name, value.as_str())).collect();
            self.events.line(name, &parameters, &value);
            let zone = parameters.iter().find(|(name, _)| *name == "TZID");
            if let (Some((_, zone)), Some(second)) = (zone, times::second_of(time, &TimeZone::UTC)) {
                let used = self.zones.entry((*zone).to_owned()).or_insert((second, second));
                *used = (used.0.min(second), used.1.max(second));
            }
        }
    }

    /// Writes title, description, location, status, transparency, visibility, and the times of creation and of the last
    /// change.
    fn write_properties(&mut self, event: &Event) {
        let writer = &mut self.events;
        for (name, text) in
            [("SUMMARY", &event.summary), ("DESCRIPTION", &event.description), ("LOCATION", &event.location)]
        {
            if let Some(text) = text {
                writer.text(name, text);
            }
        }
        let status = match event.status_or_default() {
            EventStatus::Tentative => "TENTATIVE",
            EventStatus::Cancelled => "CANCELLED",
            _ => "CONFIRMED",
        };
        writer.line("STATUS", &[], status);
        if event.transparency_or_default().to_string() == "transparent" {
            writer.line("TRANSP", &[], "TRANSPARENT");
        }
        let visibility = event.visibility_or_default().to_string();
        if visibility != "default" {
            writer.line("CLASS", &[], &visibility.to_uppercase());
        }
        for (name, time) in [("CREATED", &event.created), ("LAST-MODIFIED", &event.updated)] {
            if let Some(time) = time.as_ref().and_then(DateTime::to_timestamp) {
                writer.line(name, &[], &format_utc(time));
            }
        }
    }

    /// Writes the organizer and the attendees.
    fn people(&mut self, event: &Event) {
        // A calendar that is not a user's own has no mail address.
        let organizer = event.organizer.as_ref().and_then(|who| Some((who.email.as_deref()?, who)));
        if let Some((email, person)) = organizer.filter(|(email, _)| email.contains('@')) {
            let name: &Option<String> = &person.display_name;
            let name: Vec<(&str, &str)> = name.iter().map(|name| ("CN", name.as_str())).collect();
            self.events.line("ORGANIZER", &name, &format!("mailto:{email}"));
        }
        for guest in &event.attendees {
            self.attendee(guest);
        }
    }

    /// Writes an attendee, unless the email address is missing.
    fn attendee(&mut self, guest: &Attendee) {
        let Some(email) = guest.email.as_deref() else { return };
        let mut parameters = Vec::new();
        parameters.extend(guest.display_name.as_deref().map(|name| ("CN", name)));
        if guest.resource_or_default() {
            parameters.push(("CUTYPE", "RESOURCE"));
        }
        let optional = guest.optional.unwrap_or(false);
        parameters.push(("ROLE", if optional { "OPT-PARTICIPANT" } else { "REQ-PARTICIPANT" }));
        let status = participation_status(guest);
        parameters.push(("PARTSTAT", status));
        if status == "NEEDS-ACTION" {
            parameters.push(("RSVP", "TRUE"));
        }
        let guests = guest.additional_guests_or_default();
        let guests = (guests > 0).then(|| guests.to_string());
        parameters.extend(guests.as_deref().map(|guests| ("X-NUM-GUESTS", guests)));
        parameters.extend(guest.comment.as_deref().map(|comment| ("X-RESPONSE-COMMENT", comment)));
        self.events.line("ATTENDEE", &parameters, &format!("mailto:{email}"));
    }

    /// Writes private data of the event: source, attachments, reminders and extra data.
    fn private_data(&mut self, event: &Event) {
        let writer = &mut self.events;
        if let Some((url, source)) = event.source.as_ref().and_then(|source| Some((source.url.as_deref()?, source))) {
            let title: Vec<(&str, &str)> =
                source.title.as_deref().map(|title| ("X-TITLE", title)).into_iter().collect();
            writer.line("URL", &title, url);
        }
        for file in &event.attachments {
            let Some(url) = file.file_url.as_deref() else { continue };
            let mut parameters = Vec::new();
            parameters.extend(file.mime_type.as_deref().map(|kind| ("FMTTYPE", kind)));
            parameters.extend(file.title.as_deref().map(|title| ("FILENAME", title)));
            writer.line("ATTACH", &parameters, url);
        }
        if let Some(extras) = extra_data(event) {
            writer.text(EXTRA_DATA_PROPERTY, &extras);
        }
        self.reminders(event);
    }

    /// Writes the event's own reminders as alarms. If it has none, an alarm without an action replaces those of the
    /// calendar.
    fn reminders(&mut self, event: &Event) {
        let Some(reminders) = event.reminders.as_ref().filter(|own| own.use_default != Some(true)) else { return };
        let writer = &mut self.events;
        for reminder in &reminders.overrides {
            let is_mail = reminder.method == Some(ReminderMethod::Email);
            writer.line("BEGIN", &[], "VALARM");
            writer.line("ACTION", &[], if is_mail { "EMAIL" } else { "DISPLAY" });
            writer.line("TRIGGER", &[], &format!("-PT{}M", reminder.minutes.unwrap_or(0)));
            let title = event.summary.as_deref().unwrap_or("Reminder");
            writer.text("DESCRIPTION", title);
            if is_mail {
                writer.text("SUMMARY", title);
            }
            writer.line("END", &[], "VALARM");
        }
        if reminders.overrides.is_empty() {
            writer.line("BEGIN", &[], "VALARM");
            writer.line("ACTION", &[], "NONE");
            writer.line("TRIGGER", &[("VALUE", "DATE-TIME")], "19760401T005545Z");
            writer.line("END", &[], "VALARM");
        }
    }
}

/// Returns the participation status of an attendee.
pub(crate) fn participation_status(guest: &Attendee) -> &'static str {
    match &guest.response_status {
        Some(ResponseStatus::Accepted) => "ACCEPTED",
        Some(ResponseStatus::Declined) => "DECLINED",
        Some(ResponseStatus::Tentative) => "TENTATIVE",
        _ => "NEEDS-ACTION",
    }
}

/// Returns the data that iCalendar cannot express, as JSON.
#[expect(deprecated, reason = "events still have colors and gadgets")]
fn extra_data(event: &Event) -> Option<String> {
    let extras = Event {
        extended_properties: event.extended_properties.clone(),
        // A request that is not completed would create another conference.
        conference_data: event.conference_data.clone().filter(describes_conference),
        // Other reminders are alarms.
        reminders: event.reminders.clone().filter(|own| own.use_default == Some(true) && !own.overrides.is_empty()),
        color_id: event.color_id.clone(),
        end_time_unspecified: event.end_time_unspecified,
        guests_can_invite_others: event.guests_can_invite_others,
        guests_can_modify: event.guests_can_modify,
        guests_can_see_other_guests: event.guests_can_see_other_guests,
        anyone_can_add_self: event.anyone_can_add_self,
        // That of a birthday is derived.
        gadget: event.gadget.clone().filter(|_| *event.event_type_or_default() != EventType::Birthday),
        ..Event::default()
    };
    if extras == Event::default() { None } else { json::to_string(&extras).ok() }
}

/// Formats a time in UTC, such as `20260305T120000Z`.
fn format_utc(time: Timestamp) -> String {
    time.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// Returns the parameters and the value of a time: in its zone, except for the second occurrence of an ambiguous local
/// time.
fn moment(time: &EventDateTime) -> (Vec<(&'static str, String)>, String) {
    if let Some(date) = time.date {
        return (vec![("VALUE", "DATE".to_owned())], date.to_civil().strftime("%Y%m%d").to_string());
    }
    let name = time.time_zone.as_deref().filter(|name| !matches!(*name, "UTC" | "Etc/UTC"));
    let zone = name.map_or(TimeZone::UTC, times::zone_by_name);
    let second = times::second_of(time, &zone).unwrap_or_default();
    let instant = times::timestamp(second);
    let local = zone.to_datetime(instant);
    let is_first = zone.to_ambiguous_timestamp(local).compatible().is_ok_and(|first| first == instant);
    match name.filter(|_| is_first) {
        Some(name) => (vec![("TZID", name.to_owned())], local.strftime("%Y%m%dT%H%M%S").to_string()),
        None => (Vec::new(), format_utc(instant)),
    }
}

impl Writer {
    /// Writes a complete line.
    fn raw_line(&mut self, line: &str) {
        let (head, value) = line.split_once(':').unwrap_or((line, ""));
        // Recurrence lines may be folded.
        let clean = |text: &str| text.chars().filter(|c| !c.is_control()).collect::<String>();
        self.line(&clean(head), &[], &clean(value));
    }
}
