//! A reading list: a service on the generated server, and a use of the generated client.
//!
//! `schemas/` describes the API, and `cargo xtask gen` in this folder writes `generated/`.

mod service;
mod unread;

pub use service::{ReadingList, Tokens};
pub use unread::unread_pages;
