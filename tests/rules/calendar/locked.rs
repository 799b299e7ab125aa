//! Locked events: summary, description, location, times and recurrence cannot change.

use crate::calendar::check;
use crate::row::{Row, request};

/// Row about a locked event, from its stored fields, fields that violate the rule, and fields that satisfy it.
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
        "patch.locked_summary",
        "summary",
        r#""summary":"A""#,
        r#""summary":null"#,
        r#""location":null"#
    ),
    locked!(
        "events.patch",
        "patch.locked_recurrence",
        "recurrence",
        r#""recurrence":["RRULE:FREQ=DAILY"],"start":{"timeZone":"UTC"},"end":{"timeZone":"UTC"}"#,
        r#""recurrence":null"#,
        r#""colorId":null"#
    ),
    // An equal time in another notation is not a change.
    locked!(
        "events.update",
        "update.locked_start",
        "start",
        r#""status":"tentative""#,
        r#""start":{"dateTime":"2026-03-02T10:00:00.001Z"}"#,
        r#""start":{"dateTime":"2026-03-02T11:00:00.0+01:00"}"#
    ),
    locked!(
        "events.patch",
        "patch.locked_start",
        "start",
        r#""status":"tentative""#,
        r#""start":{"dateTime":"2026-03-02T09:00:00Z"}"#,
        r#""start":{"dateTime":"2026-03-02T10:00:00+00:00"}"#
    ),
    locked!(
        "events.patch",
        "patch.locked_start",
        "start",
        r#""start":{"timeZone":"UTC"}"#,
        r#""start":{"timeZone":"Europe/Zurich"}"#,
        r#""start":{"timeZone":"UTC"}"#
    ),
    locked!(
        "events.patch",
        "patch.locked_start",
        "start",
        r#""start":{"timeZone":"UTC"}"#,
        r#""start":{"timeZone":null}"#,
        r#""start":{}"#
    ),
    locked!(
        "events.patch",
        "patch.locked_end",
        "end",
        r#""status":"tentative""#,
        r#""end":{"dateTime":"2026-03-02T12:00:00Z"}"#,
        r#""end":{}"#
    ),
    locked!(
        "events.patch",
        "patch.locked_end",
        "end",
        r#""status":"tentative""#,
        r#""end":{"timeZone":"UTC"}"#,
        r#""end":{"dateTime":"2026-03-02T11:00:00Z"}"#
    ),
    locked!(
        "events.patch",
        "patch.locked_start",
        "start",
        r#""start":{"dateTime":null,"date":"2026-03-02"},"end":{"dateTime":null,"date":"2026-03-04"}"#,
        r#""start":{"date":"2026-03-03"}"#,
        r#""start":{"date":"2026-03-02"}"#
    ),
    locked!(
        "events.patch",
        "patch.locked_end",
        "end",
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
    // Without a lock, the summary can change.
    request("events.update", "update.locked_summary", "summary")
        .stored(r#"{"locked":true}"#)
        .breaks(r#"{"summary":"B"}"#)
        .stored_otherwise(r#"{"locked":false}"#)
        .passes(r#"{"summary":"B"}"#),
];

/// Locked fields with two values each.
const MEMBERS: [(&str, [&str; 2]); 6] = [
    ("summary", [r#""summary":"A""#, r#""summary":"B""#]),
    ("description", [r#""description":"A""#, r#""description":"B""#]),
    ("location", [r#""location":"A""#, r#""location":"B""#]),
    ("start", [r#""start":{"timeZone":"UTC"}"#, r#""start":{"dateTime":"2026-03-02T09:00:00Z"}"#]),
    ("end", [r#""end":{"timeZone":"UTC"}"#, r#""end":{"dateTime":"2026-03-02T12:00:00Z"}"#]),
    ("recurrence", [r#""recurrence":["RRULE:FREQ=DAILY"]"#, r#""recurrence":["RRULE:FREQ=WEEKLY"]"#]),
];

/// Checks that the rule is violated exactly when the event is locked and the field differs from the stored one.
#[test]
fn what_is_locked_stays_and_what_is_not_changes() {
    for (operation, member, [one, other]) in
        MEMBERS.into_iter().flat_map(|(member, values)| [("update", member, values), ("patch", member, values)])
    {
        let of: &'static str = if operation == "update" { "events.update" } else { "events.patch" };
        let rule = format!("{operation}.locked_{member}");
        let cleared: &'static str = format!(r#""{member}":null"#).leak();
        for stored in ["", one] {
            for given in ["", one, other, cleared] {
                for locked in [true, false] {
                    let comma = if stored.is_empty() { "" } else { "," };
                    let before: &'static str = format!(r#"{{"locked":{locked}{comma}{stored}}}"#).leak();
                    let row = Row { stored: Some(before), ..request(of, "", "") };
                    let found = check(&row, &format!("{{{given}}}"));
                    let violated = found.iter().any(|(_, found, _)| *found == rule);
                    // Every event has a start and an end, with default values if the row does not set them. Other
                    // fields can be absent.
                    let has_time = matches!(member, "start" | "end");
                    let same = match (operation, given) {
                        ("patch", "") => true,
                        (_, given) if given == cleared => stored.is_empty() && !has_time,
                        _ => stored == given,
                    };
                    assert_eq!(violated, locked && !same, "{rule}: {before} {given}");
                }
            }
        }
    }
}
