//! Rows about the history and about errors.

use crate::row::{Row, request, response, value};

pub const ROWS: &[Row] = &[
    request("users.history.list", "history.user", "?userId")
        .breaks(r#"{"?userId":"you"}"#)
        .passes(r#"{"?userId":"a@example.com"}"#),
    request("users.history.list", "history.user", "?userId").breaks(r#"{"?userId":""}"#).passes(r#"{"?userId":"me"}"#),
    // A page size above the maximum is lowered, not rejected.
    request("users.history.list", "min", "?maxResults").breaks(r#"{"?maxResults":0}"#).passes(r#"{"?maxResults":501}"#),
    request("users.history.list", "known_value", "?historyTypes[1]")
        .breaks(r#"{"?historyTypes":["labelAdded","labelMoved"]}"#)
        .passes(r#"{"?historyTypes":["labelAdded","labelRemoved"]}"#),
    // A typed request cannot contain a value of the wrong type, but a response can.
    response("users.history.list", "type", "historyId")
        .breaks(r#"{"historyId":"12x"}"#)
        .passes(r#"{"historyId":"18446744073709551615"}"#),
    response("users.history.list", "type", "history[0].id")
        .breaks(r#"{"history":[{"id":"-1"}]}"#)
        .passes(r#"{"history":[{"id":"1"}]}"#),
    response("users.history.list", "format", "history[0].messages[0].payload.mimeType")
        .breaks(r#"{"history":[{"messages":[{"payload":{"mimeType":"text"}}]}]}"#)
        .passes(r#"{"history":[{"messages":[{"payload":{"mimeType":"text/plain"}}]}]}"#),
    value("ErrorResponse", "required", "error.message")
        .breaks(r#"{"error":{"code":404}}"#)
        .passes(r#"{"error":{"code":404,"message":"A"}}"#),
    value("ErrorResponse", "length", "error.message")
        .breaks(r#"{"error":{"code":404,"message":""}}"#)
        .passes(r#"{"error":{"code":404,"message":"A"}}"#),
    value("BadRequest", "constant", "[\"@type\"]")
        .breaks(r#"{"@type":"type.googleapis.com/google.rpc.Help"}"#)
        .passes(r#"{"@type":"type.googleapis.com/google.rpc.BadRequest"}"#),
];
