//! Rules of calendar lists, settings and busy times.

use crate::row::{Row, request, response};

pub const ROWS: &[Row] = &[
    request("calendarList.list", "forbids", "?minAccessRole")
        .breaks(r#"{"?syncToken":"a","?minAccessRole":"owner"}"#)
        .passes(r#"{"?minAccessRole":"owner"}"#),
    request("calendarList.list", "forbids", "?showDeleted")
        .breaks(r#"{"?syncToken":"a","?showDeleted":false}"#)
        .passes(r#"{"?syncToken":"a","?showDeleted":true}"#),
    request("calendarList.list", "forbids", "?showHidden")
        .breaks(r#"{"?syncToken":"a","?showHidden":false}"#)
        .passes(r#"{"?syncToken":"a","?showHidden":true}"#),
    request("calendarList.list", "min", "?maxResults").breaks(r#"{"?maxResults":0}"#).passes(r#"{"?maxResults":251}"#),
    response("calendarList.list", "calendar_list.one_token", "nextSyncToken")
        .breaks(r#"{"nextPageToken":"a","nextSyncToken":"b"}"#)
        .passes(r#"{"nextPageToken":"a"}"#),
    response("settings.list", "settings.one_token", "nextSyncToken")
        .breaks(r#"{"nextPageToken":"a","nextSyncToken":"b"}"#)
        .passes(r#"{"nextSyncToken":"b"}"#),
    request("freebusy.query", "free_busy.time_range", "timeMax")
        .breaks(r#"{"timeMax":"2026-03-02T11:00:00+01:00"}"#)
        .passes(r#"{"timeMax":"2026-03-02T11:00:01+01:00"}"#),
    request("freebusy.query", "free_busy.time_min_offset", "timeMin")
        .breaks(r#"{"timeMin":"2026-03-02T12:00:00"}"#)
        .passes(r#"{"timeMin":"2026-03-02T10:59:59Z"}"#),
    request("freebusy.query", "free_busy.time_max_offset", "timeMax")
        .breaks(r#"{"timeMax":"2026-03-02T09:00:00"}"#)
        .passes(r#"{"timeMax":"2026-03-02T10:00:01Z"}"#),
    request("freebusy.query", "required", "timeMin").breaks(r#"{"timeMin":null}"#).passes(r#"{"items":[]}"#),
    request("freebusy.query", "items", "items")
        .breaks(r#"{"items":["*51",{"id":"a"}]}"#)
        .passes(r#"{"items":["*50",{"id":"a"}]}"#),
    request("freebusy.query", "max", "calendarExpansionMax")
        .breaks(r#"{"calendarExpansionMax":51}"#)
        .passes(r#"{"calendarExpansionMax":50}"#),
    request("freebusy.query", "max", "groupExpansionMax")
        .breaks(r#"{"groupExpansionMax":101}"#)
        .passes(r#"{"groupExpansionMax":100}"#),
];
