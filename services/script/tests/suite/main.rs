//! Tests of the service of script projects by requests to its router, on a store in a temporary folder.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod canceling;
mod content;
mod deployments;
mod desk;
mod libraries;
mod limits;
mod lists;
mod memory;
mod metrics;
mod platform;
mod processes;
mod projects;
mod runs;
mod schema;
mod servers;
mod shares;
mod statements;
mod tame;
mod triggers;
mod versions;
mod web;
