//! All suites, one module each.
#![allow(clippy::panic, clippy::unwrap_used)] // a test that fails says so by panicking

mod etag;
mod fields;
mod filter;
mod json_parity;
mod objects;
mod patches;
mod requests;
mod sample;
#[cfg(feature = "xml")]
mod xml;
