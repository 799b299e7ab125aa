//! Sample API in the shape of generated code, and a server made of a function.
#![allow(dead_code, missing_docs, unreachable_pub, unused_imports)]

mod api;
mod flows;
mod server;

pub use api::*;
pub use flows::*;
pub use server::*;
