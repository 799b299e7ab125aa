//! Rows about the `userId` parameter, which every operation has.

use crate::row::{Row, request};

/// Row with an unknown user and with the alias of the caller.
const fn user(operation: &'static str, rule: &'static str) -> Row {
    request(operation, rule, "?userId").breaks(r#"{"?userId":"you"}"#).passes(r#"{"?userId":"me"}"#)
}

pub const ROWS: &[Row] = &[
    user("users.getProfile", "profile.user"),
    user("users.messages.list", "messages_list.user"),
    user("users.messages.get", "messages_get.user"),
    user("users.messages.insert", "messages_insert.user"),
    user("users.messages.import", "messages_import.user"),
    user("users.messages.delete", "messages_delete.user"),
    user("users.messages.modify", "messages_modify.user"),
    user("users.messages.batchModify", "messages_batch_modify.user"),
    user("users.messages.trash", "messages_trash.user"),
    user("users.messages.untrash", "messages_untrash.user"),
    user("users.messages.send", "messages_send.user"),
    user("users.messages.batchDelete", "messages_batch_delete.user"),
    user("users.messages.attachments.get", "attachments_get.user"),
    user("users.threads.list", "threads_list.user"),
    user("users.threads.get", "threads_get.user"),
    user("users.drafts.list", "drafts_list.user"),
    user("users.drafts.get", "drafts_get.user"),
    user("users.drafts.create", "drafts_create.user"),
    user("users.drafts.update", "drafts_update.user"),
    user("users.drafts.delete", "drafts_delete.user"),
    user("users.drafts.send", "drafts_send.user"),
    user("users.labels.list", "labels_list.user"),
    user("users.labels.get", "labels_get.user"),
    user("users.labels.create", "labels_create.user"),
    user("users.labels.update", "labels_update.user"),
    user("users.labels.patch", "labels_patch.user"),
    user("users.labels.delete", "labels_delete.user"),
    request("users.labels.get", "labels_get.user", "?userId")
        .breaks(r#"{"?userId":"Ana <ana@example.com>"}"#)
        .passes(r#"{"?userId":"ana@example.com"}"#),
];
