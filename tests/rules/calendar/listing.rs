//! Rules of lists: their parameters and responses.

use wireform_validation::Severity;

use crate::row::{Row, request, response};

/// List request with a sync token and a parameter that a sync token forbids.
macro_rules! changes {
    ($parameter:literal, $value:literal) => {
        request("events.list", "forbids", concat!("?", $parameter))
            .breaks(concat!(r#"{"?syncToken":"a","?"#, $parameter, r#"":"#, $value, "}"))
            .passes(concat!(r#"{"?"#, $parameter, r#"":"#, $value, "}"))
    };
}

pub const ROWS: &[Row] = &[
    changes!("iCalUID", r#""a""#),
    changes!("orderBy", r#""updated""#),
    changes!("privateExtendedProperty", r#"["a=b"]"#),
    changes!("q", r#""a""#),
    changes!("sharedExtendedProperty", r#"["a=b"]"#),
    changes!("timeMin", r#""2026-03-02T10:00:00Z""#),
    changes!("timeMax", r#""2026-03-02T10:00:00Z""#),
    changes!("updatedMin", r#""2026-03-02T10:00:00Z""#),
    changes!("showDeleted", "false"),
    request("events.list", "forbids", "?showDeleted")
        .breaks(r#"{"?syncToken":"a","?showDeleted":false,"?singleEvents":true}"#)
        .passes(r#"{"?syncToken":"a","?showDeleted":true,"?singleEvents":true,"?maxResults":9}"#),
    request("events.list", "forbids", "?q")
        .with(&[("?timeMax", "forbids", Severity::Error)])
        .breaks(r#"{"?syncToken":"","?q":"a","?timeMax":"2026-03-02T10:00:00Z"}"#)
        .passes(r#"{"?syncToken":"a"}"#),
    request("events.list", "list.order_needs_single_events", "?orderBy")
        .breaks(r#"{"?orderBy":"startTime"}"#)
        .passes(r#"{"?orderBy":"startTime","?singleEvents":true}"#),
    request("events.list", "list.time_range", "?timeMax")
        .breaks(r#"{"?timeMin":"2026-03-02T10:00:00Z","?timeMax":"2026-03-02T11:00:00+01:00"}"#)
        .passes(r#"{"?timeMin":"2026-03-02T10:00:00Z","?timeMax":"2026-03-02T11:00:01+01:00"}"#),
    request("events.list", "list.time_min_offset", "?timeMin")
        .breaks(r#"{"?timeMin":"2026-03-02T10:00:00","?timeMax":"2026-03-02T09:00:00Z"}"#)
        .passes(r#"{"?timeMin":"2026-03-02T10:00:00z"}"#),
    request("events.list", "list.time_max_offset", "?timeMax")
        .breaks(r#"{"?timeMin":"2026-03-02T12:00:00Z","?timeMax":"2026-03-02T10:00:00"}"#)
        .passes(r#"{"?timeMax":"2026-03-02T10:00:00+00:00"}"#),
    request("events.list", "list.updated_min_offset", "?updatedMin")
        .breaks(r#"{"?updatedMin":"2026-03-02T10:00:00"}"#)
        .passes(r#"{"?updatedMin":"2026-03-02T10:00:00Z"}"#),
    request("events.list", "min", "?maxResults").breaks(r#"{"?maxResults":0}"#).passes(r#"{"?maxResults":2501}"#),
    request("events.list", "known_value", "?eventTypes[1]")
        .breaks(r#"{"?eventTypes":["default","party"]}"#)
        .passes(r#"{"?eventTypes":["default","fromGmail"]}"#),
    request("events.list", "pattern", "?privateExtendedProperty[0]")
        .breaks(r#"{"?privateExtendedProperty":["=a"]}"#)
        .passes(r#"{"?privateExtendedProperty":["a="]}"#),
    request("events.list", "format", "?timeZone")
        .breaks(r#"{"?timeZone":"CEST+1"}"#)
        .passes(r#"{"?timeZone":"America/Argentina/Buenos_Aires"}"#),
    request("events.instances", "instances.time_range", "?timeMax")
        .breaks(r#"{"?timeMin":"2026-03-02T10:00:00Z","?timeMax":"2026-03-02T10:00:00Z"}"#)
        .passes(r#"{"?timeMin":"2026-03-02T10:00:00Z","?timeMax":"2026-03-02T10:00:00.001Z"}"#),
    request("events.instances", "instances.time_min_offset", "?timeMin")
        .breaks(r#"{"?timeMin":"2026-03-02T10:00:00","?timeMax":"2026-03-02T09:00:00Z"}"#)
        .passes(r#"{"?timeMin":"2026-03-02T10:00:00-00:00"}"#),
    request("events.instances", "instances.time_max_offset", "?timeMax")
        .breaks(r#"{"?timeMin":"2026-03-02T12:00:00Z","?timeMax":"2026-03-02T10:00:00"}"#)
        .passes(r#"{"?timeMax":"2026-03-02T10:00:00Z"}"#),
    request("events.watch", "watch.order_needs_single_events", "?orderBy")
        .breaks(r#"{"?orderBy":"startTime","?singleEvents":false}"#)
        .passes(r#"{"?orderBy":"updated"}"#),
    request("events.watch", "watch.time_range", "?timeMax")
        .breaks(r#"{"?timeMin":"2026-03-02T10:00:00Z","?timeMax":"2025-03-02T10:00:00Z"}"#)
        .passes(r#"{"?timeMin":"2026-03-02T10:00:00Z","?timeMax":"2027-03-02T10:00:00Z"}"#),
    request("events.watch", "watch.order_needs_single_events", "?orderBy")
        .breaks(r#"{"?orderBy":"startTime"}"#)
        .passes(r#"{"?orderBy":"startTime","?singleEvents":true}"#),
    request("events.watch", "watch.time_range", "?timeMax")
        .breaks(r#"{"?timeMin":"2026-03-02T10:00:00Z","?timeMax":"2026-03-02T10:00:00Z"}"#)
        .passes(r#"{"?timeMax":"2027-03-02T10:00:00Z"}"#),
    request("events.watch", "watch.time_min_offset", "?timeMin")
        .breaks(r#"{"?timeMin":"2026-03-02T10:00:00","?timeMax":"2026-03-02T09:00:00Z"}"#)
        .passes(r#"{"?timeMin":"2026-03-02T10:00:00Z"}"#),
    request("events.watch", "watch.time_max_offset", "?timeMax")
        .breaks(r#"{"?timeMin":"2026-03-02T12:00:00Z","?timeMax":"2026-03-02T10:00:00"}"#)
        .passes(r#"{"?timeMax":"2026-03-02T10:00:00Z"}"#),
    request("events.watch", "watch.updated_min_offset", "?updatedMin")
        .breaks(r#"{"?updatedMin":"2026-03-02T10:00:00"}"#)
        .passes(r#"{"?updatedMin":"2026-03-02T10:00:00Z"}"#),
    // Responses.
    response("events.list", "events.one_token", "nextSyncToken")
        .breaks(r#"{"nextPageToken":"a","nextSyncToken":"b"}"#)
        .passes(r#"{"nextSyncToken":"b"}"#),
    response("events.instances", "events.one_token", "nextSyncToken")
        .breaks(r#"{"nextPageToken":"a","nextSyncToken":"b","items":[{}]}"#)
        .passes(r#"{"nextPageToken":"a"}"#),
    response("events.get", "event.cancelled_has_id", "id")
        .breaks(r#"{"status":"cancelled"}"#)
        .passes(r#"{"status":"cancelled","id":"abcde"}"#),
    response("events.instances", "event.cancelled_instance_has_place", "items[0].originalStartTime")
        .breaks(r#"{"items":[{"status":"cancelled","id":"abcde","recurringEventId":"series"}]}"#)
        .passes(
            r#"{"items":[{"status":"cancelled","id":"abcde","recurringEventId":"series","originalStartTime":{}},{}]}"#,
        ),
];
