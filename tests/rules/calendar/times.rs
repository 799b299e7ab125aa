//! Rules of start, end and recurrence.

use crate::row::{Row, request, response};

/// Event with two times, followed by further fields.
macro_rules! times {
    ($start:literal, $end:literal $(, $members:literal)?) => {
        concat!(
            r#"{"start":{"dateTime":"#,
            $start,
            r#"},"end":{"dateTime":"#,
            $end,
            "}",
            $(",", $members,)?
            "}"
        )
    };
}

/// Event with two dates, followed by further fields.
macro_rules! days {
    ($start:literal, $end:literal $(, $members:literal)?) => {
        concat!(
            r#"{"start":{"dateTime":null,"date":""#,
            $start,
            r#""},"end":{"dateTime":null,"date":""#,
            $end,
            r#""}"#,
            $(",", $members,)?
            "}"
        )
    };
}

/// Stored event series.
const SERIES: &str = r#"{"recurrence":["RRULE:FREQ=DAILY"],"start":{"timeZone":"UTC"},"end":{"timeZone":"UTC"}}"#;

pub const ROWS: &[Row] = &[
    request("events.insert", "required", "start")
        .breaks(r#"{"start":null}"#)
        .passes(r#"{"start":{"dateTime":"2026-03-02T09:00:00Z"}}"#),
    request("events.update", "required", "end").breaks(r#"{"end":null}"#).passes("{}"),
    request("events.import", "required", "end").breaks(r#"{"end":null}"#).passes("{}"),
    request("events.patch", "event.keeps_start", "start")
        .stored("{}")
        .breaks(r#"{"start":null}"#)
        .passes(r#"{"summary":null}"#),
    request("events.patch", "event.keeps_end", "end").stored("{}").breaks(r#"{"end":null}"#).passes(r#"{"end":{}}"#),
    request("events.insert", "event_date_time.not_both", "start.dateTime")
        .breaks(r#"{"start":{"date":"2026-03-02"},"end":{"dateTime":null,"date":"2026-03-03"}}"#)
        .passes(days!("2026-03-02", "2026-03-03")),
    request("events.patch", "event_date_time.not_both", "start.dateTime")
        .stored("{}")
        .breaks(r#"{"start":{"date":"2026-03-02"},"end":{"dateTime":null,"date":"2026-03-03"}}"#)
        .passes(days!("2026-03-02", "2026-03-03")),
    response("events.get", "event_date_time.not_both", "end.dateTime")
        .breaks(r#"{"end":{"date":"2026-03-02","dateTime":"2026-03-02T10:00:00Z"}}"#)
        .passes(r#"{"end":{"date":"2026-03-02"}}"#),
    request("events.insert", "event_date_time.one_of_them", "end.dateTime")
        .breaks(r#"{"end":{"dateTime":null,"timeZone":"UTC"}}"#)
        .passes(r#"{"end":{"timeZone":"UTC"}}"#),
    request("events.patch", "event_date_time.one_of_them", "end.dateTime")
        .stored("{}")
        .breaks(r#"{"end":{"dateTime":null}}"#)
        .passes(r#"{"end":{"timeZone":"UTC"}}"#),
    request("events.insert", "event.same_kind_of_time", "end")
        .breaks(r#"{"start":{"dateTime":null,"date":"2026-03-02"}}"#)
        .passes(days!("2026-03-02", "2026-03-03")),
    request("events.patch", "event.same_kind_of_time", "end")
        .stored("{}")
        .breaks(r#"{"start":{"dateTime":null,"date":"2026-03-02"}}"#)
        .passes(days!("2026-03-02", "2026-03-03")),
    request("events.insert", "event_date_time.offset", "start.dateTime")
        .breaks(r#"{"start":{"dateTime":"2026-03-02T10:00:00"}}"#)
        .passes(r#"{"start":{"dateTime":"2026-03-02T10:00:00","timeZone":"Europe/Zurich"}}"#),
    request("events.update", "event_date_time.offset", "originalStartTime.dateTime")
        .breaks(r#"{"originalStartTime":{"dateTime":"2026-03-02T10:00:00"}}"#)
        .passes(r#"{"originalStartTime":{"dateTime":"2026-03-02T10:00:00-00:00"}}"#),
    request("events.patch", "event_date_time.offset", "end.dateTime")
        .stored("{}")
        .breaks(r#"{"end":{"dateTime":"2026-03-02T12:00:00"}}"#)
        .passes(r#"{"end":{"dateTime":"2026-03-02T12:00:00","timeZone":"UTC"}}"#),
    request("events.insert", "format", "start.timeZone")
        .breaks(r#"{"start":{"timeZone":"Europe/Zürich"}}"#)
        .passes(r#"{"start":{"timeZone":"Europe/Zurich"}}"#),
    // Order of start and end.
    request("events.insert", "event.day_after_day", "end.date")
        .breaks(days!("2026-03-02", "2026-03-02"))
        .passes(days!("2026-02-28", "2026-03-01")),
    request("events.patch", "event.day_after_day", "end.date")
        .stored(days!("2026-03-02", "2026-03-03"))
        .breaks(r#"{"end":{"date":"2026-03-01"}}"#)
        .passes(r#"{"end":{"date":"2026-03-05"}}"#),
    request("events.insert", "event.end_not_before_start", "end.dateTime")
        .breaks(times!(r#""2026-03-02T10:00:00Z""#, r#""2026-03-02T10:59:59+01:00""#))
        .passes(times!(r#""2026-03-02T10:00:00Z""#, r#""2026-03-02T11:00:00+01:00""#)),
    request("events.update", "event.end_not_before_start", "end.dateTime")
        .breaks(times!(r#""2026-03-02T10:00:00Z""#, r#""2026-03-02T09:00:00Z""#))
        .passes(times!(r#""2026-03-02T10:00:00Z""#, r#""2026-03-02T10:00:00Z""#)),
    request("events.patch", "event.end_not_before_start", "end.dateTime")
        .stored("{}")
        .breaks(r#"{"start":{"dateTime":"2026-03-02T12:00:00Z"}}"#)
        .passes(r#"{"start":{"dateTime":"2026-03-02T10:30:00Z"}}"#),
    request("events.insert", "event.local_end_not_before_start", "end.dateTime")
        .breaks(times!(r#""2026-03-02T10:00:00","timeZone":"UTC""#, r#""2026-03-02T09:59:59","timeZone":"UTC""#))
        .passes(times!(
            r#""2026-03-02T10:00:00","timeZone":"Europe/Zurich""#,
            r#""2026-03-02T09:30:00","timeZone":"Europe/London""#
        )),
    request("events.insert", "event.local_end_not_before_start", "end.dateTime")
        .breaks(times!(
            r#""2026-03-02T10:00:00.5","timeZone":"Europe/Zurich""#,
            r#""2026-03-02T10:00:00","timeZone":"Europe/Zurich""#
        ))
        .passes(times!(
            r#""2026-03-02T10:00:00","timeZone":"Europe/Zurich""#,
            r#""2026-03-02T10:00:00","timeZone":"Europe/Zurich""#
        )),
    // Recurrence.
    request("events.insert", "format", "recurrence[1]")
        .breaks(days!("2026-03-02", "2026-03-03", r#""recurrence":["RRULE:FREQ=DAILY","DTSTART:20260302T100000Z"]"#))
        .passes(days!("2026-03-02", "2026-03-03", r#""recurrence":["RRULE:FREQ=DAILY","EXDATE:20260304T100000Z"]"#)),
    request("events.patch", "format", "recurrence[0]")
        .breaks(r#"{"recurrence":["DTEND:20260302T100000Z"]}"#)
        .passes(r#"{"recurrence":["RDATE;VALUE=DATE:20260302"]}"#),
    request("events.import", "format", "recurrence[0]")
        .breaks(days!("2026-03-02", "2026-03-03", r#""recurrence":["FREQ=DAILY"]"#))
        .passes(days!("2026-03-02", "2026-03-03", r#""recurrence":["RRULE:FREQ=DAILY"]"#)),
    request("events.insert", "event.series_start_zone", "start.timeZone")
        .breaks(r#"{"recurrence":["RRULE:FREQ=DAILY"],"end":{"timeZone":"UTC"}}"#)
        .passes(SERIES),
    request("events.update", "event.series_start_zone", "start.timeZone")
        .breaks(r#"{"recurrence":["RRULE:FREQ=DAILY"]}"#)
        .passes(r#"{"recurrence":["RRULE:FREQ=DAILY"],"start":{"timeZone":"UTC"}}"#),
    request("events.import", "event.series_start_zone", "start.timeZone")
        .breaks(r#"{"recurrence":["RRULE:FREQ=DAILY"]}"#)
        .passes(days!("2026-03-02", "2026-03-03", r#""recurrence":["RRULE:FREQ=DAILY"]"#)),
    request("events.patch", "event.series_start_zone", "start.timeZone")
        .stored(r#"{"end":{"timeZone":"UTC"}}"#)
        .breaks(r#"{"recurrence":["RRULE:FREQ=DAILY"]}"#)
        .passes(r#"{"recurrence":["RRULE:FREQ=DAILY"],"start":{"timeZone":"UTC"}}"#),
    request("events.update", "event.instance_has_no_recurrence", "recurrence")
        .breaks(days!("2026-03-02", "2026-03-03", r#""recurrence":["RRULE:FREQ=DAILY"],"recurringEventId":"abcde""#))
        .passes(days!("2026-03-02", "2026-03-03", r#""recurrence":[],"recurringEventId":"abcde""#)),
    response("events.instances", "event.instance_has_no_recurrence", "items[1].recurrence")
        .breaks(r#"{"items":[{},{"recurrence":["RRULE:FREQ=DAILY"],"recurringEventId":"abcde"}]}"#)
        .passes(r#"{"items":[{"recurrence":["RRULE:FREQ=DAILY"]},{"recurringEventId":"abcde"}]}"#),
];
