//! The way of a request to its handler: through the router, as clients send it.
#![allow(missing_docs, clippy::unwrap_used)]

#[path = "../sample/mod.rs"]
mod sample;

mod access;
mod batches;
mod bodies;
mod errors;
mod journeys;
mod parameters;
mod routing;
mod uploads;
