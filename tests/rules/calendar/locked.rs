//! Events that are locked: title, description, place, times and recurrence stay as they are.

use crate::calendar::check;
use crate::row::{Row, request};

/// A row about a locked event, by the members that are stored, those that break the rule, and those that do not.
macro_rules! locked {
    ($operation:literal, $rule:literal, $path:literal, $stored:literal, $breaks:literal, $passes:literal) => {
        request($operation, $rule, $path)
            .stored(concat!(r#"{"locked":true,"#, $stored, "}"))
            .breaks(concat!("{", $breaks, "}"))
            .passes(concat!("{", $passes, "}"))
    };
}

pub const ROWS: &[Row] = &[
    locked!(
        "events.update",
        "update.locked_summary",
        "summary",
        r#""summary":"A""#,
        r#""summary":"B""#,
        r#""summary":"A""#
    ),
    locked!(
        "events.update",
        "update.locked_summary",
        "summary",
        r#""summary":"A""#,
        "",
        r#""summary":"A","status":"tentative""#
    ),
    locked!(
        "events.update",
        "update.locked_description",
        "description",
        r#""colorId":"1""#,
        r#""description":"B""#,
        r#""visibility":"public""#
    ),
    locked!(
        "events.update",
        "update.locked_location",
        "location",
        r#""location":"A""#,
        r#""location":"a""#,
        r#""location":"A""#
    ),
    locked!(
        "events.update",
        "update.locked_start",
        "start",
        r#""status":"tentative""#,
        r#""start":{"dateTime":"2026-03-02T09:00:00Z"}"#,
        r#""start":{"dateTime":"2026-03-02T10:00:00Z"}"#
    ),
    locked!(
        "events.update",
        "update.locked_end",
        "end",
        r#""status":"tentative""#,
        r#""end":{"timeZone":"UTC"}"#,
        r#""end":{"dateTime":"2026-03-02T11:00:00Z"}"#
    ),
    locked!(
        "events.update",
        "update.locked_recurrence",
        "recurrence",
        r#""recurrence":["RRULE:FREQ=DAILY"],"start":{"timeZone":"UTC"},"end":{"timeZone":"UTC"}"#,
        r#""start":{"timeZone":"UTC"},"end":{"timeZone":"UTC"}"#,
        r#""recurrence":["RRULE:FREQ=DAILY"],"start":{"timeZone":"UTC"},"end":{"timeZone":"UTC"}"#
    ),
    locked!(
        "events.patch",
        "patch.locked_summary",
        "summary",
        r#""summary":"A""#,
        r#""summary":"B""#,
        r#""summary":"A","status":"tentative""#
    ),
    locked!(
        "events.patch",
        "patch.locked_description",
        "description",
        r#""description":"A""#,
        r#""description":"""#,
        r#""description":"A""#
    ),
    locked!(
        "events.patch",
        "patch.locked_location",
        "location",
        r#""status":"tentative""#,
        r#""location":"B""#,
        r#""status":"confirmed""#
    ),
    locked!(
        "events.patch",
        "patch.locked_start_date_time",
        "start.dateTime",
        r#""status":"tentative""#,
        r#""start":{"dateTime":"2026-03-02T09:00:00Z"}"#,
        r#""start":{"dateTime":"2026-03-02T10:00:00Z"}"#
    ),
    locked!(
        "events.patch",
        "patch.locked_start_time_zone",
        "start.timeZone",
        r#""start":{"timeZone":"UTC"}"#,
        r#""start":{"timeZone":"Europe/Zurich"}"#,
        r#""start":{"timeZone":"UTC"}"#
    ),
    locked!(
        "events.patch",
        "patch.locked_end_date_time",
        "end.dateTime",
        r#""status":"tentative""#,
        r#""end":{"dateTime":"2026-03-02T12:00:00Z"}"#,
        r#""end":{}"#
    ),
    locked!(
        "events.patch",
        "patch.locked_end_time_zone",
        "end.timeZone",
        r#""status":"tentative""#,
        r#""end":{"timeZone":"UTC"}"#,
        r#""end":{"dateTime":"2026-03-02T11:00:00Z"}"#
    ),
    locked!(
        "events.patch",
        "patch.locked_start_date",
        "start.date",
        r#""start":{"dateTime":null,"date":"2026-03-02"},"end":{"dateTime":null,"date":"2026-03-04"}"#,
        r#""start":{"date":"2026-03-03"}"#,
        r#""start":{"date":"2026-03-02"}"#
    ),
    locked!(
        "events.patch",
        "patch.locked_end_date",
        "end.date",
        r#""start":{"dateTime":null,"date":"2026-03-02"},"end":{"dateTime":null,"date":"2026-03-04"}"#,
        r#""end":{"date":"2026-03-03"}"#,
        r#""end":{"date":"2026-03-04"}"#
    ),
    locked!(
        "events.patch",
        "patch.locked_recurrence",
        "recurrence",
        r#""recurrence":["RRULE:FREQ=DAILY"],"start":{"timeZone":"UTC"},"end":{"timeZone":"UTC"}"#,
        r#""recurrence":["RRULE:FREQ=WEEKLY"]"#,
        r#""recurrence":["RRULE:FREQ=DAILY"]"#
    ),
    // What is not locked changes.
    request("events.update", "update.locked_summary", "summary")
        .stored(r#"{"locked":true}"#)
        .breaks(r#"{"summary":"B"}"#)
        .stored_otherwise(r#"{"locked":false}"#)
        .passes(r#"{"summary":"B"}"#),
];

/// The members that are locked, with two values each; `start` and `end` as a whole in an update, by their members in
/// a patch.
const MEMBERS: [(&str, &str, [&str; 2]); 15] = [
    ("update", "summary", [r#""summary":"A""#, r#""summary":"B""#]),
    ("update", "description", [r#""description":"A""#, r#""description":"B""#]),
    ("update", "location", [r#""location":"A""#, r#""location":"B""#]),
    ("update", "start", [r#""start":{"timeZone":"UTC"}"#, r#""start":{"dateTime":"2026-03-02T09:00:00Z"}"#]),
    ("update", "end", [r#""end":{"timeZone":"UTC"}"#, r#""end":{"dateTime":"2026-03-02T12:00:00Z"}"#]),
    ("update", "recurrence", [r#""recurrence":["RRULE:FREQ=DAILY"]"#, r#""recurrence":["RRULE:FREQ=WEEKLY"]"#]),
    ("patch", "summary", [r#""summary":"A""#, r#""summary":"B""#]),
    ("patch", "description", [r#""description":"A""#, r#""description":"B""#]),
    ("patch", "location", [r#""location":"A""#, r#""location":"B""#]),
    ("patch", "recurrence", [r#""recurrence":["RRULE:FREQ=DAILY"]"#, r#""recurrence":["RRULE:FREQ=WEEKLY"]"#]),
    ("patch", "start_date", [r#""start":{"date":"2026-03-02"}"#, r#""start":{"date":"2026-03-01"}"#]),
    ("patch", "start_time_zone", [r#""start":{"timeZone":"UTC"}"#, r#""start":{"timeZone":"Europe/Zurich"}"#]),
    ("patch", "end_date", [r#""end":{"date":"2026-03-02"}"#, r#""end":{"date":"2026-03-01"}"#]),
    ("patch", "end_time_zone", [r#""end":{"timeZone":"UTC"}"#, r#""end":{"timeZone":"Europe/Zurich"}"#]),
    (
        "patch",
        "end_date_time",
        [r#""end":{"dateTime":"2026-03-02T11:00:00Z"}"#, r#""end":{"dateTime":"2026-03-02T12:00:00Z"}"#],
    ),
];

/// A rule speaks when the event is locked, the member is given, and it is not what is stored.
#[test]
fn what_is_locked_stays_and_what_is_not_changes() {
    for (operation, member, [one, other]) in MEMBERS {
        let of: &'static str = if operation == "update" { "events.update" } else { "events.patch" };
        let rule = format!("{operation}.locked_{member}");
        for stored in ["", one] {
            for given in ["", one, other] {
                for locked in [true, false] {
                    let comma = if stored.is_empty() { "" } else { "," };
                    let before: &'static str = format!(r#"{{"locked":{locked}{comma}{stored}}}"#).leak();
                    let row = Row { stored: Some(before), ..request(of, "", "") };
                    let found = check(&row, &format!("{{{given}}}"));
                    let said = found.iter().any(|(_, found, _)| *found == rule);
                    // Without a time of its own an event is the usual one, and so is what is stored.
                    let usual = |text: &str| text.is_empty() || text.contains("T11:00:00Z");
                    let same = stored == given || usual(stored) && usual(given);
                    let kept = operation == "patch" && given.is_empty();
                    assert_eq!(said, locked && !same && !kept, "{rule}: {before} {given}");
                }
            }
        }
    }
}
