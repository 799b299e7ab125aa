//! Limits of events, beyond those of the schema.

use std::collections::BTreeMap;

use calendar_server::Error;
use calendar_server::types::{Event, EventType};
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_store::{Calendar, Store};

use crate::CalendarService;
use crate::caller::Access;
use crate::colors;
use crate::content::CopyData;
use crate::error::invalid;
use crate::series::{Rule, Series, SeriesError, Steps};
use crate::times;

/// Maximum number of attendees of an event.
pub(crate) const MAX_ATTENDEES: usize = 200;
/// Maximum length of a title in characters.
const MAX_SUMMARY: usize = 1_024;
/// Maximum length of a description and of a location, in characters.
const MAX_TEXT: usize = 8_192;
/// Maximum length of the name and of the value of an extended property, in characters, and maximum number of
/// properties.
const PROPERTY_LIMITS: (usize, usize, usize) = (44, 1_024, 300);
/// Maximum length of a UID in bytes, which the store indexes: that of the UID of the longest identifier.
const MAX_UID: usize = 1_024 + "@wireform".len();
/// Number of instances, one a year, among which is at least one in a leap year.
const LEAP_YEARS: usize = 9;

/// Checks an event as requested by a client.
pub(crate) fn check(event: &Event, own: &CopyData, calendar: &str) -> Result<(), Error> {
    texts(event)?;
    if let Some(id) = own.color.as_ref().filter(|id| !colors::is_known(id)) {
        return Err(invalid("colorId", format!("unknown color `{id}`; the colors of events are 1 to 11")));
    }
    properties(event, own)?;
    event_type(event)?;
    times(event, &times::zone_by_name(calendar))
}

impl<S: Store> CalendarService<S> {
    /// Checks the recurrence of an event as requested by a client.
    pub(super) async fn check_recurrence(&self, access: &Access, event: &Event) -> Result<(), Error> {
        let is_birthday = *event.event_type_or_default() == EventType::Birthday && event.original_start_time.is_none();
        let mut is_yearly = false;
        if !event.recurrence.is_empty() {
            let rule = Rule::from_event(event, &access.calendar.time_zone).map_err(recurrence)?;
            let can_be_yearly = is_birthday && event.recurrence.len() == 1;
            let find = move |_: &Rule, series: &Series, _: &Steps| Ok(can_be_yearly && series.is_yearly(LEAP_YEARS));
            is_yearly = self.in_new_series(Some(access.user.mailbox), rule, find).await?;
        }
        if is_birthday && !is_yearly {
            let message = "a birthday must have one instance a year, on the day of its start; on 29 February it \
                           requires `RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1`";
            return Err(invalid("recurrence", message));
        }
        Ok(())
    }
}

/// Checks that the calendar has the label of an event, unless the event had it before.
pub(crate) fn check_label(own: &CopyData, before: Option<&str>, calendar: &Calendar) -> Result<(), Error> {
    let is_known = |id: &str| before == Some(id) || calendar.settings.labels.iter().any(|label| label.id == id);
    match own.label.as_deref() {
        Some(id) if !is_known(id) => Err(invalid("eventLabelId", format!("unknown label `{id}` of the calendar"))),
        _ => Ok(()),
    }
}

/// Checks the lengths of the texts, and the number of attendees.
fn texts(event: &Event) -> Result<(), Error> {
    let members = [
        ("summary", &event.summary, MAX_SUMMARY),
        ("description", &event.description, MAX_TEXT),
        ("location", &event.location, MAX_TEXT),
    ];
    uid(event.ical_uid.as_deref())?;
    for (member, text, most) in members {
        if text.as_ref().is_some_and(|text| text.chars().count() > most) {
            return Err(invalid(member, format!("`{member}` can have at most {most} characters")));
        }
    }
    if event.attendees.len() > MAX_ATTENDEES {
        return Err(invalid("attendees", format!("an event can have at most {MAX_ATTENDEES} attendees")));
    }
    Ok(())
}

/// Checks the length of a UID, and that it is one line of a file, without the surrounding blanks that files do not keep.
fn uid(uid: Option<&str>) -> Result<(), Error> {
    let Some(uid) = uid else { return Ok(()) };
    if uid.is_empty() || uid.len() > MAX_UID {
        return Err(invalid("iCalUID", format!("`iCalUID` must have 1 to {MAX_UID} bytes")));
    }
    if uid.chars().any(char::is_control) || uid.trim() != uid {
        let shown = uid.escape_debug();
        let message =
            format!("invalid `iCalUID` `{shown}`, expected a text without control characters and surrounding blanks");
        return Err(invalid("iCalUID", message));
    }
    Ok(())
}

/// Checks the number of extended properties, and the lengths of their names and values.
fn properties(event: &Event, own: &CopyData) -> Result<(), Error> {
    let none = BTreeMap::new();
    let shared = event.extended_properties.as_ref().map_or(&none, |properties| &properties.shared);
    let (name, value, count) = PROPERTY_LIMITS;
    if own.private.len() + shared.len() > count {
        return Err(invalid("extendedProperties", format!("an event can have at most {count} extended properties")));
    }
    for (key, text) in own.private.iter().chain(shared) {
        if key.chars().count() > name || text.chars().count() > value {
            let message =
                format!("an extended property can have at most {name} characters in its name and {value} in its value");
            return Err(invalid("extendedProperties", message));
        }
    }
    Ok(())
}

/// Checks event types: only default events and those from mail have attendees; focus time and out of office have times;
/// a birthday, also an imported one, is all-day.
fn event_type(event: &Event) -> Result<(), Error> {
    let kind = event.event_type_or_default();
    if *kind == EventType::Birthday && event.start.as_ref().is_some_and(|start| start.date.is_none()) {
        return Err(invalid("start", "a birthday must be an all-day event"));
    }
    let timed = matches!(kind, EventType::FocusTime | EventType::OutOfOffice);
    if timed && event.start.as_ref().is_some_and(|start| start.date.is_some()) {
        return Err(invalid("start", format!("an event of type `{kind}` cannot last whole days")));
    }
    let invites = !timed && !matches!(kind, EventType::WorkingLocation | EventType::Birthday);
    if !invites && !event.attendees.is_empty() {
        return Err(invalid("attendees", format!("an event of type `{kind}` cannot have attendees")));
    }
    Ok(())
}

/// Checks that start and end are within the supported range, and in order.
fn times(event: &Event, zone: &TimeZone) -> Result<(), Error> {
    let (Some(start), Some(end)) = (&event.start, &event.end) else {
        return Err(invalid("start", "an event requires a start and an end"));
    };
    let missing = |member: &'static str| move || invalid(member, format!("`{member}` is out of range"));
    let first = times::second_of(start, zone).ok_or_else(missing("start"))?;
    let last = times::second_of(end, zone).ok_or_else(missing("end"))?;
    if last < first {
        let error = invalid("end", "the end of an event must not be before its start");
        return Err(error.with_reason("timeRangeEmpty"));
    }
    Ok(())
}

/// Converts the error of invalid recurrence lines.
pub(crate) fn recurrence(error: SeriesError) -> Error {
    match error {
        SeriesError::Line(error) => invalid("recurrence", error.to_string()),
        SeriesError::Start(error) => invalid("recurrence", error.to_string()),
        SeriesError::Time | SeriesError::Interrupted => {
            invalid("start", "the start or the end of the series is out of range")
        }
    }
}
