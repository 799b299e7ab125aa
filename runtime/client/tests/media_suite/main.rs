//! Uploads and downloads over local sockets, with connections that break.
#![cfg(feature = "sockets")]
#![allow(clippy::panic, clippy::unwrap_used)]

mod downloads;
mod resumable;
mod sample;
mod server;
mod simple;
