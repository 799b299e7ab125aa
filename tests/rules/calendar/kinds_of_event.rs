//! Rules of fields that only one type of event has, and of fields that cannot change after creation.

use crate::row::{Row, request, response};

/// All-day event of a type, with further fields.
macro_rules! all_day {
    ($kind:literal $(, $members:literal)?) => {
        concat!(
            r#"{"start":{"dateTime":null,"date":"2026-03-02"},"end":{"dateTime":null,"date":"2026-03-03"},"#,
            r#""eventType":""#,
            $kind,
            r#"""#,
            $(",", $members,)?
            "}"
        )
    };
}

/// Stored birthday.
const BIRTHDAY: &str = all_day!(
    "birthday",
    r#""recurrence":["RRULE:FREQ=YEARLY"],"birthdayProperties":{"type":"birthday","contact":"people/1"}"#
);

/// Event with a working location.
macro_rules! work {
    ($members:literal) => {
        concat!(r#"{"eventType":"workingLocation","workingLocationProperties":{"#, $members, "}}")
    };
}

pub const ROWS: &[Row] = &[
    // Fields that require their event type.
    request("events.insert", "event.working_location_type", "workingLocationProperties")
        .breaks(r#"{"workingLocationProperties":{"type":"homeOffice","homeOffice":{}}}"#)
        .passes(work!(r#""type":"homeOffice","homeOffice":{}"#)),
    request("events.insert", "event.out_of_office_type", "outOfOfficeProperties")
        .breaks(r#"{"eventType":"focusTime","outOfOfficeProperties":{"declineMessage":"A"}}"#)
        .passes(r#"{"eventType":"outOfOffice","outOfOfficeProperties":{"declineMessage":"A"}}"#),
    request("events.update", "event.focus_time_type", "focusTimeProperties")
        .breaks(r#"{"eventType":"outOfOffice","focusTimeProperties":{"chatStatus":"doNotDisturb"}}"#)
        .passes(r#"{"eventType":"focusTime","focusTimeProperties":{"chatStatus":"doNotDisturb"}}"#),
    request("events.patch", "event.focus_time_type", "focusTimeProperties")
        .stored("{}")
        .breaks(r#"{"focusTimeProperties":{"chatStatus":"available"}}"#)
        .passes(r#"{"focusTimeProperties":null}"#),
    request("events.insert", "event.birthday_type", "birthdayProperties")
        .breaks(r#"{"birthdayProperties":{}}"#)
        .passes(all_day!("birthday", r#""recurrence":["RRULE:FREQ=YEARLY"],"birthdayProperties":{}"#)),
    request("events.insert", "known_value", "focusTimeProperties.chatStatus")
        .breaks(r#"{"eventType":"focusTime","focusTimeProperties":{"chatStatus":"away"}}"#)
        .passes(r#"{"eventType":"focusTime","focusTimeProperties":{"chatStatus":"available"}}"#),
    request("events.insert", "event.not_from_mail", "eventType")
        .breaks(r#"{"eventType":"fromGmail"}"#)
        .passes(r#"{"eventType":"outOfOffice"}"#),
    // Birthdays.
    request("events.insert", "event.birthday_all_day", "start")
        .breaks(
            r#"{"eventType":"birthday","recurrence":["RRULE:FREQ=YEARLY"],"start":{"timeZone":"UTC"},"end":{"timeZone":"UTC"}}"#,
        )
        .passes(all_day!("birthday", r#""recurrence":["rrule:interval=1;freq=yearly"]"#)),
    request("events.insert", "event.birthday_every_year", "recurrence")
        .breaks(all_day!("birthday", r#""recurrence":["RRULE:FREQ=DAILY"]"#))
        .passes(all_day!("birthday", r#""recurrence":["RRULE:FREQ=YEARLY;BYMONTH=2"]"#)),
    request("events.insert", "event.birthday_every_year", "recurrence")
        .breaks(all_day!("birthday", r#""recurrence":["RDATE;VALUE=DATE:20270302"]"#))
        .passes(all_day!("birthday", r#""recurrence":["RRULE:FREQ=YEARLY;INTERVAL=1;WKST=SU"]"#)),
    request("events.update", "event.birthday_every_year", "recurrence")
        .breaks(all_day!("birthday", r#""recurrence":["RRULE:INTERVAL=12;FREQ=MONTHLY"]"#))
        .passes(all_day!("birthday", r#""recurrence":["RRULE:BYMONTHDAY=-1;BYMONTH=2;FREQ=YEARLY"]"#)),
    request("events.update", "event.birthday_every_year", "recurrence")
        .breaks(all_day!("birthday", r#""recurrence":["RRULE:FREQ=YEARLY","RRULE:FREQ=YEARLY"]"#))
        .passes(all_day!("birthday", r#""recurrence":["RRULE:FREQ=YEARLY;COUNT=3"]"#)),
    request("events.patch", "event.birthday_every_year", "recurrence")
        .stored(BIRTHDAY)
        .breaks(r#"{"recurrence":null}"#)
        .passes(r#"{"recurrence":["RRULE:FREQ=YEARLY;BYMONTH=2"]}"#),
    request("events.patch", "event.birthday_every_year", "recurrence")
        .stored(BIRTHDAY)
        .breaks(r#"{"recurrence":["RRULE:FREQ=YEARLY","RDATE;VALUE=DATE:20300401"]}"#)
        .passes(r#"{"summary":"A"}"#),
    request("events.insert", "birthday.creatable", "birthdayProperties.type")
        .breaks(all_day!("birthday", r#""recurrence":["RRULE:FREQ=YEARLY"],"birthdayProperties":{"type":"custom"}"#))
        .passes(all_day!("birthday", r#""recurrence":["RRULE:FREQ=YEARLY"],"birthdayProperties":{"type":"birthday"}"#)),
    response("events.get", "birthday.own_has_no_contact", "birthdayProperties.contact")
        .breaks(r#"{"birthdayProperties":{"type":"self","contact":"people/1"}}"#)
        .passes(r#"{"birthdayProperties":{"type":"self"}}"#),
    response("events.get", "birthday.others_have_a_contact", "birthdayProperties.contact")
        .breaks(r#"{"birthdayProperties":{"type":"anniversary"}}"#)
        .passes(r#"{"birthdayProperties":{"type":"anniversary","contact":"people/1"}}"#),
    response("events.get", "birthday.others_have_a_contact", "birthdayProperties.contact")
        .breaks(r#"{"birthdayProperties":{"type":"custom","customTypeName":"A"}}"#)
        .passes(r#"{"birthdayProperties":{"type":"custom","customTypeName":"A","contact":"people/1"}}"#),
    response("events.get", "birthday.others_have_a_contact", "birthdayProperties.contact")
        .breaks(r#"{"birthdayProperties":{"type":"other"}}"#)
        .passes(r#"{"birthdayProperties":{"type":"birthday"}}"#),
    response("events.list", "birthday.custom_has_a_name", "items[0].birthdayProperties.customTypeName")
        .breaks(r#"{"items":[{"birthdayProperties":{"type":"custom","contact":"people/1"}}]}"#)
        .passes(r#"{"items":[{"birthdayProperties":{"type":"custom","contact":"people/1","customTypeName":"A"}}]}"#),
    response("events.get", "pattern", "birthdayProperties.contact")
        .breaks(r#"{"birthdayProperties":{"contact":"people/"}}"#)
        .passes(r#"{"birthdayProperties":{"contact":"people/c1"}}"#),
    // Working locations.
    request("events.insert", "required", "workingLocationProperties.type")
        .breaks(work!(r#""homeOffice":{}"#))
        .passes(work!(r#""homeOffice":{},"type":"homeOffice""#)),
    request("events.patch", "required", "workingLocationProperties.type")
        .stored(r#"{"eventType":"workingLocation"}"#)
        .breaks(r#"{"workingLocationProperties":{"homeOffice":{}}}"#)
        .passes(r#"{"workingLocationProperties":{"homeOffice":{},"type":"homeOffice"}}"#),
    request("events.patch", "required", "workingLocationProperties.type")
        .stored(work!(r#""type":"homeOffice","homeOffice":{}"#))
        .breaks(r#"{"workingLocationProperties":{"type":null}}"#)
        .passes(r#"{"workingLocationProperties":{"homeOffice":1}}"#),
    request("events.insert", "working_location.details", "workingLocationProperties.type")
        .warns()
        .breaks(work!(r#""type":"officeLocation""#))
        .passes(work!(r#""type":"officeLocation","officeLocation":{}"#)),
    request("events.insert", "working_location.details", "workingLocationProperties.type")
        .warns()
        .breaks(work!(r#""type":"homeOffice""#))
        .passes(work!(r#""type":"homeOffice","homeOffice":0"#)),
    request("events.insert", "working_location.other_details", "workingLocationProperties.type")
        .warns()
        .breaks(work!(r#""type":"customLocation","customLocation":{},"homeOffice":{}"#))
        .passes(work!(r#""type":"customLocation","customLocation":{"label":"A"}"#)),
    request("events.insert", "working_location.other_details", "workingLocationProperties.type")
        .warns()
        .breaks(work!(r#""type":"homeOffice","homeOffice":{},"officeLocation":{}"#))
        .passes(work!(r#""type":"officeLocation","officeLocation":{"deskId":"1"}"#)),
    request("events.insert", "working_location.other_details", "workingLocationProperties.type")
        .warns()
        .breaks(work!(r#""type":"homeOffice","homeOffice":{},"customLocation":{}"#))
        .passes(work!(r#""type":"homeOffice","homeOffice":true"#)),
    request("events.insert", "office_location.known_building", "workingLocationProperties.officeLocation.buildingId")
        .warns()
        .breaks(work!(r#""type":"officeLocation","officeLocation":{"buildingId":""}"#))
        .passes(work!(r#""type":"officeLocation","officeLocation":{"buildingId":"A"}"#)),
    // Immutable fields.
    request("events.update", "immutable", "id").stored("{}").breaks(r#"{"id":"abcdf"}"#).passes(r#"{"id":"abcde"}"#),
    request("events.update", "immutable", "eventType")
        .stored("{}")
        .breaks(r#"{"eventType":"outOfOffice"}"#)
        .passes(r#"{"eventType":"default"}"#),
    request("events.update", "immutable", "iCalUID")
        .stored(r#"{"iCalUID":"a"}"#)
        .breaks(r#"{"iCalUID":"b"}"#)
        .passes(r#"{"iCalUID":"a"}"#),
    request("events.patch", "immutable", "iCalUID")
        .stored(r#"{"iCalUID":"a"}"#)
        .breaks(r#"{"iCalUID":null}"#)
        .passes(r#"{"iCalUID":"a"}"#),
    request("events.insert", "effective_when", "recurringEventId").warns().breaks(r#"{"recurringEventId":"a"}"#).passes("{}"),
    request("events.insert", "effective_when", "originalStartTime")
        .warns()
        .breaks(r#"{"originalStartTime":{"date":"2026-03-02"}}"#)
        .passes("{}"),
    request("events.import", "effective_when", "recurringEventId")
        .warns()
        .breaks(r#"{"recurringEventId":"a"}"#)
        .passes(r#"{"originalStartTime":{"date":"2026-03-02"}}"#),
    request("events.patch", "immutable", "eventType")
        .stored(r#"{"eventType":"fromGmail"}"#)
        .breaks(r#"{"eventType":"default"}"#)
        .passes(r#"{"eventType":"fromGmail"}"#),
    // An equal time in another notation is not a change, but a patch that clears the field is.
    request("events.update", "immutable", "originalStartTime")
        .stored(r#"{"originalStartTime":{"dateTime":"2026-03-02T10:00:00Z"}}"#)
        .breaks(r#"{"originalStartTime":{"dateTime":"2026-03-02T10:00:00.5Z"}}"#)
        .passes(r#"{"originalStartTime":{"dateTime":"2026-03-02T11:00:00.0+01:00"}}"#),
    request("events.patch", "immutable", "originalStartTime")
        .stored(r#"{"originalStartTime":{"dateTime":"2026-03-02T10:00:00Z"}}"#)
        .breaks(r#"{"originalStartTime":null}"#)
        .passes(r#"{"originalStartTime":{"dateTime":"2026-03-02T10:00:00+00:00"}}"#),
    request("events.patch", "immutable", "recurringEventId")
        .stored(r#"{"recurringEventId":"series"}"#)
        .breaks(r#"{"recurringEventId":null}"#)
        .passes(r#"{"privateCopy":null}"#),
    request("events.patch", "immutable", "eventType")
        .stored(r#"{"eventType":"fromGmail"}"#)
        .stored_otherwise(r#"{"eventType":"default"}"#)
        .breaks(r#"{"eventType":null}"#)
        .passes(r#"{"eventType":null}"#),
    request("events.patch", "immutable", "birthdayProperties")
        .stored(r#"{"eventType":"birthday","birthdayProperties":{"type":"self"}}"#)
        .breaks(r#"{"birthdayProperties":null}"#)
        .passes(r#"{"birthdayProperties":{}}"#),
    request("events.update", "immutable", "privateCopy")
        .stored("{}")
        .breaks(r#"{"privateCopy":true}"#)
        .passes(r#"{"privateCopy":false}"#),
    request("events.update", "immutable", "recurringEventId")
        .stored(r#"{"recurringEventId":"series"}"#)
        .breaks(r#"{"recurringEventId":"other"}"#)
        .passes("{}"),
    request("events.patch", "immutable", "originalStartTime")
        .stored(r#"{"originalStartTime":{"date":"2026-03-02"}}"#)
        .breaks(r#"{"originalStartTime":{"date":"2026-03-03"}}"#)
        .passes(r#"{"originalStartTime":{"date":"2026-03-02"}}"#),
    request("events.patch", "immutable", "birthdayProperties")
        .stored(BIRTHDAY)
        .breaks(r#"{"birthdayProperties":{"type":"custom"}}"#)
        .passes(r#"{"birthdayProperties":{"type":"birthday"}}"#),
    request("events.update", "immutable", "birthdayProperties")
        .stored(BIRTHDAY)
        .breaks(all_day!("birthday", r#""recurrence":["RRULE:FREQ=YEARLY"],"birthdayProperties":{"type":"self"}"#))
        .passes(all_day!("birthday", r#""recurrence":["RRULE:FREQ=YEARLY"],"birthdayProperties":{}"#)),
    request("events.move", "move.only_default_events", "?eventId")
        .stored(r#"{"eventType":"birthday"}"#)
        .stored_otherwise(r#"{"eventType":"default"}"#),
    request("events.move", "move.only_default_events", "?eventId")
        .stored(r#"{"eventType":"of a later version"}"#)
        .stored_otherwise("{}"),
];
