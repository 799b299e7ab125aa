//! Sample API in the shape of generated code, and a server made of a function.
#![allow(missing_docs, unreachable_pub)]

mod api;
mod flows;
mod server;

pub use api::*;
pub use flows::*;
pub use server::*;
