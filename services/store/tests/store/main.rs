//! Test suite of the store, run on both databases. The tests of PostgreSQL run if `WIREFORM_TEST_POSTGRES` contains the
//! URL of a server, `postgres://user@host/database`, on which they may create databases.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that fails may say so by panicking")]

mod accounts;
mod bodies;
mod calendars;
mod channel_owners;
mod channels;
mod edits;
mod epochs;
mod events;
mod executions;
mod forgetting;
mod history;
mod labels;
mod lists;
mod messages;
mod model;
mod notes;
mod place;
mod postgres;
mod script_logs;
mod script_scopes;
mod script_states;
mod scripts;
mod sizes;
mod snapshots;
mod sqlite;
mod support;
mod threads;
mod uids;
mod windows;
