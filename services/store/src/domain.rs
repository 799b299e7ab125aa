//! Operations of the traits, implemented once for both databases.
//!
//! Each file holds a group of [`Operation`](crate::Operation)s and, at its end, the implementation of the trait, which
//! performs them on any [`Backend`](crate::Backend).

mod accounts;
mod bodies;
mod calendar;
mod calendars;
mod channels;
mod counts;
mod edit;
mod entries;
pub(crate) mod epoch;
mod events;
mod filter;
mod forget;
mod history;
mod insert;
mod label_removal;
mod labels;
mod list;
mod mailbox;
mod mailboxes;
mod message;
mod recent;
mod record;
mod remains;
pub(crate) mod scripts;
mod settings;
pub(crate) mod sql;
pub(crate) mod texts;
mod tokens;
mod upkeep;
mod user;
mod visible;
mod walks;
mod windows;
mod work;
