//! The mail service over its router, on a store in a folder that is thrown away.
// Lists are written as lists, also where they have one element.
#![allow(clippy::unwrap_used, clippy::panic, clippy::cloned_ref_to_slice_refs)]

mod batches;
mod budget;
mod changes;
mod decoded;
mod desk;
mod formats;
mod history;
mod hostile;
mod imports;
mod labels;
mod mails;
mod mboxes;
mod operators;
mod queries;
mod searches;
mod stored;
mod streams;
mod troubles;
mod users;
