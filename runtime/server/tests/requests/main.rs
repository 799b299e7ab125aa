//! Requests through the router to their handlers, as clients send them.
#![allow(missing_docs, clippy::unwrap_used)]

#[path = "../sample/mod.rs"]
mod sample;

mod access;
mod batches;
mod bodies;
mod errors;
mod journeys;
mod memory;
mod parameters;
mod routing;
mod uploads;
