//! Operations of the traits, implemented once for both databases.
//!
//! Each file holds a group of [`Operation`](crate::Operation)s and, at its end, the implementation of the trait, which
//! performs them on any [`Backend`](crate::Backend).

mod accounts;
mod bodies;
mod calendar;
mod calendars;
mod channels;
mod cleanup;
mod counts;
mod edit;
mod edit_changes;
mod entries;
pub(crate) mod epoch;
mod events;
mod filter;
mod history;
mod history_start;
mod insert;
mod jobs;
mod label_removal;
mod labels;
mod list;
mod mailbox;
mod mailboxes;
mod maintenance;
mod message;
mod record;
mod scans;
pub(crate) mod scripts;
mod settings;
pub(crate) mod snapshots;
pub(crate) mod sql;
pub(crate) mod texts;
mod threads;
mod tokens;
mod user;
mod user_removal;
mod visible_calendars;
mod windows;
