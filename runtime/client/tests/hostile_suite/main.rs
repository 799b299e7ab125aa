//! Endless responses from a server on the loopback interface: whatever it sends, every call ends within its limits on
//! every kind of runtime, and its connection is closed.
#![cfg(all(feature = "sockets", feature = "blocking", feature = "adc", feature = "oauth"))]
#![allow(clippy::panic, clippy::unwrap_used)]

mod bodies;
mod credentials;
mod downloads;
mod flows;
mod heads;
mod in_process;
mod runtimes;
#[allow(dead_code)]
#[path = "../core_suite/sample.rs"]
mod sample;
mod server;
mod tls;
