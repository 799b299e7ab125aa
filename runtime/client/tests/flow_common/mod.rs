//! A small API in the shape that generated code has, and a server of functions for it.
#![allow(dead_code, missing_docs, unreachable_pub, unused_imports)]

mod api;
mod server;

pub use api::*;
pub use server::*;
