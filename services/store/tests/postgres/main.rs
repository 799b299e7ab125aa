//! Tests of effects that only a PostgreSQL server has on the store: lost connections, locks of others, several
//! processes.
//!
//! `WIREFORM_TEST_POSTGRES` names a database in which the tests may create schemas; without it, they are skipped.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails that way")]

mod connections;
mod epochs;
mod mailboxes;
mod opening;
mod place;
mod statements;
mod steps;
mod transactions;
