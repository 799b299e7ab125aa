//! Results of the generated validation for a value, without CEL rules, which JSON Schema cannot express.

use boon::Format;
use serde_json::Value;
use wireform_runtime::operation::Operation;
use wireform_runtime::{FromWire, Request, json};
use wireform_validation::{
    __private::{Location, formats},
    ReadOptions, Validates, ValidationContext, Violation, ViolationKind, read_body,
};

/// Schema of a document, and the type with the equivalent validation.
pub struct Subject {
    /// API.
    pub api: &'static str,
    /// Name of the schema.
    pub schema: &'static str,
    /// Returns the reason why a JSON text is rejected.
    pub refuses: fn(&str) -> Option<String>,
}

/// Returns the reason why a value in the request of an operation is rejected.
fn refuses<T, V>(text: &str, rules: &V, operation: &'static Operation, index: u16) -> Option<String>
where
    T: for<'de> FromWire<'de>,
    V: Validates<T>,
{
    let reading = ReadOptions::for_type::<T, V>(ValidationContext::request(operation, index));
    let read = read_body(text.as_bytes(), &reading, |value: T, checker| rules.check(&value, Location::BODY, checker));
    let violations = read.err()?;
    let is_of_schema = |one: &&Violation| one.constraint.is_some() || one.kind != ViolationKind::Schema;
    let constraints: Vec<String> = violations.errors().filter(is_of_schema).map(ToString::to_string).collect();
    (!constraints.is_empty()).then(|| constraints.join("; "))
}

macro_rules! subjects {
    ($($api:ident $types:ident $validation:ident {
        $($schema:literal: $ty:ident to $request:ident $index:ident;)*
    })*) => {
        /// The schemas whose verdicts are compared.
        pub const SUBJECTS: &[Subject] = &[$($(
            Subject {
                api: stringify!($api),
                schema: $schema,
                refuses: |text| {
                    let operation = <$types::requests::$request as Request>::OPERATION;
                    refuses::<$types::$ty, _>(text, &$validation::Rules, operation, $validation::operation::$index)
                },
            },
        )*)*];
    };
}

subjects! {
    calendar calendar_types calendar_validation {
        "Event.Input.events.insert": Event to EventsInsert EVENTS_INSERT;
        "Event.Input.events.import": Event to EventsImport EVENTS_IMPORT;
        "Event.Input.events.update": Event to EventsUpdate EVENTS_UPDATE;
        "Event.Patch": EventPatch to EventsPatch EVENTS_PATCH;
        "Attendee.Input.events.insert": Attendee to EventsInsert EVENTS_INSERT;
        "Attendee.Input.events.patch": Attendee to EventsPatch EVENTS_PATCH;
        "Attachment.Input.events.insert": Attachment to EventsInsert EVENTS_INSERT;
        "Reminders.Input.events.insert": Reminders to EventsInsert EVENTS_INSERT;
        "Channel.Input.events.watch": Channel to EventsWatch EVENTS_WATCH;
        "ConferenceData.Input": ConferenceData to EventsInsert EVENTS_INSERT;
        "EntryPoint.Input": EntryPoint to EventsInsert EVENTS_INSERT;
        "EventDateTime.Input": EventDateTime to EventsInsert EVENTS_INSERT;
        "BirthdayProperties.Input": BirthdayProperties to EventsInsert EVENTS_INSERT;
        "Source.Patch": SourcePatch to EventsPatch EVENTS_PATCH;
        "EventDateTime.Patch": EventDateTimePatch to EventsPatch EVENTS_PATCH;
    }
    script script_types script_validation {
        "Content.Input": Content to ProjectsUpdateContent PROJECTS_UPDATE_CONTENT;
        "File.Input": File to ProjectsUpdateContent PROJECTS_UPDATE_CONTENT;
        "ExecutionRequest.Input": ExecutionRequest to ScriptsRun SCRIPTS_RUN;
        "DeploymentConfig.Input": DeploymentConfig to ProjectsDeploymentsCreate PROJECTS_DEPLOYMENTS_CREATE;
    }
}

macro_rules! formats {
    ($($name:literal: $is:expr;)*) => {
        /// Returns the formats of the generated validation, which JSON Schema leaves to the implementation.
        pub fn formats() -> Vec<Format> {
            vec![$(Format {
                name: $name,
                // Formats apply to texts only.
                func: |value: &Value| match value.as_str() {
                    Some(text) if !$is(text) => Err(concat!("no ", $name).into()),
                    _ => Ok(()),
                },
            }),*]
        }
    };
}

formats! {
    "email": formats::is_addr_spec;
    "uri": formats::is_uri;
    "hostname": formats::is_hostname;
    "uuid": formats::is_uuid;
    "time-zone": formats::is_time_zone;
    "recurrence": formats::is_recurrence_line;
    "media-type": formats::media_type;
    "etag": formats::is_etag;
    "date": is_date;
    "date-time": is_with_offset;
    "byte": is_base64;
}

fn is_date(text: &str) -> bool {
    wireform_runtime::Date::parse(text).is_ok()
}

/// Returns whether a text is an RFC 3339 timestamp with an offset, which JSON Schema requires.
fn is_with_offset(text: &str) -> bool {
    let time = text.find(['T', 't']).map_or("", |at| &text[at..]);
    time.contains(['Z', 'z', '+', '-']) && wireform_runtime::DateTime::parse(text).is_ok()
}

fn is_base64(text: &str) -> bool {
    json::from_str::<wireform_runtime::Bytes>(&Value::from(text).to_string()).is_ok()
}
