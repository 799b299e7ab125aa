//! Rows about threads, drafts, and sending and deleting messages.

use std::any::Any;

use mailbox_validation::Rules;
use mailbox_validation::requests::{
    UsersDraftsCreate, UsersDraftsDelete, UsersDraftsGet, UsersDraftsList, UsersDraftsSend, UsersDraftsUpdate,
    UsersMessagesAttachmentsGet, UsersMessagesBatchDelete, UsersMessagesSend, UsersThreadsGet, UsersThreadsList,
};
use serde_json::{Value, json};
use wireform_runtime::Request;
use wireform_validation::{CheckRequests, Validates};

use crate::build_request;
use crate::row::{ReportedViolation, Row, RowValue, request, violations_of_request};

pub const ROWS: &[Row] = &[
    request("users.threads.get", "threads_get.format", "?format")
        .breaks(r#"{"?format":"raw"}"#)
        .passes(r#"{"?format":"full"}"#),
    request("users.messages.send", "required", "raw").breaks(r#"{"raw":null}"#).passes("{}"),
    request("users.messages.batchDelete", "required", "ids").breaks(r#"{"ids":null}"#).passes("{}"),
    request("users.messages.batchDelete", "items", "ids")
        .breaks(r#"{"ids":["*1001","m"]}"#)
        .passes(r#"{"ids":["*1000","m"]}"#),
    request("users.drafts.send", "required", "id").breaks(r#"{"id":null}"#).passes("{}"),
];

/// Returns the body that a row is merged into.
pub fn base_value(operation: &str) -> Option<Value> {
    match operation {
        "users.messages.send" => Some(json!({ "raw": "VG86IGFuYQ" })),
        "users.messages.batchDelete" => Some(json!({ "ids": ["m"] })),
        "users.drafts.send" => Some(json!({ "id": "d" })),
        _ => None,
    }
}

/// Returns the violations of a request, if it is of one of these operations.
pub fn check(row: &Row, given: &RowValue) -> Option<Vec<ReportedViolation>> {
    let mut given = given.clone();
    Some(match row.of {
        "users.messages.send" => {
            violations(&build_request!(given, UsersMessagesSend::new("me", given.body()), user_id: "userId"))
        }
        "users.messages.batchDelete" => {
            violations(&build_request!(given, UsersMessagesBatchDelete::new("me", given.body()), user_id: "userId"))
        }
        "users.messages.attachments.get" => {
            violations(&build_request!(given, UsersMessagesAttachmentsGet::new("me", "m", "a"), user_id: "userId"))
        }
        "users.threads.list" => violations(&build_request!(given, UsersThreadsList::new("me"), user_id: "userId")),
        "users.threads.get" => {
            violations(&build_request!(given, UsersThreadsGet::new("me", "t"), user_id: "userId", format: "format"))
        }
        "users.drafts.list" => violations(&build_request!(given, UsersDraftsList::new("me"), user_id: "userId")),
        "users.drafts.get" => violations(&build_request!(given, UsersDraftsGet::new("me", "d"), user_id: "userId")),
        "users.drafts.create" => {
            violations(&build_request!(given, UsersDraftsCreate::new("me", given.body()), user_id: "userId"))
        }
        "users.drafts.update" => {
            violations(&build_request!(given, UsersDraftsUpdate::new("me", "d", given.body()), user_id: "userId"))
        }
        "users.drafts.delete" => {
            violations(&build_request!(given, UsersDraftsDelete::new("me", "d"), user_id: "userId"))
        }
        "users.drafts.send" => {
            violations(&build_request!(given, UsersDraftsSend::new("me", given.body()), user_id: "userId"))
        }
        _ => return None,
    })
}

fn violations<R>(request: &R) -> Vec<ReportedViolation>
where
    Rules: Validates<R> + CheckRequests,
    R: Request,
{
    violations_of_request(&Rules, request, None::<&dyn Any>)
}
