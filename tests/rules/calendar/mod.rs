//! Rules of the calendar.

mod attendees;
mod calendars;
mod conference;
mod constraints;
mod kinds_of_event;
mod listing;
mod locked;
mod times;

use std::any::Any;

use calendar_validation::Rules;
use calendar_validation::requests::{
    CalendarListList, EventsGet, EventsImport, EventsInsert, EventsInstances, EventsList, EventsMove, EventsPatch,
    EventsUpdate, EventsWatch, FreebusyQuery,
};
use calendar_validation::types::{CalendarList, ErrorResponse, Event, Events, Settings};
use calendar_validation::{operation, requests::EventsQuickAdd};
use serde_json::{Value, json};
use wireform_validation::ValidationContext;

use crate::build_request;
use crate::row::{ReportedViolation, Row, RowValue, Side, violations_of_request, violations_of_value};

pub const ROWS: &[&[Row]] = &[
    attendees::ROWS,
    calendars::ROWS,
    conference::ROWS,
    constraints::ROWS,
    kinds_of_event::ROWS,
    listing::ROWS,
    locked::ROWS,
    times::ROWS,
];

/// An event like any other.
fn event() -> Value {
    json!({ "start": { "dateTime": "2026-03-02T10:00:00Z" }, "end": { "dateTime": "2026-03-02T11:00:00Z" } })
}

/// Returns the base value that a row is merged into.
fn base_value(row: &Row) -> Value {
    match (row.side, row.of) {
        (Side::Request, "events.insert" | "events.update") => event(),
        (Side::Request, "events.import") => {
            let mut event = event();
            event["iCalUID"] = json!("one@example.com");
            event
        }
        (Side::Request, "events.watch") => {
            json!({ "id": "channel", "type": "web_hook", "address": "https://example.com/" })
        }
        (Side::Request, "freebusy.query") => {
            json!({ "timeMin": "2026-03-02T10:00:00Z", "timeMax": "2026-03-02T11:00:00Z" })
        }
        _ => json!({}),
    }
}

/// Returns the stored event: the base event with the fields of the row.
fn stored_event(row: &Row) -> Option<Event> {
    row.stored.map(|text| {
        let mut usual = event();
        usual["id"] = json!("abcde");
        RowValue::new(usual, text).body()
    })
}

/// Returns the violations of a value of a row.
pub fn check(row: &Row, text: &str) -> Vec<ReportedViolation> {
    let given = RowValue::new(base_value(row), text);
    match row.side {
        Side::Request => {
            let stored = stored_event(row);
            let stored = stored.as_ref().map(|event| event as &dyn Any);
            if row.of == "events.insert" || row.of == "events.import" {
                check_addition(row, given, stored)
            } else if row.of == "events.list" || row.of == "events.watch" {
                check_list(row, given)
            } else {
                check_existing(row, given, stored)
            }
        }
        Side::Response => {
            let of_events = |index| violations_of_value::<Events, _>(&Rules, operation::response(index), &given);
            match row.of {
                "events.get" => {
                    violations_of_value::<Event, _>(&Rules, operation::response(operation::EVENTS_GET), &given)
                }
                "events.list" => of_events(operation::EVENTS_LIST),
                "events.instances" => of_events(operation::EVENTS_INSTANCES),
                "calendarList.list" => {
                    let context = operation::response(operation::CALENDAR_LIST_LIST);
                    violations_of_value::<CalendarList, _>(&Rules, context, &given)
                }
                "settings.list" => {
                    violations_of_value::<Settings, _>(&Rules, operation::response(operation::SETTINGS_LIST), &given)
                }
                other => panic!("unexpected response of {other}"),
            }
        }
        Side::Value => match row.of {
            "Event" => violations_of_value::<Event, _>(&Rules, ValidationContext::VALUE, &given),
            "ErrorResponse" => violations_of_value::<ErrorResponse, _>(&Rules, ValidationContext::VALUE, &given),
            other => panic!("unexpected value of {other}"),
        },
    }
}

fn check_addition(row: &Row, mut given: RowValue, stored: Option<&dyn Any>) -> Vec<ReportedViolation> {
    if row.of == "events.import" {
        let request = build_request!(
            given, EventsImport::new("primary", given.body()),
            supports_attachments: "supportsAttachments",
            conference_data_version: "conferenceDataVersion",
            event_label_version: "eventLabelVersion",
        );
        return violations_of_request(&Rules, &request, stored);
    }
    #[allow(deprecated)] // deprecated fields have rules too
    let request = build_request!(
        given, EventsInsert::new("primary", given.body()),
        send_updates: "sendUpdates",
        send_notifications: "sendNotifications",
        supports_attachments: "supportsAttachments",
        conference_data_version: "conferenceDataVersion",
        event_label_version: "eventLabelVersion",
        max_attendee: "maxAttendee",
    );
    violations_of_request(&Rules, &request, stored)
}

fn check_list(row: &Row, mut given: RowValue) -> Vec<ReportedViolation> {
    if row.of == "events.watch" {
        let request = build_request!(
            given, EventsWatch::new("primary", given.body()),
            order_by: "orderBy", single_events: "singleEvents", time_min: "timeMin", time_max: "timeMax",
            updated_min: "updatedMin",
        );
        return violations_of_request(&Rules, &request, None);
    }
    let request = build_request!(
        given, EventsList::new("primary"),
        max_results: "maxResults", sync_token: "syncToken", ical_uid: "iCalUID", q: "q", event_types: "eventTypes",
        order_by: "orderBy", single_events: "singleEvents", show_deleted: "showDeleted", time_min: "timeMin",
        time_max: "timeMax", updated_min: "updatedMin", private_extended_property: "privateExtendedProperty",
        shared_extended_property: "sharedExtendedProperty", time_zone: "timeZone",
    );
    violations_of_request(&Rules, &request, None)
}

fn check_existing(row: &Row, mut given: RowValue, stored: Option<&dyn Any>) -> Vec<ReportedViolation> {
    match row.of {
        "events.update" => {
            let request = build_request!(
                given, EventsUpdate::new("primary", "abcde", given.body()),
                supports_attachments: "supportsAttachments",
                conference_data_version: "conferenceDataVersion",
                event_label_version: "eventLabelVersion",
            );
            violations_of_request(&Rules, &request, stored)
        }
        "events.patch" => {
            let request = build_request!(
                given, EventsPatch::new("primary", "abcde", given.body()),
                supports_attachments: "supportsAttachments",
                conference_data_version: "conferenceDataVersion",
                event_label_version: "eventLabelVersion",
            );
            violations_of_request(&Rules, &request, stored)
        }
        "events.move" => {
            violations_of_request(&Rules, &build_request!(given, EventsMove::new("primary", "abcde", "other")), stored)
        }
        "events.get" => {
            let request = build_request!(given, EventsGet::new("primary", "abcde"), time_zone: "timeZone");
            violations_of_request(&Rules, &request, stored)
        }
        "events.instances" => {
            let request = build_request!(
                given, EventsInstances::new("primary", "abcde"),
                time_min: "timeMin", time_max: "timeMax", max_results: "maxResults",
            );
            violations_of_request(&Rules, &request, stored)
        }
        "events.quickAdd" => {
            let request = build_request!(given, EventsQuickAdd::new("primary", "tea"), send_updates: "sendUpdates");
            violations_of_request(&Rules, &request, stored)
        }
        "calendarList.list" => {
            let request = build_request!(
                given, CalendarListList::new(),
                max_results: "maxResults", sync_token: "syncToken", min_access_role: "minAccessRole",
                show_deleted: "showDeleted", show_hidden: "showHidden",
            );
            violations_of_request(&Rules, &request, stored)
        }
        "freebusy.query" => {
            violations_of_request(&Rules, &build_request!(given, FreebusyQuery::new(given.body())), stored)
        }
        other => panic!("unexpected request of {other}"),
    }
}
