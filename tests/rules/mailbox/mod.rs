//! Rules of the mailbox.

mod history;
mod labels;
mod messages;
mod threads;
mod users;

use std::any::Any;

use mailbox_validation::Rules;
use mailbox_validation::operation;
use mailbox_validation::requests::{
    UsersGetProfile, UsersHistoryList, UsersLabelsCreate, UsersLabelsDelete, UsersLabelsGet, UsersLabelsList,
    UsersLabelsPatch, UsersLabelsUpdate, UsersMessagesBatchModify, UsersMessagesDelete, UsersMessagesGet,
    UsersMessagesImport, UsersMessagesInsert, UsersMessagesList, UsersMessagesModify, UsersMessagesTrash,
    UsersMessagesUntrash,
};
use mailbox_validation::types::{
    BadRequest, ErrorResponse, Label, ListHistoryResponse, ListMessagesResponse, Message, Profile,
};
use serde_json::{Value, json};
use wireform_runtime::{Decimal, Request};
use wireform_validation::{CheckRequests, Validates, ValidationContext};

use crate::build_request;
use crate::row::{ReportedViolation, Row, RowValue, Side, violations_of_request, violations_of_value};

pub const ROWS: &[&[Row]] = &[history::ROWS, labels::ROWS, messages::ROWS, threads::ROWS, users::ROWS];

/// Returns the base value that a row is merged into.
fn base_value(row: &Row) -> Value {
    let base = if row.side == Side::Request { threads::base_value(row.of) } else { None };
    if let Some(base) = base {
        return base;
    }
    match (row.side, row.of) {
        (Side::Request, "users.messages.insert" | "users.messages.import") => json!({ "raw": "VG86IGFuYQ" }),
        (Side::Request, "users.labels.create" | "users.labels.update") => json!({ "name": "Travel" }),
        // Rows about these operations set their fields themselves, except those about `userId`.
        (Side::Request, "users.messages.modify") if row.path == "?userId" => json!({ "addLabelIds": ["INBOX"] }),
        (Side::Request, "users.messages.batchModify") if row.path == "?userId" => {
            json!({ "ids": ["m"], "addLabelIds": ["INBOX"] })
        }
        _ => json!({}),
    }
}

/// Returns the violations of a value of a row.
pub fn check(row: &Row, text: &str) -> Vec<ReportedViolation> {
    let mut given = RowValue::new(base_value(row), text);
    if row.side == Side::Request
        && let Some(found) = threads::check(row, &given)
    {
        return found;
    }
    match row.side {
        Side::Request if row.of.starts_with("users.labels.") => label(row, given),
        Side::Request if row.of.starts_with("users.messages.") => message(row, given),
        Side::Request if row.of == "users.getProfile" => {
            violations_of_request(&Rules, &build_request!(given, UsersGetProfile::new("me"), user_id: "userId"), None)
        }
        Side::Request => {
            let request = build_request!(
                given, UsersHistoryList::new("me", Decimal(1)),
                user_id: "userId", max_results: "maxResults", history_types: "historyTypes",
            );
            violations_of_request(&Rules, &request, None)
        }
        Side::Response => response(row, &given),
        Side::Value => match row.of {
            "ErrorResponse" => violations_of_value::<ErrorResponse, _>(&Rules, ValidationContext::VALUE, &given),
            "BadRequest" => violations_of_value::<BadRequest, _>(&Rules, ValidationContext::VALUE, &given),
            other => panic!("unexpected value of {other}"),
        },
    }
}

fn response(row: &Row, given: &RowValue) -> Vec<ReportedViolation> {
    let at = operation::response;
    match row.of {
        "users.getProfile" => violations_of_value::<Profile, _>(&Rules, at(operation::USERS_GET_PROFILE), given),
        "users.history.list" => {
            violations_of_value::<ListHistoryResponse, _>(&Rules, at(operation::USERS_HISTORY_LIST), given)
        }
        "users.messages.get" => violations_of_value::<Message, _>(&Rules, at(operation::USERS_MESSAGES_GET), given),
        "users.messages.list" => {
            violations_of_value::<ListMessagesResponse, _>(&Rules, at(operation::USERS_MESSAGES_LIST), given)
        }
        other => panic!("unexpected response of {other}"),
    }
}

/// Returns the violations of a request that does not depend on a stored value.
fn violations_without_stored<R>(request: &R) -> Vec<ReportedViolation>
where
    Rules: Validates<R> + CheckRequests,
    R: Request,
{
    violations_of_request(&Rules, request, None)
}

fn label(row: &Row, mut given: RowValue) -> Vec<ReportedViolation> {
    let stored: Option<Label> =
        row.stored.map(|text| RowValue::new(json!({ "id": "Label_1", "name": "Travel" }), text).body());
    let stored = stored.as_ref().map(|label| label as &dyn Any);
    match row.of {
        "users.labels.list" => {
            violations_without_stored(&build_request!(given, UsersLabelsList::new("me"), user_id: "userId"))
        }
        "users.labels.get" => {
            violations_without_stored(&build_request!(given, UsersLabelsGet::new("me", "Label_1"), user_id: "userId"))
        }
        "users.labels.create" => violations_without_stored(
            &build_request!(given, UsersLabelsCreate::new("me", given.body()), user_id: "userId"),
        ),
        "users.labels.update" => {
            let request =
                build_request!(given, UsersLabelsUpdate::new("me", "Label_1", given.body()), user_id: "userId");
            violations_of_request(&Rules, &request, stored)
        }
        "users.labels.patch" => {
            let request =
                build_request!(given, UsersLabelsPatch::new("me", "Label_1", given.body()), user_id: "userId");
            violations_of_request(&Rules, &request, stored)
        }
        "users.labels.delete" => violations_without_stored(
            &build_request!(given, UsersLabelsDelete::new("me", "Label_1"), user_id: "userId"),
        ),
        other => panic!("unexpected request of {other}"),
    }
}

fn message(row: &Row, mut given: RowValue) -> Vec<ReportedViolation> {
    match row.of {
        "users.messages.list" => violations_without_stored(
            &build_request!(given, UsersMessagesList::new("me"), user_id: "userId", max_results: "maxResults"),
        ),
        "users.messages.get" => violations_without_stored(&build_request!(
            given, UsersMessagesGet::new("me", "m"),
            user_id: "userId", format: "format", metadata_headers: "metadataHeaders",
        )),
        "users.messages.insert" => violations_without_stored(&build_request!(
            given, UsersMessagesInsert::new("me", given.body()),
            user_id: "userId", internal_date_source: "internalDateSource",
        )),
        "users.messages.import" => violations_without_stored(&build_request!(
            given, UsersMessagesImport::new("me", given.body()),
            user_id: "userId", internal_date_source: "internalDateSource",
        )),
        "users.messages.delete" => {
            violations_without_stored(&build_request!(given, UsersMessagesDelete::new("me", "m"), user_id: "userId"))
        }
        "users.messages.trash" => {
            violations_without_stored(&build_request!(given, UsersMessagesTrash::new("me", "m"), user_id: "userId"))
        }
        "users.messages.untrash" => {
            violations_without_stored(&build_request!(given, UsersMessagesUntrash::new("me", "m"), user_id: "userId"))
        }
        "users.messages.modify" => violations_without_stored(
            &build_request!(given, UsersMessagesModify::new("me", "m", given.body()), user_id: "userId"),
        ),
        "users.messages.batchModify" => violations_without_stored(
            &build_request!(given, UsersMessagesBatchModify::new("me", given.body()), user_id: "userId"),
        ),
        other => panic!("unexpected request of {other}"),
    }
}
