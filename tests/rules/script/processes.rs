//! Rows about lists of processes.

use crate::row::{Row, request, response};

/// Rows that both lists of processes share.
macro_rules! list {
    ($operation:literal, $filter:literal, $size:literal, $start:literal, $end:literal) => {
        [
            request($operation, $size, "?pageSize").breaks(r#"{"?pageSize":0}"#).passes(r#"{"?pageSize":1}"#),
            request($operation, $start, concat!("?", $filter, ".startTime"))
                .breaks(r#"{"?startTime":"2026-03-02T10:00:00"}"#)
                .passes(r#"{"?startTime":"2026-03-02T10:00:00Z"}"#),
            request($operation, $end, concat!("?", $filter, ".endTime"))
                .breaks(r#"{"?endTime":"2026-03-02T10:00:00"}"#)
                .passes(r#"{"?endTime":"2026-03-02T10:00:00+01:00"}"#),
        ]
    };
}

pub const ROWS: &[Row] = &[
    USERS[0],
    USERS[1],
    USERS[2],
    SCRIPTS[0],
    SCRIPTS[1],
    SCRIPTS[2],
    request("processes.list", "known_value", "?userProcessFilter.statuses[0]")
        .breaks(r#"{"?statuses":["DONE"]}"#)
        .passes(r#"{"?statuses":["PROCESS_STATUS_UNSPECIFIED","FAILED"]}"#),
    response("processes.list", "type", "processes[1].duration")
        .breaks(r#"{"processes":[{},{"duration":"1 s"}]}"#)
        .passes(r#"{"processes":[{"processStatus":"of a later version"},{"duration":"1.5s"}]}"#),
];

const USERS: [Row; 3] = list!(
    "processes.list",
    "userProcessFilter",
    "user_processes.page_size",
    "user_processes.start_offset",
    "user_processes.end_offset"
);

const SCRIPTS: [Row; 3] = list!(
    "processes.listScriptProcesses",
    "scriptProcessFilter",
    "script_processes.page_size",
    "script_processes.start_offset",
    "script_processes.end_offset"
);
