//! What only a server of PostgreSQL can do to the store: connections that die, locks of others, several processes.
//!
//! `WIREFORM_TEST_POSTGRES` names a database in which schemas may be made; without it, these tests are passed over.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails that way")]

mod connections;
mod epochs;
mod mailboxes;
mod opening;
mod place;
mod statements;
mod steps;
mod transactions;
