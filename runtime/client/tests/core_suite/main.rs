//! Calls: requests, retries, responses, and their metrics.
#![allow(clippy::panic, clippy::unwrap_used)]

mod batch_limits;
mod batches;
#[cfg(feature = "blocking")]
mod blocking;
mod bodies;
mod builders;
mod credentials;
mod errors;
mod keys;
mod observed;
mod redirects;
mod retries;
mod sample;
mod script;
mod sent;
mod sockets;
mod transports;
#[cfg(feature = "validation")]
mod validation;
