//! All suites, one module each.
#![allow(clippy::expect_used, clippy::panic)] // a test that fails says so by panicking

mod corpus;
mod descriptions;
mod documents;
mod inputs;
mod limits;
mod mutations;
mod openapi_corpus;
mod parallel;
mod profile;
mod round_trip;
mod stability;
mod written;
