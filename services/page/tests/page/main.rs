//! The pages, asked without sockets.
#![allow(clippy::expect_used, missing_docs, unreachable_pub)]

mod common;
mod guard;
mod headers;
mod pages;
