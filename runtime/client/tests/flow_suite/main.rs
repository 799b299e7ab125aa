//! Flows of several calls: pages, sync, conditional updates, polling, and fakes.
#![allow(clippy::panic, clippy::unwrap_used)]

mod common;
mod conditional;
#[cfg(feature = "fake")]
mod fake;
mod pages;
#[cfg(feature = "fake")]
mod poller;
mod sync;
mod synchronize;
mod synchronize_mailbox;
mod update;
