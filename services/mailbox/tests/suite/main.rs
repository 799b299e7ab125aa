//! Tests of the mail service by requests to its router, on a store in a temporary folder.
// Arguments that are lists are written as lists, even with one element.
#![allow(clippy::unwrap_used, clippy::panic, clippy::cloned_ref_to_slice_refs)]

mod attachments;
mod batches;
mod budget;
mod changes;
mod decoded;
mod desk;
mod formats;
mod history;
mod history_queries;
mod hostile;
mod imports;
mod labels;
mod mails;
mod mboxes;
mod operators;
mod queries;
mod searches;
mod sending;
mod stalled_peers;
mod statements;
mod store_errors;
mod stored;
mod streams;
mod threads;
mod uploads;
mod users;
