//! What the schema says of events and the generated code does not do yet, in one place, so that it can be switched over.

use calendar_server::runtime::tokens::TokenSealer;
use calendar_server::types::Event;
use wireform_store::Calendar;

/// Puts back what does not change after creation, and what changes for known attendees alone when they are added.
pub(crate) fn keep_immutable(event: &mut Event, stored: &Event) {
    event.birthday_properties.clone_from(&stored.birthday_properties);
    event.private_copy = stored.private_copy;
    event.event_type.clone_from(&stored.event_type);
    event.original_start_time.clone_from(&stored.original_start_time);
    event.ical_uid.clone_from(&stored.ical_uid);
    event.locked = stored.locked;
}

/// Drops details of a working location that is of another type.
pub(crate) fn drop_other_locations(event: &mut Event) {
    let Some(properties) = &mut event.working_location_properties else { return };
    let kind = properties.r#type.as_ref().map(ToString::to_string).unwrap_or_default();
    if kind != "homeOffice" {
        properties.home_office = None;
    }
    if kind != "officeLocation" {
        properties.office_location = None;
    }
    if kind != "customLocation" {
        properties.custom_location = None;
    }
}

/// Makes an imported event a default one, without what belongs to another type.
pub(crate) fn make_default(event: &mut Event) {
    event.event_type = None;
    event.working_location_properties = None;
    event.out_of_office_properties = None;
    event.focus_time_properties = None;
    event.birthday_properties = None;
}

/// Says which parameters may differ between the request that a token was given for and the one that shows it.
pub(crate) fn sealer(sealer: &TokenSealer) -> TokenSealer {
    sealer.clone().with_free_parameters(&["maxResults", "timeZone", "maxAttendee"])
}

/// Returns what differs after each change of a list of a calendar.
pub(crate) fn list_changes(calendar: &Calendar, horizon: i64) -> String {
    format!("{}-{horizon}", calendar.history)
}
