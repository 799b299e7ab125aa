//! The service of script projects over its router, on a store in a folder that is thrown away.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod content;
mod deployments;
mod desk;
mod libraries;
mod limits;
mod lists;
mod metrics;
mod platform;
mod processes;
mod projects;
mod runs;
mod schema;
mod servers;
mod tame;
mod triggers;
mod versions;
mod web;
