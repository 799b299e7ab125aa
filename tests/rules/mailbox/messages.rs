//! Rows about messages and their labels.

use crate::row::{Row, request, response};

const INSERT: &str = "users.messages.insert";
const IMPORT: &str = "users.messages.import";
const MODIFY: &str = "users.messages.modify";
const BATCH: &str = "users.messages.batchModify";

pub const ROWS: &[Row] = &[
    // A page size above the maximum is lowered, not rejected.
    request("users.messages.list", "min", "?maxResults")
        .breaks(r#"{"?maxResults":0}"#)
        .passes(r#"{"?maxResults":501}"#),
    request("users.messages.get", "known_value", "?format")
        .breaks(r#"{"?format":"FULL"}"#)
        .passes(r#"{"?format":"metadata","?metadataHeaders":["Subject"]}"#),
    request(INSERT, "required", "raw").breaks(r#"{"raw":null}"#).passes("{}"),
    request(IMPORT, "required", "raw").breaks(r#"{"raw":null}"#).passes("{}"),
    request(INSERT, "length", "raw").breaks(r#"{"raw":""}"#).passes(r#"{"raw":"YQ"}"#),
    request(INSERT, "known_value", "?internalDateSource")
        .breaks(r#"{"?internalDateSource":"now"}"#)
        .passes(r#"{"?internalDateSource":"dateHeader"}"#),
    request(IMPORT, "known_value", "?internalDateSource")
        .breaks(r#"{"?internalDateSource":""}"#)
        .passes(r#"{"?internalDateSource":"receivedTime"}"#),
    request(IMPORT, "items", "classificationLabelValues")
        .breaks(r#"{"classificationLabelValues":["*21",{"labelId":"l"}]}"#)
        .passes(r#"{"classificationLabelValues":["*20",{"labelId":"l"}]}"#),
    // Messages in a response may be partial.
    response("users.messages.get", "type", "internalDate")
        .breaks(r#"{"internalDate":"12.5"}"#)
        .passes(r#"{"internalDate":"-9223372036854775808"}"#),
    response("users.messages.list", "type", "resultSizeEstimate")
        .breaks(r#"{"resultSizeEstimate":-1}"#)
        .passes(r#"{"messages":[{"id":"m","threadId":"t"}],"resultSizeEstimate":4294967295}"#),
    request(MODIFY, "modify.some_label", "addLabelIds")
        .breaks(r#"{"addLabelIds":[]}"#)
        .passes(r#"{"addLabelIds":["INBOX"]}"#),
    request(MODIFY, "modify.some_label", "addLabelIds").breaks("{}").passes(r#"{"removeLabelIds":["UNREAD"]}"#),
    request(MODIFY, "modify.no_label_in_both", "removeLabelIds")
        .breaks(r#"{"addLabelIds":["A","B"],"removeLabelIds":["C","A"]}"#)
        .passes(r#"{"addLabelIds":["A","B"],"removeLabelIds":["C","a"]}"#),
    request(MODIFY, "items", "addLabelIds")
        .breaks(r#"{"addLabelIds":["*101","A"]}"#)
        .passes(r#"{"addLabelIds":["*100","A"]}"#),
    request(MODIFY, "items", "removeLabelIds")
        .breaks(r#"{"removeLabelIds":["*101","A"]}"#)
        .passes(r#"{"removeLabelIds":["*100","A"]}"#),
    request(BATCH, "batch_modify.some_label", "addLabelIds")
        .breaks(r#"{"ids":["m"]}"#)
        .passes(r#"{"ids":["m"],"removeLabelIds":["UNREAD"]}"#),
    request(BATCH, "batch_modify.no_label_in_both", "removeLabelIds")
        .breaks(r#"{"ids":["m"],"addLabelIds":["A"],"removeLabelIds":["A"]}"#)
        .passes(r#"{"ids":["m"],"addLabelIds":["A"],"removeLabelIds":["B"]}"#),
    request(BATCH, "required", "ids").breaks(r#"{"addLabelIds":["A"]}"#).passes(r#"{"ids":["m"],"addLabelIds":["A"]}"#),
    request(BATCH, "items", "ids")
        .breaks(r#"{"ids":["*1001","m"],"addLabelIds":["A"]}"#)
        .passes(r#"{"ids":["*1000","m"],"addLabelIds":["A"]}"#),
    response("users.getProfile", "format", "emailAddress")
        .breaks(r#"{"emailAddress":"me"}"#)
        .passes(r#"{"emailAddress":"ana@example.com","historyId":"18446744073709551615"}"#),
];
