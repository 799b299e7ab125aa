//! The rules of the mailbox.

use mailbox_validation::Rules;
use mailbox_validation::operation;
use mailbox_validation::requests::UsersHistoryList;
use mailbox_validation::types::{BadRequest, ErrorResponse, ListHistoryResponse};
use serde_json::json;
use wireform_runtime::Decimal;
use wireform_validation::Context;

use crate::asked;
use crate::row::{Found, Given, Row, Side, of_request, of_value, request, response, value};

/// The rows.
pub const ROWS: &[&[Row]] = &[ALL];

const ALL: &[Row] = &[
    request("users.history.list", "history.user", "?userId")
        .breaks(r#"{"?userId":"you"}"#)
        .passes(r#"{"?userId":"a@example.com"}"#),
    request("users.history.list", "history.user", "?userId").breaks(r#"{"?userId":""}"#).passes(r#"{"?userId":"me"}"#),
    // More than a page holds is lowered, not refused.
    request("users.history.list", "min", "?maxResults").breaks(r#"{"?maxResults":0}"#).passes(r#"{"?maxResults":501}"#),
    request("users.history.list", "known_value", "?historyTypes[1]")
        .breaks(r#"{"?historyTypes":["labelAdded","labelMoved"]}"#)
        .passes(r#"{"?historyTypes":["labelAdded","labelRemoved"]}"#),
    // What is sent cannot be wrong in its type; what is answered can.
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

/// What is said of a value of a row.
pub fn check(row: &Row, text: &str) -> Vec<Found> {
    let mut given = Given::new(json!({}), text);
    match (row.side, row.of) {
        (Side::Request, "users.history.list") => {
            let request = asked!(
                given, UsersHistoryList::new("me", Decimal(1)),
                user_id: "userId", max_results: "maxResults", history_types: "historyTypes",
            );
            of_request(&Rules, &request, None)
        }
        (Side::Response, "users.history.list") => {
            let context = operation::response(operation::USERS_HISTORY_LIST);
            of_value::<ListHistoryResponse, _>(&Rules, context, &given)
        }
        (Side::Value, "ErrorResponse") => of_value::<ErrorResponse, _>(&Rules, Context::VALUE, &given),
        (Side::Value, "BadRequest") => of_value::<BadRequest, _>(&Rules, Context::VALUE, &given),
        other => panic!("no {other:?} is known"),
    }
}
